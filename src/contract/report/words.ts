import type { Position } from "../types.js";
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
  const facts: [string, string][] = [
    ["expected", expected],
    ["actual", actual],
    ["did you mean", didYouMean],
    ["declared", declared.join(", ")],
    ["gap", gap],
    ["fix", fix],
  ];
  return facts.filter(([, text]) => text !== "");
}

/** The sum of a report, in one line. */
export function sumOf({ summary, coverage, mutation }: Report): string {
  const short = coverage?.dimensions.filter((each) => each.ratio < each.threshold) ?? [];
  const parts = [
    `${counted(summary.exchanges, "exchange")} judged, ${summary.passed} passed`,
    counted(summary.failures, "failure"),
    counted(summary.warnings, "warning"),
    counted(summary.notes, "note"),
  ];
  if (summary.skipped > 0) parts.push(`${summary.skipped} skipped`);
  if (summary.unreadable > 0) parts.push(`${summary.unreadable} unreadable`);
  if (short.length > 0) {
    parts.push(`coverage too low in ${short.map(({ name }) => name).join(", ")}`);
  }
  if (mutation) {
    const { total, killed, waived } = mutation;
    parts.push(`${killed} of ${counted(total, "mutant")} found, ${waived.length} waived`);
  }
  return `${OUTCOMES[summary.outcome]}: ${parts.join(", ")}`;
}
