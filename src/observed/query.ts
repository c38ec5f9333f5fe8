import type { CallOptions } from "../method.js";

/** Query parameters with types and autocompletion, and any others. */
export type OpenQuery<Known extends object> = Known | (Known & Readonly<Record<string, unknown>>);

/** Options of a call whose query parameters are known. */
export interface QueryOptions<Known extends object> extends CallOptions {
  /** Query parameters of this call. They override the client's `query`; `undefined` removes a default. */
  query?: Known | null | undefined;
}

/** Options of a call that has a required query parameter. */
export interface RequiredQueryOptions<Known extends object> extends CallOptions {
  /** Query parameters of this call. They override the client's `query`. */
  query: Known;
}
