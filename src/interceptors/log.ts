import { unexpectedValue } from "../client/errors.js";
import type { Interceptor } from "../types/interceptor.js";

/** An object that receives log lines, such as `console` or a logger. */
export interface LogSink {
  info(line: string): unknown;
}

/**
 * Writes one line for each call, with the operation, the status or the name of the error, the duration, and where the
 * response came from. The line contains no secrets. As the first interceptor, `log` also sees the cache and the queue.
 * @throws {TypeError} if the sink has no `info` function
 * @example log(console) // movies.details 200 in 143 ms (network, 1 attempt)
 */
export function log(sink: LogSink): Interceptor {
  if (typeof sink?.info !== "function")
    throw unexpectedValue("log", "the argument", "an object with an `info` function", sink);
  return async ({ operation }, next) => {
    const start = performance.now();
    let attempts = 0;
    const write = (outcome: unknown, source: string) => {
      const duration = Math.round(performance.now() - start);
      const sent = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
      sink.info(`${operation} ${outcome} in ${duration} ms (${source}, ${sent})`);
    };
    try {
      const result = await next({ onAttempt: (attempt) => (attempts = attempt) });
      // A cache keeps only the bodies of successful responses.
      write(result.response?.status ?? 200, result.source);
      return result;
    } catch (error) {
      const { status, name } = Object(error) as { status?: unknown; name?: unknown };
      write(typeof status === "number" ? status : (name ?? "failed"), "network");
      throw error;
    }
  };
}
