import * as fc from "fast-check";
import { vi } from "vitest";

const BODIES = ["whole", "slow", "cut", "stalled"] as const;
const ECHOES = ["as is", "escaped", "percent-encoded", "nested"] as const;

/** The service's reply to one request. Times are in milliseconds. */
export interface Reply {
  /** The kind of failure before the headers arrive: the connection is lost, or the service stays silent. */
  fails: "lost" | "silent" | undefined;
  /** The name of the error that `fetch` or the body stream throws. */
  errorName: string;
  wait: number;
  status: number;
  retryAfter: string | undefined;
  /** The delivery of the body: complete, slow, cut off, or stalled. */
  body: (typeof BODIES)[number];
  /** The content of the body: JSON or HTML, both of which echo the request. */
  content: "json" | "html";
  echo: (typeof ECHOES)[number];
  /** Whether `fetch` and the body stream stop when the signal is aborted. */
  obeys: boolean;
  /** Whether the response has only the properties and methods of a response in React Native. */
  isMinimal: boolean;
}

export const reply: fc.Arbitrary<Reply> = fc.record({
  fails: fc.constantFrom(...Array<undefined>(6), "lost", "silent"),
  errorName: fc.constantFrom("TypeError", "AbortError", "TimeoutError", "FetchError"),
  wait: fc.constantFrom(0, 0, 0, 5, 900, 40_000),
  status: fc.constantFrom(200, 200, 204, 302, 304, 401, 404, 408, 429, 500, 503, 599),
  retryAfter: fc.constantFrom(undefined, undefined, "0", "3", "31"),
  body: fc.constantFrom("whole", "stalled", ...BODIES),
  content: fc.constantFrom("json", "html"),
  echo: fc.constantFrom(...ECHOES),
  obeys: fc.boolean(),
  isMinimal: fc.constantFrom(false, false, false, true),
});

const TEMPORARY = new Set([408, 429, 500, 502, 503, 504]);

/** Checks whether the client may retry after a reply. */
export function isTemporary({ fails, status, body }: Reply): boolean {
  return fails === "lost" || body === "cut" || TEMPORARY.has(status);
}

export interface SentRequest {
  url: string;
  method: string;
  headers: Headers;
  body: string;
  redirect: RequestInit["redirect"];
  signal: AbortSignal;
  /** The time at which the request arrived, in milliseconds. */
  at: number;
}

export interface ScriptedService {
  fetch: typeof globalThis.fetch;
  sent: SentRequest[];
  /** The number of body streams that are still open: not read to the end, canceled, or lost. */
  openBodies(): number;
}

/** Creates a service that sends the given replies in order, and then repeats the last reply. */
export function scriptService(replies: readonly Reply[]): ScriptedService {
  const sent: SentRequest[] = [];
  const open = new Set<object>();
  const respond = async (url: string, init: RequestInit): Promise<Response> => {
    const { method = "", redirect, signal: given } = init;
    const [headers, body] = [new Headers(init.headers), String(init.body ?? "")];
    const request = { url, method, headers, body, redirect, signal: given!, at: performance.now() };
    const each = replies[Math.min(sent.push(request), replies.length) - 1]!;
    const signal = each.obeys ? given! : new AbortController().signal;
    const token = headers.get("authorization");
    const all = `${url} ${token} ${body}`;
    const failure = new TypeError(`no ${all}`, { cause: new AggregateError([], all) });
    Object.assign(failure, { name: each.errorName, request });
    await pause(each.wait, signal);
    if (each.fails === "silent") await pause(Infinity, signal);
    if (each.fails === "lost") throw failure;
    const hasBody = ![204, 304].includes(each.status);
    const chunks = hasBody ? chunksOf(bodyOf(each, request)) : [];
    const advance = async () => {
      await pause(each.body === "slow" ? 700 : 0, signal);
      if (each.body === "cut" && chunks.length < 2) throw failure;
      if (each.body === "stalled" && chunks.length < 2) await pause(Infinity, signal);
      return chunks.shift();
    };
    const { status } = each;
    const head = { status, statusText: `No ${token}`, headers: headersOf(each, token ?? "") };
    if (each.isMinimal) return minimalResponse(head, advance);
    if (!hasBody) return new Response(null, head);
    open.add(request);
    return new Response(
      streamOf(advance, () => open.delete(request)),
      head,
    );
  };
  return { fetch: (url, init) => respond(url as string, init!), sent, openBodies: () => open.size };
}

