import {
  cancelBody,
  copyResponse,
  openBody,
  readBody,
  readHeader,
  summarize,
  type Received,
} from "./body.js";
import { provideCredential, refreshCredential } from "./credentials.js";
import { withDeadline, type Deadline } from "./deadline.js";
import { ConnectionError, invalidArgument, TimeoutError, unexpectedValue } from "./errors.js";
import { createApiError, createConnectionError, createInvalidJsonError } from "./failures.js";
import type { PreparedCall } from "./prepare-call.js";
import { redactText } from "./redact.js";
import { redactorOf } from "./secrets.js";
import { parseJsonOrText, percentEncode, serviceCodeOf } from "./text.js";
import type { Result } from "../types/interceptor.js";

/** The openapi-fetch client, without the description's types. */
export interface UntypedClient {
  request(method: string, path: string, init: object): Promise<UntypedResult>;
}

interface UntypedResult {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** A substitute for `Request`. If no middleware is installed, openapi-fetch creates a RequestLike for every call. */
export class RequestLike {
  constructor(
    readonly url: string,
    readonly init: {
      readonly method: string;
      readonly headers: Headers;
      readonly body: string | FormData | ArrayBuffer | undefined;
    },
  ) {}
}

/** What a call has sent and received so far. */
interface Progress {
  attempts: number;
  /** The error from the attempt before the last one, if any. */
  cause?: Error | undefined;
  /** The response to the last request. */
  received?: Received;
  /** The response that openapi-fetch and middleware receive. */
  shown?: Response;
}

/** Statuses of requests that the service has not processed. */
const UNPROCESSED = [408, 429, 503];
/** Statuses of all failures that might be temporary. The service might have processed the request. */
const TRANSIENT = [...UNPROCESSED, 500, 502, 504];
/**
 * The methods that are safe to retry after a lost connection, and the statuses after which they are retried. A service
 * that has deleted a resource would not find it again.
 */
const RETRIED = new Map([
  ["GET", TRANSIENT],
  ["HEAD", TRANSIENT],
  ["DELETE", UNPROCESSED],
]);
/** The longest pause before a retry, in milliseconds. */
const MAX_PAUSE = 30_000;

/**
 * Runs a call. openapi-fetch builds the request and runs the middleware; its `fetch` function is `send`, which adds the
 * credentials, and keeps to the deadline and to the number of retries.
 * @throws the errors of the client, and unchanged, whatever the app's own functions throw
 */
export function runCall(client: UntypedClient, call: PreparedCall): Promise<Result> {
  const { settings, target, params, headers, body, url, search, timeout } = call;
  const { operation, method, path, parseAs } = target;
  const progress: Progress = { attempts: 0 };
  const onTimeout = () =>
    new TimeoutError(operation, timeout, progress.cause && { cause: progress.cause });
  return withDeadline(timeout, call.signal, onTimeout, async (deadline) => {
    let falsy: { value: unknown } | undefined;
    const init = {
      params,
      headers,
      body,
      pathSerializer: () => url,
      querySerializer: () => search,
      parseAs: parseAs === "json" ? "text" : parseAs,
      fetch: (request: Request | RequestLike) =>
        deadline
          .count(() => send(call, request, progress, deadline))
          .catch((value: unknown) => {
            // openapi-fetch ignores a falsy value that is thrown here.
            throw value || (falsy = { value });
          }),
    };
    // Only middleware needs a real Request, and creating a Request takes as long as the rest of a call.
    if (settings.hasMiddleware) Object.assign(init, call.fetchOptions, { Request });
    let result: UntypedResult | undefined;
    try {
      result = await client.request(method, path, init);
    } catch (error) {
      throw falsy && error === falsy ? falsy.value : error;
    } finally {
      const { received, shown } = progress;
      // If middleware threw an error or replaced the response, nobody reads the stream of the original response, unless
      // the new response contains it.
      if (parseAs === "stream" && received && shown?.body !== result?.data && !shown?.body?.locked)
        cancelBody(received.body);
    }
    return finish(call, progress, result, deadline);
  });
}

/** Parses and validates the response after middleware has seen it. */
async function finish(
  call: PreparedCall,
  { attempts, cause, received: last, shown }: Progress,
  { data, error, response: final }: UntypedResult,
  deadline: Deadline,
): Promise<Result> {
  const { operation, viaHttp, entry, parseAs } = call.target;
  // Middleware can replace the response.
  const received: Pick<Received, "response" | "token" | "hide"> =
    shown === final && last ? last : { response: final };
  const response = received.hide ? final : received.response;
  if (!response.ok && !viaHttp) throw createApiError(call, received, error, cause);
  let value = response.ok ? data : error;
  if (response.ok && parseAs === "json") {
    const text = (data ?? "") as string;
    const isEmpty = viaHttp ? text === "" : entry?.emptyStatuses?.includes(response.status);
    value = isEmpty ? undefined : parseJsonOrText(text);
    if (value === text) throw createInvalidJsonError(call, received, text, cause);
  }
  // A method call would pass the settings as `this`.
  const { validate } = call.settings;
  if (validate && !viaHttp && value !== undefined)
    await deadline.count(async () => validate(operation, value, response));
  return { data: value, response, attempts, source: "network" };
}

/** Sends a request with the call's credentials, and repeats it after a failure that might be temporary. */
async function send(
  call: PreparedCall,
  request: Request | RequestLike,
  progress: Progress,
  deadline: Deadline,
): Promise<Response> {
  const isPlain = request instanceof RequestLike;
  const plain = isPlain ? request : await copyRequest(call, request);
  let isRefreshed = false;
  for (let retry = 0; ;) {
    call.onAttempt?.((progress.attempts += 1));
    const startedAt = performance.now();
    const received = await sendOnce(call, plain, deadline, progress.cause);
    if (!isRefreshed && !deadline.isOver() && isTokenRejected(received)) {
      isRefreshed = true;
      const { target, secrets } = call;
      const { token } = received;
      const { cause } = progress;
      // The call can time out while it waits for the new token.
      progress.cause = errorOf(call, received, cause);
      if (await refreshCredential(target.operation, secrets, token, startedAt, deadline)) continue;
      progress.cause = cause;
    }
    const pause = retry < call.retries ? pauseAfter(plain.init.method, received, retry) : Infinity;
    if (deadline.isOver() || pause >= deadline.left()) {
      if (received instanceof ConnectionError) throw received;
      progress.received = received;
      // Stryker disable next-line ConditionalExpression: A copy has the same effect, but takes longer than a summary.
      const show = isPlain && !received.hide ? summarize : copyResponse;
      return (progress.shown = show(received));
    }
    progress.cause = errorOf(call, received, progress.cause);
    retry += 1;
    await sleep(pause, deadline);
  }
}

/** Converts a Request from middleware to plain values, and notes its secrets. */
async function copyRequest(call: PreparedCall, request: Request): Promise<RequestLike> {
  const { url, method, headers } = request;
  const copy = request.clone();
  // React Native can read a request body only as text.
  const bytes = copy.body ? await copy.arrayBuffer() : undefined;
  // Decoding must keep a byte order mark.
  const text = bytes
    ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
    : await copy.text();
  call.secrets.requests.push({ url, body: text, authorization: headers.get("authorization") });
  // A body with a replacement character might be binary.
  const body = (text.includes("\ufffd") && bytes) || text || undefined;
  return new RequestLike(url, { method, headers, body });
}

/**
 * Sends one request, and reads the body of the response, except for a stream.
 * @param previous the error from the previous attempt, if any
 * @returns an error if the connection is lost
 * @throws {TypeError} if the token, a `fetch` option, or the result of `fetch` is invalid
 */
async function sendOnce(
  call: PreparedCall,
  plain: RequestLike,
  deadline: Deadline,
  previous: Error | undefined,
): Promise<Received | ConnectionError> {
  const { settings, target, secrets } = call;
  const { operation, parseAs } = target;
  const { url } = plain;
  // Only middleware can change the origin.
  const isOwn = url.startsWith(`${settings.baseUrl}/`) || new URL(url).origin === settings.origin;
  const token = isOwn ? await provideCredential(operation, secrets) : undefined;
  // The call might have ended while middleware or the `token` function was running. Nobody sees this error.
  if (deadline.isOver()) throw new Error();
  const [sentUrl, init] = fetchArguments(call, plain, token, deadline);
  const { fetch = globalThis.fetch, hasMiddleware, validate, interceptors } = settings;
  let response: Response;
  try {
    response = (await fetch(sentUrl, init as never)) as Response;
  } catch (error) {
    // If a `fetch` option is invalid, this line throws a TypeError, so the client does not retry the call.
    void new Request(url, init);
    return createConnectionError(call, "connection failed", error, previous);
  }
  if (typeof response?.text !== "function" || typeof response.headers?.get !== "function") {
    throw unexpectedValue(operation, "the result of `fetch`", "a Response", response);
  }
  const body = openBody(response, parseAs === "json" || !response.ok ? "text" : parseAs);
  deadline.onEnd(() => cancelBody(body));
  try {
    // Nobody sees the response of most calls, and redacting and copying it takes as long as the rest of a call.
    const isSeen = target.needsResponse || hasMiddleware || validate || interceptors.length > 0;
    const hasSecret = secrets.client && (!response.ok || (isSeen && sentUrl !== url));
    const hide = hasSecret ? redactorOf({ ...secrets, requests: [] }) : undefined;
    const data = await readBody(body);
    const shown = hide && !response.ok ? redactText(data as string, hide) : data;
    return { response, body, data: shown, token, hide };
  } catch (error) {
    if (body.isUsed) {
      const problem = "the response body has already been read";
      const advice =
        "pass a library's native fetch, such as `ofetch.native`; a mock must return a new Response each time";
      throw invalidArgument(operation, `${problem}; ${advice}`);
    }
    const what = `connection lost while reading the body of a ${response.status} response`;
    return createConnectionError(call, what, error, previous);
  }
}

/** Returns the arguments of `fetch`, with the token in a header, or the API key in the URL. */
function fetchArguments(
  { settings, timeout, signal, fetchOptions }: PreparedCall,
  { url, init: { method, headers: given, body } }: RequestLike,
  token: string | undefined,
  deadline: Deadline,
): [url: string, init: RequestInit] {
  const keyName = settings.credentials?.parameter;
  // Every library's `fetch` takes a plain object, but not every library's takes the Headers of another.
  const headers = Object.fromEntries(given);
  if (token !== undefined && !keyName) headers["authorization"] = `Bearer ${token}`;
  const init: RequestInit = { method, headers, redirect: "manual" };
  if (body !== undefined) init.body = body;
  // Without a deadline, sends no signal, because React and Next.js do not memoize requests that have a signal.
  if (timeout !== Infinity || signal) {
    const controller = new AbortController();
    init.signal = controller.signal;
    // Aborts without a reason, because fetch would overwrite the reason's stack.
    deadline.onEnd(() => controller.abort());
  }
  Object.assign(init, fetchOptions);
  if (token === undefined || !keyName) return [url, init];
  const whole = url.split("#")[0]!;
  const separator = whole.includes("?") ? "&" : "?";
  return [`${whole}${separator}${keyName}=${percentEncode(token)}`, init];
}

/** Returns whether the service rejected the token, rather than a password or a session (`status_code` 30 and 17). */
function isTokenRejected(
  received: Received | ConnectionError,
): received is Received & { token: string } {
  if (received instanceof ConnectionError || received.token === undefined) return false;
  if (received.response.status !== 401) return false;
  const code = serviceCodeOf(parseJsonOrText(received.data as string));
  return code === undefined || code === 7;
}

function errorOf(call: PreparedCall, received: Received | ConnectionError, cause?: Error): Error {
  if (received instanceof ConnectionError) return received;
  return createApiError(call, received, parseJsonOrText(received.data as string), cause);
}

/** Returns the pause before a retry in milliseconds, or Infinity if the request must not be sent again. */
function pauseAfter(method: string, received: Received | ConnectionError, retry: number): number {
  const statuses = RETRIED.get(method);
  if (!statuses) return Infinity;
  const backoff = Math.min(500 * 2 ** retry, 8000);
  let shortest = backoff / 2;
  if (!(received instanceof ConnectionError)) {
    const { status, headers } = received.response;
    if (!statuses.includes(status)) return Infinity;
    const requested = parseRetryAfter(`${readHeader(headers, "retry-after")}`);
    if (requested > MAX_PAUSE) return Infinity;
    shortest = Math.max(requested, shortest);
  }
  // The jitter spreads the retries of many clients, even if the service asks all of them for the same pause.
  return Math.min(shortest + ((1 - Math.random()) * backoff) / 2, MAX_PAUSE);
}

/**
 * Converts the number of seconds or the date in `Retry-After` (RFC 9110, 10.2.3) to a delay in milliseconds. Returns 0
 * for an invalid value.
 */
function parseRetryAfter(value: string): number {
  // If the service sends the header twice, the value is a list, such as "31, 31".
  if (/^\d[\d.]*(,|$)/.test(value)) return parseFloat(value) * 1000;
  // Date.parse also accepts text that is not a date, and assumes local time if a date has no time zone. A date that
  // ends in a year, such as "Sun Nov 6 08:49:37 1994", has no time zone.
  if (!value.includes(":")) return 0;
  // Stryker disable next-line Regex: V8 ignores a second time zone in a date; other engines might reject the date.
  return Date.parse(value.replace(/ \d{4}$/, "$& GMT")) - Date.now() || 0;
}

/** Waits for some milliseconds. If the call ends first, the promise never settles. */
function sleep(ms: number, deadline: Deadline): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    deadline.onEnd(() => clearTimeout(timer));
  });
}
