/** The time limit of one call. */
export interface Deadline {
  /** Aborted when the call ends early. */
  readonly signal: AbortSignal;
  /** Milliseconds left; 0 once the call has ended. */
  left(): number;
  /** Calls a function when the call ends early, or at once if it has. */
  onEnd(cleanUp: () => void): void;
  /** @throws if the call has ended early */
  throwIfEnded(): void;
}

/** The functions that end the running calls of each signal. */
const running = new WeakMap<EventTarget, Set<() => void>>();

/**
 * Runs a call within a time limit. The promise rejects on timeout or abort, even if `run` never settles.
 * @param timeoutError creates the error of a timeout
 */
export function withDeadline<Result>(
  ms: number,
  signal: AbortSignal | null | undefined,
  timeoutError: () => Error,
  run: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw reasonOf(signal);
    const expiry = performance.now() + ms;
    const cleanUps: (() => void)[] = [];
    // Held until the end: on Node 20, `AbortSignal.timeout` can be garbage-collected before it fires.
    const controller = new AbortController();
    let hasEnded = false;
    const settle = () => {
      hasEnded = true;
      clearTimeout(timer);
      unwatch?.();
    };
    const end = (reason: unknown) => {
      settle();
      reject(reason);
      controller.abort();
      for (const cleanUp of cleanUps) cleanUp();
    };
    const deadline: Deadline = {
      signal: controller.signal,
      left: () => (hasEnded ? 0 : expiry - performance.now()),
      onEnd: (cleanUp) => void (hasEnded ? cleanUp() : cleanUps.push(cleanUp)),
      throwIfEnded() {
        if (hasEnded) throw new DOMException("The call has ended.", "AbortError");
      },
    };
    const timer = ms === Infinity ? undefined : setTimeout(() => end(timeoutError()), ms);
    const unwatch = signal && watch(signal, () => end(reasonOf(signal)));
    // `finally()` would create three more promises.
    run(deadline).then(
      (result) => (settle(), resolve(result)),
      (error: unknown) => (settle(), reject(error)),
    );
  });
}

/** The reason of an aborted signal. Polyfills may have none. */
function reasonOf(signal: AbortSignal): unknown {
  const { reason = new DOMException("This operation was aborted", "AbortError") } = signal;
  return reason;
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
