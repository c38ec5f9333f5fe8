import { describeType } from "./text.js";

/** Base class for all errors that a call rejects with. */
export class CatalogueError extends Error {
  constructor(
    /** The operationId, such as `movies.latest`; the method and path for a call through `http`; or `paginate`. */
    readonly operation: string,
    message: string,
    options?: ErrorOptions,
  ) {
    // Control characters from the service must not start a new line in a log. Hermes cannot parse `\p{Cc}`.
    super(`${operation}: ${message}`.replace(/[^ -~\xa0-\u2027\u202a-\uffff]+/g, " "), options);
  }
}

/** An error with an HTTP response. */
class ResponseError extends CatalogueError {
  /** The `status_code` in the response body: a machine-readable code, not the HTTP status. */
  readonly code: number | undefined;

  constructor(
    operation: string,
    message: string,
    /** HTTP status; 0 for a redirect in a browser, which hides the status. */
    readonly status: number,
    /** Response headers, without cookies. */
    readonly headers: Headers,
    /** The parsed response body, or the first 200 characters of a body that is not JSON. */
    readonly body: unknown,
  ) {
    super(operation, `${status} ${message}`);
    const code = (body as { status_code?: unknown } | null | undefined)?.status_code;
    this.code = typeof code === "number" ? code : undefined;
  }
}

/** The service sent a non-2xx response, including redirects. */
export class ApiError extends ResponseError {}

/** The service sent a 2xx response whose body is not JSON, such as a login page. Not an `ApiError`. */
export class BodyError extends ResponseError {
  declare readonly code: undefined;
  declare readonly body: string;
}

/** The connection failed before the full response arrived. `cause` is a copy of the error that `fetch` threw. */
export class ConnectionError extends CatalogueError {}

/** The call took longer than its timeout. `cause` is the error from the last failed attempt, if any. */
export class TimeoutError extends CatalogueError {
  constructor(
    operation: string,
    /** The timeout in milliseconds. */
    readonly timeoutMs: number,
    options?: ErrorOptions,
  ) {
    const message = `timed out after ${timeoutMs} ms; set a longer \`timeout\` if needed`;
    super(operation, message, options);
  }
}

const classes = { CatalogueError, ApiError, BodyError, ConnectionError, TimeoutError };
// The names are on the prototypes, because an own `name` property would be printed with every error.
for (const [name, { prototype }] of Object.entries(classes)) prototype.name = name;

/**
 * Returns a call's result, or throws the client's own error with a stack that starts at the caller of `hidden` instead
 * of deep in the client.
 */
export function unwrap<Result>(
  outcome: Result | CatalogueError,
  hidden: (...parameters: never[]) => unknown,
): Result {
  if (!(outcome instanceof CatalogueError)) return outcome;
  // Not every engine has `captureStackTrace`.
  const { captureStackTrace } = Error as {
    captureStackTrace?(error: Error, hidden: unknown): void;
  };
  captureStackTrace?.(outcome, hidden);
  throw outcome;
}

/** Creates the error for an invalid argument or option. */
export function invalidArgument(where: string, problem: string): TypeError {
  return new TypeError(`${where}: ${problem}`);
}

/** Creates the error for an argument or option with an unexpected value. The message does not contain the value. */
export function unexpectedValue(where: string, name: string, expected: string, value: unknown) {
  return invalidArgument(where, `${name} must be ${expected}, not ${describeType(value)}`);
}
