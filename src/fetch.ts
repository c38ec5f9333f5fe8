import type { Deadline } from "./deadline.js";
import { ApiError, BodyError, ConnectionError, own, wrong } from "./errors.js";
import { checkToken, type Settings } from "./options.js";
import { excerpt, redactBody, redactError, redactorOf, type Params, type Sent } from "./redact.js";
import { jsonOf, kindOf } from "./text.js";

/** State shared by all attempts of one call. */
export interface Call {
  readonly operation: string;
  readonly settings: Settings;
  readonly deadline: Deadline;
  /** The `fetch` of this call, if it was passed to `http`. */
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
  /** Path and query parameters. */
  readonly params: Params;
  /** Whether the caller reads the body of a 2xx response. */
  readonly isStream: boolean;
  /** The init that openapi-fetch passed to Request, plus other options of fetch, which a Request does not show. */
  init?: RequestInit;
  /** The requests so far. Their secrets are looked up only if the call fails. */
  readonly sent: Sent[];
}

/** A request that no hook sees. */
export interface PlainRequest {
  url: string;
  headers: Headers;
  body: string | undefined;
  init: RequestInit;
}

/**
 * Replaces `Request` if no hook needs one: fetch creates one anyway, and creating one costs more than the rest of a
 * call.
 */
export function createPlain(url: string, init: RequestInit): PlainRequest {
  const { headers, body } = init as PlainRequest;
  return { url, headers, body, init };
}

/** `Request`, but the call keeps its init: a Request does not show which options of fetch it was given. */
export function requestOf(call: Call) {
  function create(url: string, init: RequestInit) {
    call.init = init;
    return new Request(url, init);
  }
  // openapi-fetch tests with `instanceof` what a hook returns.
  create.prototype = Request.prototype;
  return create;
}

/** Shared, because creating a decoder costs more than decoding a page. */
const utf8 = new TextDecoder();

/** The fetch beneath openapi-fetch: adds the token, sends one request, and reads the body of an error. */
export async function send(request: Request | PlainRequest, call: Call): Promise<Response> {
  const { operation, settings, deadline } = call;
  const { signal } = deadline;
  const { url } = request;
  const isReal = request instanceof Request;
  const body = isReal ? await bodyOf(request) : request.body;
  // A copy, because hooks must not see the token.
  const headers = isReal ? new Headers(request.headers) : request.headers;
  // Most URLs start with baseUrl, and need not be parsed.
  const isOurs = url.startsWith(`${settings.baseUrl}/`) || new URL(url).origin === settings.origin;
  if (isOurs) headers.set("authorization", `Bearer ${await tokenOf(call)}`);
  // A slow token or hook must not send a request after the call has ended.
  signal.throwIfAborted();
  const fetch = settings.fetch ?? globalThis.fetch;
  if (typeof fetch !== "function") throw wrong(operation, "no global fetch; set the option fetch");
  call.sent.push({ url, headers, body });
  const init = isReal ? initFor(request, call, headers, body) : request.init;
  let response: Response;
  try {
    response = await (call.fetch
      ? call.fetch((deadline.request = new Request(url, init)))
      : fetch(url, init));
  } catch (error) {
    throw connectionError(call, "connection failed", error);
  }
  if (!response?.headers?.get || !response.text) {
    throw wrong(operation, `fetch returned ${kindOf(response)} that is not a Response`);
  }
  if (signal.aborted) void response.body?.cancel?.().catch(() => {});
  if (response.body === null || (response.ok && call.isStream)) return response;
  return wholeOf(response, await readBytes(response, call));
}

/** A copy of a response whose body has been read. */
function wholeOf(response: Response, bytes: Uint8Array<ArrayBuffer>): Response {
  const { status, statusText, url, redirected, type, headers } = response;
  // The constructor refuses a status above 599, and a reason phrase beyond Latin-1; the others are read-only.
  const whole = new Response(bytes, { status: Math.min(status, 599), headers });
  for (const [name, value] of Object.entries({ status, statusText, url, redirected, type }))
    Object.defineProperty(whole, name, { value });
  return whole;
}

/** The init that openapi-fetch has composed, with what a hook may have changed. */
function initFor(request: Request, call: Call, headers: Headers, body: Sent["body"]): RequestInit {
  const { method, cache, credentials } = request;
  const { signal } = call.deadline;
  const init = { ...call.init, method, headers, body, signal } as RequestInit;
  if (cache !== "default") init.cache = cache;
  if (credentials !== "same-origin") init.credentials = credentials;
  return init;
}

async function tokenOf({ operation, settings: { token }, deadline }: Call): Promise<string> {
  if (typeof token === "string") return token;
  try {
    return checkToken(operation, await token());
  } catch (error) {
    // The call rejects with this error unchanged: hooks cannot replace it, and it is not retried.
    deadline.fail(error);
    return "";
  }
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

/** Reads a body within the deadline; it is canceled there, even if fetch ignores the signal. */
export async function readBytes(response: Response, call: Call): Promise<Uint8Array<ArrayBuffer>> {
  const { operation, deadline } = call;
  if (response.bodyUsed) {
    throw wrong(operation, "a hook has read the response body; it must read a clone");
  }
  try {
    const reader = response.body?.getReader?.();
    // A minimal Response has no stream.
    if (!reader) return new TextEncoder().encode(await response.text());
    deadline.reader = reader;
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      // A canceled body ends as if it were whole.
      deadline.signal.throwIfAborted();
      if (done) break;
      chunks.push(value);
    }
    return chunks.length === 1 ? chunks[0]! : new Uint8Array(await new Blob(chunks).arrayBuffer());
  } catch (error) {
    throw connectionError(call, `connection lost in the body of a ${response.status}`, error);
  }
}

/** Reads a body as text. */
export async function readText(response: Response, call: Call): Promise<string> {
  return utf8.decode(await readBytes(response, call));
}

/** The error of a lost connection. If the call has ended early, that is why it was lost. */
function connectionError(call: Call, what: string, error: unknown): ConnectionError {
  const { deadline, operation } = call;
  deadline.signal.throwIfAborted();
  const cause = redactError(error, redactFor(call));
  let reason = "";
  for (let at: unknown = cause; at instanceof Error; at = at.cause) {
    reason = (at as { code?: string }).code ?? at.message;
  }
  const failure = own(new ConnectionError(operation, `${what} (${reason})`, { cause }));
  deadline.failure = failure;
  return failure;
}

function redactFor({ sent, params, settings: { token } }: Call) {
  return redactorOf(sent, params, typeof token === "string" ? token : "");
}

/** The error of a non-2xx response. */
export function apiError(call: Call, response: Response, error: unknown): ApiError {
  const { status, statusText, type, headers } = response;
  const { status_message, status_code } = Object(error) as Record<string, unknown>;
  const said = (typeof status_message === "string" && status_message) || statusText;
  const code = typeof status_code === "number" ? ` (status_code ${status_code})` : "";
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
  call: Call,
  { status, headers }: Response,
  message: string,
  body: unknown,
): ApiError {
  const redact = redactFor(call);
  const clean = new Headers();
  for (const [name, value] of headers) clean.append(name, redact(value));
  const said = excerpt(message, redact);
  return own(new Kind(call.operation, said, status, clean, redactBody(body, redact)));
}
