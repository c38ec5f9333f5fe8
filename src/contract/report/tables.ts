import { problemsOf } from "./problems.js";
import type { Report } from "./report.js";
import { percent } from "./words.js";

/** A table of words; the first of its head is its title. */
export interface Table {
  head: string[];
  rows: string[][];
}

/** All of a report beside its findings. */
export function tablesOf(report: Report): Table[] {
  const dimensions = report.coverage?.dimensions ?? [];
  return [
    {
      head: ["Coverage", "Exercised", "Share", "Wanted"],
      rows: dimensions.map(({ name, covered, total, ratio, threshold }) => [
        `${ratio < threshold ? "✗" : "✓"} ${name}`,
        `${covered} of ${total}`,
        percent(ratio),
        percent(threshold),
      ]),
    },
    {
      head: ["Not exercised", "What", "Reason"],
      rows: dimensions.flatMap(({ name, missing }) =>
        missing.map(({ item, reason = "none" }) => [name, item, reason]),
      ),
    },
    { head: ["Problem", "What"], rows: problemsOf(report).map(({ kind, text }) => [kind, text]) },
    {
      head: ["Skipped", "Count"],
      rows: report.skipped.map(({ reason, count }) => [reason, String(count)]),
    },
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
    const count = (all: readonly { operation: string }[]) =>
      String(all.filter((each) => each.operation === operation).length);
    const cells = dimensions.map((name) => {
      const { covered = 0, total = 0 } = matrix[operation]?.[name] ?? {};
      if (total === 0) return "–";
      return covered === total ? "✓" : `${covered} of ${total}`;
    });
    return [
      operation || "no operation",
      count(exchanges),
      count(findings.filter(({ severity }) => severity === "fail")),
      count(findings.filter(({ severity }) => severity === "warn")),
      ...cells,
    ];
  });
  return { head: ["Operation", "Exchanges", "Failures", "Warnings", ...dimensions], rows };
}
