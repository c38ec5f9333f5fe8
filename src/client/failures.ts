import { readHeader } from "./body.js";
import type { Credentials } from "./credentials.js";
import { ApiError, ConnectionError, InvalidJsonError } from "./errors.js";
import type { PreparedCall } from "./prepare-call.js";
import { redactError, redactHeaders, redactJson, truncate } from "./redact.js";
import { redactorOf, urlRedactorOf } from "./secrets.js";
import { resultOf, serviceCodeOf } from "./text.js";

/** A failed attempt of a call. */
interface Failure {
  readonly response: Response;
  /** The token or API key of the request, if it had one. */
  readonly token?: string | undefined;
  /** The error from the previous attempt, if any. */
  readonly cause?: Error | undefined;
}

/**
 * Creates the error for a non-2xx response.
 * @param parsed the parsed body, which the function redacts in place, or the text of a body that is not JSON
 */
export function createApiError(
  { target, secrets }: PreparedCall,
  { response, token = "", cause }: Failure,
  parsed: unknown,
): ApiError {
  const { status, headers } = response;
  const redact = redactorOf(secrets);
  const whole = redactJson(parsed === undefined ? "" : parsed, redact);
  const body = typeof whole === "string" ? truncate(whole) : whole;
  const said = messageIn(body) || redact(resultOf(() => response.statusText) ?? "");
  const code = serviceCodeOf(body);
  const isHidden = resultOf(() => response.type) === "opaqueredirect";
  const isRedirect = isHidden || (status < 400 && readHeader(headers, "location"));
  const message = isRedirect
    ? "redirect not followed; set baseUrl to the final address"
    : `${said || "(no message)"}${code === undefined ? "" : ` (status_code ${code})`}`;
  const hint = status === 401 ? hintAt(token, secrets.credentials.client) : "";
  return new ApiError(
    target.operation,
    truncate(message) + hint,
    status,
    redactHeaders(headers, redact),
    body,
    cause && { cause },
  );
}

/** Returns the text in an error body, unless it is a page: that of a field with a usual name, or else all text. */
function messageIn(body: unknown, depth = 3): string {
  if (typeof body === "string") return /^\s*</.test(body) ? "" : body.trim();
  const { status_code: _, ...named } = Object(body) as Record<string, unknown>;
  const { status_message, errors, message, error } = named;
  const textsOf = (values: unknown[]) =>
    depth > 0 ? values.map((each) => messageIn(each, depth - 1)).filter(Boolean) : [];
  const [usual] = textsOf([status_message, errors, message, error]);
  return usual ?? textsOf(Object.values(named)).join("; ");
}

/** Says if a rejected credential looks like the other type of credential. */
function hintAt(token: string, credentials: Credentials | undefined): string {
  const isKey = credentials?.option === "apiKey";
  if (!isKey && /^[\da-f]{32}$/i.test(token))
    return "; the token looks like a v3 API key, which media-catalogue/full takes as `apiKey`";
  const isToken = isKey && /^eyJ.*\..*\./.test(token);
  return isToken ? "; the API key looks like an access token, pass it as `token` instead" : "";
}

/** Creates the error for a 2xx response whose body is not JSON. */
export function createInvalidJsonError(
  { target, secrets }: PreparedCall,
  { response, cause }: Failure,
  text: string,
): InvalidJsonError {
  const { status, headers } = response;
  const redact = redactorOf(secrets);
  const type = readHeader(headers, "content-type") ?? "no content type";
  const what = text === "" ? "an empty body" : `a body that is not JSON or is cut off (${type})`;
  return new InvalidJsonError(
    target.operation,
    truncate(redact(`with ${what}; expected JSON`)),
    status,
    redactHeaders(headers, redact),
    truncate(redact(text)),
    cause && { cause },
  );
}

/**
 * Creates the error for a lost connection. The message contains the message of the innermost cause.
 * @param previous the error from the previous attempt, which ends the chain of causes
 */
export function createConnectionError(
  { target, secrets }: PreparedCall,
  what: string,
  error: unknown,
  previous: Error | undefined,
): ConnectionError {
  const cause = redactError(error, urlRedactorOf(secrets));
  let last = cause;
  while (last.cause) last = last.cause as Error;
  if (previous) last.cause = previous;
  const reason = last.message || (last as { code?: string }).code || last.name;
  return new ConnectionError(target.operation, `${what} (${truncate(reason.trim())})`, { cause });
}
