import type { Position } from "../types.js";
import type { Mutation, Report, ReportFinding } from "./report.js";

/** `1 finding`, `2 findings`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `file:line:column`, which terminals and editors open. */
export function placeOf({ file, line, column }: Partial<Position> & { file: string }): string {
  return [file, line, column].filter((each) => each !== undefined).join(":");
}

/** What is wrong, in one line. */
export function titleOf({ operation, status, pointer, actual, expected }: ReportFinding): string {
  return `${operation || "no operation"} ${status} ${pointer || "/"}: expected ${expected}, got ${actual}`;
}

/** The sum of a report, in one line. */
export function sumOf({ summary, coverage, mutation }: Report): string {
  const short = coverage?.dimensions.filter((each) => each.ratio < each.threshold) ?? [];
  const parts = [
    `${counted(summary.exchanges, "exchange")} judged, ${summary.passed} passed`,
    counted(summary.failures, "failure"),
    counted(summary.warnings, "warning"),
    counted(summary.notes, "note"),
    ...(summary.skipped > 0 ? [`${summary.skipped} skipped`] : []),
    ...(summary.unreadable > 0 ? [`${summary.unreadable} unreadable`] : []),
    ...(short.length > 0
      ? [`coverage too low in ${short.map(({ name }) => name).join(", ")}`]
      : []),
    ...(mutation ? [killedOf(mutation)] : []),
  ];
  return `${OUTCOMES[summary.outcome]}: ${parts.join(", ")}`;
}

/** The mutation score, in a few words. */
export function killedOf({ total, killed, waived }: Mutation): string {
  return `${killed} of ${counted(total, "mutant")} found, ${waived.length} waived`;
}

/** What is wrong with a mutation score: faults that nothing found, and waivers that nothing needs. */
export function survivorsOf(mutation: Mutation | null): string[] {
  const { survivors = [], stale = [] } = mutation ?? {};
  return [
    ...survivors.map(
      ({ operator, name, place, spec }) =>
        `${name} ${place || "/"}: not found: ${operator} (${spec})`,
    ),
    ...stale.map(
      ({ operator, spec }) => `the waiver of ${operator} at ${spec} is stale, remove it`,
    ),
  ];
}

const OUTCOMES = {
  passed: "Passed",
  failed: "Failed",
  unreadable: "Not everything could be read",
  inconclusive: "Inconclusive, too little was judged",
};
