/** Base class of all errors of this package. */
export class CatalogueError extends Error {
  /** The operationId, such as `movies.latest`; method and path of a call through `http`; or `paginate`. */
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
  /** `status_code` of the response body: a machine-readable code, not the HTTP status. */
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

/** The service sent a 2xx response whose body is not JSON; `body` has its first 200 characters. */
export class BodyError extends ApiError {}

/** The connection failed before the full response arrived. `cause` is the error from `fetch`. */
export class ConnectionError extends CatalogueError {}

/** The call took longer than its timeout. `cause` has the error of the last failed attempt, if any. */
export class TimeoutError extends CatalogueError {
  /** The timeout in milliseconds. */
  readonly ms: number;

  constructor(operation: string, ms: number, cause?: CatalogueError) {
    super(
      operation,
      `timed out after ${ms} ms; the option timeout sets the limit`,
      cause && { cause },
    );
    this.ms = ms;
  }
}

const classes = { CatalogueError, ApiError, BodyError, ConnectionError, TimeoutError };
// On the prototypes, because an own property `name` would be printed with every error.
for (const [name, { prototype }] of Object.entries(classes)) prototype.name = name;

/** Errors that the client made, until they reach the caller. */
const made = new WeakSet<Error>();

/** Marks an error as made by the client. */
export function own<Kind extends Error>(error: Kind): Kind {
  made.add(error);
  return error;
}

/**
 * Makes the stack of an error start at the caller of a function, if the client made the error and throws it for the
 * first time: it does so in timers or deep in the stack.
 */
export function startStack(error: unknown, caller: (...parameters: never[]) => unknown): void {
  if (made.delete(error as Error)) Error.captureStackTrace?.(error as Error, caller);
}

/** The error of an invalid argument or option. */
export function wrong(where: string, problem: string): TypeError {
  return own(new TypeError(`${where}: ${problem}`));
}
