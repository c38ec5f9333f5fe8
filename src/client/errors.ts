import { describeType, resultOf, serviceCodeOf } from "./text.js";

/** Base class for the errors that report a failed call or an invalid page. */
export class CatalogueError extends Error {
  constructor(
    /** What failed: an operationId, the method and path of a call through `http`, or "paginate". */
    readonly operation: string,
    message: string,
    options?: ErrorOptions,
  ) {
    // Replaces control characters, so that a response cannot add lines to a log. Does not use `\p{Cc}`, because Hermes
    // cannot parse it.
    super(`${operation}: ${message}`.replace(/[^ -~\xa0-\u2027\u202a-\uffff]+/g, " "), options);
    pending.add(this);
  }

  /** Returns what `JSON.stringify` shows: the properties of the error, without its stack, and the message of its cause. */
  toJSON(): Record<string, unknown> {
    const { name, message, cause, headers, body, ...own } = this as CatalogueError & {
      headers?: Headers;
      body?: unknown;
    };
    return {
      name,
      message,
      ...own,
      // The body can be nested too deeply for `JSON.stringify`, whose depth Node 26 limits only for `toJSON`.
      ...(resultOf(() => JSON.stringify({ toJSON: () => body })) !== undefined && { body }),
      ...(headers && { headers: Object.fromEntries(headers) }),
      ...(cause instanceof Error && { cause: cause.message }),
    };
  }
}

class ResponseError extends CatalogueError {
  /** The `status_code` in the response body: a machine-readable code, not the HTTP status. */
  readonly serviceCode: number | undefined;

  constructor(
    operation: string,
    message: string,
    /** HTTP status. In a browser, the status of a redirect is always 0. */
    readonly status: number,
    /** Response headers, without cookies. */
    readonly headers: Headers,
    /** The parsed response body, or the first 200 characters of a body that is not JSON. */
    readonly body: unknown,
    options?: ErrorOptions,
  ) {
    super(operation, `${status} ${message}`, options);
    this.serviceCode = serviceCodeOf(body);
  }
}

/** Error for a non-2xx response, including a redirect. `cause` is the error from the previous attempt, if any. */
export class ApiError extends ResponseError {}

/** Error for a 2xx response whose body is not JSON, such as a login page. Does not extend `ApiError`. */
export class InvalidJsonError extends ResponseError {
  declare readonly serviceCode: undefined;
  declare readonly body: string;
}

/**
 * Error for a connection that failed before the full response arrived. `cause` is a copy of the original error, whose
 * causes end with the error from the previous attempt, if any.
 */
export class ConnectionError extends CatalogueError {}

/** Error for a call that took longer than its timeout. `cause` is the error from the last failed attempt, if any. */
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

const classes = { CatalogueError, ApiError, InvalidJsonError, ConnectionError, TimeoutError };
// Sets the names on the prototypes, because Node prints an own `name` property with every error.
for (const [name, { prototype }] of Object.entries(classes)) prototype.name = name;

/** The errors that no call has thrown yet, so that their stacks start inside the client. */
const pending = new WeakSet();

/** Returns the error of a failed call, whose stack then starts at the caller of `hidden`, instead of inside the client. */
export function withStack(error: unknown, hidden: (...parameters: never[]) => unknown): unknown {
  // Some JavaScript engines do not have `captureStackTrace`, and an app's own error can be frozen.
  const { captureStackTrace } = Error as {
    captureStackTrace?(error: unknown, hidden: unknown): void;
  };
  // Stryker disable next-line OptionalChaining: Hermes has no captureStackTrace; test/everywhere/react-native.test.ts covers this case.
  if (pending.delete(error as object)) resultOf(() => captureStackTrace?.(error, hidden));
  return error;
}

export function invalidArgument(where: string, problem: string): TypeError {
  return new TypeError(`${where}: ${problem}`);
}

/** Creates the error for an argument or option with an unexpected value. The message describes the value's type. */
export function unexpectedValue(where: string, name: string, expected: string, value: unknown) {
  return invalidArgument(where, `${name} must be ${expected}, not ${describeType(value)}`);
}

/** A hint for a missing value that usually comes from the environment. */
export const IS_SET = "is the environment variable set?";
