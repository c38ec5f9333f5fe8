import type { CastCredit, CrewCredit } from "./generated/models.js";

/** A path parameter. It fills exactly one path segment, percent-encoded. A number must be a safe integer. */
export type Id = string | number;

/**
 * Query parameters by name, as a flat object. A value is a string, number, boolean or `Date` (sent as ISO 8601), or an
 * array of them (sent as a repeated parameter). `null` and `undefined` are left out. The type is `object`, so that your
 * own interfaces fit; the call throws a TypeError for a value that cannot be sent.
 */
export type Query = object;

/** Request headers by name. `undefined` is left out. `authorization` is refused: use the option `token`. */
export type RequestHeaders = Readonly<Record<string, string | undefined>> | Headers;

/** Options of every call. */
export interface CallOptions {
  /**
   * Query parameters of this call. They override the client's `query`; `undefined` removes a default.
   * @example { language: "en-US", page: 2 }
   */
  query?: Query | null | undefined;
  /** Headers of this call. They override the client's `headers`. */
  headers?: RequestHeaders | undefined;
  /** Aborts the call. The promise rejects with the signal's reason, unchanged. */
  signal?: AbortSignal | null | undefined;
  /**
   * Time limit of this call in milliseconds; `0` or `Infinity` means no limit.
   * @default the client's `timeout`
   */
  timeout?: number | undefined;
  /**
   * Retries of this call, from 0 to 10. POST is never retried.
   * @default the client's `retries`
   */
  retries?: number | undefined;
}

/** Options of a call with a request body. */
export interface BodyOptions<Body> extends CallOptions {
  /** The request body, sent as JSON. */
  body: Body;
}

/** A parsed body together with its HTTP response. */
export interface WithResponse<Body> {
  /** The parsed body. */
  data: Body;
  /** Status and headers. The body has already been read. */
  response: Response;
}

/** One operation of the description as a function. */
export interface Method<Parameters extends unknown[], Body> {
  /**
   * Calls the operation and resolves to the parsed body.
   * @throws {TypeError} an argument is invalid; nothing was sent
   * @throws {ApiError} the response is not 2xx
   * @throws {BodyError} the response is 2xx, but its body is not JSON
   * @throws {ConnectionError} the connection failed
   * @throws {TimeoutError} the call took longer than its timeout
   */
  (...parameters: Parameters): Promise<Body>;
  /** Makes the same call and resolves to the parsed body and the HTTP response. */
  withResponse(...parameters: Parameters): Promise<WithResponse<Body>>;
}

/**
 * Narrows a credit to a movie credit. Comparing `media_type` does not, because the type of the other credits is open.
 * @example cast.filter(isMovieCredit).map(({ title }) => title)
 */
export function isMovieCredit<Credit extends CastCredit | CrewCredit>(
  credit: Credit,
): credit is Extract<Credit, { media_type: "movie" }> {
  return credit.media_type === "movie";
}
