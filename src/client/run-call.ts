import { withDeadline, type Ending } from "./deadline.js";
import {
  ApiError,
  BodyError,
  ConnectionError,
  TimeoutError,
  type CatalogueError,
} from "./errors.js";
import { redactorOf, type PreparedCall } from "./prepare-call.js";
import { parseRedacted, redactError, redactHeaders, truncate } from "./redact.js";
import { parseJsonOrText } from "./text.js";
import { cancelBody, exchange, readResponseBody, RequestLike, type Outcome } from "./transport.js";

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

/** A finished attempt. */
interface Attempt {
  /**
   * Returns the result or the client's own error, or throws the error that middleware, `token`, or `validate` threw.
   */
  settle(): Result | CatalogueError;
  /** The error of a failed attempt, as the cause of a TimeoutError. */
  error?: Error;
  /** The outcome that decides whether to retry a failed attempt. */
  outcome?: Outcome | undefined;
}

/** 408 Request Timeout, 429 Too Many Requests, 500, 502 Bad Gateway, 503 Unavailable, and 504 Gateway Timeout. */
const TRANSIENT_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
/** The longest `Retry-After` that the client waits for, in milliseconds. */
const MAX_RETRY_AFTER = 30_000;

/**
 * Runs a call within its deadline. Retries while the failure might be temporary.
 * @param isHooked whether openapi-fetch has middleware, which needs a real Request
 * @returns the result, or the client's own error; any other error is thrown unchanged
 */
export function runCall(
  client: UntypedClient,
  call: PreparedCall,
  isHooked: () => boolean,
): Promise<Result | CatalogueError> {
  const { target, timeout, signal, retries } = call;
  /** The error of the last attempt. */
  let cause: Error | undefined;
  const onTimeout = () => new TimeoutError(target.operation, timeout, cause && { cause });
  const expiry = performance.now() + timeout;
  return withDeadline<Result | CatalogueError>(timeout, signal, onTimeout, async (ending) => {
    for (let retry = 0; ; retry += 1) {
      const { settle, error, outcome } = await makeAttempt(client, call, isHooked(), ending);
      const pause = retry < retries ? pauseAfter(outcome, retry) : Infinity;
      if (ending.isOver() || pause >= expiry - performance.now()) return settle();
      cause = error;
      await sleep(pause, ending);
    }
  });
}

/** Makes one request through openapi-fetch and its middleware, and reads and parses the response. */
async function makeAttempt(
  client: UntypedClient,
  call: PreparedCall,
  isHooked: boolean,
  ending: Ending,
): Promise<Attempt> {
  const { target, params, headers, url, search } = call;
  const controller = new AbortController();
  const { signal } = controller;
  // Aborts without a reason, because fetch would overwrite the reason's stack.
  ending.onEnd(() => controller.abort());
  let outcome = undefined as Outcome | undefined;
  const note = (it: Outcome): Response => {
    outcome = it;
    if (it.error) throw it.error;
    return it.response!;
  };
  const init = {
    params,
    headers,
    body: call.body,
    pathSerializer: () => url,
    querySerializer: () => search,
    parseAs: "stream",
    fetch: (request: Request | RequestLike) => exchange(call, request, signal, ending).then(note),
  };
  // Middleware needs a real Request. Creating one takes as long as the rest of a call, and `fetch` creates another.
  if (isHooked) Object.assign(init, call.fetchOptions, { Request, signal });
  try {
    const result = await client.request(target.method, target.path, init);
    return await finishAttempt(call, result, outcome, ending);
  } catch (thrown) {
    if (outcome?.response) cancelBody(outcome.response);
    const { error } = outcome ?? {};
    if (error && error === thrown) return { settle: () => error, error, outcome };
    const settle = () => {
      throw thrown;
    };
    return { settle, error: redactError(thrown, redactorOf(call)), outcome };
  }
}

/** Reads, parses, and validates the response that middleware has seen. */
async function finishAttempt(
  call: PreparedCall,
  result: Result,
  outcome: Outcome | undefined,
  ending: Ending,
): Promise<Attempt> {
  const { operation, parseAs, isMethod } = call.target;
  const { response } = result;
  if (!response.ok) {
    // Middleware can respond without a request, or replace the response.
    const text = outcome?.response === response ? outcome.text! : toText(result.error);
    const error = apiError(call, response, text);
    return { settle: () => (isMethod ? error : result), error, outcome };
  }
  const body = await readResponseBody(call, response, parseAs, ending);
  if (body instanceof ConnectionError) {
    return { settle: () => body, error: body, outcome: { error: body } };
  }
  const data = parseAs === "json" ? parseResult(call, response, body as string) : body;
  if (data instanceof BodyError) return { settle: () => data, error: data, outcome };
  // A partial body must not be validated.
  if (isMethod && data !== undefined && !ending.isOver()) {
    await call.settings.validate?.(operation, data, response);
  }
  return { settle: () => ({ data, response }) };
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
function sleep(ms: number, ending: Ending): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    ending.onEnd(() => clearTimeout(timer));
  });
}

/** Parses the body of a 2xx response, whatever its content type. */
function parseResult(call: PreparedCall, { status, headers }: Response, text: string): unknown {
  const { operation, isMethod, emptyStatuses } = call.target;
  if (isMethod ? emptyStatuses.includes(status) : text === "") return undefined;
  const data = parseJsonOrText(text);
  if (data !== text) return data;
  const redact = redactorOf(call);
  const type = headers.get("content-type") ?? "no content type";
  const what = text === "" ? "an empty body" : `a body that is not JSON or is cut off (${type})`;
  const message = redact(`with ${what}; expected JSON`);
  const excerpt = truncate(redact(text));
  return new BodyError(operation, message, status, redactHeaders(headers, redact), excerpt);
}

/** Creates the error for a non-2xx response. */
function apiError(call: PreparedCall, response: Response, text: string): ApiError {
  const { status, statusText, type, headers } = response;
  const redact = redactorOf(call);
  const parsed = parseRedacted(text, redact);
  const body = typeof parsed === "string" ? truncate(parsed) : parsed;
  const { status_message, status_code } = Object(body) as Record<string, unknown>;
  const said = (typeof status_message === "string" && status_message) || redact(statusText ?? "");
  const code = typeof status_code === "number" ? ` (status_code ${status_code})` : "";
  const isRedirect = type === "opaqueredirect" || (status < 400 && headers.get("location"));
  const message = truncate(
    isRedirect
      ? "redirect not followed; set baseUrl to the final address"
      : `${said || "(no message)"}${code}`,
  );
  const { operation } = call.target;
  return new ApiError(operation, message, status, redactHeaders(headers, redact), body);
}

/** Converts a parsed body back to text. */
function toText(body: unknown): string {
  return typeof body === "string" ? body : (JSON.stringify(body) ?? "");
}
