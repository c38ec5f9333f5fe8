import type { Deadline, WillRetry } from "./deadline.js";
import { ApiError, BodyError, ConnectionError, wrong } from "./errors.js";
import { checkToken, type Settings } from "./options.js";
import {
  excerpt,
  redactError,
  redactHeaders,
  redactJson,
  redactorOf,
  type Sent,
} from "./redact.js";
import { jsonOf, kindOf } from "./text.js";

/** What the attempts of one call share. */
export interface Call {
  readonly operation: string;
  readonly settings: Settings;
  readonly deadline: Deadline;
  /** The `fetch` of this call, if it was passed to `http`. */
  readonly fetch: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Options of fetch that were passed to `http`, such as `cache`. */
  readonly init: RequestInit | undefined;
  /** Whether the body of a 2xx response is left unread here. */
  readonly isStreamed: boolean;
  /** The requests so far. Their secrets are looked up only if the call fails. */
  readonly sent: Sent[];
}

/** Options of fetch that a hook may change in the Request, with their defaults. */
const DEFAULTS = { cache: "default", credentials: "same-origin", keepalive: false } as const;
/** Shared, because creating a decoder costs more than decoding a page. */
const utf8 = new TextDecoder();

/** Replaces Request where no hook needs one: fetch creates its own, and each costs more than the rest of a call. */
export class PlainRequest {
  declare readonly url: string;
  declare readonly method: string;
  declare readonly headers: Headers;
  declare readonly body: string | undefined;

  constructor(url: string, init: { method: string; headers: Headers; body?: unknown }) {
    const { method, headers, body } = init;
    // Another body may need a content type that only a Request knows.
    if (body && (typeof body !== "string" || !headers.has("content-type"))) {
      return new Request(url, init as RequestInit) as unknown as PlainRequest;
    }
    this.url = new URL(url).href;
    this.method = method;
    this.headers = headers;
    this.body = (body as string) || undefined;
  }
}

/** The fetch beneath openapi-fetch: adds the token, sends one request and checks what comes back. */
export async function send(
  request: Request | PlainRequest,
  call: Call,
  willRetry: WillRetry,
): Promise<Response> {
  const { operation, settings, deadline } = call;
  const { url, method } = request;
  const isPlain = request instanceof PlainRequest;
  const body = isPlain ? request.body : await bodyOf(request);
  // A copy, because hooks must not see the token.
  const headers = isPlain ? request.headers : new Headers(request.headers);
  const { token: source, baseUrl } = settings;
  if (url.startsWith(`${baseUrl}/`) || new URL(url).origin === new URL(baseUrl).origin) {
    const isFixed = typeof source === "string";
    const token = isFixed ? source : checkToken(operation, await callersOwn(deadline, source));
    headers.set("authorization", `Bearer ${token}`);
  }
  // A late token or hook must not send what nobody waits for.
  if (deadline.isOver) throw endOf(deadline);
  const fetch = call.fetch ?? settings.fetch ?? globalThis.fetch;
  if (typeof fetch !== "function") throw wrong(operation, "no global fetch; set the option fetch");
  call.sent.push({ url, headers, body });
  const changes = isPlain ? undefined : changesOf(request);
  // A redirect would carry the body, and tokens in it, to another address.
  const { signal } = deadline;
  const init: RequestInit = { method, headers, body: body ?? null, redirect: "manual", signal };
  let response: Response;
  try {
    response = await fetch(
      url,
      isPlain && !call.init ? init : { ...init, ...call.init, ...changes },
    );
  } catch (error) {
    throw connectionError(call, "connection failed", error);
  }
  if (typeof response?.status !== "number" || !response.headers?.get || !response.text) {
    throw wrong(operation, `fetch returned ${kindOf(response)} that is not a Response`);
  }
  if (deadline.isOver) {
    cancel(response.body);
    throw endOf(deadline);
  }
  if (willRetry(response)) {
    cancel(response.body);
    deadline.lastFailure = apiError(call, response, undefined);
    return withBody(response, null);
  }
  const isRead = response.body === null || (response.ok && call.isStreamed);
  if (isRead && response instanceof Response) return response;
  return withBody(response, await readBytes(response, call));
}

