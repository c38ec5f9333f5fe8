import { withDeadline, type Ending } from "./deadline.js";
import { ApiError, InvalidJsonError, TimeoutError, type CatalogueError } from "./errors.js";
import { createCallRedactor, type PreparedCall } from "./prepare-call.js";
import { parseRedacted, redactError, redactHeaders, truncate } from "./redact.js";
import { parseJsonOrText, stringify } from "./text.js";
import {
  cancelBody,
  exchange,
  readResponseBody,
  type Outcome,
  type RequestLike,
  type Result,
} from "./transport.js";

/** The openapi-fetch client, without the description's types. */
export interface UntypedClient {
  request(method: string, path: string, init: object): Promise<Result>;
}

/** Statuses of failures that might be temporary, such as 429 Too Many Requests. */
const TRANSIENT_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
/** Methods that are safe to retry, even if the service has already processed the request. */
const IDEMPOTENT = new Set(["GET", "HEAD", "DELETE"]);

/**
 * Runs a call within its deadline, and retries the call after a failure that might be temporary.
 * @param hasMiddleware returns whether middleware is installed
 * @returns the result, or an error that the client created; the promise rejects with any other error, unchanged
 */
export function runCall(
  client: UntypedClient,
  call: PreparedCall,
  hasMiddleware: () => boolean,
): Promise<Result | CatalogueError> {
  const { target, timeout, signal, retries, sent } = call;
  /** The error from the last failed attempt. */
  let cause: Error | undefined;
  const onTimeout = () => new TimeoutError(target.operation, timeout, cause && { cause });
  const expiry = performance.now() + timeout;
  return withDeadline<Result | CatalogueError>(timeout, signal, onTimeout, async (ending) => {
    for (let retry = 0; ; retry += 1) {
      const outcome: Outcome = {};
      const attempt = makeAttempt(client, call, hasMiddleware(), ending, outcome);
      const error = await attempt.catch((thrown: unknown) =>
        redactError(thrown, createCallRedactor(call)),
      );
      // Reads the method of the sent request, because middleware can change the method.
      const canRetry = retry < retries && IDEMPOTENT.has(sent.at(-1)!.method);
      const pause = canRetry && error instanceof Error ? pauseAfter(outcome, retry) : Infinity;
      if (ending.isOver() || pause >= expiry - performance.now()) return outcome.result ?? attempt;
      cause = error as Error;
      await sleep(pause, ending);
    }
  });
}

/**
 * Sends one request through openapi-fetch and its middleware, then reads and parses the response.
 * @returns the result, or an error that the client created
 * @throws {unknown} any error from middleware, `token`, or `validate`, unchanged
 */
async function makeAttempt(
  client: UntypedClient,
  call: PreparedCall,
  hasMiddleware: boolean,
  ending: Ending,
  outcome: Outcome,
): Promise<Result | CatalogueError> {
  const { target, params, headers, url, search } = call;
  const controller = new AbortController();
  const { signal } = controller;
  // Aborts without a reason, because fetch would overwrite the reason's stack.
  ending.onEnd(() => controller.abort());
  const init = {
    params,
    headers,
    body: call.body,
    pathSerializer: () => url,
    querySerializer: () => search,
    parseAs: "stream",
    fetch: (request: Request | RequestLike) =>
      exchange(call, request, signal, ending, outcome).catch((thrown: unknown) => {
        // openapi-fetch ignores a falsy value that is thrown here, so `outcome` is thrown instead.
        outcome.thrown = thrown;
        throw thrown || outcome;
      }),
  };
  // Only middleware needs a real Request, and creating a Request takes as long as the rest of a call.
  if (hasMiddleware) Object.assign(init, call.fetchOptions, { Request, signal });
  let body: unknown;
  try {
    const result = await client.request(target.method, target.path, init);
    body = result.response.body;
    return await finishAttempt(call, result, ending, outcome);
  } catch (thrown) {
    if (outcome.lost && outcome.lost === thrown) return outcome.lost;
    throw thrown === outcome ? outcome.thrown : thrown;
  } finally {
    // If middleware threw an error or replaced the response, the body of the original response must be canceled.
    if (outcome.response && outcome.response.body !== body) cancelBody(outcome.response.body);
  }
}

/** Reads, parses, and validates a response after middleware has processed it. */
async function finishAttempt(
  call: PreparedCall,
  result: Result,
  ending: Ending,
  outcome: Outcome,
): Promise<Result | CatalogueError> {
  const { operation, parseAs, viaHttp } = call.target;
  const { response } = result;
  if (!response.ok) {
    if (viaHttp) outcome.result = result;
    // If middleware created the response, openapi-fetch has already read the body.
    const isSame = outcome.response === response;
    const text = isSame ? outcome.text! : (stringify(result.error) ?? "");
    return apiError(call, response, text);
  }
  const body = await readResponseBody(call, response, parseAs, ending, outcome);
  const data = parseAs === "json" ? parseResult(call, response, body as string) : body;
  if (data instanceof InvalidJsonError) return data;
  // After a timeout or an abort, the body might be incomplete, so it is not validated.
  if (!viaHttp && data !== undefined && !ending.isOver()) {
    await call.settings.validate?.(operation, data, response);
  }
  return { data, response };
}

/** Returns the pause before a retry in milliseconds, or Infinity if the call must not be retried. */
function pauseAfter({ response, lost }: Outcome, retry: number): number {
  const backoff = Math.min(500 * 2 ** retry, 8000) * (1 - Math.random() / 2);
  if (lost) return backoff;
  if (!response || !TRANSIENT_STATUSES.has(response.status)) return Infinity;
  const requested = parseRetryAfter(`${response.headers.get("retry-after")}`);
  return requested > 30_000 ? Infinity : Math.max(requested, backoff);
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
  return Date.parse(value.replace(/ \d{4}$/, "$& GMT")) - Date.now() || 0;
}

/** Waits for the given number of milliseconds. If the call ends before then, the returned promise never settles. */
function sleep(ms: number, ending: Ending): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    ending.onEnd(() => clearTimeout(timer));
  });
}

/** Parses a 2xx response body as JSON, regardless of its content type. Returns an InvalidJsonError if parsing fails. */
function parseResult(call: PreparedCall, { status, headers }: Response, text: string): unknown {
  const { operation, viaHttp, emptyStatuses } = call.target;
  if (viaHttp ? text === "" : emptyStatuses?.includes(status)) return undefined;
  const data = parseJsonOrText(text);
  if (data !== text) return data;
  const redact = createCallRedactor(call);
  const type = headers.get("content-type") ?? "no content type";
  const what = text === "" ? "an empty body" : `a body that is not JSON or is cut off (${type})`;
  const message = redact(`with ${what}; expected JSON`);
  const excerpt = truncate(redact(text));
  return new InvalidJsonError(operation, message, status, redactHeaders(headers, redact), excerpt);
}

/** Creates the error for a non-2xx response. */
function apiError(call: PreparedCall, response: Response, text: string): ApiError {
  const { status, statusText, type, headers } = response;
  const redact = createCallRedactor(call);
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
  return new ApiError(call.target.operation, message, status, redactHeaders(headers, redact), body);
}
