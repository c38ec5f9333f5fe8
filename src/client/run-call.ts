import { withDeadline } from "./deadline.js";
import { ApiError, BodyError, ConnectionError, TimeoutError } from "./errors.js";
import type { PreparedCall } from "./prepare-call.js";
import { redactorFor, truncate, type Redact, type SentRequest } from "./redact.js";
import { parseJsonOrText } from "./text.js";
import { exchange, readResponseBody, RequestLike, type Outcome } from "./transport.js";

/** The openapi-fetch client, without the description's types. */
export interface UntypedClient {
  request(method: string, path: string, init: object): Promise<Result>;
}

/** The result of an openapi-fetch call. */
export interface Result {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/**
 * An attempt ends with a result, or with an error and the outcome that decides whether to retry. An error can come with
 * a result, because a call through `http` resolves to `{ data, error }` instead of rejecting with an ApiError.
 */
type Attempt =
  | { result: Result }
  | { error: unknown; result?: Result | undefined; outcome: Outcome | undefined };

/** 408 Request Timeout, 429 Too Many Requests, 500, 502 Bad Gateway, 503 Unavailable, and 504 Gateway Timeout. */
const TRANSIENT_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
/** The longest `Retry-After` that the client waits for, in milliseconds. */
const MAX_RETRY_AFTER = 30_000;

/**
 * Runs a call within its deadline. Retries while the failure might be temporary.
 * @param isHooked whether openapi-fetch has hooks, which need a real Request
 */
export function runCall(
  client: UntypedClient,
  call: PreparedCall,
  isHooked: () => boolean,
): Promise<Result> {
  /** The error from the last failed attempt. */
  let failure: unknown;
  const timeoutError = () => new TimeoutError(call.target.operation, call.timeout, failure);
  const expiry = performance.now() + call.timeout;
  return withDeadline(call.timeout, call.signal, timeoutError, async (ended) => {
    for (let retry = 0; ; retry += 1) {
      const attempt = await makeAttempt(client, call, isHooked(), ended);
      if (!("error" in attempt)) return attempt.result;
      const pause = retry < call.retries ? pauseAfter(attempt.outcome, retry) : Infinity;
      failure = attempt.error;
      if (pause < expiry - performance.now() && !ended.aborted) await sleep(pause, ended);
      else if (attempt.result) return attempt.result;
      else throw failure;
    }
  });
}

/** Makes one request through openapi-fetch and its hooks, and reads and parses the response. */
async function makeAttempt(
  client: UntypedClient,
  call: PreparedCall,
  isHooked: boolean,
  ended: AbortSignal,
): Promise<Attempt> {
  let outcome = undefined as Outcome | undefined;
  const note = (it: Outcome): Response => {
    outcome = it;
    if (it.error) throw it.error;
    return it.response!;
  };
  const { target, params, headers, url, search, settings } = call;
  const init = {
    params,
    headers,
    body: call.body,
    pathSerializer: () => url,
    querySerializer: () => search,
    parseAs: "stream",
    fetch: (request: Request | RequestLike) => exchange(call, request, ended).then(note),
  };
  // Hooks need a real Request. Creating one takes as long as the rest of a call, and `fetch` creates another.
  if (isHooked) Object.assign(init, call.fetchOptions, { Request, signal: ended });
  let result: Result;
  try {
    result = await client.request(target.method, target.path, init);
  } catch (error) {
    return { error, outcome };
  }
  const { response } = result;
  // A hook can respond without a request.
  const unsent = { url: `${url}?${search}`, body: call.body, token: settings.token };
  const { sent = unsent } = outcome ?? {};
  if (!response.ok) {
    // A hook can also replace the response.
    const text = outcome?.response === response ? outcome.text! : toText(result.error);
    const error = apiError(call, response, text, sent);
    return { error, outcome, result: target.emptyStatuses ? undefined : result };
  }
  const { operation, parseAs, emptyStatuses } = target;
  const body = await readResponseBody(operation, response, parseAs, ended, sent);
  if (body instanceof ConnectionError) return { error: body, outcome: { sent, error: body } };
  try {
    // A partial body must not be parsed or validated.
    ended.throwIfAborted();
    const data = parseResult(call, response, body, sent);
    if (emptyStatuses && data !== undefined) await settings.validate?.(operation, data, response);
    return { result: { data, response } };
  } catch (error) {
    return { error, outcome };
  }
}

/** Milliseconds to wait before a retry; Infinity if the failure is not temporary, or `Retry-After` is too long. */
function pauseAfter(outcome: Outcome | undefined, retry: number): number {
  const { response, error } = outcome ?? {};
  const backoff = Math.min(500 * 2 ** retry, 8000) * (1 - Math.random() / 2);
  if (error) return backoff;
  if (!response || !TRANSIENT_STATUSES.has(response.status)) return Infinity;
  const requested = parseRetryAfter(response.headers.get("retry-after") ?? "");
  return requested > MAX_RETRY_AFTER ? Infinity : Math.max(requested, backoff);
}

/** Converts `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3), to milliseconds. Returns 0 if it is neither. */
function parseRetryAfter(value: string): number {
  return /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now() || 0;
}

/** Waits. If the call ends early, the promise never settles. */
function sleep(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    ended.addEventListener("abort", () => clearTimeout(timer));
  });
}

/** Parses the body of a 2xx response, whatever its content type. */
function parseResult(
  { target: { operation, parseAs, emptyStatuses } }: PreparedCall,
  response: Response,
  body: unknown,
  sent: SentRequest,
): unknown {
  if (parseAs !== "json") return body;
  const text = body as string;
  const { status, headers } = response;
  if (emptyStatuses ? emptyStatuses.includes(status) : text === "") return undefined;
  const data = parseJsonOrText(text);
  if (data === text) {
    const type = headers.get("content-type") ?? "no content type";
    const what = text === "" ? "an empty body" : `a body that is not JSON or is cut off (${type})`;
    const redact = redactorFor(sent);
    const message = redact(`with ${what}; expected JSON`);
    const excerpt = truncate(redact(text));
    throw new BodyError(operation, message, status, redactHeaders(headers, redact), excerpt);
  }
  return data;
}

/** Creates the error for a non-2xx response. Redacts the text once, and derives the message and the body from it. */
function apiError(
  { target: { operation } }: PreparedCall,
  { status, statusText, type, headers }: Response,
  text: string,
  sent: SentRequest,
): ApiError {
  const redact = redactorFor(sent);
  const clean = redact(text);
  const body = parseJsonOrText(clean);
  const { status_message, status_code } = Object(body) as Record<string, unknown>;
  const said = (typeof status_message === "string" && status_message) || redact(statusText);
  const code = typeof status_code === "number" ? ` (status_code ${status_code})` : "";
  const isRedirect = type === "opaqueredirect" || (status < 400 && headers.has("location"));
  const message = isRedirect
    ? "redirect refused; set baseUrl to the final address"
    : `${said || "(no message)"}${code}`;
  return new ApiError(
    operation,
    truncate(message),
    status,
    redactHeaders(headers, redact),
    body === clean ? truncate(clean) : body,
  );
}

function redactHeaders(headers: Headers, redact: Redact): Headers {
  const clean = new Headers();
  for (const [name, value] of headers) clean.append(name, redact(value));
  return clean;
}

/** Converts a parsed body back to text. */
function toText(body: unknown): string {
  return typeof body === "string" ? body : (JSON.stringify(body) ?? "");
}
