import { withDeadline, type Deadline } from "../client/deadline.js";
import { ApiError, TimeoutError } from "../client/errors.js";
import { resultOf } from "../client/text.js";
import type { Call, Interceptor, NextOptions, Result } from "../types/interceptor.js";

/** A request that several calls share. */
interface SharedRequest {
  readonly result: Promise<Result>;
  /** Settles when the request is sent. Until then, the calls might wait in a queue. */
  readonly start: Promise<void>;
  readonly abort: () => void;
  /** The number of calls that wait for the result. */
  waiting: number;
  /** The data as JSON, from which all callers but the first receive copies. */
  json?: string | undefined;
}

/**
 * Lets equal public GETs that are pending at the same time share one request. An abort or a timeout ends only the
 * caller's own promise; when no caller waits any longer, the request is aborted. Each caller receives its own copy of
 * the data. Callers share an error, too, except a 401: then each of the others sends its own request.
 */
export function dedupe(): Interceptor {
  const pending = new Map<string, SharedRequest>();
  return async (call, next) => {
    if (!call.isPublic || call.needsResponse) return next();
    const key = await call.key();
    const known = pending.get(key);
    const shared = known ?? send(next);
    const forget = () => void (pending.get(key) === shared && pending.delete(key));
    if (!known) {
      pending.set(key, shared);
      shared.result.then(({ data }) => {
        forget();
        // Keeps the data before a caller can change it.
        if (shared.waiting > 1) shared.json = resultOf(() => JSON.stringify(data));
      }, forget);
    }
    shared.waiting += 1;
    try {
      return await waitFor(call, next, shared, known !== undefined);
    } finally {
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        forget();
        shared.abort();
      }
    }
  };
}

/** Sends a request whose signal and time limit depend on no single caller. */
function send(next: (options: NextOptions) => Promise<Result>): SharedRequest {
  const controller = new AbortController();
  let onAttempt!: () => void;
  const start = new Promise<void>((resolve) => (onAttempt = resolve));
  const result = next({ signal: controller.signal, timeout: Infinity, onAttempt });
  return { result, start, abort: () => controller.abort(), waiting: 0 };
}

/**
 * Waits for a shared request within the limits of one call. If another caller sent the request and received a 401, sends
 * a request of its own within the remaining time.
 */
function waitFor(
  { operation, timeout, signal }: Call,
  next: (options: NextOptions) => Promise<Result>,
  shared: SharedRequest,
  isFromOther: boolean,
): Promise<Result> {
  const onTimeout = () => new TimeoutError(operation, timeout);
  return withDeadline(timeout, signal, onTimeout, async (deadline) => {
    if (!isFromOther) return receive(shared, deadline);
    try {
      const result = await receive(shared, deadline);
      const data: unknown = shared.json === undefined ? result.data : JSON.parse(shared.json);
      return { ...result, data, attempts: 0, source: "shared" };
    } catch (error) {
      // Clients with different API keys can share this function, and a 401 concerns only the sender's key.
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      const own = send(next);
      deadline.onEnd(own.abort);
      return receive(own, deadline);
    }
  });
}

/** Waits for a request. The time in a queue does not count. */
async function receive({ start, result }: SharedRequest, { count }: Deadline): Promise<Result> {
  await Promise.race([start, result]);
  return count(() => result);
}
