const brand = Symbol.for("media-catalogue.error");

/** What every error of this package is. */
export class CatalogueError extends Error {
  /** The operationId, such as `movies.latest`; method and path of a call through `http`; or `paginate`. */
  readonly operation: string;

  constructor(operation: string, message: string, options?: ErrorOptions) {
    // What a service says must not begin a new line of a log.
    super(`${operation}: ${message}`.replace(/\p{Cc}+/gu, " "), options);
    this.operation = operation;
  }

  static {
    named(this, "CatalogueError");
  }
}

/** The service answered, but not with a success. */
export class ApiError extends CatalogueError {
  /** HTTP status; 0 where a browser hides the status of a redirect. */
  readonly status: number;
  /** `status_code` of the status envelope, where the body is one. */
  readonly code: number | undefined;
  /** The parsed body, or the start of a body that is not JSON. */
  readonly body: unknown;
  /** The headers of the answer, without the secrets of the request where the service echoes them. */
  readonly headers: Headers;

  constructor(operation: string, message: string, answer: Answer) {
    super(operation, `${answer.status} ${message}`);
    this.status = answer.status;
    this.code = statusCode(answer.body);
    this.body = answer.body;
    this.headers = answer.headers;
  }

  static {
    named(this, "ApiError");
  }
}

/** The service answered with a success whose body is not the JSON that is due; `body` is its start. */
export class BodyError extends ApiError {
  static {
    named(this, "BodyError");
  }
}

/** No answer arrived, or only a part of one. `cause` says why, without the request. */
export class ConnectionError extends CatalogueError {
  static {
    named(this, "ConnectionError");
  }
}

/** The call took longer than its timeout, with all attempts, waits and the reading of the body. */
export class TimeoutError extends CatalogueError {
  /** The timeout that passed, in milliseconds. */
  readonly ms: number;

  constructor(operation: string, ms: number) {
    super(operation, `not done within ${ms} ms; the option timeout sets how long a call may take`);
    this.ms = ms;
  }

  static {
    named(this, "TimeoutError");
  }
}

/** What an {@link ApiError} keeps of an answer. */
export interface Answer {
  /** HTTP status. */
  status: number;
  /** Its headers, without secrets. */
  headers: Headers;
  /** The parsed body, or the start of its text. */
  body: unknown;
}

/** Guards that hold across realms and copies of this package, where `instanceof` does not. */
export const isCatalogueError = /* @__PURE__ */ guard<CatalogueError>("CatalogueError");
/** @see isCatalogueError */
export const isApiError = /* @__PURE__ */ guard<ApiError>("ApiError");
/** @see isCatalogueError */
export const isBodyError = /* @__PURE__ */ guard<BodyError>("BodyError");
/** @see isCatalogueError */
export const isConnectionError = /* @__PURE__ */ guard<ConnectionError>("ConnectionError");
/** @see isCatalogueError */
export const isTimeoutError = /* @__PURE__ */ guard<TimeoutError>("TimeoutError");

function guard<Kind>(name: string) {
  return (error: unknown): error is Kind => {
    const names = (error as { [brand]?: readonly string[] } | null | undefined)?.[brand];
    return Array.isArray(names) && names.includes(name);
  };
}

/** Names stand on the prototype: an own `name` would be printed with every error. */
function named(kind: { prototype: object }, name: string): void {
  const inherited = (kind.prototype as { [brand]?: readonly string[] })[brand] ?? [];
  Object.defineProperties(kind.prototype, {
    name: { value: name, configurable: true, writable: true },
    [brand]: { value: [...inherited, name] },
  });
}

function statusCode(body: unknown): number | undefined {
  const code = (body as { status_code?: unknown } | null | undefined)?.status_code;
  return typeof code === "number" ? code : undefined;
}
