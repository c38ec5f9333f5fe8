import { TimeoutError, wrong, type CatalogueError } from "./errors.js";

/** Idempotent methods. A POST may have been processed, so it is never retried. */
const METHODS = new Set(["GET", "HEAD", "DELETE"]);
/** Request Timeout, Too Many Requests, Internal Server Error, Bad Gateway, Service Unavailable, Gateway Timeout. */
const STATUSES = new Set([408, 429, 500, 502, 503, 504]);
/** The longest `Retry-After` that the client waits for, in milliseconds. */
const LONGEST_PAUSE = 30_000;

/** The deadline of one call, as passed to each step. */
export interface Deadline {
  /** Aborted when the call ends early. It has a reason of its own, because fetch writes a stack into the reason. */
  readonly signal: AbortSignal;
  /** The error of the last failed attempt: the cause of a TimeoutError. */
  failure?: CatalogueError;
  /** Releases a timer or a body when the call ends early. */
  release?: () => void;
  /** Held until the end: a garbage-collected Request no longer passes on its signal (Node 20). */
  request?: Request;
  /** Ends the call at once: it rejects with this very reason. */
  fail(reason: unknown): void;
  /** Throws if the call has ended early. */
  check(): void;
  /** Milliseconds left. */
  left(): number;
}

/** The functions that end the running calls of each signal. */
const running = new WeakMap<EventTarget, Set<() => void>>();

/**
 * Runs one call within a time limit. The promise settles at the limit and at the caller's abort, whatever `run` does.
 * One timer and one controller, held until the end: on Node 20, `AbortSignal.any` and `AbortSignal.timeout` can be
 * garbage-collected before they fire.
 */
export function withDeadline<Result>(
  operation: string,
  ms: number,
  signal: AbortSignal | null | undefined,
  run: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal !== undefined && signal !== null && !(signal instanceof AbortSignal)) {
      throw wrong(operation, "signal must be an AbortSignal");
    }
    if (signal?.aborted) throw signal.reason;
    const controller = new AbortController();
    const end = performance.now() + ms;
    let reason: unknown;
    const deadline: Deadline = {
      signal: controller.signal,
      left: () => end - performance.now(),
      check() {
        // openapi-fetch ignores a falsy error.
        if (controller.signal.aborted) throw reason || new Error("aborted");
      },
      fail(error) {
        settle();
        reject((reason = error));
        controller.abort();
        deadline.release?.();
      },
    };
    const expire = () => {
      const { failure } = deadline;
      deadline.fail(new TimeoutError(operation, ms, failure && { cause: failure }));
    };
    const timer = ms === Infinity ? undefined : setTimeout(expire, ms);
    const unwatch = signal && watch(signal, () => deadline.fail(signal.reason));
    const settle = () => {
      clearTimeout(timer);
      unwatch?.();
    };
    // finally() would create three more promises.
    run(deadline).then(
      (result) => (settle(), resolve(result)),
      (error: unknown) => (settle(), reject(error)),
    );
  });
}

/** Calls `end` when the signal is aborted, until the returned function is called. */
function watch(signal: AbortSignal, end: () => void): () => void {
  const ends = running.get(signal) ?? new Set();
  running.set(signal, ends.add(end));
  // The same function for all calls is one listener: Node warns of a leak at the eleventh.
  signal.addEventListener("abort", onAbort);
  return () => {
    if (ends.delete(end) && ends.size === 0) signal.removeEventListener("abort", onAbort);
  };
}

function onAbort({ currentTarget }: Event): void {
  for (const end of running.get(currentTarget!) ?? []) end();
}

/** Called with each response. Returns whether the client will retry, so that the body need not be read. */
export type WillRetry = (response: Response) => boolean;

/**
 * Repeats an attempt while its failure may be temporary, retries are left and the pause fits in the time left.
 * @param attempt sends the request once
 * @param finish reads the final response
 */
export async function withRetries<Result extends { response: Response }, Value>(
  method: string,
  retries: number,
  deadline: Deadline,
  attempt: (willRetry: WillRetry) => Promise<Result>,
  finish: (result: Result) => Promise<Value>,
): Promise<Value> {
  for (let retry = 0; ; retry += 1) {
    const mayRetry = retry < retries && METHODS.has(method);
    let pause: number | undefined;
    try {
      const result = await attempt(({ status, headers }) => {
        if (!mayRetry || !STATUSES.has(status)) return false;
        const asked = retryAfter(headers.get("retry-after") ?? "") ?? backoff(retry);
        if (asked <= LONGEST_PAUSE && asked < deadline.left()) pause = asked;
        return pause !== undefined;
      });
      // A hook may have replaced the response.
      if (pause === undefined || result.response.ok) return await finish(result);
    } catch (error) {
      pause = backoff(retry);
      const isLost = error !== undefined && error === deadline.failure;
      if (!mayRetry || !isLost || pause >= deadline.left()) throw error;
    }
    deadline.check();
    // If the call ends early, nothing continues after the pause.
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      deadline.release = () => clearTimeout(timer);
    });
  }
}

/** 500 ms, doubled for each retry up to 8 s, with up to 50 % jitter. */
function backoff(retry: number): number {
  return Math.min(500 * 2 ** retry, 8000) * (1 - Math.random() / 2);
}

/** `Retry-After` in milliseconds from now (RFC 9110, 10.2.3: seconds or a date); undefined if it is neither. */
function retryAfter(value: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Dates start with the name of a day; Date.parse alone accepts "-1". The asctime form ends with the year, in GMT.
  const date = /^[a-z]/i.test(value) && Date.parse(value.replace(/ \d{4}$/, "$& GMT"));
  return date ? Math.max(0, date - Date.now()) : undefined;
}
