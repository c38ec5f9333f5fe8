import type { Deadline } from "./deadline.js";
import { LONGEST_TIMER, type Settings } from "./options.js";
import type { Call } from "./transport.js";

/** Sending these again changes nothing that the first did not (RFC 9110, idempotent methods that the API has). */
const METHODS = new Set(["GET", "HEAD", "DELETE"]);
/** Answers that say "not now" rather than "no". */
const STATUSES = new Set([408, 429, 500, 502, 503, 504]);
/** A service that asks for a longer pause than this gets no retry, in milliseconds. */
const LONGEST_PAUSE = 30_000;

/** Whether a request of this method may be sent again after its n-th retry. */
export function mayRetry(method: string, retry: number, settings: Settings): boolean {
  return retry < settings.retries && METHODS.has(method);
}

/** Milliseconds to wait after an answer before the request is sent again; undefined where the answer stands. */
export function pauseAfter(
  response: Response,
  retry: number,
  { operation, settings }: Call,
): number | undefined {
  if (!STATUSES.has(response.status)) return undefined;
  const asked = retryAfter(response.headers.get("retry-after"));
  if (asked === undefined) return settings.retryDelay(retry, operation);
  return asked <= LONGEST_PAUSE ? asked : undefined;
}

/** `Retry-After` in milliseconds from now (RFC 9110, 10.2.3: seconds or a date); undefined where it is neither. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Dates start with the name of a day; Date.parse alone would also take "-1" or "1".
  // The form of asctime ends with the year, and is in GMT too.
  const date = /^[A-Za-z]{3,9},? /.test(value)
    ? Date.parse(value.replace(/ \d{4}$/, "$& GMT"))
    : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Waits, and rejects at once when the call is over. */
export function sleep(ms: number, deadline: Deadline): Promise<void> {
  return new Promise((resolve, reject) => {
    if (deadline.isOver) throw deadline.reason;
    const timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER));
    deadline.release = () => {
      clearTimeout(timer);
      reject(deadline.reason);
    };
  });
}
