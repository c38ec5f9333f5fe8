import type { CallOptions } from "./method.js";

/** Known query parameters, with types and autocompletion, plus any others. */
export type OpenQuery<Known extends object> = Known | (Known & Readonly<Record<string, unknown>>);

/** Options for a call whose query parameters are known. */
export interface QueryOptions<Known extends object> extends CallOptions {
  /** Query parameters for this call. They override the client's `query`; `undefined` removes a default. */
  query?: Known | null | undefined;
}

/** Options for a call that has a required query parameter. */
export interface RequiredQueryOptions<Known extends object> extends CallOptions {
  /** Query parameters for this call. They override the client's `query`. */
  query: Known;
}
