/** A call of a method or of `http`, as interceptors see it. No property contains a credential. */
export interface Call {
  /** The operationId, such as `movies.details`, or the method and path of a call through `http`. */
  readonly operation: string;
  /** The HTTP method in uppercase. */
  readonly method: string;
  /** The full URL with its query, but without credentials and with `[redacted]` in place of session IDs. */
  readonly url: string;
  /**
   * Whether the response is the same for everyone. Depends only on the operation and on its appended parts: false for
   * all methods except GET, for undocumented paths, and wherever the response can depend on the user.
   */
  readonly isPublic: boolean;
  /** Whether the caller needs the HTTP response, as in `withResponse` and `http`. */
  readonly needsResponse: boolean;
  /** The time limit of the call in milliseconds. It starts when the last interceptor calls `next`. */
  readonly timeout: number;
  /** The caller's signal. An abort ends the call at once, even while an interceptor waits. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Returns a key for caches: the method, the URL, and a hash of what the URL does not show: sessions, headers, and the
   * token, if a `token` function can return the tokens of several users. From now on, the call keeps its token.
   */
  key(): Promise<string>;
}

/** The result of a call. */
export interface Result {
  /** The parsed body. For a call through `http`, also that of a non-2xx response. */
  readonly data: unknown;
  /** The HTTP response, whose body has been read. Missing if no request was sent for this call. */
  readonly response?: Response | undefined;
  /** The number of requests that were sent for this call. */
  readonly attempts: number;
  readonly source: "network" | "cache" | "shared";
}

/** Changes that an interceptor makes to the rest of the call. */
export interface NextOptions {
  /** A signal that replaces the caller's signal for the requests. */
  readonly signal?: AbortSignal | undefined;
  /** A time limit that replaces the call's, in milliseconds. `0` or `Infinity` means no limit. */
  readonly timeout?: number | undefined;
  /** A function that is called when the time limit starts, and before each further request. */
  readonly onAttempt?: ((attempt: number) => void) | undefined;
}

/**
 * A function that runs around each call. The function calls `next` to run the rest of the call, or returns a result of
 * its own. If the function throws an error, the call rejects with that error, unchanged.
 */
export type Interceptor = (
  call: Call,
  next: (options?: NextOptions) => Promise<Result>,
) => Promise<Result>;
