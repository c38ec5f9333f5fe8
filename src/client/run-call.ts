import { cancelBody, openBody, readHeader, type Body } from "./body.js";
import { withDeadline, type Ending } from "./deadline.js";
import {
  ApiError,
  CatalogueError,
  ConnectionError,
  InvalidJsonError,
  TimeoutError,
} from "./errors.js";
import type { PreparedCall } from "./prepare-call.js";
import { parseRedacted, redactError, redactHeaders, truncate } from "./redact.js";
import { redactorOf } from "./secrets.js";
import { parseJsonOrText, resultOf } from "./text.js";
import { exchange, readResponse, RequestLike, type Exchange } from "./transport.js";

/** The result of an openapi-fetch call. */
export interface Result {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** The openapi-fetch client, without the description's types. */
export interface UntypedClient {
  request(method: string, path: string, init: object): Promise<Result>;
}

/** One attempt of a call. */
interface Attempt {
  /** What the request sent and received, even if middleware changes the response. Missing if no request was sent. */
  readonly exchange?: Exchange | undefined;
  /** The result of the attempt. An attempt through `http` can have both a result and an error. */
  readonly result?: Result;
  /** The error that the client created. */
  readonly error?: CatalogueError;
  /** The value that middleware, `token`, or `validate` threw. */
  readonly thrown?: { readonly value: unknown };
}

/** Statuses of failures that might be temporary, such as 429 Too Many Requests. */
const TRANSIENT_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
/** Methods that are safe to retry, even if the service has already processed the request. */
const IDEMPOTENT = new Set(["GET", "HEAD", "DELETE"]);
/** A v3 API key, which apps confuse with an access token. */
const API_KEY = /^[\da-f]{32}$/i;

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
  const { target, timeout, signal, retries } = call;
  /** The error from the last failed attempt. */
  let cause: Error | undefined;
  const onTimeout = () => new TimeoutError(target.operation, timeout, cause && { cause });
  const expiry = performance.now() + timeout;
  return withDeadline<Result | CatalogueError>(timeout, signal, onTimeout, async (ending) => {
    for (let retry = 0; ; retry += 1) {
      const attempt = await makeAttempt(client, call, hasMiddleware(), ending);
      const { result, error, thrown } = attempt;
      const pause = retry < retries ? pauseAfter(attempt, retry) : Infinity;
      if (ending.isOver() || pause >= expiry - performance.now()) {
        if (thrown) throw thrown.value;
        return result ?? error!;
      }
      cause = error ?? redactError(thrown!.value, redactorOf(call));
      await sleep(pause, ending);
    }
  });
}

/** Sends one request through openapi-fetch and its middleware, then reads and parses the response. */
async function makeAttempt(
  client: UntypedClient,
  call: PreparedCall,
  hasMiddleware: boolean,
  ending: Ending,
): Promise<Attempt> {
  const { target, params, headers, url, search, timeout } = call;
  // Without a deadline, sends no signal, because React and Next.js do not memoize requests that have a signal.
  const hasDeadline = timeout !== Infinity || call.signal !== undefined;
  const controller = hasDeadline ? new AbortController() : undefined;
  // Aborts without a reason, because fetch would overwrite the reason's stack.
  ending.onEnd(() => controller?.abort());
  let sent: Exchange | undefined;
  let falsy: { value: unknown } | undefined;
  const init = {
    params,
    headers,
    body: call.body,
    pathSerializer: () => url,
    querySerializer: () => search,
    parseAs: "stream",
    fetch: async (request: Request | RequestLike) => {
      try {
        sent = await exchange(call, request, controller?.signal, ending);
      } catch (value) {
        // openapi-fetch ignores a falsy value that is thrown here.
        throw value || (falsy = { value });
      }
      if (sent.lost) throw sent.lost;
      return sent.shown;
    },
  };
  // Only middleware needs a real Request, and creating a Request takes as long as the rest of a call.
  if (hasMiddleware)
    Object.assign(init, call.fetchOptions, { Request, signal: controller?.signal });
  let body: Body | undefined;
  try {
    const result = await client.request(target.method, target.path, init);
    body = hasMiddleware ? openBody(result.response) : sent!.body!;
    return Object.assign(await finishAttempt(call, body, result, sent, ending), { exchange: sent });
  } catch (value) {
    if (sent?.lost && sent.lost === value) return { exchange: sent, error: sent.lost };
    return { exchange: sent, thrown: falsy && value === falsy ? falsy : { value } };
  } finally {
    // If middleware threw an error or replaced the response, the body of the original response must be canceled.
    if (sent?.body && sent.body.stream !== body?.stream) cancelBody(sent.body.stream);
  }
}

