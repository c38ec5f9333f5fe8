import { operations } from "../../generated/operations.js";
import type { Exchange } from "../types.js";
import { isAnswered, isAsPlanned } from "./answered.js";
import { builtInPlan, nameOf, type LeftOut, type Plan } from "./plan.js";
import { prepare, type Called, type RunOptions } from "./run.js";
import { scrub } from "./scrub.js";

/** What was seen of a deployment. */
export interface LiveRun {
  /** For the judge. Secrets and what is personal are stand-ins: reports quote what they are about. */
  exchanges: Exchange[];
  /** How many of the operations that read answered what was asked. */
  reached: number;
  /** How many operations that read there are, without those for which no id is known. */
  total: number;
  /** Less than 90 % were reached: whatever was found or not, the run says nothing about the service. */
  inconclusive: boolean;
  /** Calls without an answer to judge: no connection, a status 5xx, 408 or 429, a redirect. They are no findings. */
  faults: { name: string; reason: string }[];
  leftOut: LeftOut[];
}

const ENOUGH = 0.9;

/**
 * Calls a deployment as `record` does and gives the exchanges to the judge, without writing anything. A refusal
 * (status 4xx) is judged too, but the operation counts as reached only where the plan asks for it.
 * @throws {TypeError} an option or the plan is wrong; nothing was sent
 */
export async function live(options: RunOptions): Promise<LiveRun> {
  const { log = () => {} } = options;
  const run = await prepare(options);
  const { secrets, say } = run;
  const answered: Called[] = [];
  const faults: LiveRun["faults"] = [];
  const reached = new Set<string>();
  for await (const called of run.calls()) {
    const { planned, outcome } = called;
    const name = nameOf(planned);
    if (outcome.exchange) scrub(outcome.exchange, secrets);
    if (isAsPlanned(called)) reached.add(planned.operation);
    if (isAnswered(called)) {
      answered.push(called);
      log(`called ${name} (${outcome.exchange?.response.status})`);
    } else {
      const reason = say(outcome.error?.message ?? `status ${outcome.exchange?.response.status}`);
      faults.push({ name, reason });
      log(`failed ${name}: ${reason}`);
    }
  }
  const due = [...dueOperations(run.plan)];
  const there = due.filter((operation) => reached.has(operation)).length;
  return {
    // Now that all secrets of the run are known.
    exchanges: answered.map(({ planned, outcome }) => {
      const { operation, request, response } = scrub(outcome.exchange!, secrets);
      const name = `live:${planned.case === "typical" ? operation : nameOf(planned)}`;
      const place = { file: name, line: 1, column: 1 };
      return { operation, origin: "live", name, request, response, locate: () => place };
    }),
    reached: there,
    total: due.length,
    inconclusive: there < ENOUGH * due.length,
    faults,
    leftOut: run.plan.leftOut,
  };
}

/** A short plan does not make a short way to green: what the built-in plan can call is due as well. */
function dueOperations(plan: Plan): Set<string> {
  const names = [...plan.cases, ...builtInPlan().cases].map(({ operation }) => operation);
  return new Set(names.filter((operation) => operations[operation][0] === "get"));
}
