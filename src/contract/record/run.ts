import { setTimeout as sleep } from "node:timers/promises";
import { visible } from "../report/visible.js";
import { createCaller, type Deployment, type Outcome } from "./call.js";
import { builtInPlan, isRead, type Missing, type PlannedCase } from "./plan.js";
import { readPlan } from "./read-plan.js";
import { hideInText } from "./scrub-text.js";
import { createSecrets } from "./secrets.js";

/** What a run of calls takes, be it recorded or judged at once. */
export interface RunOptions extends Deployment {
  /** Also calls operations that change something, where the plan has them. @default false */
  write?: boolean | undefined;
  /** A plan file; without one, every operation that needs nothing but public ids is called once. */
  plan?: string | undefined;
  /** Where values `$CATALOGUE_…` of the plan are taken from. @default process.env */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds between two calls. @default 250 */
  pause?: number | undefined;
  /** Takes a line about each call; no secret is ever in one. */
  log?: ((line: string) => void) | undefined;
}

/** One case that was called. */
export type Called = Outcome & {
  planned: PlannedCase;
  /** Whether the service itself answered the question; only this is judged. */
  answer: "success" | "refusal" | "none";
  /** Whether the answer is of the kind that the plan is about. */
  isAsPlanned: boolean;
};

/** The service, or something on the way to it, says "not now"; that is no answer to what was asked. */
const NOT_NOW = new Set([407, 408, 429]);

/**
 * Prepares a run; its calls are made one after another, while they are asked for.
 * @throws {CommandError} an option or the plan is wrong; nothing was sent
 */
export async function prepare(options: RunOptions) {
  const { write = false, pause = 250, env = process.env, log = () => {}, signal } = options;
  const call = createCaller(options);
  const plan = options.plan === undefined ? builtInPlan() : await readPlan(options.plan, env);
  const { cases, leftOut } = plan;
  const secrets = createSecrets([options.token, ...plan.secrets]);

  async function* calls(
    skip: (planned: PlannedCase) => boolean = () => false,
  ): AsyncGenerator<Called> {
    let status: number | undefined;
    for (const planned of cases) {
      const { name, operation, error } = planned;
      if (!write && !isRead(operation)) {
        leftOut.push({ name, reason: "it changes something; --write calls it" });
      } else if (status === 429) {
        // The client has waited and tried again; who goes on now is a nuisance.
        leftOut.push({ name, reason: "the service asked to wait" });
      } else if (!skip(planned)) {
        if (status !== undefined) await sleep(pause, undefined, { signal });
        const outcome = await call(planned);
        status = outcome.exchange?.response.status ?? 0;
        const answer = answerOf(status);
        const isAsPlanned = answer === (error ? "refusal" : "success");
        yield { planned, ...outcome, answer, isAsPlanned };
      }
    }
  }

  /** Logs that a call has failed, in a line without secrets and control characters. */
  function fail(called: Called, problem = problemOf(called)): Missing {
    const { name } = called.planned;
    const reason = visible(hideInText(problem, secrets)).slice(0, 300);
    log(`failed ${name}: ${reason}`);
    return { name, reason };
  }
  return { cases, leftOut, secrets, calls, fail };
}

function problemOf(called: Called): string {
  if (!called.exchange) return called.error.message;
  const { status, body, text } = called.exchange.response;
  return `status ${status} ${body === undefined ? (text ?? "without a body") : JSON.stringify(body)}`;
}

function answerOf(status: number): Called["answer"] {
  if (status >= 200 && status < 300) return "success";
  return status >= 400 && status < 500 && !NOT_NOW.has(status) ? "refusal" : "none";
}
