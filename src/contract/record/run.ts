import { setTimeout as sleep } from "node:timers/promises";
import { visible } from "../report/visible.js";
import { createCaller, type Deployment, type Outcome } from "./call.js";
import { builtInPlan, readOnly, type Missing, type Plan, type PlannedCase } from "./plan.js";
import { readPlan } from "./read-plan.js";
import { hideInText } from "./scrub-text.js";
import { createSecrets, type Secrets } from "./secrets.js";

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
export interface Called extends Outcome {
  planned: PlannedCase;
  /** Whether the service itself answered the question; only this is judged. */
  answer: "success" | "refusal" | "none";
  /** Whether the answer is of the kind that the plan is about. */
  isAsPlanned: boolean;
}

/** The calls of a run, made one after another while they are asked for. */
export interface Run {
  plan: Plan;
  secrets: Secrets;
  calls(skip?: (planned: PlannedCase) => boolean): AsyncGenerator<Called>;
  /** Logs that a call has failed, in a line without secrets and control characters. */
  fail(name: string, reason: string): Missing;
}

/** The service, or something on the way to it, says "not now"; that is no answer to what was asked. */
const NOT_NOW = new Set([407, 408, 429]);

/**
 * Prepares a run.
 * @throws {CommandError} an option or the plan is wrong; nothing was sent
 */
export async function prepare(options: RunOptions): Promise<Run> {
  const { write = false, pause = 250, env = process.env, log = () => {}, signal } = options;
  const call = createCaller(options);
  const full = options.plan === undefined ? builtInPlan() : await readPlan(options.plan, env);
  const plan = write ? full : readOnly(full);
  const secrets = createSecrets([options.token, ...plan.secrets]);
  return {
    plan,
    secrets,
    async *calls(skip = () => false) {
      let status: number | undefined;
      for (const planned of plan.cases) {
        if (skip(planned)) continue;
        // The client has waited and tried again; who goes on now is a nuisance.
        if (status === 429) {
          yield {
            planned,
            error: new Error("not called: the service asked to wait"),
            answer: "none",
            isAsPlanned: false,
          };
          continue;
        }
        if (status !== undefined) await sleep(pause, undefined, { signal });
        const outcome = await call(planned);
        status = outcome.exchange?.response.status ?? 0;
        const answer = answerOf(status);
        const isAsPlanned = answer === (planned.error ? "refusal" : "success");
        yield { planned, ...outcome, answer, isAsPlanned };
      }
    },
    fail(name, reason) {
      const clean = visible(hideInText(reason, secrets)).slice(0, 300);
      log(`failed ${name}: ${clean}`);
      return { name, reason: clean };
    },
  };
}

function answerOf(status: number): Called["answer"] {
  if (status >= 200 && status < 300) return "success";
  return status >= 400 && status < 500 && !NOT_NOW.has(status) ? "refusal" : "none";
}
