import {
  cancelBody,
  openBody,
  readBytes,
  readHeader,
  withBody,
  type Body,
  type BodyKind,
} from "./body.js";
import type { Ending } from "./deadline.js";
import { ConnectionError, invalidArgument, unexpectedValue } from "./errors.js";
import { checkToken } from "./options.js";
import type { PreparedCall } from "./prepare-call.js";
import { redactError } from "./redact.js";
import { noteToken, redactorOf, type SentRequest } from "./secrets.js";
import { resultOf } from "./text.js";

/** A substitute for `Request`. If no middleware is installed, openapi-fetch creates a RequestLike for every attempt. */
export class RequestLike {
  constructor(
    readonly url: string,
    readonly init: {
      method: string;
      headers: Headers;
      body: string | FormData | ArrayBuffer | undefined;
    },
  ) {}
}

/** What one request sent and received. */
export interface Exchange {
  /** The method of the sent request, which middleware can change. */
  readonly method: string;
  /** The token, unless the request goes to a different origin. */
  readonly token: string | undefined;
  /** The error, if the connection was lost. */
  readonly lost?: ConnectionError;
  readonly body?: Body;
  /** The text of a non-2xx response. */
  readonly text?: string;
  /** The response that openapi-fetch and middleware receive. */
  readonly shown?: Response;
}

/**
 * Adds the token, and sends one request. openapi-fetch calls this function as its `fetch` function. Also reads the body
 * of a non-2xx response. If middleware is installed, also reads the body of a 2xx response, unless `parseAs` is
 * "stream", so that middleware receives a complete response.
 * @throws {TypeError} if the token or the result of `fetch` is invalid
 */
export async function exchange(
  call: PreparedCall,
  request: Request | RequestLike,
  signal: AbortSignal | undefined,
  ending: Ending,
): Promise<Exchange> {
  const { settings, target, requests } = call;
  const hasMiddleware = !(request instanceof RequestLike);
  const { url, init } = hasMiddleware ? await copyRequest(request, requests) : request;
  const { method, headers, body } = init;
  // Checks the origin only if middleware is installed, because only middleware can change the origin.
  const isOwn = !hasMiddleware || new URL(url).origin === settings.origin;
  const token = isOwn ? await provideToken(call) : undefined;
  // The call might have ended while middleware or the `token` function was running.
  // Stryker disable next-line StringLiteral: The call has already settled, so nobody sees this error.
  if (ending.isOver()) throw new Error("the call has ended");
  const { fetch = globalThis.fetch } = settings;
  // Every library's `fetch` takes a plain object, but not every library's takes the Headers of another.
  const sentHeaders = Object.fromEntries(headers);
  if (token !== undefined) sentHeaders["authorization"] = `Bearer ${token}`;
  const sent: RequestInit = { method, headers: sentHeaders, redirect: "manual" };
  if (body !== undefined) sent.body = body;
  if (signal) sent.signal = signal;
  let response: Response;
  try {
    response = (await fetch(url, Object.assign(sent, call.fetchOptions) as never)) as Response;
  } catch (error) {
    // If a `fetch` option is invalid, this line throws a TypeError, so the client does not retry the call.
    void new Request(url, sent);
    return { method, token, lost: connectionError(call, "connection failed", error) };
  }
  if (typeof response?.text !== "function" || typeof response.headers?.get !== "function") {
    throw unexpectedValue(target.operation, "the result of `fetch`", "a Response", response);
  }
  const opened = openBody(response);
  const known = { method, token, body: opened };
  // Stryker disable next-line ConditionalExpression: Reading the body earlier gives the same result, more slowly.
  if (response.ok && !hasMiddleware) return Object.assign(known, { shown: summarize(response) });
  const kind = response.ok && target.parseAs === "stream" ? "stream" : "text";
  const data = await readResponse(call, opened, kind, ending);
  if (data instanceof ConnectionError) return { ...known, lost: data };
  const text = data as string;
  const shown = hasMiddleware ? withBody(response, data) : summarize(response, text);
  return { ...known, text, shown };
}

/**
 * Gets the token for a request. Notes the token for redaction by later calls as well, because middleware can return an
 * old response that contains the token.
 */
