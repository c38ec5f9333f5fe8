import type { Deadline } from "./deadline.js";
import { ConnectionError } from "./errors.js";
import { checkToken, type Settings } from "./options.js";
import { redactError } from "./redact.js";
import { mayRetry, pauseAfter, sleep } from "./retry.js";

/** One call on its way: what it was asked, and what was read of its answer. */
export interface Call {
  readonly operation: string;
  readonly settings: Settings;
  readonly deadline: Deadline;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly redirect: RequestRedirect;
  /**
   * Who reads the body of a success: the transport alone; the transport and others after it; or, for streams, the
   * caller alone, so that a loss in the middle is the caller's.
   */
  readonly reader: "transport" | "all" | "caller";
  /** Values that were sent and must not come back in an error. */
  readonly secrets: Set<string>;
  /** The answer whose body is `text`. */
  response?: Response;
  text?: string;
}

/** What stands in for a Request where nothing needs a real one: the init of a fetch and its URL. */
export type StandIn = RequestInit & { url: string; method: string; headers: Headers };

/**
 * Sends a request, again after a failure that may pass, and reads the body of the answer.
 * @throws {ConnectionError} no answer to any attempt, or only a part of one
 */
export async function send(request: Request | StandIn, call: Call): Promise<Response> {
  const { settings, deadline } = call;
  for (let retry = 0; ; retry += 1) {
    const again = mayRetry(request.method, retry, settings);
    let pause: number | undefined;
    try {
      const response = await attempt(request, call);
      pause = again ? pauseAfter(response, retry, settings) : undefined;
      if (pause === undefined) return await read(response, call);
      response.body?.cancel().catch(() => {});
    } catch (error) {
      if (!again || !(error instanceof ConnectionError) || deadline.signal.aborted) throw error;
      pause = settings.retryDelay(retry);
    }
    await sleep(pause, deadline.signal);
  }
}

/** The token is added here, behind all hooks, to a copy of the headers. */
async function attempt(request: Request | StandIn, call: Call): Promise<Response> {
  const { deadline, redirect } = call;
  const headers = new Headers(request.headers);
  if (sameOrigin(request.url, call.settings.baseUrl)) {
    headers.set("authorization", `Bearer ${await askToken(call)}`);
  }
  const init: RequestInit = { headers, redirect, signal: deadline.signal };
  // Looked up anew each time, so that an interceptor that is installed later is called too.
  const fetch = call.fetch ?? globalThis.fetch;
  const answer = isRequest(request)
    ? fetch(request, init)
    : fetch(request.url, { ...request, ...init });
  const response = await answer.catch((error: unknown) => {
    throw connectionError(call, "no answer", error);
  });
  if (deadline.signal.aborted) response.body?.cancel().catch(() => {});
  deadline.signal.throwIfAborted();
  return response;
}

/** The token goes to the origin of the base URL alone, wherever a hook may send the request. */
function sameOrigin(url: string, baseUrl: string): boolean {
  return url.startsWith(`${baseUrl}/`) || new URL(url).origin === new URL(baseUrl).origin;
}

async function askToken({ settings, deadline, secrets }: Call): Promise<string> {
  try {
    const token = checkToken(await settings.token());
    secrets.add(token);
    return token;
  } catch (error) {
    // It is the caller's own error, and it may be anything, also what openapi-fetch would swallow.
    deadline.fail(error);
    throw new Error("no token", { cause: error });
  }
}

async function read(response: Response, call: Call): Promise<Response> {
  if (call.reader === "caller" && response.ok) return response;
  // A failure is read again by openapi-fetch.
  const copy = call.reader === "transport" && response.ok ? undefined : response.clone();
  try {
    call.text = await readText(response, call.deadline);
  } catch (error) {
    copy?.body?.cancel().catch(() => {});
    throw connectionError(
      call,
      `the connection was lost in the body of a ${response.status}`,
      error,
    );
  }
  call.response = copy ?? response;
  return call.response;
}

/** Like `text()`, but what it reads can be let go of at the deadline where the fetch ignores its signal. */
async function readText({ body }: Response, deadline: Deadline): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  deadline.release = () => reader.cancel().catch(() => {});
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}

function connectionError(call: Call, what: string, error: unknown): ConnectionError {
  const cause = redactError(error, call.secrets);
  return new ConnectionError(call.operation, `${what} (${reasonOf(cause)})`, { cause });
}

/** The innermost code, such as ECONNREFUSED, or the outermost message. */
function reasonOf(error: Error): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === "string") return code;
  }
  return error.message || error.name;
}

function isRequest(request: Request | StandIn): request is Request {
  return request instanceof Request;
}
