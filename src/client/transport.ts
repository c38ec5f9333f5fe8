import type { Ending } from "./deadline.js";
import { ConnectionError, invalidArgument, unexpectedValue } from "./errors.js";
import { checkToken } from "./options.js";
import { redactorOf, type CallTarget, type PreparedCall } from "./prepare-call.js";
import { redactError, type SentRequest } from "./redact.js";

/** The number of tokens that a client remembers for redaction, because middleware can repeat an earlier response. */
const MAX_TOKENS = 20;

/** The outcome of one request: a response or a connection error. */
export interface Outcome {
  response?: Response;
  /** The body of a non-2xx response. */
  text?: string;
  error?: ConnectionError;
}

/**
 * openapi-fetch creates this instead of a Request while no middleware is installed, with new headers for every attempt.
 */
export class RequestLike {
  constructor(
    readonly url: string,
    readonly init: { method: string; headers: Headers; body: SentRequest["body"] },
  ) {}
}

/**
 * The function that openapi-fetch calls as `fetch`. Adds the token, sends one request, and reads the body unless the
 * caller does, because middleware receives only a complete response.
 * @throws {TypeError} if the token or the result of `fetch` is invalid
 */
export async function exchange(
  call: PreparedCall,
  request: Request | RequestLike,
  signal: AbortSignal,
  ending: Ending,
): Promise<Outcome> {
  const { settings, target } = call;
  const { operation } = target;
  const isHooked = !(request instanceof RequestLike);
  const { url, init } = isHooked ? await copyRequest(request) : request;
  const { method, headers, body } = init;
  if (isHooked) call.sent.push({ url, body });
  // The first condition is faster: it parses no URL.
  if (url.startsWith(`${settings.baseUrl}/`) || new URL(url).origin === settings.origin) {
    if (settings.provideToken) {
      const token = checkToken(operation, await settings.provideToken());
      settings.tokens = [...new Set([token, ...settings.tokens])].slice(0, MAX_TOKENS);
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
    return { error: connectionError(call, "connection failed", error) };
  }
  if (typeof response?.text !== "function" || typeof response.headers?.get !== "function") {
    throw unexpectedValue(operation, "the result of `fetch`", "a Response", response);
  }
  // A `fetch` that ignores its signal might respond after the call has ended.
  ending.onEnd(() => cancelBody(response));
  if (response.ok && (!isHooked || target.parseAs === "stream")) return { response };
  const kind = response.ok ? target.parseAs : "text";
  const read = await readResponseBody(call, response, kind, ending);
  if (read instanceof ConnectionError) return { error: read };
  const text = read as string;
  return { response: bufferResponse(response, text), text };
}

/** Converts a Request that middleware has seen to a RequestLike. */
async function copyRequest(request: Request): Promise<RequestLike> {
  const { url, method } = request;
  // Copies the headers, because the token is added to them, and middleware must not see it.
  const headers = new Headers(request.headers);
  // React Native reads a request only as text. Text with a replacement character might be binary.
  const text = await request.clone().text();
  const body = text.includes("\ufffd") ? await request.arrayBuffer() : text || undefined;
  return new RequestLike(url, { method, headers, body });
}

/** Reads a body. If the connection is lost, returns the error. */
export async function readResponseBody(
  call: PreparedCall,
  response: Response,
  parseAs: CallTarget["parseAs"],
  ending: Ending,
): Promise<unknown> {
  const { bodyUsed, body, status, headers } = response;
  if (bodyUsed || body?.locked) {
    const problem = "the response body has already been read";
    const advice = "middleware must read a clone, and a mock must return a new Response each time";
    throw invalidArgument(call.target.operation, `${problem}; ${advice}`);
  }
  if (parseAs === "stream") return body;
  const kind = parseAs === "json" ? "text" : parseAs;
  try {
    // Responses from other libraries might not have a web stream.
    const reader = body?.getReader?.();
    if (!reader) return await response[kind]();
    // Cancels the body even if fetch ignores its signal.
    ending.onEnd(() => void reader.cancel().catch(() => {}));
    const bytes = await readBytes(reader);
    if (kind === "text") return new TextDecoder().decode(bytes);
    const type = headers.get("content-type") ?? "";
    return await new Response(bytes, { headers: { "content-type": type } })[kind]();
  } catch (error) {
    const what = `connection lost while reading the body of a ${status} response`;
    return connectionError(call, what, error);
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
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Cancels an unread body. A Node stream, as in node-fetch's responses, has `destroy` instead of `cancel`. */
export function cancelBody({ body }: Response): void {
  const stream = body as unknown as { cancel?(): unknown; destroy(): unknown };
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
