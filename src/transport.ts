import type { Deadline } from "./deadline.js";
import { ConnectionError } from "./errors.js";
import { checkToken, type Settings, type TokenSource } from "./options.js";
import { redactError, redactor, secretsOf, type Redact } from "./redact.js";
import { mayRetry, pauseAfter, sleep } from "./retry.js";
import { kindOf } from "./text.js";

/** One call on its way: what it was asked, and what was read of its answer. */
export interface Call {
  readonly operation: string;
  readonly settings: Settings;
  readonly deadline: Deadline;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly redirect: Request["redirect"];
  /** Whether openapi-fetch, too, reads the body. */
  readonly isShared: boolean;
  /** Whether the caller alone reads the body of a success, so that a loss in the middle is the caller's. */
  readonly isStreamed: boolean;
  /** The tokens that were sent; they must not come back in an error. */
  readonly secrets: string[];
  /** What was sent besides, where other secrets may be. */
  readonly sent: Outgoing[];
  /** The answer whose body is `text`. */
  response?: Response;
  text?: string;
}

/** Shared, because one costs more to make than a page to decode. */
const utf8 = new TextDecoder();

/** What is sent. Plain, because each Headers costs as much as the rest of a call, and a Request of one fetch is none to another. */
export interface Outgoing {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ArrayBuffer | null;
  /** Options of fetch besides those that a call sets. */
  readonly others?: RequestInit;
}

/**
 * Sends a request, again after a failure that may pass, and reads the body of the answer.
 * @throws {ConnectionError} no answer to any attempt, or only a part of one
 */
export async function send(request: Outgoing, call: Call): Promise<Response> {
  const { settings, deadline } = call;
  call.sent.push(request);
  for (let retry = 0; ; retry += 1) {
    const again = mayRetry(request.method, retry, settings);
    let response: Response | undefined;
    let pause: number | undefined;
    try {
      response = await attempt(request, call);
      // It came too late where the fetch ignores its signal.
      if (deadline.isOver) throw deadline.reason;
      pause = again ? pauseAfter(response, retry, call) : undefined;
      if (pause === undefined) return await read(response, call);
      letGo(response.body);
    } catch (error) {
      letGo(response?.body);
      if (!again || !(error instanceof ConnectionError) || deadline.isOver) throw error;
      pause = settings.retryDelay(retry, call.operation);
    }
    await sleep(pause, deadline);
  }
}

/** The token is added here, behind all hooks, to a copy of the headers. */
async function attempt(request: Outgoing, call: Call): Promise<Response> {
  const { deadline, redirect, settings } = call;
  const { url, method, body, others } = request;
  let { headers } = request;
  if (sameOrigin(url, settings.baseUrl)) {
    const { token: source } = settings;
    const token = typeof source === "string" ? source : await askToken(source, call);
    call.secrets.push(token);
    headers = { ...headers, authorization: `Bearer ${token}` };
  }
  // A token or a hook that comes late must not send what nobody waits for any more.
  if (deadline.isOver) throw deadline.reason;
  const init = { ...others, method, headers, body, redirect, signal: deadline.signal };
  // Looked up anew each time, so that an interceptor that is installed later is called too.
  const fetch = call.fetch ?? globalThis.fetch;
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    throw reasonFor(call, "no answer", error);
  }
  const problem =
    typeof response?.headers?.get !== "function"
      ? `${kindOf(response)} that is not a Response`
      : response.bodyUsed && "a Response whose body has been read; give it a clone";
  if (problem) throw new TypeError(`${call.operation}: fetch gave ${problem}`);
  return response;
}

/** The token goes to the origin of the base URL alone, wherever a hook may send the request. */
function sameOrigin(url: string, baseUrl: string): boolean {
  return url.startsWith(`${baseUrl}/`) || new URL(url).origin === new URL(baseUrl).origin;
}

async function askToken(source: TokenSource, { operation, deadline }: Call): Promise<string> {
  try {
    return checkToken(await source(), operation);
  } catch (error) {
    // It is the caller's own error, and it may be anything, also what openapi-fetch would swallow.
    deadline.fail(error);
    throw error;
  }
}

/** Reads the body, so that it can be let go of at the deadline also where the fetch ignores its signal. */
async function read(response: Response, call: Call): Promise<Response> {
  if (call.isStreamed && response.ok) return response;
  const { deadline } = call;
  try {
    const copy = call.isShared ? response.clone() : undefined;
    call.response = copy ?? response;
    const reader = response.body?.getReader?.();
    if (!reader) {
      // There is no body, or, in React Native, there are no streams.
      call.text = await response.text();
      return call.response;
    }
    // The connection of a copied answer is let go of when both have been.
    deadline.release = () => {
      letGo(reader);
      letGo(copy?.body);
    };
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      // To let go of a body ends it early, as if it were whole.
      if (deadline.isOver) throw deadline.reason;
      if (done) break;
      if (!ArrayBuffer.isView(value)) throw new TypeError("a body that is no stream of bytes");
      chunks.push(value);
    }
    call.text = chunks.length > 1 ? await new Blob(chunks).text() : utf8.decode(chunks[0]);
    return call.response;
  } catch (error) {
    deadline.release?.();
    const what = `the connection was lost in the body of a ${response.status}`;
    throw reasonFor(call, what, error);
  }
}

/** Lets go of a body that nobody reads, and so of its connection. A fetch that is not the global one may give any. */
async function letGo(body: { cancel?: () => unknown } | null | undefined): Promise<void> {
  try {
    await body?.cancel?.();
  } catch {
    // It has been let go of, or has failed by itself.
  }
}

/** What a call rejects with whose connection was lost, be it because the call is over. */
function reasonFor(call: Call, what: string, error: unknown): unknown {
  if (call.deadline.isOver) return call.deadline.reason;
  const cause = redactError(error, redactorOf(call));
  return new ConnectionError(call.operation, `${what} (${reasonOf(cause)})`, { cause });
}

/** Takes what was sent in secret out of a text. It is made where a call fails, so that no other call pays for it. */
export function redactorOf({ secrets, sent }: Call): Redact {
  return redactor(new Set([...secrets, ...sent.flatMap(secretsOf)]));
}

/** The innermost code, such as ECONNREFUSED, or the innermost message. */
function reasonOf(error: Error): string {
  let reason = "";
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === "string") return code;
    reason = at.message || at.name;
  }
  return reason;
}
