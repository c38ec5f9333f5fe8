import type { Report } from "./report.js";

/** A table of words. */
export interface Table {
  head: string[];
  rows: string[][];
}

/** Operations by what was found with each, and by what of each is exercised. */
export function matrixOf({ exchanges, findings, coverage }: Report): Table {
  const matrix = coverage?.operations ?? {};
  const judged = exchanges.map(({ operation }) => operation);
  const operations = [...new Set([...judged, ...Object.keys(matrix)])].toSorted();
  const dimensions = (coverage?.dimensions ?? [])
    .map(({ name }) => name)
    .filter((name) => Object.values(matrix).some((row) => Object.hasOwn(row, name)));
  const rows = operations.map((operation) => {
    const count = (severity: string) =>
      findings.filter((each) => each.operation === operation && each.severity === severity).length;
    const cells = dimensions.map((name) => {
      const cell = matrix[operation]?.[name];
      if (!cell) return "–";
      return cell.covered === cell.total ? "✓" : `${cell.covered} of ${cell.total}`;
    });
    const numbers = [
      judged.filter((each) => each === operation).length,
      count("fail"),
      count("warn"),
    ];
    return [operation || "no operation"].concat(numbers.map(String), cells);
  });
  return { head: ["Operation", "Exchanges", "Failures", "Warnings", ...dimensions], rows };
}
