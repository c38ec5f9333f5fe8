import { ApiError, BodyError, type Answer } from "./errors.js";
import { excerpt, redactHeaders, redactJson, type Redact } from "./redact.js";
import { jsonOf } from "./text.js";
import { redactorOf, type Call } from "./transport.js";

/** What openapi-fetch makes of an answer: `error` is the parsed body of a failure, or its text. */
export interface Result {
  response: Response;
  error?: unknown;
}

/**
 * The parsed body of a success.
 * @throws {ApiError} the answer is not a success
 * @throws {BodyError} the body is not JSON
 * @throws what the option `validate` throws
 */
export async function bodyOf({ response, error }: Result, call: Call): Promise<unknown> {
  // An empty body makes `error` falsy: the status alone decides.
  const read = response === call.response ? (call.text ?? "") : undefined;
  if (!response.ok) throw failure(response, read === undefined ? error : jsonOf(read), call);
  const text = read ?? (await response.text());
  const type = response.headers.get("content-type");
  if (text === "") throw unreadable("an empty body where JSON is due", response, text, call);
  if (type !== null && !/^[^;]*[/+]json\s*(;|$)/i.test(type)) {
    throw unreadable(`${type} where JSON is due`, response, text, call);
  }
  const data = jsonOf(text);
  if (data === text) throw notJson(response, text, call);
  await validated(data, text, response, call);
  return data;
}

async function validated(data: unknown, text: string, response: Response, call: Call) {
  const { operation, settings } = call;
  if (!settings.validate) return;
  try {
    await settings.validate(operation, data, response);
  } catch (error) {
    const redact = redactorOf(call);
    // An error that quotes the body must not quote a token that a service echoes: the body is judged without it.
    if (redact(text) !== text) {
      await settings.validate(operation, redactJson(JSON.parse(text), redact), response);
    }
    throw error;
  }
}

/** Stands for a SyntaxError, which has no status and may show what a service echoes. */
export function notJson(response: Response, text: string, call: Call): BodyError {
  return unreadable("a body that is not JSON, or not all of it", response, text, call);
}

function failure(response: Response, error: unknown, call: Call): ApiError {
  const redact = redactorOf(call);
  const body = typeof error === "string" ? excerpt(error, redact) : redactJson(error, redact);
  return new ApiError(
    call.operation,
    messageOf(response, body, redact),
    answerOf(response, body, redact),
  );
}

function messageOf(
  { status, statusText, type, headers }: Response,
  body: unknown,
  redact: Redact,
): string {
  if (type === "opaqueredirect" || (status >= 300 && status < 400 && headers.has("location"))) {
    return "redirect refused; give the final address as baseUrl";
  }
  const { status_message, status_code } = (body ?? {}) as Record<string, unknown>;
  const said = typeof status_message === "string" ? status_message : "";
  const words = excerpt(said || statusText || "without a message", redact);
  return typeof status_code === "number" ? `${words} (status_code ${status_code})` : words;
}

function unreadable(what: string, response: Response, text: string, call: Call): BodyError {
  const redact = redactorOf(call);
  const words = excerpt(`answered with ${what}`, redact);
  return new BodyError(call.operation, words, answerOf(response, excerpt(text, redact), redact));
}

function answerOf({ status, headers }: Response, body: unknown, redact: Redact): Answer {
  return { status, headers: redactHeaders(headers, redact), body };
}
