import { ApiError, BodyError } from "./errors.js";
import { redact, redactHeaders } from "./redact.js";
import type { Call } from "./transport.js";

/** Characters that an error keeps of a body that is not JSON. */
const EXCERPT = 200;

/** What openapi-fetch makes of an answer: `error` is the parsed body of a failure, or its text. */
export interface Result {
  response: Response;
  error?: unknown;
}

/**
 * The parsed body of a success.
 * @throws {ApiError} the answer is not a success
 * @throws {BodyError} the body is not JSON
 */
export async function bodyOf({ response, error }: Result, call: Call): Promise<unknown> {
  // An empty body makes `error` falsy: the status alone decides.
  if (!response.ok) throw failure(response, error, call);
  const text = response === call.response ? (call.text ?? "") : await response.text();
  const type = response.headers.get("content-type");
  if (text === "") throw unreadable("an empty body where JSON is due", response, text, call);
  if (type !== null && !/^[^;]*[/+]json\s*(;|$)/i.test(type)) {
    throw unreadable(`${type} where JSON is due`, response, text, call);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable("a body that is not JSON, or not all of it", response, text, call);
  }
}

function failure(response: Response, error: unknown, call: Call): ApiError {
  const { operation, secrets } = call;
  const body = typeof error === "string" ? excerpt(error, secrets) : clean(error, secrets);
  const answer = {
    status: response.status,
    headers: redactHeaders(response.headers, secrets),
    body,
  };
  return new ApiError(operation, messageOf(response, body), answer);
}

function messageOf({ status, statusText, type, headers }: Response, body: unknown): string {
  if (type === "opaqueredirect" || (status >= 300 && status < 400 && headers.has("location"))) {
    return "redirect refused; give the final address as baseUrl";
  }
  const { status_message, status_code } = (body ?? {}) as Record<string, unknown>;
  const words =
    typeof status_message === "string" ? status_message : statusText || "without a message";
  return typeof status_code === "number" ? `${words} (status_code ${status_code})` : words;
}

function unreadable(what: string, response: Response, text: string, call: Call): BodyError {
  const { operation, secrets } = call;
  const body = excerpt(text, secrets);
  const answer = {
    status: response.status,
    headers: redactHeaders(response.headers, secrets),
    body,
  };
  return new BodyError(operation, redact(`answered with ${what}`, secrets), answer);
}

function excerpt(text: string, secrets: Set<string>): string {
  const whole = redact(text, secrets);
  return whole.length <= EXCERPT ? whole : `${whole.slice(0, EXCERPT)}…`;
}

/** A copy of a JSON value in which no string and no key holds a secret. */
function clean(value: unknown, secrets: Set<string>): unknown {
  return value === undefined ? undefined : JSON.parse(redact(JSON.stringify(value), secrets));
}
