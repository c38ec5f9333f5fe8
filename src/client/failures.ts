import { readHeader } from "./body.js";
import type { Credentials } from "./credentials.js";
import { ApiError, ConnectionError, InvalidJsonError } from "./errors.js";
import type { PreparedCall } from "./prepare-call.js";
import { redactError, redactHeaders, redactJson, truncate } from "./redact.js";
import { redactorOf, urlRedactorOf } from "./secrets.js";
import { isPlainObject, resultOf, serviceCodeOf } from "./text.js";

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
  const body = redactJson(parsed === undefined ? "" : parsed, redactorOf(secrets));
  const said = messageIn(body) || resultOf(() => response.statusText);
  // The text and the headers, such as the location of a redirect, can also quote the request's URL.
  const redact = urlRedactorOf(secrets);
  const code = serviceCodeOf(body);
  const isHidden = resultOf(() => response.type) === "opaqueredirect";
  const isRedirect = isHidden || (status < 400 && readHeader(headers, "location"));
  const message = isRedirect
    ? "redirect not followed; set baseUrl to the final address"
    : `${redact(said || "(no message)")}${code === undefined ? "" : ` (status_code ${code})`}`;
  const hint = status === 401 ? hintAt(token, secrets.credentials.client) : "";
  return new ApiError(
    target.operation,
    truncate(message) + hint,
    status,
    redactHeaders(headers, redact),
    typeof body === "string" ? truncate(body) : body,
    cause && { cause },
  );
}

/** The usual names of fields with text, the most precise first. */
const USUAL_NAMES = "status_message errors message Message msg error detail".split(" ");
/** The number of items that a message shows of a list. */
const MAX_ITEMS = 20;

/**
 * Returns the text in an error body, except for pages and URLs: that of a field with a usual name, or else all text.
 * @param label the name of the field that contains the body, unless its name is usual
 */
function messageIn(body: unknown, depth = 5, label = ""): string {
  if (typeof body === "string") {
    if (/^\s*($|<|(https?:\/)?\/\S*$)/.test(body)) return "";
    return (body.includes(label) ? "" : `${label}: `) + body.trim();
  }
  if (depth === 0 || typeof body !== "object" || body === null) return "";
  const join = (texts: string[]) => texts.filter(Boolean).join("; ");
  if (Array.isArray(body))
    return join(body.slice(0, MAX_ITEMS).map((each) => messageIn(each, depth - 1, label)));
  const { status_code: _, ...fields } = body as Record<string, unknown>;
  // FastAPI names the parameter at the end of a list.
  const last = Array.isArray(fields["loc"]) ? (fields["loc"].at(-1) as unknown) : undefined;
  const own = typeof last === "string" ? last : label;
  // Next to the text, some gateways put an object with a code into `detail`.
  const usual = USUAL_NAMES.filter((name) => name !== "detail" || !isPlainObject(fields[name]));
  for (const name of usual) {
    const text = messageIn(fields[name], depth - 1, own);
    if (text) return text;
  }
  const others = Object.keys(fields).filter((name) => !usual.includes(name));
  return join(
    others.map((name) => messageIn(fields[name], depth - 1, name === "title" ? "" : name)),
  );
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
  const redact = redactorOf(secrets);
  const { status, headers } = response;
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
