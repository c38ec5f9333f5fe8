import { isApiError } from "../../errors.js";
import type { Called } from "./run.js";

/** The service, or something on the way to it, says "not now"; that is no answer to what was asked. */
const NOT_NOW = new Set([407, 408, 429]);

/** Whether the service itself answered the question: a success, or a refusal of it. Only this is judged. */
export function isAnswered({ outcome }: Called): boolean {
  const status = outcome.exchange?.response.status ?? 0;
  return isSuccess(status) || isRefusal(status);
}

/** Whether the answer is of the kind that the plan is about. */
export function isAsPlanned({ planned, outcome }: Called): boolean {
  const status = outcome.exchange?.response.status ?? 0;
  return planned.error ? isRefusal(status) : isSuccess(status);
}

/** Why no recording can be made of a call; undefined where one can. It may quote the service, and so hold secrets. */
export function problemOf(called: Called): string | undefined {
  const { planned, outcome } = called;
  const { exchange, error } = outcome;
  if (!exchange) return error?.message ?? "no answer";
  if (!isAsPlanned(called)) {
    return planned.error && isSuccess(exchange.response.status)
      ? `a success (${exchange.response.status}) where the plan asks for a refusal`
      : (error?.message ?? `status ${exchange.response.status}`);
  }
  if (exchange.response.body === undefined)
    return "a body that is not JSON, which no recording holds";
  return error && !isApiError(error) ? error.message : undefined;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !NOT_NOW.has(status);
}
