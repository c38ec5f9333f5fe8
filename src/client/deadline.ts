/** Tells the steps of a call when the call ends early, on timeout or abort. */
export interface Ending {
  /** Whether the call has ended early. */
  isOver(): boolean;
  /** Calls `stop` when the call ends early, or immediately if it already has. */
  onEnd(stop: () => void): void;
}

/** For each signal of a running call, the functions that end its calls, and the listener that calls them. */
const running = new WeakMap<AbortSignal, { ends: Set<() => void>; onAbort: () => void }>();

/**
 * Runs a call within a time limit. The promise settles on timeout or abort, even if `run` never does: it resolves to
 * the result of `onTimeout`, or rejects with the signal's reason.
 */
export function withDeadline<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  onTimeout: () => Result,
  run: (ending: Ending) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw reasonOf(signal);
    let isExpired = false;
    const stops: (() => void)[] = [];
    // The signal itself might know more than its listener: another listener can stop the event.
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
      settle(() => resolve(onTimeout()));
      for (const stop of stops) stop();
    };
    // One timer, held until the end: on Node 20, `AbortSignal.any` and `AbortSignal.timeout` can be garbage-collected
    // before they fire.
    const timer = ms === Infinity ? undefined : setTimeout(end, ms);
    const unwatch = signal && watch(signal, end);
    // `finally()` would create three more promises.
    run({ isOver, onEnd }).then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

/** An aborted signal's reason. A polyfilled signal might not have one. */
function reasonOf({ reason }: AbortSignal): unknown {
  if (reason !== undefined) return reason;
  // This is not a DOMException, because React Native has none.
  return Object.assign(new Error("This operation was aborted"), { name: "AbortError" });
}

/** Calls `end` when the signal is aborted, until the returned function is called. */
function watch(signal: AbortSignal, end: () => void): () => void {
  let known = running.get(signal);
  if (!known) {
    const ends = new Set<() => void>();
    // This is a closure, because on Node `event.currentTarget` is null in every listener but the first.
    known = { ends, onAbort: () => ends.forEach((each) => each()) };
    running.set(signal, known);
    // All calls share one listener, because Node 20 warns about a leak at the eleventh.
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
