import type { Ending } from "./deadline.js";
import { ConnectionError, invalidArgument, unexpectedValue } from "./errors.js";
import { checkToken } from "./options.js";
import { redactorOf, type CallTarget, type PreparedCall } from "./prepare-call.js";
import { redactError, type SentRequest } from "./redact.js";

/** The result of an openapi-fetch call. */
export interface Result {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** The outcome of one attempt, whatever middleware makes of it. It decides whether to retry. */
export interface Outcome {
  response?: Response;
  /** The body that was read before middleware saw the response: that of a failure, or any if there is middleware. */
  text?: string;
  /** The error, if the connection was lost. */
  lost?: ConnectionError;
  /** The error that `exchange` threw, even if it is falsy. */
  thrown?: unknown;
  /** The result of a call through `http` with a non-2xx response, which is not an error. */
  result?: Result;
}

/**
 * openapi-fetch creates this instead of a Request while no middleware is installed, with new headers for every attempt.
 */
export class RequestLike {
  constructor(
    readonly url: string,
    readonly init: { method: string; headers: Headers; body: SentRequest["body"] | ArrayBuffer },
  ) {}
}

/**
 * The function that openapi-fetch calls as `fetch`. Adds the token, sends one request, and reads the body unless the
 * caller does, because middleware receives only a complete response.
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
  // Only middleware can change the origin.
  if (!hasMiddleware || new URL(url).origin === settings.origin) {
    if (settings.provideToken) {
      const token = checkToken(operation, await settings.provideToken());
      // Redaction needs earlier tokens, too, because middleware can repeat an earlier response.
      settings.tokens = [...new Set([token, ...settings.tokens])].slice(0, 20);
    }
    const [token] = settings.tokens;
    call.tokens.push(token!);
    headers.set("authorization", `Bearer ${token}`);
  }
  // Slow middleware, or a slow token, must not send a request after the call has ended.
  if (ending.isOver()) throw new Error("the call has ended");
  const { fetch = globalThis.fetch } = settings;
  const own = { method, headers, body, redirect: "manual", signal };
  let response: Response;
  try {
    response = await fetch(url, Object.assign(own, call.fetchOptions) as RequestInit);
  } catch (error) {
    // Throws a TypeError if a fetch option is invalid, as it does with middleware.
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

/** Notes a Request that middleware has seen as sent, and converts it to a RequestLike. */
async function copyRequest(request: Request, sent: SentRequest[]): Promise<RequestLike> {
  const { url, method } = request;
  // Copies the headers, because the token is added to them, and middleware must not see it.
  const headers = new Headers(request.headers);
  // React Native reads a request only as text. Text with a replacement character might be binary.
  const text = await request.clone().text();
  sent.push({ method, url, body: text });
  const body = text.includes("\ufffd") ? await request.arrayBuffer() : text || undefined;
  return { url, init: { method, headers, body } };
}

/**
 * Reads a body.
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
  // Responses from other libraries might not have a web stream.
  const reader = parseAs === "stream" ? undefined : body?.getReader?.();
  // `fetch` might ignore its signal, and might even respond after the call has ended.
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

/** Reads all chunks. Decoding them one by one takes ten times as long, and `response.text()` takes twice as long. */
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
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Cancels a body or its reader. A Node stream, as in node-fetch's responses, has `destroy` instead of `cancel`. */
export function cancelBody(body: unknown): void {
  const stream = body as { cancel?(): unknown; destroy(): unknown };
  // Rejects if there is no body, or if it is being read.
  (async () => stream.cancel?.() ?? stream.destroy())().catch(() => {});
}

/** Copies a response. Defines properties, because the constructor rejects a status over 599 and drops `set-cookie`. */
function bufferResponse(original: Response, body: BodyInit): Response {
  const buffered = new Response(body || null);
  const names = ["ok", "status", "statusText", "url", "type", "headers"] as const;
  for (const name of names) Object.defineProperty(buffered, name, { value: original[name] });
  const clone = () => bufferResponse(original, body);
  return Object.defineProperty(buffered, "clone", { value: clone });
}

function connectionError(call: PreparedCall, what: string, error: unknown): ConnectionError {
  const cause = redactError(error, redactorOf(call));
  let reason: string | undefined;
  for (let at: unknown = cause; at instanceof Error; at = at.cause) {
    reason = (at as { code?: string }).code ?? at.message;
  }
  return new ConnectionError(call.target.operation, `${what} (${reason})`, { cause });
}