/** Reads, parses, and validates a response after middleware has processed it. */
async function finishAttempt(
  call: PreparedCall,
  body: Body,
  { error, response: shown }: Result,
  sent: Exchange | undefined,
  ending: Ending,
): Promise<Attempt> {
  const { operation, parseAs, viaHttp } = call.target;
  const { response } = body;
  if (!response.ok) {
    // If middleware created the response, openapi-fetch has already read the body.
    const text = sent?.shown === shown ? sent.text! : (resultOf(() => JSON.stringify(error)) ?? "");
    const failure = createApiError(call, response, text, sent?.token);
    return { error: failure, ...(viaHttp && { result: { error, response } }) };
  }
  const read = await readResponse(call, body, parseAs === "json" ? "text" : parseAs, ending);
  if (read instanceof ConnectionError) return { error: read };
  const data = parseAs === "json" ? parseResult(call, response, read as string) : read;
  if (data instanceof InvalidJsonError) return { error: data };
  // After a timeout or an abort, the body might be incomplete, so it is not validated.
  if (!viaHttp && data !== undefined && !ending.isOver()) {
    // A method call would pass the settings as `this`.
    const { validate } = call.settings;
    try {
      await validate?.(operation, data, response);
    } catch (thrown) {
      // Returns the error of `validateResponse`, so that its stack contains the caller.
      if (thrown instanceof CatalogueError && thrown.name === "ContractError")
        return { error: thrown };
      throw thrown;
    }
  }
  return { result: { data, response } };
}

/** Returns the pause before a retry in milliseconds, or Infinity if the call must not be retried. */
function pauseAfter({ exchange: sent, error, thrown }: Attempt, retry: number): number {
  if (!sent || !IDEMPOTENT.has(sent.method) || (!error && !thrown)) return Infinity;
  const backoff = Math.min(500 * 2 ** retry, 8000) * (1 - Math.random() / 2);
  if (sent.lost || error instanceof ConnectionError) return backoff;
  const { status, headers } = sent.body!.response;
  if (!TRANSIENT_STATUSES.has(status)) return Infinity;
  const requested = parseRetryAfter(`${readHeader(headers, "retry-after")}`);
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
  // Stryker disable next-line Regex: V8 ignores a second time zone in a date; other engines might reject the date.
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
  const { operation, viaHttp, entry } = call.target;
  if (viaHttp ? text === "" : entry?.emptyStatuses?.includes(status)) return undefined;
  const data = parseJsonOrText(text);
  if (data !== text) return data;
  const redact = redactorOf(call);
  const type = readHeader(headers, "content-type") ?? "no content type";
  const what = text === "" ? "an empty body" : `a body that is not JSON or is cut off (${type})`;
  const message = truncate(redact(`with ${what}; expected JSON`));
  const excerpt = truncate(redact(text));
  return new InvalidJsonError(operation, message, status, redactHeaders(headers, redact), excerpt);
}

/** Creates the error for a non-2xx response. */
function createApiError(
  call: PreparedCall,
  response: Response,
  text: string,
  token: string | undefined,
): ApiError {
  const { status, headers } = response;
  const statusText = resultOf(() => response.statusText) ?? "";
  const redact = redactorOf(call);
  const parsed = parseRedacted(text, redact);
  const body = typeof parsed === "string" ? truncate(parsed) : parsed;
  const { status_message, status_code } = Object(body) as Record<string, unknown>;
  const said = (typeof status_message === "string" && status_message) || redact(statusText);
  const code = typeof status_code === "number" ? ` (status_code ${status_code})` : "";
  const isHidden = resultOf(() => response.type) === "opaqueredirect";
  const isRedirect = isHidden || (status < 400 && readHeader(headers, "location"));
  const message = truncate(
    isRedirect
      ? "redirect not followed; set baseUrl to the final address"
      : `${said || "(no message)"}${code}`,
  );
  const isKey = status === 401 && API_KEY.test(token ?? "");
  const hint = isKey ? "; the token looks like a v3 API key, use the access token instead" : "";
  return new ApiError(
    call.target.operation,
    message + hint,
    status,
    redactHeaders(headers, redact),
    body,
  );
}
