import { ConnectionError, TimeoutError, wrong } from "./errors.js";

/** Idempotent methods. POST may have been processed, so it is never retried. */
const METHODS = new Set(["GET", "HEAD", "DELETE"]);
/** Request Timeout, Too Many Requests, Internal Server Error, Bad Gateway, Service Unavailable, Gateway Timeout. */
const STATUSES = new Set([408, 429, 500, 502, 503, 504]);
/** The longest `Retry-After` that is waited for, in milliseconds. */
const LONGEST_PAUSE = 30_000;

/** The end of a call, as its steps see it. */
export interface Deadline {
  /** Aborted when the call ends early. Its own reason, because fetch writes a stack into the reason. */
  readonly signal: AbortSignal;
  /** Whether the call has ended early, and what it rejected with. */
  isOver: boolean;
  reason?: unknown;
  /** The error of the last failed attempt: the cause of a TimeoutError. */
  lastFailure?: unknown;
  /** Releases what the signal does not reach, such as a timer or a body, when the call ends early. */
  release?: () => void;
  /** Held until the end: a Request that is garbage-collected no longer passes on its signal (Node 20). */
  request?: Request;
  /** Ends the call at once: it rejects with this very reason. */
  fail(reason: unknown): void;
  /** Milliseconds left. */
  left(): number;
}

/** What ends the running calls of each signal. */
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
    // Not by `instanceof`: it may be a polyfill, or from another realm.
    const isGiven = signal !== undefined && signal !== null;
    if (isGiven && (typeof signal.aborted !== "boolean" || !signal.addEventListener)) {
      throw wrong(operation, "signal must be an AbortSignal");
    }
    if (signal?.aborted) throw signal.reason;
    const controller = new AbortController();
    const end = performance.now() + ms;
    const deadline: Deadline = {
      signal: controller.signal,
      isOver: false,
      left: () => end - performance.now(),
      fail(reason) {
        if (deadline.isOver) return;
        deadline.isOver = true;
        deadline.reason = reason;
        settle();
        reject(reason);
        controller.abort();
        deadline.release?.();
      },
    };
    const expire = () => {
      const { lastFailure: cause } = deadline;
      deadline.fail(new TimeoutError(operation, ms, cause === undefined ? {} : { cause }));
    };
    const timer = ms === Infinity ? undefined : setTimeout(expire, ms);
    const unwatch = signal && watch(signal, () => deadline.fail(signal.reason));
    const settle = () => {
      clearTimeout(timer);
      unwatch?.();
    };
    // Not by finally(), which creates three more promises.
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
  // Always the same function, so that a signal gets it once: Node warns of a leak at the eleventh listener.
  signal.addEventListener("abort", onAbort);
  return () => {
    if (ends.delete(end) && ends.size === 0) signal.removeEventListener("abort", onAbort);
  };
}

function onAbort({ currentTarget }: Event): void {
  for (const end of running.get(currentTarget!) ?? []) end();
}

/** Called with each response: whether the client will retry, so that its body need not be read. */
export type WillRetry = (response: Response) => boolean;

/**
 * Repeats an attempt while its failure may be temporary, retries are left and the pause fits in the time left.
 * @param attempt sends the request once
 * @param finish reads the response that stands
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
        const asked = retryAfter(headers.get("retry-after")) ?? backoff(retry);
        if (asked <= LONGEST_PAUSE && asked < deadline.left()) pause = asked;
        return pause !== undefined;
      });
      // A hook may have put another response in its place.
      if (pause === undefined || result.response.ok) return await finish(result);
    } catch (error) {
      // A ConnectionError may also come from another client that a hook calls.
      const isLost = error instanceof ConnectionError && error === deadline.lastFailure;
      pause = backoff(retry);
      if (!mayRetry || !isLost || deadline.isOver || pause >= deadline.left()) throw error;
    }
    await sleep(pause, deadline);
  }
}

/** 500 ms, doubled for each retry up to 8 s, with up to 50 % jitter. */
function backoff(retry: number): number {
  return Math.min(500 * 2 ** retry, 8000) * (1 - Math.random() / 2);
}

/** `Retry-After` in milliseconds from now (RFC 9110, 10.2.3: seconds or a date); undefined if it is neither. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Dates start with the name of a day; Date.parse alone would accept "-1". The asctime form ends with the year, in GMT.
  if (!/^[a-z]{3,9},? /i.test(value)) return undefined;
  const date = Date.parse(value.replace(/ \d{4}$/, "$& GMT"));
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Waits; rejects at once if the call ends early. */
function sleep(ms: number, deadline: Deadline): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    deadline.release = () => {
      clearTimeout(timer);
      reject(deadline.reason);
    };
    if (deadline.isOver) deadline.release();
  });
}
