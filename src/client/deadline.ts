/** Functions with which the steps of a call detect a timeout or an abort. */
export interface Ending {
  /** Returns whether the call has timed out or been aborted. */
  isOver(): boolean;
  /** Calls `stop` when the call times out or is aborted, or immediately if the call is already over. */
  onEnd(stop: () => void): void;
}

/** The abort listener of each signal, with the functions that the listener runs, one for each pending call. */
const running = new WeakMap<AbortSignal, { ends: Set<() => void>; onAbort: () => void }>();

/**
 * Runs a part of a call within a time limit, which can be infinite. On timeout, the promise rejects with the result of
 * `createError`; on abort, with the signal's reason. In both cases, the promise settles without waiting for `run`.
 */
export function withDeadline<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  createError: (() => Error) | undefined,
  run: (ending: Ending) => Promise<Result>,
): Promise<Result> {
  // Without a limit and a signal, nothing ends the call early.
  if (ms === Infinity && !signal) return run({ isOver: () => false, onEnd: () => {} });
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw reasonOf(signal);
    let isExpired = false;
    const stops: (() => void)[] = [];
    // Also checks `aborted`, because another listener can prevent the abort event from reaching this client.
    const isOver = () => isExpired || signal?.aborted === true;
    const onEnd = (stop: () => void) => {
      if (isOver()) stop();
      else stops.push(stop);
    };
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      unwatch?.();
      if (signal?.aborted) reject(reasonOf(signal));
      else finish();
    };
    const end = () => {
      isExpired = true;
      settle(() => reject(createError?.()));
      for (const stop of stops) stop();
    };
    // Uses `setTimeout`, because on Node 20, the signals of `AbortSignal.any` and `AbortSignal.timeout` can be
    // garbage-collected before they fire.
    const timer = ms === Infinity ? undefined : setTimeout(end, ms);
    const unwatch = signal && watch(signal, end);
    // Does not use `finally()`, which would create three additional promises.
    run({ isOver, onEnd }).then(
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
