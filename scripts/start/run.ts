import type { Catalogue } from "../../src/index.js";
import { callOperation } from "./call.js";
import type { Finding } from "./findings.js";
import type { Judge } from "./judge.js";
import type { Plan } from "./plan.js";
import type { Report } from "./report.js";

/** What a run came to. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  findings: Finding[];
  ms: number;
}

/**
 * Calls what is planned, one operation after the other, and reports each as it finishes. Where the first call gets no
 * answer, the others are not tried: each would take as long.
 */
export async function runPlans(
  plans: readonly Plan[],
  catalogue: Catalogue,
  judge: Judge,
  report: Report,
): Promise<Tally> {
  const started = performance.now();
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, findings: [], ms: 0 };
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
    const outcome = await callOperation(catalogue, judge, plan.operation, plan.parameters);
    unreachable = outcome.status === undefined && tally.passed + tally.failed === 0;
    tally[outcome.findings.length === 0 ? "passed" : "failed"] += 1;
    tally.findings.push(...outcome.findings);
    report.called(outcome);
  }
  tally.ms = performance.now() - started;
  return tally;
}
