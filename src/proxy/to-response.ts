import { readHeader } from "../client/body.js";
import { redactText, type Redact } from "../client/redact.js";
import { parseJsonOrText } from "../client/text.js";
import { Rejection } from "./rejection.js";

/** Headers of a public response that tell browsers and CDNs for how long to keep it. */
const CACHE_HEADERS = ["etag", "cache-control", "age"];
/** Headers of all other responses. */
const OTHER_HEADERS = ["retry-after"];

/**
 * Creates the visitor's response from the response of the service.
 * @param data the text of a 2xx response, or the parsed body of an error response
 * @param redact replaces the credentials, which the service might send back
 * @throws {Rejection} if the response is a redirect, or if its body is not a JSON object or array, before or after it is
 *   redacted
 */
export function toResponse(
  { status, headers }: Response,
  data: unknown,
  isPublic: boolean,
  redact: Redact,
): Response {
  const isUnchanged = status === 304;
  const isSuccess = status >= 200 && status <= 299;
  const isError = status >= 400 && status <= 599;
  if (!isUnchanged && !isSuccess && !isError)
    throw new Rejection(502, `the service responded with the status ${status}`);
  const isStorable = isPublic && !isError;
  const shown = new Headers(isStorable ? {} : { "cache-control": "no-store" });
  for (const name of isStorable ? CACHE_HEADERS : OTHER_HEADERS) {
    const value = readHeader(headers, name);
    if (value !== null) shown.set(name, redact(value));
  }
  if (isUnchanged) return new Response(null, { status, headers: shown });
  const parsed = typeof data === "string" ? parseJsonOrText(data) : data;
  if (typeof parsed !== "object")
    throw new Rejection(isError ? status : 502, "the service responded without JSON");
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const clean = redactText(text, redact);
  // Redacting can break JSON that contains a credential and is nested deeply, or a credential with the syntax of JSON.
  if (clean !== text && typeof parseJsonOrText(clean) !== "object")
    throw new Rejection(500, "the proxy could not redact the response");
  return createJson(status, clean, shown);
}

/** Creates the response for a request that the proxy does not pass on, or for a response that it does not pass back. */
export function toErrorResponse({ status, message }: Rejection): Response {
  const body = JSON.stringify({ success: false, status_message: message });
  return createJson(status, body, new Headers({ "cache-control": "no-store" }));
}

function createJson(status: number, body: string, headers: Headers): Response {
  headers.set("content-type", "application/json");
  // A browser must not run a response as a script or show it as a page.
  headers.set("x-content-type-options", "nosniff");
  return new Response(body, { status, headers });
}
