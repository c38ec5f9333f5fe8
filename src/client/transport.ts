import type { Ending } from "./deadline.js";
import { ConnectionError, invalidArgument, unexpectedValue } from "./errors.js";
import { checkToken } from "./options.js";
import { createCallRedactor, type CallTarget, type PreparedCall } from "./prepare-call.js";
import { redactError, type SentRequest } from "./redact.js";

/** The result of an openapi-fetch call. */
export interface Result {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/**
 * The outcome of one attempt. The outcome determines whether the client retries the call, even if middleware changes
 * the response.
 */
export interface Outcome {
  response?: Response;
  /** The response body, if `exchange` has read it. */
  text?: string;
  /** The connection error, if the connection was lost. */
  lost?: ConnectionError;
  /** The value that `exchange` threw, which can be falsy. */
  thrown?: unknown;
  /** The result that a call through `http` returns after a non-2xx response, instead of rejecting. */
  result?: Result;
}

/** A substitute for `Request`. If no middleware is installed, openapi-fetch creates a RequestLike for every attempt. */
export class RequestLike {
  constructor(
    readonly url: string,
    readonly init: { method: string; headers: Headers; body: SentRequest["body"] | ArrayBuffer },
  ) {}
}

/**
 * Adds the token, and sends one request. openapi-fetch calls this function as its `fetch` function. Also reads the body
 * of a non-2xx response. If middleware is installed, also reads the body of a 2xx response, unless `parseAs` is
 * "stream", so that middleware receives a complete response.
 * @throws {TypeError} if the token or the result of `fetch` is invalid
 * @throws {ConnectionError} if the connection is lost
 */
export async function exchange(
  call: PreparedCall,
  request: Request | RequestLike,
  signal: AbortSignal,
  ending: Ending,
  outcome: Outcome,
): Promise<Response> {
  const { settings, target } = call;
  const { operation } = target;
  const hasMiddleware = !(request instanceof RequestLike);
  const { url, init } = hasMiddleware ? await copyRequest(request, call.sent) : request;
  const { method, headers, body } = init;
  // Checks the origin only if middleware is installed, because only middleware can change the origin.
  if (!hasMiddleware || new URL(url).origin === settings.origin) {
    if (settings.provideToken) {
      const token = checkToken(operation, await settings.provideToken());
      // Keeps earlier tokens for redaction, because middleware can return an old response that contains an old token.
      settings.tokens = [...new Set([token, ...settings.tokens])].slice(0, 20);
    }
    const [token] = settings.tokens;
    call.tokens.push(token!);
    headers.set("authorization", `Bearer ${token}`);
  }
  // The call might have ended while middleware or the `token` function was running.
  if (ending.isOver()) throw new Error("the call has ended");
  const { fetch = globalThis.fetch } = settings;
  const own = { method, headers, body, redirect: "manual", signal };
  let response: Response;
  try {
    response = await fetch(url, Object.assign(own, call.fetchOptions) as RequestInit);
  } catch (error) {
    // If a `fetch` option is invalid, this line throws a TypeError, so the client does not retry the call.
    void new Request(url, own as RequestInit);
    throw (outcome.lost = connectionError(call, "connection failed", error));
  }
  if (typeof response?.text !== "function" || typeof response.headers?.get !== "function") {
    throw unexpectedValue(operation, "the result of `fetch`", "a Response", response);
  }
  outcome.response = response;
  if (response.ok && !hasMiddleware) return response;
  const kind = response.ok ? target.parseAs : "text";
  const read = await readResponseBody(call, response, kind, ending, outcome);
  if (kind === "stream") return response;
  outcome.text = read as string;
  return (outcome.response = bufferResponse(response, outcome.text));
}

/** Converts a Request from middleware to a RequestLike, and adds the method, URL, and body to `sent`. */
async function copyRequest(request: Request, sent: SentRequest[]): Promise<RequestLike> {
  const { url, method } = request;
  // Copies the headers, because `exchange` adds the token, which middleware must not see.
  const headers = new Headers(request.headers);
  const copy = request.clone();
  // React Native can read a request body only as text. On other platforms, decoding must keep a byte order mark.
  const text = copy.body
    ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(await copy.arrayBuffer())
    : await copy.text();
  sent.push({ method, url, body: text });
  // A body with a replacement character might be binary.
  const body = text.includes("\ufffd") ? await request.arrayBuffer() : text || undefined;
  return { url, init: { method, headers, body } };
}

/**
 * Reads a response body, or returns the unread stream for `parseAs: "stream"`.
 * @throws {ConnectionError} if the connection is lost
 */
export async function readResponseBody(
  call: PreparedCall,
  response: Response,
  parseAs: CallTarget["parseAs"],
  ending: Ending,
  outcome: Outcome,
): Promise<unknown> {
  const { bodyUsed, body, status, headers } = response;
  if (bodyUsed || body?.locked) {
    const problem = "the response body has already been read";
    const advice = "middleware must read a clone, and a mock must return a new Response each time";
    throw invalidArgument(call.target.operation, `${problem}; ${advice}`);
  }
  // The body of a response from another library might not be a web stream.
  const reader = parseAs === "stream" ? undefined : body?.getReader?.();
  // Cancels the body, because a custom `fetch` might ignore the signal, or respond after the call has ended.
  ending.onEnd(() => cancelBody(reader ?? body));
  if (parseAs === "stream") return body;
  const kind = parseAs === "json" ? "text" : parseAs;
  try {
    if (!reader) return await response[kind]();
    const bytes = await readBytes(reader);
    if (kind === "text") return new TextDecoder().decode(bytes);
    const type = headers.get("content-type") ?? "";
    return await new Response(bytes, { headers: { "content-type": type } })[kind]();
  } catch (error) {
    const what = `connection lost while reading the body of a ${status} response`;
    throw (outcome.lost = connectionError(call, what, error));
  }
}

/** Reads a body. Decoding each chunk separately would take ten times as long, and `response.text()` twice as long. */
async function readBytes(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    chunks.push(value);
  }
  // Most bodies arrive as one chunk, which does not need to be copied.
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Cancels a body or its reader. Calls `destroy` if the body is a Node stream, as in a response from node-fetch. */
export function cancelBody(body: unknown): void {
  const stream = body as { cancel?(): unknown; destroy(): unknown };
  // Ignores the error if there is no body, or if the body is being read.
  (async () => stream.cancel?.() ?? stream.destroy())().catch(() => {});
}

/**
 * Creates a copy of a response with a new body. Does not pass the status or the headers to the `Response` constructor,
 * which rejects statuses over 599 and might drop `set-cookie`.
 */
function bufferResponse(original: Response, body: BodyInit): Response {
  const buffered = new Response(body || null);
  const names = ["ok", "status", "statusText", "url", "type", "headers"] as const;
  for (const name of names) Object.defineProperty(buffered, name, { value: original[name] });
  const clone = () => bufferResponse(original, body);
  return Object.defineProperty(buffered, "clone", { value: clone });
}

function connectionError(call: PreparedCall, what: string, error: unknown): ConnectionError {
  const cause = redactError(error, createCallRedactor(call));
  let reason: string | undefined;
  for (let at: unknown = cause; at instanceof Error; at = at.cause) {
    reason = (at as { code?: string }).code ?? at.message;
  }
  return new ConnectionError(call.target.operation, `${what} (${reason})`, { cause });
}
