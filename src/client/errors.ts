import { describeType } from "./text.js";

/** Base class for all errors that a call rejects with. */
export class CatalogueError extends Error {
  /** The operationId, such as `movies.latest`; the method and path for a call through `http`; or `paginate`. */
  readonly operation: string;

  constructor(operation: string, message: string, options?: ErrorOptions) {
    // Text from the service must not start a new line in a log.
    super(`${operation}: ${message}`.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " "), options);
    this.operation = operation;
  }
}

/** The service sent a non-2xx response, including redirects. */
export class ApiError extends CatalogueError {
  /** HTTP status; 0 for a redirect in a browser, which hides the status. */
  readonly status: number;
  /** The `status_code` in the response body: a machine-readable code, not the HTTP status. */
  readonly code: number | undefined;
  /** The parsed response body, or the first 200 characters of a body that is not JSON. */
  readonly body: unknown;
  /** Response headers. */
  readonly headers: Headers;

  constructor(operation: string, message: string, status: number, headers: Headers, body: unknown) {
    super(operation, `${status} ${message}`);
    const code = (body as { status_code?: unknown } | null | undefined)?.status_code;
    this.status = status;
    this.code = typeof code === "number" ? code : undefined;
    this.body = body;
    this.headers = headers;
  }
}

/** The service sent a 2xx response whose body is not JSON, such as a login page. Not an `ApiError`. */
export class BodyError extends CatalogueError {
  /** HTTP status, from 200 to 299. */
  readonly status: number;
  /** The first 200 characters of the response body. */
  readonly body: string;
  /** Response headers. */
  readonly headers: Headers;

  constructor(operation: string, message: string, status: number, headers: Headers, body: string) {
    super(operation, `${status} ${message}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The connection failed before the full response arrived. `cause` is a copy of the error that `fetch` threw. */
export class ConnectionError extends CatalogueError {}

/** The call took longer than its timeout. `cause` is the error from the last failed attempt, if any. */
export class TimeoutError extends CatalogueError {
  /** The timeout in milliseconds. */
  readonly timeoutMs: number;

  constructor(operation: string, ms: number, cause: unknown) {
    const message = `timed out after ${ms} ms; set a longer \`timeout\` if needed`;
    super(operation, message, cause === undefined ? undefined : { cause });
    this.timeoutMs = ms;
  }
}

const classes = { CatalogueError, ApiError, BodyError, ConnectionError, TimeoutError };
// On the prototypes, because an own `name` property would be printed with every error.
for (const [name, { prototype }] of Object.entries(classes)) prototype.name = name;

/** Errors that the client has thrown. */
const thrown = new WeakSet<Error>();

/** Rethrows an error. The first time, makes its stack start at the caller of `hidden` instead of deep in the client. */
export function rethrow(error: unknown, hidden: (...parameters: never[]) => unknown): never {
  if (error instanceof CatalogueError && !thrown.has(error)) {
    thrown.add(error);
    Error.captureStackTrace?.(error, hidden);
  }
  throw error;
}

/** Creates the error for an invalid argument or option. */
export function invalidArgument(where: string, problem: string): TypeError {
  return new TypeError(`${where}: ${problem}`);
}

/** Creates the error for an argument or option with an unexpected value. The message does not contain the value. */
export function unexpectedValue(where: string, name: string, expected: string, value: unknown) {
  return invalidArgument(where, `${name} must be ${expected}, not ${describeType(value)}`);
}
