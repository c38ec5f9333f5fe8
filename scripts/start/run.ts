import type { Catalogue } from "../../src/index.js";
import type { Exchange } from "../../src/contract/index.js";
import type { Redact } from "../../src/redact.js";
import { callOperation, type Gate, type Problem } from "./call.js";
import type { Plan } from "./plan.js";
import type { Report } from "./report.js";

/** What a run came to. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  problems: Problem[];
  /** The answers that passed. */
  exchanges: Exchange[];
  ms: number;
}

/**
 * Calls what is planned, one operation after the other, and reports each as it finishes. Where the first call gets no
 * answer, the others are not tried: each would take as long.
 */
export async function runPlans(
  plans: readonly Plan[],
  catalogue: Catalogue,
  gate: Gate,
  report: Report,
  redact: Redact,
): Promise<Tally> {
  const started = performance.now();
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, problems: [], exchanges: [], ms: 0 };
  report.header();
  let unreachable = false;
  for (const [index, plan] of plans.entries()) {
    if ("reason" in plan || unreachable) {
      tally.skipped += 1;
      report.skipped(
        plan.operation,
        "reason" in plan ? plan.reason : "no answer to the first call",
      );
      continue;
    }
    report.progress(`${index + 1} of ${plans.length}: ${plan.operation} ...`);
    const outcome = await callOperation(catalogue, gate, redact, plan.operation, plan.parameters);
    unreachable = outcome.status === undefined && tally.passed + tally.failed === 0;
    const passed = outcome.problems.length === 0;
    tally[passed ? "passed" : "failed"] += 1;
    tally.problems.push(...outcome.problems);
    if (passed && outcome.exchange) tally.exchanges.push(outcome.exchange);
    report.called(outcome);
  }
  tally.ms = performance.now() - started;
  return tally;
}
