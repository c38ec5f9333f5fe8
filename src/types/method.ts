/** A path parameter. It is percent-encoded and fills exactly one path segment. A number must be a safe integer. */
export type Id = string | number;

/**
 * Query parameters by name, as a flat object or interface. A value is a string, number, boolean, or `Date` (sent as ISO
 * 8601), or an array of them (sent as a repeated parameter). `null` and `undefined` are omitted. Any other value makes
 * the call throw a TypeError.
 */
export type Query = Readonly<Record<string, unknown>> | OwnQuery;

/** Allows interfaces, which have no index signature, but no URLSearchParams, Map, array, promise, or function. */
type OwnQuery = object & {
  readonly [Symbol.iterator]?: never;
  readonly then?: never;
  readonly bind?: never;
};

/** Request headers by name, or `Headers`. `undefined` is omitted. For `authorization`, set the `token` option. */
export type RequestHeaders =
  Readonly<Record<string, string | undefined>> | Iterable<readonly [name: string, value: string]>;

/** `fetch` options that the client sets, and openapi-fetch options that a single call cannot set. */
type ReservedOption =
  | ("method" | "headers" | "body" | "signal" | "redirect" | "params" | "query" | "parseAs")
  | ("baseUrl" | "fetch" | "Request" | "middleware" | `${string}Serializer`);

/**
 * Other `fetch` options, such as `cache`, `credentials`, Next.js's `next`, or undici's `dispatcher`. The client itself
 * sets the method, headers, body, signal, and redirect mode.
 */
export type FetchOptions = Omit<RequestInit, ReservedOption> & {
  readonly [name: string]: unknown;
} & { readonly [name in ReservedOption]?: undefined };

/** Options for a call. */
export interface CallOptions {
  /**
   * Query parameters. They override the client's `query` by name; `undefined` removes a default.
   * @example { language: "en-US", page: 2 }
   */
  query?: Query | null | undefined;
  /** Headers. They override the client's `headers` by name. */
  headers?: RequestHeaders | undefined;
  /** Aborts the call. The promise rejects with the signal's reason, unchanged. */
  signal?: AbortSignal | null | undefined;
  /**
   * Time limit in milliseconds; `0` or `Infinity` means no limit.
   * @default the client's `timeout`
   */
  timeout?: number | undefined;
  /**
   * Maximum number of retries, from 0 to 10. Only GET, HEAD, and DELETE are retried.
   * @default the client's `retries`
   */
  retries?: number | undefined;
  /**
   * Other `fetch` options. They override the client's `fetchOptions` by name.
   * @example { cache: "no-store" }
   */
  fetchOptions?: FetchOptions | undefined;
}

/** Options for a call with a request body. */
export interface BodyOptions<Body> extends CallOptions {
  /** The request body, sent as JSON. */
  body: Body;
}

/** A parsed body together with its HTTP response. */
export interface WithResponse<Body> {
  /** The parsed body. */
  data: Body;
  /** The HTTP response, for its status and headers. Its body has already been read. */
  response: Response;
}
