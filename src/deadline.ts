import { ApiError, own, TimeoutError, type CatalogueError } from "./errors.js";

/** Request Timeout, Too Many Requests, Internal Server Error, Bad Gateway, Service Unavailable, Gateway Timeout. */
const RETRIED = new Set([408, 429, 500, 502, 503, 504]);
/** The longest `Retry-After` that the client waits for, in milliseconds. */
const LONGEST_PAUSE = 30_000;

/** The deadline of one call, as passed to each step. */
export interface Deadline {
  /** Aborted when the call ends early. It has its own reason, because fetch writes a stack into the reason. */
  readonly signal: AbortSignal;
  /** Milliseconds left. */
  left(): number;
  /** Ends the call at once: the promise rejects with exactly this reason. */
  fail(reason: unknown): void;
  /** The error of the last failed attempt: the cause of a TimeoutError. */
  failure?: CatalogueError;
  /** Canceled when the call ends early, even if fetch ignores its signal. */
  reader?: ReadableStreamDefaultReader;
  /** Held until the end: a garbage-collected Request no longer passes on its signal (Node 20). */
  request?: Request;
}

/** The functions that end the running calls of each signal. */
const running = new WeakMap<EventTarget, Set<() => void>>();

/**
 * Runs one call within a time limit. The promise rejects on timeout or abort, even if `run` never settles.
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
    if (signal?.aborted) throw signal.reason;
    const controller = new AbortController();
    const end = performance.now() + ms;
    const deadline: Deadline = {
      signal: controller.signal,
      left: () => end - performance.now(),
      fail(reason) {
        settle();
        reject(reason);
        controller.abort();
        void deadline.reader?.cancel().catch(() => {});
      },
    };
    const expire = () => deadline.fail(own(new TimeoutError(operation, ms, deadline.failure)));
    const timer = ms === Infinity ? undefined : setTimeout(expire, ms);
    const unwatch = signal && watch(signal, () => deadline.fail(signal.reason));
    const settle = () => {
      clearTimeout(timer);
      unwatch?.();
    };
    // `finally()` would create three extra promises.
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
  // All calls share one listener, because Node warns of a leak at the eleventh.
  signal.addEventListener("abort", onAbort);
  return () => {
    if (ends.delete(end) && ends.size === 0) signal.removeEventListener("abort", onAbort);
  };
}

function onAbort({ currentTarget }: Event): void {
  for (const end of running.get(currentTarget!) ?? []) end();
}

/** Repeats an attempt while its failure may be temporary, retries are left and the pause fits in the time left. */
export async function withRetries<Result>(
  retries: number,
  deadline: Deadline,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let retry = 0; ; retry += 1) {
    let pause: number;
    try {
      return await attempt();
    } catch (error) {
      // Errors of hooks, `token` and `validate` are not failures of the service.
      const isFailure = error !== undefined && error === deadline.failure;
      pause = isFailure && retry < retries ? pauseAfter(deadline.failure!, retry) : Infinity;
      if (pause >= deadline.left()) throw error;
    }
    deadline.signal.throwIfAborted();
    // If the call ends early, nothing continues after the pause.
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      deadline.signal.addEventListener("abort", () => clearTimeout(timer));
    });
  }
}

/** Milliseconds to wait before a retry; Infinity if the failure is not temporary. */
function pauseAfter(failure: CatalogueError, retry: number): number {
  let asked: number | undefined;
  if (failure instanceof ApiError) {
    if (!RETRIED.has(failure.status)) return Infinity;
    asked = retryAfter(failure.headers.get("retry-after") ?? "");
    if (asked! > LONGEST_PAUSE) return Infinity;
  }
  return asked ?? Math.min(500 * 2 ** retry, 8000) * (1 - Math.random() / 2);
}

/** `Retry-After` in milliseconds from now (RFC 9110, 10.2.3: seconds or a date); undefined if it is neither. */
function retryAfter(value: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Dates start with the name of a day; Date.parse alone accepts "in 10". The asctime form ends with the year, in GMT.
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return undefined;
  const date = Date.parse(value.replace(/ \d{4}$/, "$& GMT"));
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
