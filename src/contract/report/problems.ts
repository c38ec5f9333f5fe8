import { unexplained } from "../coverage.js";
import type { Unreadable } from "../input/problem.js";
import type { Report } from "./report.js";
import { counted, isShort, percent, placeOf } from "./words.js";

/** Something that is wrong, and is no finding in an exchange. */
export interface Problem {
  kind: "coverage" | "mutant" | "unreadable";
  text: string;
  place?: Omit<Unreadable, "problem">;
}

/** Too little coverage, planted faults that nothing found, waivers that nothing needs, and what cannot be read. */
export function problemsOf(report: Pick<Report, "coverage" | "mutation" | "unreadable">) {
  const problems: Problem[] = [];
  for (const dimension of report.coverage?.dimensions.filter(isShort) ?? []) {
    const { name, ratio, threshold } = dimension;
    const open = unexplained(dimension);
    const items = `${counted(open.length, "item")} not exercised, such as ${open[0]?.item}`;
    const text = `${name}: ${percent(ratio)} covered, ${percent(threshold)} wanted; ${items}`;
    problems.push({ kind: "coverage", text });
  }
  for (const { operator, name, place, spec } of report.mutation?.survivors ?? []) {
    const text = `${name} ${place || "/"}: not found: ${operator} (${spec})`;
    problems.push({ kind: "mutant", text });
  }
  for (const { operator, spec } of report.mutation?.stale ?? []) {
    const text = `the waiver of ${operator} at ${spec} is stale, remove it`;
    problems.push({ kind: "mutant", text });
  }
  for (const { problem, ...place } of report.unreadable)
    problems.push({ kind: "unreadable", text: `${placeOf(place)} ${problem}`, place });
  return problems;
}
