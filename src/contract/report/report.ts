import type { Coverage } from "../coverage.js";
import type { MutationScore } from "../mutate.js";
import type { Finding, Severity } from "../types.js";
import type { SkipReason, Unreadable } from "../input/problem.js";
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

/**
 * What a run of the gate found: everything that any output shows. It holds no time and no absolute path, so that the
 * same input gives the same bytes.
 */
export interface Report {
  /** Of this form; it rises where a reader would break. */
  version: 1;
  /** Path of the description. */
  description: string;
  summary: {
    outcome: "passed" | "failed" | "unreadable" | "inconclusive";
    exchanges: number;
    passed: number;
    failures: number;
    warnings: number;
    notes: number;
    skipped: number;
    unreadable: number;
  };
  findings: ReportFinding[];
  exchanges: ReportExchange[];
  /** Null where it was not measured: only the project's own recordings have to cover the description. */
  coverage: Coverage | null;
  /** How many planted faults were found; null where none was planted. */
  mutation: Mutation | null;
  skipped: { reason: SkipReason; count: number }[];
  unreadable: Unreadable[];
}

/** The mutation score as reports have it: what is found in untouched exchanges are findings already. */
export type Mutation = Omit<MutationScore, "untouched">;

/** What a run collects. */
export type Results = Pick<
  Report,
  "description" | "findings" | "exchanges" | "coverage" | "mutation" | "unreadable"
> & {
  skipped: ReadonlyMap<SkipReason, number>;
  /** So little of a deployment was reached that the run tells nothing, whatever it found. @default false */
  inconclusive?: boolean | undefined;
};

const ORDER = ["fail", "warn", "note"];

/** Makes the report of a run: faults first, each in the order in which it was found. */
export function createReport(results: Results): Report {
  const { description, exchanges, coverage, mutation, unreadable } = results;
  const findings = results.findings.toSorted(
    (a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity),
  );
  const skipped = [...results.skipped]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, count]) => ({ reason, count }));
  const count = (severity: Severity) =>
    findings.filter((each) => each.severity === severity).length;
  const summary: Report["summary"] = {
    outcome: outcomeOf(results),
    exchanges: exchanges.length,
    passed: exchanges.filter(({ outcome }) => outcome === "passed").length,
    failures: count("fail"),
    warnings: count("warn"),
    notes: count("note"),
    skipped: skipped.reduce((sum, each) => sum + each.count, 0),
    unreadable: unreadable.length,
  };
  const all = { description, findings, exchanges, coverage, mutation, skipped, unreadable };
  return { version: 1, ...all, summary };
}

/** What could not be read may hide anything, so it weighs more than what was found; nothing read proves nothing. */
function outcomeOf(results: Results): Report["summary"]["outcome"] {
  if (results.unreadable.length > 0) return "unreadable";
  if (results.inconclusive) return "inconclusive";
  const isFailed = results.findings.some(({ severity }) => severity === "fail");
  if (isFailed || problemsOf(results).length > 0) return "failed";
  return results.exchanges.length === 0 ? "inconclusive" : "passed";
}
