import type { RequestOptions } from "./method.js";

/** Query parameters, with types and autocompletion for known names. Other names are also allowed. */
export type OpenQuery<Known extends object> = Known | (Known & Readonly<Record<string, unknown>>);

/**
 * The base of all queries without other names than the declared ones. No parameter has a name of this form, but each
 * `Record<string, …>` could, so TypeScript rejects records. TypeScript also rejects an interface of the app, because
 * others could extend it. The name tells what to do, because the compiler shows it.
 */
export interface ClosedQuery {
  readonly [name: `undeclared parameter (declare a type alias with exact names) ${string}`]: never;
}

/**
 * Rejects query parameters that only another operation takes, so that code that chooses between the two methods cannot
 * pass them. Editors suggest properties, but not index signatures.
 */
export type OnlyIn<Operation extends string, Names extends string> = {
  readonly [name in `${Names}${string}`]: `Only ${Operation} takes this parameter` | undefined;
};

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
