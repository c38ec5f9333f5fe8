import type { Finding, ObservedFact, Position, Severity } from "../engine/types.js";
import type { SkipReason } from "../input/har.js";

/** A finding as a run reports it. */
export interface ReportFinding extends Finding {
  severity: Severity | "accepted";
  /** Why the configuration accepts it. */
  accepted?: { reason: string; until?: string };
  /** The observed fact that it contradicts. */
  observed?: Omit<ObservedFact, "places">;
}

/** One exchange. */
export interface ReportExchange {
  /** The file, and the number of the entry in a HAR. */
  name: string;
  /** The operationId; empty if no operation matches. */
  operation: string;
  /** Only an exchange that matches an operation can pass. */
  outcome: "passed" | "failed" | "unmatched";
  /** Fingerprints of its findings. */
  findings: string[];
}

/** A reason other than a finding why a run does not pass. */
export interface Problem extends Partial<Position> {
  /** An input that cannot be read, an entry of `accepted`, or a run that proves too little. */
  kind: "unreadable" | "accepted" | "inconclusive";
  /** A sentence without a subject: that is the file, if there is one. */
  problem: string;
}

/** Everything that a run collects. */
export interface Results {
  /** Path of the description. */
  description: string;
  findings: ReportFinding[];
  exchanges: Omit<ReportExchange, "outcome">[];
  /** How many exchanges matched an operation, and how many of these were compared with a described response. */
  matched: number;
  validated: number;
  /** The share of exchanges that has to match, from 0 to 1. */
  minMatched: number;
  skipped: ReadonlyMap<SkipReason, number>;
  problems: Problem[];
}

/**
 * What a run found: everything that any format shows. It holds no time, so the same input gives the same bytes.
 */
export interface Report {
  /** Rises with each incompatible change. */
  version: 2;
  description: string;
  summary: Summary;
  findings: ReportFinding[];
  exchanges: ReportExchange[];
  skipped: { reason: SkipReason; count: number }[];
  problems: Problem[];
}

export type Outcome = "passed" | "failed" | "unreadable" | "inconclusive";

/** The counts of a run. */
export interface Summary extends Record<
  | "read"
  | "matched"
  | "validated"
  | "skipped"
  | "passed"
  | "failures"
  | "warnings"
  | "notes"
  | "accepted"
  | "unreadable",
  number
> {
  outcome: Outcome;
}

const ORDER = ["fail", "warn", "accepted", "note"] as const;

/** Makes the report of a run: failures first, otherwise in the order in which they were found. */
export function createReport(results: Results): Report {
  const { description, matched, validated } = results;
  const problem = inconclusive(results);
  const problems = [...results.problems];
  if (problem !== undefined) problems.push({ kind: "inconclusive", problem });
  const findings = ORDER.flatMap((severity) =>
    results.findings.filter((each) => each.severity === severity),
  );
  const failed = new Set(
    findings
      .filter(({ severity }) => severity === "fail")
      .flatMap(({ recording }) => recording.map(({ exchange }) => exchange)),
  );
  const exchanges = results.exchanges.map((each): ReportExchange => {
    const passed = each.operation === "" ? "unmatched" : "passed";
    return { ...each, outcome: failed.has(each.name) ? "failed" : passed };
  });
  const skipped = Array.from(results.skipped, ([reason, count]) => ({ reason, count }));
  skipped.sort((a, b) => (a.reason < b.reason ? -1 : 1));
  const skips = skipped.reduce((sum, { count }) => sum + count, 0);
  const count = (wanted: string) => findings.filter(({ severity }) => severity === wanted).length;
  const summary: Summary = {
    outcome: outcomeOf(problems, failed.size > 0),
    read: exchanges.length + skips,
    matched,
    validated,
    skipped: skips,
    passed: exchanges.filter(({ outcome }) => outcome === "passed").length,
    failures: count("fail"),
    warnings: count("warn"),
    notes: count("note"),
    accepted: count("accepted"),
    unreadable: problems.filter(({ kind }) => kind === "unreadable").length,
  };
  return { version: 2, description, summary, findings, exchanges, skipped, problems };
}

/** Why a run proves too little to pass. */
function inconclusive({ exchanges, matched, validated, minMatched }: Results): string | undefined {
  const { length } = exchanges;
  if (matched / length < minMatched)
    return `Only ${matched} of ${counted(length, "exchange")} matched an operation; minMatched is ${minMatched}`;
  return validated === 0 ? "Nothing was validated" : undefined;
}

/** Unreadable input may hide anything, and a failure remains one, however little was validated. */
function outcomeOf(problems: readonly Problem[], isFailed: boolean): Outcome {
  const has = (kind: Problem["kind"]) => problems.some((each) => each.kind === kind);
  if (has("unreadable")) return "unreadable";
  if (isFailed || has("accepted")) return "failed";
  return has("inconclusive") ? "inconclusive" : "passed";
}

/** The terminal and the annotations show this many findings. */
export const MOST = 50;

/** `1 finding`, `2 findings`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `file:line:column`, which terminals and editors open. */
export function placeOf({ file, line, column }: Partial<Position>): string {
  return [file, line, column].filter((each) => each !== undefined).join(":");
}

/** A problem as a sentence. */
export function textOf(problem: Problem): string {
  return [placeOf(problem), problem.problem].filter(Boolean).join(" ");
}

/** The response and the place in it that a finding is about. */
export function subjectOf({ operation, status, pointer }: ReportFinding): string {
  return `${operation || "no operation"} ${status} ${pointer || "/"}`;
}

/** What is wrong, in one line. */
export function titleOf(finding: ReportFinding): string {
  return `${subjectOf(finding)}: expected ${finding.expected}, got ${finding.actual}`;
}

/** The details of a finding, by their labels. */
export function factsOf(finding: ReportFinding): [name: string, text: string][] {
  const { expected, actual, didYouMean = "", declared, gap = "", fix, accepted } = finding;
  const { reason = "", until = "" } = accepted ?? {};
  const names = declared.join(", ");
  const why = { accepted: reason, until };
  const facts = { expected, actual, "did you mean": didYouMean, declared: names, gap, fix, ...why };
  return Object.entries(facts).filter(([, text]) => text !== "");
}

const OUTCOMES = {
  passed: "Passed",
  failed: "Failed",
  unreadable: "Incomplete",
  inconclusive: "Inconclusive",
};

/** The whole run in one line. */
export function summaryOf({ summary, skipped, problems }: Report): string {
  const reasons = skipped.map(({ reason, count }) => `${count} ${reason}`).join(", ");
  const read = [
    `${counted(summary.read, "exchange")} read`,
    `${summary.matched} matched`,
    `${summary.validated} validated`,
    `${summary.skipped} skipped${reasons && ` (${reasons})`}`,
  ];
  const found = [
    counted(summary.failures, "failure"),
    counted(summary.warnings, "warning"),
    counted(summary.notes, "note"),
    `${summary.accepted} accepted`,
    summary.unreadable > 0 && `${summary.unreadable} unreadable`,
  ].filter(Boolean);
  const why = problems.flatMap((each) => (each.kind === "inconclusive" ? `. ${each.problem}` : []));
  return `${OUTCOMES[summary.outcome]}: ${read.join(", ")}; ${found.join(", ")}${why.join("")}`;
}