async function provideToken({ settings, tokens, target }: PreparedCall): Promise<string> {
  // A method call would pass the settings, which contain all tokens, as `this`.
  const { token: provide } = settings;
  if (typeof provide === "string") return provide;
  const token = checkToken(target.operation, await provide());
  noteToken(settings.tokens, token);
  tokens.push(token);
  return token;
}

/** Converts a Request from middleware to a RequestLike, and notes its secrets. */
async function copyRequest(request: Request, requests: SentRequest[]): Promise<RequestLike> {
  const { url, method, headers } = request;
  const copy = request.clone();
  // React Native can read a request body only as text. On other platforms, decoding must keep a byte order mark.
  const text = copy.body
    ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(await copy.arrayBuffer())
    : await copy.text();
  requests.push({ url, body: text });
  // A body with a replacement character might be binary.
  const body = text.includes("\ufffd") ? await request.arrayBuffer() : text || undefined;
  return new RequestLike(url, { method, headers, body });
}

/** Returns what openapi-fetch needs to know about a response that no middleware sees. */
function summarize(response: Response, text?: string): Response {
  const { ok, status, headers } = response;
  const get = (name: string) => readHeader(headers, name);
  return { ok, status, headers: { get }, text: async () => text } as unknown as Response;
}

/**
 * Reads a body by what works: the web stream, which can be canceled, or else the response's method. Uses `bodyUsed` only
 * to explain a failure, because it is true before anybody has read a response of expo/fetch.
 * @returns the data, or an error if the connection is lost
 * @throws {TypeError} if middleware, a mock, or a custom `fetch` has already read the body
 */
export async function readResponse(
  call: PreparedCall,
  { response, stream: unknownStream, isLocked }: Body,
  kind: BodyKind,
  ending: Ending,
): Promise<unknown> {
  const stream = unknownStream as
    Partial<ReadableStream<Uint8Array<ArrayBuffer>>> | null | undefined;
  const reader = isLocked || kind === "stream" ? undefined : stream?.getReader?.();
  const isUsed = isLocked || (!reader && resultOf(() => response.bodyUsed));
  // Cancels the body, because a custom `fetch` might ignore the signal, or respond after the call has ended.
  ending.onEnd(() => cancelBody(reader ?? stream));
  try {
    if (kind === "stream") {
      if (isLocked) throw undefined;
      if (stream !== undefined) return stream;
      const bytes = await readWhole(response, "arrayBuffer");
      return bytes.byteLength > 0 ? new Response(bytes).body : null;
    }
    if (!reader) return await readWhole(response, kind);
    const bytes = await readBytes(reader);
    // Stryker disable next-line ConditionalExpression,StringLiteral: `Response` decodes the same text, but is slower.
    if (kind === "text") return new TextDecoder().decode(bytes);
    // Stryker disable next-line StringLiteral: Neither string is a media type, so the Blob has no type in either case.
    const type = readHeader(response.headers, "content-type") ?? "";
    return await new Response(bytes, { headers: { "content-type": type } })[kind]();
  } catch (error) {
    if (isUsed) {
      const problem = "the response body has already been read";
      const advice =
        "middleware must read a clone, and a mock must return a new Response each time";
      throw invalidArgument(call.target.operation, `${problem}; ${advice}`);
    }
    const what = `connection lost while reading the body of a ${response.status} response`;
    return connectionError(call, what, error);
  }
}

/** Reads a body with a method of its response, of which a custom `fetch` needs to provide only `text`. */
async function readWhole<Kind extends "text" | "blob" | "arrayBuffer">(
  response: Response,
  kind: Kind,
) {
  const source = kind in response ? response : new Response(await response.text());
  return (await source[kind]()) as Awaited<ReturnType<Response[Kind]>>;
}

function connectionError(call: PreparedCall, what: string, error: unknown): ConnectionError {
  const cause = redactError(error, redactorOf(call));
  let reason = "";
  for (let at: unknown = cause; at instanceof Error; at = at.cause) {
    reason = (at as { code?: string }).code || at.message || at.name;
  }
  return new ConnectionError(call.target.operation, `${what} (${reason})`, { cause });
}
