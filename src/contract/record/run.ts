import { setTimeout as sleep } from "node:timers/promises";
import { visible } from "../report/visible.js";
import { createCaller } from "./call.js";
import { builtInPlan, isRead, type Missing, type PlannedCase } from "./plan.js";
import { readPlan } from "./read-plan.js";
import { hideInText } from "./scrub-text.js";
import { scrub, type RawExchange } from "./scrub.js";
import { createSecrets } from "./secrets.js";

/** What a run of calls takes, be it recorded or judged at once. */
export interface RunOptions {
  baseUrl: string;
  token: string;
  signal?: AbortSignal | undefined;
  /** Also calls operations that change something. */
  write?: boolean | undefined;
  /** A file; else every operation that needs nothing but public values is called once. */
  plan?: string | undefined;
  /** Where values `$CATALOGUE_…` of the plan are taken from. @default process.env */
  env?: NodeJS.ProcessEnv | undefined;
  /** Milliseconds between two calls. @default 250 */
  pause?: number | undefined;
  /** Takes a line about each call; no secret is ever in one. */
  log?: ((line: string) => void) | undefined;
}

/** One case that was called. */
export interface Called {
  planned: PlannedCase;
  /** Without the secrets that are known by now. */
  outcome: RawExchange | Error;
  /** Whether the service itself answered the question; only this is judged. */
  answer: "success" | "refusal" | "none";
  /** Whether the answer is of the kind that the plan is about. */
  isAsPlanned: boolean;
}

/** The service, or something on the way to it, says "not now"; that is no answer to what was asked. */
const NOT_NOW = new Set([407, 408, 429]);

/**
 * Prepares a run, whose calls are made one after another, while they are asked for.
 * @throws {CommandError} an option or the plan is wrong; nothing was sent
 */
export async function prepare(options: RunOptions, skip?: (planned: PlannedCase) => boolean) {
  const { write = false, pause = 250, env = process.env, log = () => {}, signal } = options;
  const call = createCaller(options.baseUrl, options.token, signal);
  const plan = options.plan === undefined ? builtInPlan() : await readPlan(options.plan, env);
  const { cases, leftOut } = plan;
  const secrets = createSecrets([options.token, ...plan.secrets]);

  async function* calls(): AsyncGenerator<Called> {
    let status: number | undefined;
    for (const planned of cases) {
      const { name, operation, error } = planned;
      if (!write && !isRead(operation)) {
        leftOut.push({ name, reason: "it changes something; --write calls it" });
      } else if (status === 429) {
        // The client has waited and tried again; who goes on now is a nuisance.
        leftOut.push({ name, reason: "the service asked to wait" });
      } else if (!skip?.(planned)) {
        if (status !== undefined) await sleep(pause, undefined, { signal });
        const raw = await call(planned);
        const outcome = raw instanceof Error ? raw : scrub(raw, secrets);
        status = outcome instanceof Error ? 0 : outcome.response.status;
        const answer = answerOf(status);
        yield { planned, outcome, answer, isAsPlanned: answer === (error ? "refusal" : "success") };
      }
    }
  }

  /** Logs that a call has failed, in a line without secrets and control characters. */
  function fail({ planned: { name }, outcome }: Called, problem = problemOf(outcome)): Missing {
    const reason = visible(hideInText(problem, secrets)).slice(0, 300);
    log(`failed ${name}: ${reason}`);
    return { name, reason };
  }
  return { cases, leftOut, secrets, calls, fail };
}

function problemOf(outcome: RawExchange | Error): string {
  if (outcome instanceof Error) return outcome.message;
  const { status, body, text = "without a body" } = outcome.response;
  return `status ${status} ${body === undefined ? text : JSON.stringify(body)}`;
}

function answerOf(status: number): Called["answer"] {
  if (status >= 200 && status < 300) return "success";
  return status >= 400 && status < 500 && !NOT_NOW.has(status) ? "refusal" : "none";
}