/** The test's own timers, which must not count as timers of the client. */
const ownTimers = new Set<unknown>();

/** Returns the number of active timers that the client has set. */
export function clientTimers(): number {
  return vi.getTimerCount() - ownTimers.size;
}

/**
 * Calls a function after a delay.
 * @returns a function that cancels the call
 */
export function later(ms: number, run: () => void): () => void {
  const cancel = () => {
    clearTimeout(timer);
    ownTimers.delete(timer);
  };
  const timer = setTimeout(() => (cancel(), run()), ms);
  ownTimers.add(timer);
  return cancel;
}

/** Waits for the given number of milliseconds. Rejects when the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = ms === Infinity ? undefined : later(ms, resolve);
    const stop = () => (cancel?.(), reject(new DOMException("stopped", "AbortError")));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  });
}

/** Creates a stream without a buffer, so that it closes only after the client has read all chunks. */
function streamOf(
  advance: () => Promise<Uint8Array | undefined>,
  close: () => unknown,
): ReadableStream<Uint8Array> {
  const source = {
    async pull(stream: ReadableStreamDefaultController<Uint8Array>) {
      try {
        const chunk = await advance();
        if (chunk !== undefined) return stream.enqueue(chunk);
        stream.close();
      } catch (error) {
        stream.error(error);
      }
      close();
    },
    cancel: () => void close(),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

function minimalResponse(
  head: { status: number; statusText: string; headers: Headers },
  advance: () => Promise<Uint8Array | undefined>,
): Response {
  const text = async () => {
    const decoder = new TextDecoder();
    let all = "";
    for (let chunk; (chunk = await advance());) all += decoder.decode(chunk, { stream: true });
    return all;
  };
  const headers = { get: (name: string) => head.headers.get(name) };
  return { ...head, ok: head.status < 300, headers, text } as unknown as Response;
}

function headersOf({ retryAfter, content, echo }: Reply, token: string): Headers {
  const headers = new Headers({ "content-type": `text/${content}; t=${token}`, "x-sent": token });
  headers.append("set-cookie", `t=${token}`);
  headers.set("location", `/?${encode(token, echo === "nested" ? "as is" : echo)}`);
  if (retryAfter !== undefined) headers.set("retry-after", retryAfter);
  return headers;
}

function bodyOf({ content, echo }: Reply, request: SentRequest): string {
  const { headers, url, body } = request;
  const values = [...new URL(url).searchParams.values(), ...stringsIn(body)];
  // The client does not promise to find secrets that are percent-encoded or JSON-escaped twice. A sent body already
  // contains escaped secrets.
  const isDeep = echo === "nested" || content === "html";
  const whole = echo === "percent-encoded" ? [] : isDeep ? [url] : [url, body];
  const token = headers.get("authorization") ?? "";
  const form = echo === "nested" && content === "html" ? "as is" : echo;
  const echoes = [token, ...values, ...whole].map((text) => encode(text, form));
  if (content === "html") return `<p>${echoes.join(" ")}</p>`;
  const members = echoes.map((text, index) => `"${index} ${text}":["${text}"]`);
  return `{"status_message":"${echoes[0]}",${members.join()}}`;
}

function stringsIn(body: string): string[] {
  const strings: string[] = [];
  if (body) JSON.parse(body, (_, value: unknown) => void strings.push(String(value)));
  return strings;
}

/** Encodes text for use inside a JSON string: as is, escaped, nested, or percent-encoded. */
function encode(text: string, echo: Reply["echo"]): string {
  const code = (it: string) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`;
  const quoted = (it: string) => JSON.stringify(it).slice(1, -1);
  if (echo === "escaped") return text.replace(/[^]/g, code);
  if (echo === "nested") return quoted(quoted(text));
  return echo === "as is" ? quoted(text) : encodeURIComponent(text);
}

/** Encodes text as UTF-8, and splits the bytes into three chunks, possibly in the middle of a character. */
function chunksOf(text: string): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const third = Math.ceil(bytes.length / 3);
  return [0, 1, 2].map((index) => bytes.slice(index * third, (index + 1) * third));
}
