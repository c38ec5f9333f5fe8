import { escapeMarkdown } from "./escape.js";
import type { Report, ReportFinding } from "./report.js";
import { mapStrings, visible } from "./visible.js";
import { placeOf, sumOf, survivorsOf } from "./words.js";

const MARKS = { fail: "❌", warn: "⚠️", note: "ℹ️" } as const;

/** More lines would be cut off: a step summary holds 1 MiB. */
const LONGEST = 200;

/** A summary in GitHub's Markdown, for a step of a workflow or a comment. */
export function markdownReport(raw: Report): string {
  const report = mapStrings(raw, visible);
  const { findings, coverage, mutation, skipped, unreadable } = report;
  return [
    "## Contract",
    "",
    `**${escapeMarkdown(sumOf(report))}**`,
    ...table(
      ["", "Rule", "Where", "Expected", "Actual", "Recording", "Described", "Fix"],
      findings.slice(0, LONGEST).map(row),
    ),
    ...(findings.length > LONGEST ? ["", `and ${findings.length - LONGEST} more`] : []),
    ...table(
      ["Coverage", "Covered", "Of", "Wanted"],
      (coverage?.dimensions ?? []).map(({ name, covered, total, ratio, threshold }) => [
        `${ratio < threshold ? "❌" : "✅"} ${escapeMarkdown(name)}`,
        String(covered),
        String(total),
        `${threshold * 100} %`,
      ]),
    ),
    ...table(
      ["Mutants"],
      survivorsOf(mutation).map((each) => [escapeMarkdown(each)]),
    ),
    ...table(
      ["Unreadable", "Problem"],
      unreadable.map((each) => [escapeMarkdown(placeOf(each)), escapeMarkdown(each.problem)]),
    ),
    ...table(
      ["Skipped", "Count"],
      skipped.map(({ reason, count }) => [escapeMarkdown(reason), String(count)]),
    ),
    "",
  ].join("\n");
}

function row(finding: ReportFinding): string[] {
  const { recording, severity, operation, status, pointer } = finding;
  const [first, ...others] = recording;
  const place = first ? placeOf(first) : "";
  const hint = finding.didYouMean === undefined ? "" : ` Did you mean ${finding.didYouMean}?`;
  return [
    MARKS[severity],
    ...[
      finding.rule,
      `${operation || "no operation"} ${status} ${pointer || "/"}`,
      finding.expected,
      finding.actual,
      others.length > 0 ? `${place} and ${others.length} more` : place,
      placeOf(finding.spec),
      `${finding.fix}${hint}`,
    ].map(escapeMarkdown),
  ];
}

function table(head: string[], rows: string[][]): string[] {
  if (rows.length === 0) return [];
  return ["", line(head), line(head.map(() => "---")), ...rows.map(line)];
}

function line(cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}
