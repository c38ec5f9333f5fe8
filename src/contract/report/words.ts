import type { Dimension } from "../coverage.js";
import type { Position } from "../engine/types.js";
import type { Report, ReportFinding } from "./report.js";

const OUTCOMES = {
  passed: "Passed",
  failed: "Failed",
  unreadable: "Not everything could be read",
  inconclusive: "Inconclusive, too little was judged",
};

/** `1 finding`, `2 findings`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A share as `12.5 %`. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** `file:line:column`, which terminals and editors open. */
export function placeOf({ file, line, column }: Partial<Position> & { file: string }): string {
  return [file, line, column].filter((each) => each !== undefined).join(":");
}

/** The answer and the place within it that a finding is about. */
export function subjectOf({ operation, status, pointer }: ReportFinding): string {
  return `${operation || "no operation"} ${status} ${pointer || "/"}`;
}

/** What is wrong, in one line. */
export function titleOf(finding: ReportFinding): string {
  return `${subjectOf(finding)}: expected ${finding.expected}, got ${finding.actual}`;
}

/** What a finding says, by the words that a person reads. */
export function factsOf(finding: ReportFinding): [name: string, text: string][] {
  const { expected, actual, didYouMean = "", declared, gap = "", fix } = finding;
  const names = declared.join(", ");
  const facts = { expected, actual, "did you mean": didYouMean, declared: names, gap, fix };
  return Object.entries(facts).filter(([, text]) => text !== "");
}

/** Whether less of a dimension is exercised than is wanted. */
export function isShort({ ratio, threshold }: Dimension): boolean {
  return ratio < threshold;
}

/** The sum of a report, in one line. */
export function sumOf({ summary, coverage, mutation }: Report): string {
  const short = (coverage?.dimensions ?? []).filter(isShort).map(({ name }) => name);
  const parts = [
    `${counted(summary.exchanges, "exchange")} judged, ${summary.passed} passed`,
    counted(summary.failures, "failure"),
    counted(summary.warnings, "warning"),
    counted(summary.notes, "note"),
    summary.skipped > 0 && `${summary.skipped} skipped`,
    summary.unreadable > 0 && `${summary.unreadable} unreadable`,
    short.length > 0 && `coverage too low in ${short.join(", ")}`,
    mutation && `${mutation.killed} of ${counted(mutation.total, "mutant")} found`,
    mutation && `${mutation.waived.length} waived`,
  ];
  return `${OUTCOMES[summary.outcome]}: ${parts.filter(Boolean).join(", ")}`;
}