/** Runs a function of the caller's. Its error rejects the call unchanged: no hook sees it, nothing retries it. */
export async function callersOwn<Value>(
  deadline: Deadline,
  run: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    deadline.fail(error);
    throw endOf(deadline);
  }
}

/** openapi-fetch ignores a falsy error. The caller still gets the reason itself, from the deadline. */
function endOf({ reason }: Deadline): unknown {
  return reason || new Error("aborted");
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

function changesOf(request: Request): RequestInit {
  const names = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];
  const changed = names.filter((name) => (request[name] ?? DEFAULTS[name]) !== DEFAULTS[name]);
  return Object.fromEntries(changed.map((name) => [name, request[name]]));
}

/** Reads a body as text. */
export async function readText(response: Response, call: Call): Promise<string> {
  return utf8.decode(await readBytes(response, call));
}

/** Reads a body. Its stream is cancelled at the deadline, even if fetch ignores the signal. */
async function readBytes(response: Response, call: Call): Promise<Uint8Array<ArrayBuffer>> {
  const { deadline, operation } = call;
  if (response.bodyUsed) {
    throw wrong(operation, "the response body was already read; read a clone of the response");
  }
  try {
    const reader = response.body?.getReader?.();
    // Neither a mock nor React Native has streams.
    if (!reader) return new TextEncoder().encode(await response.text());
    deadline.release = () => void cancel(reader);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      // A cancelled body ends as if it were whole.
      if (deadline.isOver) throw deadline.reason;
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
async function cancel(body: { cancel?: () => unknown } | null | undefined): Promise<void> {
  try {
    await body?.cancel?.();
  } catch {
    // It was cancelled already, or has failed by itself.
  }
}

/** A copy of a response with another body. */
function withBody(response: Response, body: BodyInit | null): Response {
  const { status, statusText, headers, url = "" } = response;
  const hasBody = ![204, 205, 304].includes(status);
  // A server can send another status, but no Response can be constructed with it.
  const init = { status: status >= 200 && status < 600 ? status : 500, statusText, headers };
  const copy = new Response(hasBody ? body : null, init);
  return Object.defineProperties(copy, { status: { value: status }, url: { value: url } });
}

/** The error of a lost connection; the reason of the deadline if that is why it was lost. */
function connectionError({ deadline, operation, sent }: Call, what: string, error: unknown) {
  if (deadline.isOver) return endOf(deadline);
  const cause = redactError(error, redactorOf(sent));
  let reason = "";
  for (let at: unknown = cause; at instanceof Error; at = at.cause) {
    reason = (at as { code?: string }).code ?? at.message;
  }
  deadline.lastFailure = new ConnectionError(operation, `${what} (${reason})`, { cause });
  return deadline.lastFailure;
}

/** The error of a non-2xx response. */
export function apiError({ operation, sent }: Call, response: Response, error: unknown): ApiError {
  const { status, statusText, type, headers } = response;
  const redact = redactorOf(sent);
  const body = typeof error === "string" ? excerpt(error, redact) : redactJson(error, redact);
  const { status_message, status_code } = Object(body) as Record<string, unknown>;
  const said = (typeof status_message === "string" && status_message) || statusText;
  const code = typeof status_code === "number" ? ` (status_code ${status_code})` : "";
  const isRedirect =
    type === "opaqueredirect" || (status >= 300 && status < 400 && headers.has("location"));
  const message = isRedirect
    ? "redirect refused; set baseUrl to the final address"
    : excerpt(said || "(no message)", redact) + code;
  return new ApiError(operation, message, status, redactHeaders(headers, redact), body);
}

/**
 * Parses the body of a 2xx response, whatever its content type.
 * @throws {BodyError} the body is not JSON
 */
export function parseJson({ operation, sent }: Call, response: Response, text: string): unknown {
  const data = jsonOf(text);
  if (data !== text) return data;
  const redact = redactorOf(sent);
  const headers = redactHeaders(response.headers, redact);
  const type = headers.get("content-type") ?? "no content type";
  const what = text === "" ? "an empty body" : `a body that is not JSON or is cut off (${type})`;
  const message = `with ${what}; expected JSON`;
  throw new BodyError(operation, message, response.status, headers, excerpt(text, redact));
}
