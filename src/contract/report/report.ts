import type { Coverage } from "../coverage.js";
import type { SkipReason, Unreadable } from "../input/problem.js";
import type { MutationScore } from "../mutate.js";
import type { Finding, Severity } from "../engine/types.js";
import { problemsOf } from "./problems.js";

/** A finding, and what the policy makes of it. */
export interface ReportFinding extends Finding {
  severity: Exclude<Severity, "ignore">;
}

/** One exchange that was judged. */
export interface ReportExchange {
  /** The file, and the number of the entry within a HAR. */
  name: string;
  /** The operationId; empty where no operation matches. */
  operation: string;
  outcome: "passed" | "failed";
  /** Fingerprints of its findings. */
  findings: string[];
}

/** The mutation score as reports have it: what is found in untouched exchanges are findings already. */
export type Mutation = Omit<MutationScore, "untouched">;

/** What a run collects. */
export interface Results {
  /** Path of the description. */
  description: string;
  findings: ReportFinding[];
  exchanges: ReportExchange[];
  /** Null where it was not measured: only the project's own recordings have to cover the description. */
  coverage: Coverage | null;
  /** How many planted faults were found; null where none was planted. */
  mutation: Mutation | null;
  skipped: ReadonlyMap<SkipReason, number>;
  unreadable: Unreadable[];
  /** So little of a deployment was reached that the run tells nothing, whatever it found. @default false */
  inconclusive?: boolean | undefined;
}

/**
 * What a run of the gate found: everything that any output shows. It holds no time and no absolute path, so that the
 * same input gives the same bytes.
 */
export interface Report extends Omit<Results, "skipped" | "inconclusive"> {
  /** Of this form; it rises where a reader would break. */
  version: 1;
  skipped: { reason: SkipReason; count: number }[];
  summary: ReturnType<typeof summaryOf>;
}

/** Makes the report of a run: faults first, each in the order in which it was found. */
export function createReport(results: Results): Report {
  const { inconclusive: _, ...kept } = results;
  const findings = ["fail", "warn", "note"].flatMap((severity) =>
    results.findings.filter((each) => each.severity === severity),
  );
  const skipped = Array.from(results.skipped, ([reason, count]) => ({ reason, count }));
  skipped.sort((a, b) => (a.reason < b.reason ? -1 : 1));
  return { version: 1, ...kept, findings, skipped, summary: summaryOf(results) };
}

function summaryOf(results: Results) {
  const { findings, exchanges, skipped, unreadable } = results;
  const count = (severity: Severity) =>
    findings.filter((each) => each.severity === severity).length;
  return {
    outcome: outcomeOf(results),
    exchanges: exchanges.length,
    passed: exchanges.filter(({ outcome }) => outcome === "passed").length,
    failures: count("fail"),
    warnings: count("warn"),
    notes: count("note"),
    skipped: [...skipped.values()].reduce((sum, each) => sum + each, 0),
    unreadable: unreadable.length,
  };
}

/** What could not be read may hide anything, so it weighs more than what was found; nothing read proves nothing. */
function outcomeOf(results: Results): "passed" | "failed" | "unreadable" | "inconclusive" {
  if (results.unreadable.length > 0) return "unreadable";
  if (results.inconclusive) return "inconclusive";
  const isFailed = results.findings.some(({ severity }) => severity === "fail");
  if (isFailed || problemsOf(results).length > 0) return "failed";
  return results.exchanges.length === 0 ? "inconclusive" : "passed";
}
