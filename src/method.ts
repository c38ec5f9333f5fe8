/** A value of a path parameter. It is sent as exactly one path segment, percent-encoded. */
export type Id = string | number;

/** A value of a query parameter. A date is sent in ISO 8601; null and undefined are left out. */
export type QueryValue = string | number | boolean | Date | null | undefined;

/** Query parameters by name, flat. An array is sent as one parameter for each of its items. */
export interface Query {
  readonly [name: string]: QueryValue | readonly QueryValue[];
}

/** What every call takes besides its identifiers and its body. */
export interface CallOptions {
  /**
   * Query parameters. The source names none of them, so any flat record is taken.
   * @example { language: "en-US", page: 2 }
   */
  query?: Query | undefined;
  /** Aborts the call, which then rejects with the reason of this signal, untouched. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that the whole call may take, instead of the client's `timeout`. */
  timeout?: number | undefined;
  /** Headers of this call, beside those of the client. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of a call that sends a body. */
export interface BodyOptions<Body> extends CallOptions {
  /** Sent as JSON. */
  body: Body;
}

/** A parsed body together with the HTTP response that it came in. */
export interface WithResponse<Body> {
  /** The parsed body. */
  data: Body;
  /** Status and headers; its body has been read already. */
  response: Response;
}

/** An operation of the description as a function of its identifiers and options. */
export interface Method<Parameters extends unknown[], Body> {
  /**
   * Calls the operation and resolves to the parsed body.
   * @throws {TypeError} an argument cannot be sent; nothing was sent
   * @throws {ApiError} the answer is not a success
   * @throws {BodyError} the answer is a success, but its body is not JSON
   * @throws {ConnectionError} no answer, or only a part of one
   * @throws {TimeoutError} the call took longer than its timeout
   */
  (...parameters: Parameters): Promise<Body>;
  /** The same call, for the status and the headers of the answer besides the body. */
  withResponse(...parameters: Parameters): Promise<WithResponse<Body>>;
}
