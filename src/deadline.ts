import { TimeoutError } from "./errors.js";

/** The end of a call, as those see it who work for the call. */
export interface Deadline {
  /** Aborted when the call has ended early. */
  readonly signal: AbortSignal;
  /** Ends the call at once: it rejects with this very reason, which nothing wraps. */
  fail(reason: unknown): void;
  /** Called when the call has ended early, to let go of what the signal does not reach. */
  release?: () => void;
}

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
    if (signal?.aborted) return reject(signal.reason);
    const controller = new AbortController();
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const deadline: Deadline = {
      signal: controller.signal,
      fail(reason) {
        settle();
        reject(reason);
        controller.abort();
        deadline.release?.();
      },
    };
    const onAbort = () => deadline.fail(signal?.reason);
    const timer = setTimeout(() => deadline.fail(new TimeoutError(operation, ms)), ms);
    signal?.addEventListener("abort", onAbort);
    run(deadline).then(resolve, reject).finally(settle);
  });
}
