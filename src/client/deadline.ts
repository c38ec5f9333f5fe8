/** The time limit of a call, which counts only the time of certain steps, and not that of middleware. */
export interface Deadline {
  /**
   * Runs a step whose time counts. On timeout, the promise rejects without waiting for the step. The steps of a call run
   * one after the other.
   */
  count<Result>(step: () => Promise<Result>): Promise<Result>;
  /** Returns the rest of the time in milliseconds. */
  left(): number;
  /** Returns whether the call has timed out or been aborted. */
  isOver(): boolean;
  /**
   * Calls `stop` with the call's error when the call times out or is aborted, or immediately and without the error if the
   * call is already over.
   */
  onEnd(stop: (reason?: unknown) => void): void;
}

/** The abort listener of each signal, with the functions that the listener runs, one for each pending call. */
const running = new WeakMap<AbortSignal, { ends: Set<() => void>; onAbort: () => void }>();

/**
 * Runs a call within a time limit, which can be infinite. On timeout, the current step rejects with the result of
 * `createError`. On abort, the call rejects with the signal's reason, without waiting for `run`.
 */
export function withDeadline<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  createError: (() => Error) | undefined,
  run: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw reasonOf(signal);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let rest = ms;
    let expiry = Infinity;
    let isExpired = false;
    let rejectStep: (reason: unknown) => void = () => {};
    const stops: ((reason?: unknown) => void)[] = [];
    // Also checks `aborted`, because another listener can prevent the abort event from reaching this client.
    const isOver = () => isExpired || signal?.aborted === true;
    const left = () => expiry - performance.now();
    const end = (reason: unknown) => {
      isExpired = true;
      rest = 0;
      rejectStep(reason);
      for (const stop of stops) stop(reason);
    };
    const onEnd = (stop: (reason?: unknown) => void) => {
      if (isOver()) stop();
      else stops.push(stop);
    };
    const count = <Value>(step: () => Promise<Value>) =>
      new Promise<Value>((resolveStep, fail) => {
        if (signal?.aborted) return fail(reasonOf(signal));
        rejectStep = fail;
        expiry = performance.now() + rest;
        // Uses `setTimeout`, because on Node 20, the signals of `AbortSignal.any` and `AbortSignal.timeout` can be
        // garbage-collected before they fire.
        if (rest !== Infinity) timer = setTimeout(() => end(createError?.()), rest);
        const pause = (finish: () => void) => {
          // A step that timed out can settle during the next step, if middleware answered the timeout.
          if (rejectStep !== fail) return;
          clearTimeout(timer);
          rest = left();
          finish();
        };
        // Neither `finally()` nor `Promise.race()`, which would create three additional promises.
        step().then(
          (value) => pause(() => resolveStep(value)),
          (error: unknown) => pause(() => fail(error)),
        );
      });
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      unwatch?.();
      if (signal?.aborted) reject(reasonOf(signal));
      else finish();
    };
    const unwatch =
      signal &&
      watch(signal, () => {
        settle(() => {});
        end(reasonOf(signal));
      });
    run({ count, left, isOver, onEnd }).then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

/** Returns the reason of an aborted signal, or a new AbortError if a polyfilled signal has no reason. */
function reasonOf({ reason }: AbortSignal): unknown {
  if (reason !== undefined) return reason;
  // React Native has no DOMException.
  return Object.assign(new Error("This operation was aborted"), { name: "AbortError" });
}

/**
 * Calls `end` when the signal is aborted.
 * @returns a function that stops watching the signal
 */
function watch(signal: AbortSignal, end: () => void): () => void {
  let known = running.get(signal);
  if (!known) {
    const ends = new Set<() => void>();
    // The listener is a closure, because Node sets `event.currentTarget` only for the first listener.
    known = { ends, onAbort: () => ends.forEach((each) => each()) };
    running.set(signal, known);
    // All calls with the same signal share one listener, because Node 20 warns about a leak after ten listeners.
    signal.addEventListener("abort", known.onAbort);
  }
  const { ends, onAbort } = known;
  ends.add(end);
  return () => {
    if (!ends.delete(end) || ends.size > 0) return;
    running.delete(signal);
    signal.removeEventListener("abort", onAbort);
  };
}
