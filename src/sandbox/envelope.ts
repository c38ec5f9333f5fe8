/** A status envelope of failure, with the HTTP status that the sandbox gives it. */
export interface Failure {
  status: number;
  /** `status_code` of the envelope. */
  code: number;
  message: string;
  headers?: Readonly<Record<string, string>>;
}

/*
 * The source names no HTTP status of an error and no complete list of status codes. The numbers below are the
 * sandbox's own choice, so that a client has something to handle; no deployment is bound to them.
 */

/** No bearer token, or an `Authorization` header of another form. */
export function missingToken(): Failure {
  return {
    status: 401,
    code: 7,
    message: "No bearer token: send the header Authorization: Bearer <any text without spaces>.",
    // RFC 9110, 11.6.1: every 401 carries a challenge.
    headers: { "www-authenticate": "Bearer" },
  };
}

/** No operation has this path. */
export function unknownPath(path: string): Failure {
  return {
    status: 404,
    code: 34,
    message: `No operation has the path ${path}: paths start with /3 and have no empty segment.`,
  };
}

/** The path is described, but not with this method. */
export function wrongMethod(method: string, path: string, allowed: readonly string[]): Failure {
  const allow = allowed.join(", ");
  return {
    status: 405,
    code: 3,
    message: `${method} is not described for ${path}: use ${allow}.`,
    headers: { allow },
  };
}

/** The operation wants a JSON body, and this is none. */
export function bodyNotJson(operation: string): Failure {
  return {
    status: 400,
    code: 5,
    message: `${operation}: the body is not JSON: send a JSON object.`,
  };
}

/** The body is JSON, but not what the operation wants. */
export function bodyRefused(operation: string, problem: string): Failure {
  return { status: 422, code: 5, message: `${operation}: ${problem}.` };
}

/** No recording of the operation has the name that the request asks for. */
export function unknownCase(operation: string, name: string, names: readonly string[]): Failure {
  return {
    status: 400,
    code: 5,
    message: `${operation}: no case is called ${name}: choose one of ${names.join(", ")}.`,
  };
}

/** The response that carries a failure. */
export function failureResponse({ status, code, message, headers }: Failure): Response {
  const envelope = { success: false, failure: true, status_code: code, status_message: message };
  return new Response(JSON.stringify(envelope), {
    status,
    headers: { "content-type": "application/json;charset=utf-8", ...headers },
  });
}
