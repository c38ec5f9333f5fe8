import { problemsOf } from "./problems.js";
import type { Report } from "./report.js";
import { isShort, percent } from "./words.js";

/** A table of words; the first of its head is its title. */
export interface Table {
  head: string[];
  rows: string[][];
}

/** All of a report beside its findings. */
export function tablesOf(report: Report): Table[] {
  const dimensions = report.coverage?.dimensions ?? [];
  const covered = dimensions.map((each) => [
    `${isShort(each) ? "✗" : "✓"} ${each.name}`,
    `${each.covered} of ${each.total}`,
    percent(each.ratio),
    percent(each.threshold),
  ]);
  const open = dimensions.flatMap(({ name, missing }) =>
    missing.map(({ item, reason = "none" }) => [name, item, reason]),
  );
  const problems = problemsOf(report).map(({ kind, text }) => [kind, text]);
  const skipped = report.skipped.map(({ reason, count }) => [reason, String(count)]);
  return [
    { head: ["Coverage", "Exercised", "Share", "Wanted"], rows: covered },
    { head: ["Not exercised", "What", "Reason"], rows: open },
    { head: ["Problem", "What"], rows: problems },
    { head: ["Skipped", "Count"], rows: skipped },
  ].filter(({ rows }) => rows.length > 0);
}

/** Operations by what was found with each, and by what of each is exercised. */
export function matrixOf({ exchanges, findings, coverage }: Report): Table {
  const matrix = coverage?.operations ?? {};
  const names = [...exchanges.map(({ operation }) => operation), ...Object.keys(matrix)];
  const dimensions = (coverage?.dimensions ?? [])
    .map(({ name }) => name)
    .filter((name) => Object.values(matrix).some((row) => Object.hasOwn(row, name)));
  const rows = [...new Set(names)].toSorted().map((operation) => {
    const isOwn = (each: { operation: string }) => each.operation === operation;
    const found = findings.filter(isOwn);
    const count = (wanted: string) => found.filter(({ severity }) => severity === wanted).length;
    const counts = [exchanges.filter(isOwn).length, count("fail"), count("warn")];
    const cells = dimensions.map((name) => {
      const { covered = 0, total = 0 } = matrix[operation]?.[name] ?? {};
      if (total === 0) return "–";
      return covered === total ? "✓" : `${covered} of ${total}`;
    });
    return [operation || "no operation", ...counts.map(String), ...cells];
  });
  return { head: ["Operation", "Exchanges", "Failures", "Warnings", ...dimensions], rows };
}
