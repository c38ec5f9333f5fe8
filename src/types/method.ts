/** A path parameter. The client percent-encodes the value. A number must be a safe integer. */
export type PathValue = string | number;

/**
 * Query parameters, as a flat object whose keys are the parameter names. A value can be a string, a number, a boolean,
 * a `Date` (sent as ISO 8601), or an array of these values (sent as a repeated parameter). The client omits parameters
 * that are `null` or `undefined`. Any other value makes the call throw a TypeError.
 */
export type Query = Readonly<Record<string, unknown>> | OwnQuery;

/** Any object except a URLSearchParams, a Map, an array, a promise, or a function. */
type OwnQuery = object & {
  readonly [Symbol.iterator]?: never;
  readonly then?: never;
  readonly bind?: never;
};

/**
 * Request headers, as an object whose keys are the header names, or as a `Headers` object. The client omits headers
 * that are `undefined`. The `token` option sets the `authorization` header.
 */
export type RequestHeaders =
  Readonly<Record<string, string | undefined>> | Iterable<readonly [name: string, value: string]>;

/** Options that `fetchOptions` cannot contain, because the client or openapi-fetch sets them. */
export const RESERVED_OPTIONS = [
  ...(["method", "headers", "body", "signal", "redirect", "params", "query", "parseAs"] as const),
  ...(["baseUrl", "fetch", "Request", "middleware"] as const),
  ...(["pathSerializer", "querySerializer", "bodySerializer"] as const),
] as const;
type ReservedOption = (typeof RESERVED_OPTIONS)[number];

/**
 * Additional `fetch` options, such as `cache`, `credentials`, Next.js's `next`, or undici's `dispatcher`. The client
 * itself sets the method, headers, body, signal, and redirect mode.
 */
export type FetchOptions = Omit<RequestInit, ReservedOption> & {
  readonly [name: string]: unknown;
} & { readonly [name in ReservedOption]?: undefined };

/** Options for a call without query parameters. */
export interface RequestOptions {
  /** Headers for this call. They override the client's `headers` with the same names. */
  headers?: RequestHeaders | undefined;
  /** Signal that aborts the call. If the signal aborts, the promise rejects with the signal's reason, unchanged. */
  signal?: AbortSignal | null | undefined;
  /**
   * Time limit for this call in milliseconds; `0` or `Infinity` means no limit.
   * @default the client's `timeout`
   */
  timeout?: number | undefined;
  /**
   * Maximum number of retries, from 0 to 10. The client retries only GET, HEAD, and DELETE requests.
   * @default the client's `retries`
   */
  retries?: number | undefined;
  /**
   * Additional `fetch` options for this call. They override the client's `fetchOptions` with the same names.
   * @example { cache: "no-store" }
   */
  fetchOptions?: FetchOptions | undefined;
}

/** Options for a call. */
export interface CallOptions extends RequestOptions {
  /**
   * Query parameters for this call. They override the client's `query` parameters with the same names; `undefined`
   * removes a parameter.
   * @example { language: "en-US", page: 2 }
   */
  query?: Query | null | undefined;
}

/** The option that contains a request body. */
export interface RequestBody<Body> {
  /** The request body, sent as JSON. */
  body: Body;
}

/** Options for a call with a request body. */
export interface BodyOptions<Body> extends CallOptions, RequestBody<Body> {}

/** A parsed body together with its HTTP response. */
export interface WithResponse<Body> {
  /** The parsed body. */
  data: Body;
  /** The HTTP response, with the status and headers. The body has already been read. */
  response: Response;
}
