import { ConnectionError, invalidArgument, unexpectedValue } from "./errors.js";
import { checkToken } from "./options.js";
import type { CallTarget, PreparedCall } from "./prepare-call.js";
import { redactError, redactorFor, type SentRequest } from "./redact.js";

/** The outcome of one request: a response or a connection error. */
export interface Outcome {
  sent: SentRequest;
  response?: Response;
  /** The body of a non-2xx response. */
  text?: string;
  error?: ConnectionError;
}

/** openapi-fetch creates this instead of a Request while no hook is installed. */
export class RequestLike {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: SentRequest["body"];

  constructor(url: string, init: Pick<RequestLike, "method" | "headers" | "body">) {
    this.url = url;
    this.method = init.method;
    // openapi-fetch creates new headers for every attempt.
    this.headers = init.headers;
    this.body = init.body;
  }
}

/**
 * The function that openapi-fetch calls as `fetch`. Adds the token, sends one request, and reads the body of a non-2xx
 * response.
 * @throws {TypeError} the token or the result of `fetch` is invalid
 */
export async function exchange(
  call: PreparedCall,
  request: Request | RequestLike,
  ended: AbortSignal,
): Promise<Outcome> {
  const { settings } = call;
  const { operation } = call.target;
  const copy = request instanceof RequestLike ? request : await copyRequest(request);
  const { url, method, headers, body } = copy;
  let token: string | undefined;
  // The first condition is faster: it parses no URL.
  if (url.startsWith(`${settings.baseUrl}/`) || new URL(url).origin === settings.origin) {
    token = settings.token ?? checkToken(operation, await settings.provideToken());
    headers.set("authorization", `Bearer ${token}`);
  }
  // A slow token or hook must not send a request after the call has ended.
  ended.throwIfAborted();
  const fetch = settings.fetch ?? globalThis.fetch;
  if (typeof fetch !== "function") {
    throw invalidArgument(operation, "there is no global fetch; set the `fetch` option");
  }
  const sent = { url, body, token };
  const init = { method, headers, body, redirect: "manual", signal: ended };
  let response: Response;
  try {
    response = await fetch(url, Object.assign(init, call.fetchOptions) as RequestInit);
  } catch (error) {
    return { sent, error: connectionError(operation, "connection failed", error, sent) };
  }
  if (typeof response?.text !== "function" || typeof response.headers?.get !== "function") {
    throw unexpectedValue(operation, "the result of `fetch`", "a Response", response);
  }
  if (response.ok) return { sent, response };
  const read = await readResponseBody(operation, response, "text", ended, sent);
  if (read instanceof ConnectionError) return { sent, error: read };
  const text = read as string;
  return { sent, response: bufferResponse(response, text), text };
}

/** Converts a Request that hooks have seen to a RequestLike. */
async function copyRequest(request: Request): Promise<RequestLike> {
  const { url, method } = request;
  // A copy, because hooks must not see the token.
  const headers = new Headers(request.headers);
  const bytes = await request.arrayBuffer();
  let body: SentRequest["body"];
  try {
    body = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) || undefined;
  } catch {
    body = bytes;
  }
  return new RequestLike(url, { method, headers, body });
}

/** Reads a body. If the connection is lost, returns the error. */
export async function readResponseBody(
  operation: string,
  response: Response,
  parseAs: CallTarget["parseAs"],
  ended: AbortSignal,
  sent: SentRequest,
): Promise<unknown> {
  if (response.bodyUsed) {
    const advice = "a hook must read a clone, and a mock must return a new Response each time";
    throw invalidArgument(operation, `the response body has already been read; ${advice}`);
  }
  try {
    if (parseAs === "stream") return response.body;
    if (parseAs === "blob" || parseAs === "arrayBuffer") return await response[parseAs]();
    // Responses from other libraries might not have a web stream.
    const reader = response.body?.getReader?.();
    if (!reader) return await response.text();
    // Cancels the body even if fetch ignores its signal.
    ended.addEventListener("abort", () => void reader.cancel().catch(() => {}));
    // Decodes all chunks at once: decoding a stream takes ten times as long, and `response.text()` takes twice as long.
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
    }
    const bytes = chunks.length > 1 ? await new Blob(chunks).arrayBuffer() : chunks[0];
    return new TextDecoder().decode(bytes);
  } catch (error) {
    const what = `connection lost while reading the body of a ${response.status} response`;
    return connectionError(operation, what, error, sent);
  }
}

/** Copies a response. Defines properties, because the constructor rejects a status over 599 and drops `set-cookie`. */
function bufferResponse(original: Response, text: string): Response {
  const { status, statusText, url, type, headers } = original;
  const clone = () => bufferResponse(original, text);
  const buffered = new Response(text, { status: 500 });
  for (const [name, value] of Object.entries({ status, statusText, url, type, headers, clone }))
    Object.defineProperty(buffered, name, { value });
  return buffered;
}

function connectionError(operation: string, what: string, error: unknown, sent: SentRequest) {
  const cause = redactError(error, redactorFor(sent));
  let reason = "";
  for (let at: unknown = cause; at instanceof Error; at = at.cause) {
    reason = (at as { code?: string }).code ?? at.message;
  }
  return new ConnectionError(operation, `${what} (${reason})`, { cause });
}
