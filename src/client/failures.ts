import { readHeader, type Received } from "./body.js";
import type { Credentials } from "./credentials.js";
import { ApiError, ConnectionError, InvalidJsonError } from "./errors.js";
import type { PreparedCall } from "./prepare-call.js";
import { redactError, redactHeaders, redactJson, truncate } from "./redact.js";
import { redactorOf, urlRedactorOf } from "./secrets.js";
import { resultOf, serviceCodeOf } from "./text.js";

/**
 * Creates the error for a non-2xx response.
 * @param parsed the parsed body, which the function redacts in place, or the text of a body that is not JSON
 * @param cause the error from the previous attempt, if any
 */
export function createApiError(
  { target, secrets }: PreparedCall,
  { response, token }: Pick<Received, "response" | "token">,
  parsed: unknown,
  cause: Error | undefined,
): ApiError {
  const { status, headers } = response;
  const body = redactJson(parsed === undefined ? "" : parsed, redactorOf(secrets));
  const said = textsIn(body).join("; ") || resultOf(() => response.statusText);
  // The text and the headers, such as the location of a redirect, can also quote the request's URL.
  const redact = urlRedactorOf(secrets);
  const code = serviceCodeOf(body);
  const isHidden = resultOf(() => response.type) === "opaqueredirect";
  const isRedirect = isHidden || (status < 400 && readHeader(headers, "location"));
  const message = isRedirect
    ? "redirect not followed; set baseUrl to the final address"
    : `${redact(said || "(no message)")}${code === undefined ? "" : ` (status_code ${code})`}`;
  const hint = status === 401 ? hintAt(String(token), secrets.client) : "";
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
const USUAL_NAMES =
  "status_message errors message Message msg error_description error faultstring detail".split(" ");
/** The number of items that a message shows of a list. */
const MAX_ITEMS = 20;

/**
 * Returns the text in an error body, except for pages and URLs: that of a field with a usual name, or else all text.
 * @param label the name of the field that contains the body, unless its name is usual
 * @param isUsual whether the body is in a field with a usual name, next to which some services put codes, such as
 *   `{ "message": "no such page", "detail": { "code": "E12" } }`
 */
function textsIn(body: unknown, label = "", depth = 5, isUsual = false): string[] {
  if (typeof body === "string") {
    if (/^\s*($|<|(https?:\/)?\/\S*$)/.test(body)) return [];
    return [(body.includes(label) ? "" : `${label}: `) + body.trim()];
  }
  if (depth === 0 || typeof body !== "object" || body === null) return [];
  if (Array.isArray(body))
    return body.slice(0, MAX_ITEMS).flatMap((each) => textsIn(each, label, depth - 1, isUsual));
  const { status_code: _, ...fields } = body as Record<string, unknown>;
  // FastAPI names the parameter at the end of a list.
  const last = Array.isArray(fields["loc"]) ? (fields["loc"].at(-1) as unknown) : undefined;
  for (const name of USUAL_NAMES) {
    const texts = textsIn(fields[name], typeof last === "string" ? last : label, depth - 1, true);
    if (texts.length > 0) return texts;
  }
  const own = Object.values(fields).filter((each) => typeof each === "string");
  // A sentence has a space, but a code has none.
  if (isUsual && own.length > 0 && !own.some((each) => each.includes(" "))) return [];
  return Object.keys(fields).flatMap((name) =>
    textsIn(fields[name], name === "title" ? "" : name, depth - 1, isUsual),
  );
}

/** Says if a rejected credential looks like the other type of credential. */
function hintAt(token: string, credentials: Credentials | undefined): string {
  const isKey = credentials?.option === "apiKey";
  const other = isKey ? /^eyJ.*\..*\./ : /^[\da-f]{32}$/i;
  if (!other.test(token)) return "";
  return isKey
    ? "; the API key looks like an access token, pass it as `token` instead"
    : "; the token looks like a v3 API key, which media-catalogue/full takes as `apiKey`";
}

/** Creates the error for a 2xx response whose body is not JSON. */
export function createInvalidJsonError(
  { target, secrets }: PreparedCall,
  { response }: Pick<Received, "response">,
  text: string,
  cause: Error | undefined,
): InvalidJsonError {
  const redact = redactorOf(secrets);
  const { status, headers } = response;
  const type = readHeader(headers, "content-type") ?? "no content type";
  const what = text === "" ? "an empty body" : `a body that is not JSON or is cut off (${type})`;
  return new InvalidJsonError(
    target.operation,
    truncate(redact(`with ${what}; expected JSON`)),
    status,
    redactHeaders(headers, urlRedactorOf(secrets)),
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
