import type { Deadline, WillRetry } from "./deadline.js";
import { ApiError, BodyError, ConnectionError, wrong } from "./errors.js";
import { checkToken, type Settings } from "./options.js";
import { excerpt, redactBody, redactError, redactorOf, type Sent } from "./redact.js";
import { jsonOf, kindOf } from "./text.js";

/** State shared by all attempts of one call. */
export interface Call {
  readonly operation: string;
  readonly settings: Settings;
  readonly deadline: Deadline;
  /** The `fetch` of this call, if it was passed to `http`. */
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
  /** Options of fetch that were passed to `http`, such as `cache`. */
  readonly options: RequestInit;
  /** The requests so far. Their secrets are looked up only if the call fails. */
  readonly sent: Sent[];
}

/** A request that no hook sees. */
interface PlainRequest {
  url: string;
  method: string;
  headers: Headers;
  body: string | undefined;
}

/** Shared, because creating a decoder costs more than decoding a page. */
const utf8 = new TextDecoder();

/** Replaces `Request` if no hook needs one: fetch creates its own, and each costs more than the rest of a call. */
export function createRequest(
  url: string,
  init: { method: string; headers: Headers; body?: BodyInit },
): Request | PlainRequest {
  const { method, headers, body } = init;
  // Only a Request knows the content type of another body.
  if (body && typeof body !== "string") return new Request(url, init);
  return { url: new URL(url).href, method, headers, body: body || undefined };
}

/** The fetch beneath openapi-fetch: adds the token, sends one request and checks the response. */
export async function send(
  request: Request | PlainRequest,
  call: Call,
  willRetry: WillRetry,
): Promise<Response> {
  const { operation, settings, deadline, options } = call;
  const { url, method } = request;
  const isHooked = request instanceof Request;
  const body = isHooked ? await bodyOf(request) : request.body;
  // A copy, because hooks must not see the token.
  const headers = isHooked ? new Headers(request.headers) : request.headers;
  if (url.startsWith(`${settings.baseUrl}/`) || new URL(url).origin === settings.origin) {
    headers.set("authorization", `Bearer ${await tokenOf(call)}`);
  }
  // A late token or hook must not send a request after the end of the call.
  deadline.check();
  const fetch = settings.fetch ?? globalThis.fetch;
  if (typeof fetch !== "function") throw wrong(operation, "no global fetch; set the option fetch");
  call.sent.push({ url, headers, body });
  // A redirect would carry the body, and tokens in it, to another address.
  const init: RequestInit = {
    redirect: "manual",
    ...options,
    method,
    headers,
    body: body ?? null,
    signal: deadline.signal,
  };
  // A hook may have changed these.
  if (isHooked && request.cache !== "default") init.cache = request.cache;
  if (isHooked && request.credentials !== "same-origin") init.credentials = request.credentials;
  let response: Response;
  try {
    response = await (call.fetch
      ? call.fetch((deadline.request = new Request(url, init)))
      : fetch(url, init));
  } catch (error) {
    throw connectionError(call, "connection failed", error);
  }
  if (typeof response?.status !== "number" || !response.headers?.get || !response.text) {
    throw wrong(operation, `fetch returned ${kindOf(response)} that is not a Response`);
  }
  const isRetried = willRetry(response);
  if (deadline.signal.aborted || isRetried) void cancel(response.body);
  deadline.check();
  if (isRetried) {
    deadline.failure = apiError(call, response, undefined);
    return new Response(null, response);
  }
  // openapi-fetch reads the body of an error.
  if (!response.ok && response.body) response.text = () => readText(response, call);
  return response;
}

async function tokenOf({ operation, settings: { token }, deadline }: Call): Promise<string> {
  if (typeof token === "string") return token;
  let value: unknown;
  try {
    value = await token();
  } catch (error) {
    // It rejects the call unchanged: no hook replaces it, nothing retries it.
    deadline.fail(error);
    deadline.check();
  }
  return checkToken(operation, value);
}

/** The body of a Request that has passed the hooks: a string, as without hooks, unless it is binary. */
async function bodyOf(request: Request): Promise<Sent["body"]> {
  const bytes = await request.arrayBuffer();
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text || undefined;
  } catch {
    return bytes;
  }
}

/** Reads a body as text. */
export async function readText(response: Response, call: Call): Promise<string> {
  return utf8.decode(await readBytes(response, call));
}

/** Reads a body. Its stream is cancelled at the deadline, even if fetch ignores the signal. */
export async function readBytes(response: Response, call: Call): Promise<Uint8Array<ArrayBuffer>> {
  const { deadline, operation } = call;
  if (response.bodyUsed) {
    throw wrong(operation, "a hook has read the response body; it must read a clone");
  }
  try {
    const reader = response.body?.getReader();
    // A minimal Response has no stream.
    if (!reader) return new TextEncoder().encode(await response.text());
    deadline.release = () => void cancel(reader);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      // A cancelled body ends as if it were whole.
      deadline.check();
      if (done) break;
      chunks.push(value);
    }
    return chunks.length === 1 ? chunks[0]! : new Uint8Array(await new Blob(chunks).arrayBuffer());
  } catch (error) {
    deadline.release?.();
    throw connectionError(call, `connection lost in the body of a ${response.status}`, error);
  }
}

/** Cancels an unread body, which releases its connection. */
async function cancel(body: { cancel(): unknown } | null | undefined): Promise<void> {
  try {
    await body?.cancel();
  } catch {
    // It was cancelled already, or has failed.
  }
}

/** The error of a lost connection. If the call has ended early, that is why it was lost. */
function connectionError({ deadline, operation, sent }: Call, what: string, error: unknown) {
  deadline.check();
  const cause = redactError(error, redactorOf(sent));
  let reason = "";
  for (let at: unknown = cause; at instanceof Error; at = at.cause) {
    reason = (at as { code?: string }).code ?? at.message;
  }
  return (deadline.failure = new ConnectionError(operation, `${what} (${reason})`, { cause }));
}

/** The error of a non-2xx response. */
export function apiError(call: Call, response: Response, error: unknown): ApiError {
  const { status, statusText, type, headers } = response;
  const { status_message, status_code } = Object(error) as Record<string, unknown>;
  const code = typeof status_code === "number" ? ` (status_code ${status_code})` : "";
  const said = (typeof status_message === "string" && status_message) || statusText;
  const isRedirect = type === "opaqueredirect" || (status < 400 && headers.has("location"));
  const message = isRedirect
    ? "redirect refused; set baseUrl to the final address"
    : `${said || "(no message)"}${code}`;
  return responseError(ApiError, call, response, message, error);
}

/**
 * Parses the body of a 2xx response, whatever its content type.
 * @throws {BodyError} the body is not JSON
 */
export function parseJson(call: Call, response: Response, text: string): unknown {
  const data = jsonOf(text);
  if (data !== text) return data;
  const type = response.headers.get("content-type") ?? "no content type";
  const what = text === "" ? "an empty body" : `a body that is not JSON or is cut off (${type})`;
  throw responseError(BodyError, call, response, `with ${what}; expected JSON`, text);
}

/** An error about a response, with no secrets in it. */
function responseError(
  Kind: typeof ApiError,
  { operation, sent }: Call,
  { status, headers }: Response,
  message: string,
  body: unknown,
): ApiError {
  const redact = redactorOf(sent);
  const clean = new Headers();
  for (const [name, value] of headers) clean.append(name, redact(value));
  return new Kind(operation, excerpt(message, redact), status, clean, redactBody(body, redact));
}
