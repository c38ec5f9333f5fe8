import { setTimeout as pause } from "node:timers/promises";
import { createCaller, type Deployment, type Outcome } from "./call.js";
import { builtInPlan, readOnly, type Plan, type PlannedCase } from "./plan.js";
import { readPlan } from "./read-plan.js";
import { createSecrets, type Secrets } from "./secrets.js";
import { hideInText } from "./scrub-text.js";

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
export interface Called {
  planned: PlannedCase;
  outcome: Outcome;
}

/** The calls of a run, made one after another while they are asked for. */
export interface Run {
  plan: Plan;
  secrets: Secrets;
  /** A line of words for a person: no secret, no control character. */
  say(text: string): string;
  calls(skip?: (planned: PlannedCase) => Promise<boolean>): AsyncGenerator<Called>;
}

/**
 * Prepares a run.
 * @throws {TypeError} an option or the plan is wrong; nothing was sent
 */
export async function prepare(options: RunOptions): Promise<Run> {
  const { write = false, pause: ms = 250, env = process.env, signal } = options;
  const call = createCaller(options);
  const full = options.plan === undefined ? builtInPlan() : await readPlan(options.plan, env);
  const plan = write ? full : readOnly(full);
  const secrets = createSecrets([options.token, ...plan.secrets]);
  const say = (text: string) =>
    hideInText(text, secrets)
      .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
      .slice(0, 300);

  async function* calls(skip?: (planned: PlannedCase) => Promise<boolean>): AsyncGenerator<Called> {
    let enough = false;
    let first = true;
    for (const planned of plan.cases) {
      if (await skip?.(planned)) continue;
      if (enough) {
        yield { planned, outcome: { error: new Error("not called: the service asked to wait") } };
        continue;
      }
      if (!first) await pause(ms, undefined, { signal });
      first = false;
      const outcome = await call(planned);
      // The client has waited and tried again; who goes on now is a nuisance.
      enough = outcome.exchange?.response.status === 429;
      yield { planned, outcome };
    }
  }
  return { plan, secrets, say, calls };
}
