/** For each signal, the functions that end its running calls. */
const running = new WeakMap<EventTarget, Set<() => void>>();

/**
 * Runs a call within a time limit. The promise rejects on timeout or abort, even if `run` never settles.
 * @param timeoutError creates the timeout error
 * @param run receives a signal that is aborted when the call ends early
 */
export function withDeadline<Result>(
  ms: number,
  signal: AbortSignal | null | undefined,
  timeoutError: () => Error,
  run: (ended: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw reasonOf(signal);
    // One timer and one controller, held until the end: on Node 20, `AbortSignal.any` and `AbortSignal.timeout` can be
    // garbage-collected before they fire.
    const controller = new AbortController();
    const settle = () => {
      clearTimeout(timer);
      unwatch?.();
    };
    const end = (reason: unknown) => {
      settle();
      reject(reason);
      // Without `reason`, because fetch would overwrite its stack.
      controller.abort();
    };
    const timer = ms === Infinity ? undefined : setTimeout(() => end(timeoutError()), ms);
    const unwatch = signal && watch(signal, () => end(reasonOf(signal)));
    // `finally()` would create three more promises.
    run(controller.signal).then(
      (result) => (settle(), resolve(result)),
      (error: unknown) => (settle(), reject(error)),
    );
  });
}

/** An aborted signal's reason. A polyfilled signal might not have one. */
function reasonOf(signal: AbortSignal): unknown {
  const { reason = new DOMException("This operation was aborted", "AbortError") } = signal;
  return reason;
}

/** Calls `end` when the signal is aborted, until the returned function is called. */
function watch(signal: AbortSignal, end: () => void): () => void {
  const ends = running.get(signal) ?? new Set();
  running.set(signal, ends.add(end));
  // All calls share one listener, because Node warns about a leak at the eleventh.
  signal.addEventListener("abort", onAbort);
  return () => {
    if (ends.delete(end) && ends.size === 0) signal.removeEventListener("abort", onAbort);
  };
}

function onAbort({ currentTarget }: Event): void {
  for (const end of running.get(currentTarget!) ?? []) end();
}
