import { TimeoutError } from "./errors.js";

/** The end of a call, as those see it who work for the call. */
export interface Deadline {
  /** Aborted when the call has ended early, with a reason of its own: fetch writes its stack into the reason. */
  readonly signal: AbortSignal;
  /** What the call rejected with, once it is over. */
  reason?: unknown;
  /** Whether it is aborted; to ask the signal takes longer than the rest of a step. */
  isOver: boolean;
  /** Ends the call at once: it rejects with this very reason, which nothing wraps. */
  fail(reason: unknown): void;
  /** Held until the end: the signal of a Request that is collected as garbage aborts nothing. */
  request?: Request;
  /** Called when the call has ended early, to let go of what the signal does not reach. */
  release?: () => void;
}

/** What ends with a signal. One listener for all of it, because Node warns of a leak at the eleventh. */
const watches = new WeakMap<AbortSignal, { ends: Set<() => void>; listener: () => void }>();

/**
 * Runs one call within a time limit. The promise settles at the limit and at the caller's abort whatever `run` does,
 * also where a fetch ignores its signal. One timer and one controller of our own, both held until the end:
 * `AbortSignal.any` and `AbortSignal.timeout` can be collected as garbage on Node 20 before they fire.
 * @throws {TimeoutError} after `ms` milliseconds
 * @throws the reason of `signal`, untouched, once that is aborted
 */
export function withDeadline<Result>(
  operation: string,
  ms: number,
  signal: AbortSignal | null | undefined,
  run: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    // Not by instanceof: it may be of another realm.
    const isSignal = signal?.aborted === false && typeof signal.addEventListener === "function";
    if (!isSignal && signal !== undefined && signal !== null) {
      return reject(new TypeError(`${operation}: signal is not an AbortSignal`));
    }
    const controller = new AbortController();
    const settle = () => {
      clearTimeout(timer);
      unwatch?.();
    };
    const deadline: Deadline = {
      signal: controller.signal,
      isOver: false,
      fail(reason) {
        settle();
        deadline.isOver = true;
        deadline.reason = reason;
        reject(reason);
        controller.abort();
        deadline.release?.();
      },
    };
    const timer = setTimeout(() => deadline.fail(new TimeoutError(operation, ms)), ms);
    const unwatch = signal && watch(signal, () => deadline.fail(signal.reason));
    // Not by finally(), which takes three more promises.
    run(deadline).then(
      (result) => {
        settle();
        resolve(result);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}

/** Calls `end` when the signal is aborted, until the function that it gives is called. */
function watch(signal: AbortSignal, end: () => void): () => void {
  let found = watches.get(signal);
  if (!found) {
    const ends = new Set<() => void>();
    found = { ends, listener: () => ends.forEach((each) => each()) };
    watches.set(signal, found);
    signal.addEventListener("abort", found.listener);
  }
  const { ends, listener } = found;
  ends.add(end);
  return () => {
    if (!ends.delete(end) || ends.size > 0) return;
    signal.removeEventListener("abort", listener);
    watches.delete(signal);
  };
}
