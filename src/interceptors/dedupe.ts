import { withDeadline } from "../client/deadline.js";
import { ApiError, TimeoutError } from "../client/errors.js";
import { resultOf } from "../client/text.js";
import type { Call, Interceptor, NextOptions, Result } from "../types/interceptor.js";

type Next = (options: NextOptions) => Promise<Result>;

/** A request that several calls share. */
interface SharedRequest {
  readonly result: Promise<Result>;
  /** Settles when the request is sent. Until then, the calls might wait in a queue. */
  readonly start: Promise<void>;
  readonly abort: (reason: unknown) => void;
  /** The number of calls that wait for the result. */
  waiting: number;
  /** The data as JSON, from which all callers but the first receive copies. */
  json?: string | undefined;
}

/**
 * Lets equal public GETs with the same timeout that are pending at the same time share one request. An abort ends only
 * the caller's own promise; when no caller waits any longer, the request is aborted. Each caller receives its own copy of
 * the data. If a request times out, the callers that joined it later share another one within their remaining time.
 * Callers share any other error, too, except a 401: then each of the others sends its own request.
 */
export function dedupe(): Interceptor {
  const pending = new Map<string | symbol, SharedRequest>();

  /**
   * Waits for a shared request, which has the time limit of the call that sends it.
   * @param left the remaining time of this caller, or Infinity if the limit of the request is its limit
   */
  function share(call: Call, next: Next, key: string | symbol, left: number): Promise<Result> {
    const { operation, timeout, signal } = call;
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
    const onTimeout = () => new TimeoutError(operation, timeout);
    const leave = (reason?: unknown) => {
      shared.waiting -= 1;
      if (shared.waiting > 0) return;
      forget();
      // The reason can be a timeout, which shows that the call has waited too long for a new token.
      shared.abort(reason);
    };
    return withDeadline(left, signal, onTimeout, async ({ count }) => {
      await Promise.race([shared.start, shared.result]);
      const joinedAt = performance.now();
      try {
        const result = await count(() => shared.result);
        if (!known) return result;
        const data: unknown = shared.json === undefined ? result.data : JSON.parse(shared.json);
        return { ...result, data, attempts: 0, source: "shared" as const };
      } catch (error) {
        // An interceptor inside this one can shorten the timeout.
        const limit = error instanceof TimeoutError ? error.timeoutMs : timeout;
        const rest = Math.min(left, limit) - (performance.now() - joinedAt);
        if (!known || rest <= 0) throw error;
        if (error instanceof TimeoutError) return share(call, next, key, rest);
        // Clients with different API keys can share this function, and a 401 concerns only the sender's key.
        if (error instanceof ApiError && error.status === 401)
          return share(call, next, Symbol(), rest);
        throw error;
      }
    }).then(
      (result) => {
        leave();
        return result;
      },
      (error: unknown) => {
        leave(error);
        throw error;
      },
    );
  }

  return async (call, next) => {
    if (!call.isPublic || call.needsResponse) return next();
    return share(call, next, `${await call.key()} ${call.timeout}`, Infinity);
  };
}

/** Sends a request whose signal depends on no single caller. */
function send(next: Next): SharedRequest {
  const controller = new AbortController();
  let onAttempt!: () => void;
  const start = new Promise<void>((resolve) => (onAttempt = resolve));
  const result = next({ signal: controller.signal, onAttempt });
  return { result, start, abort: (reason) => controller.abort(reason), waiting: 0 };
}
