import type { RequestOptions } from "./method.js";

/** Query parameters, with types and autocompletion for known names. Other names are also allowed. */
export type OpenQuery<Known extends object> = Known | (Known & Readonly<Record<string, unknown>>);

/** Options for a call with known query parameters. */
export interface QueryOptions<Known extends object> extends RequestOptions {
  /**
   * Query parameters for this call. They override the client's `query` parameters with the same names; `undefined`
   * removes a parameter.
   */
  query?: Known | null | undefined;
}

/** Options for a call that has a required query parameter. */
export interface RequiredQueryOptions<Known extends object> extends RequestOptions {
  /** Query parameters for this call. They override the client's `query` parameters with the same names. */
  query: Known;
}
