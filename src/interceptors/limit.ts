import { unexpectedValue } from "../client/errors.js";
import type { Interceptor } from "../types/interceptor.js";

/**
 * Limits how many calls run at the same time, or within a period. The retries of a call are part of its run. The time in
 * the queue does not count toward the call's timeout, and a call that is aborted in the queue sends nothing.
 * @param run runs a function when its turn comes
 * @throws {TypeError} if the argument is not a function
 * @example limit(pLimit(10))
 * @example limit(pThrottle({ limit: 40, interval: 1_000 })((call) => call()))
 * @example limit((call) => bottleneck.schedule(call))
 */
export function limit(run: <Result>(call: () => Promise<Result>) => Promise<Result>): Interceptor {
  if (typeof run !== "function")
    throw unexpectedValue("limit", "the argument", "a function that runs a call", run);
  return (_, next) => run(() => next());
}
