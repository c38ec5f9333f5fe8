import { placeOf, subjectOf, summaryOf, textOf } from "./report.js";
import type { Report, ReportFinding } from "./report.js";
import { escapeHtml } from "./visible.js";

const MARKS = { fail: "❌", warn: "⚠️", note: "ℹ️", accepted: "☑️" } as const;
const FINDINGS = ["", "Rule", "Where", "Expected", "Actual", "Recording", "Described", "Fix"];

/** GitHub cuts off a step summary after 1 MiB. */
const LONGEST = 200;

/** A summary in GitHub Flavored Markdown, for a workflow step or a comment. */
export function markdownReport(report: Report): string {
  const skipped = report.skipped.map(({ reason, count }) => [reason, String(count)]);
  const problems = report.problems.map((each) => [each.kind, textOf(each)]);
  return [
    `## Contract\n\n**${escapeMarkdown(summaryOf(report))}**\n`,
    table(FINDINGS, report.findings.map(rowOf)),
    table(["Problem", "Details"], problems),
    table(["Skipped", "Count"], skipped),
  ].join("");
}

function rowOf(finding: ReportFinding): string[] {
  const { rule, severity, expected, actual, recording, spec, fix, didYouMean, accepted } = finding;
  const [first, ...others] = recording;
  const place = first ? placeOf(first) : "";
  const advice = didYouMean === undefined ? fix : `${fix} Did you mean ${didYouMean}?`;
  return [
    MARKS[severity],
    rule,
    subjectOf(finding),
    expected,
    actual,
    others.length > 0 ? `${place} and ${others.length} more` : place,
    placeOf(spec),
    accepted ? `Accepted: ${accepted.reason}` : advice,
  ];
}

function table(head: string[], rows: string[][]): string {
  if (rows.length === 0) return "";
  const shown = rows.slice(0, LONGEST).map((row) => row.map(escapeMarkdown));
  const lines = [head, head.map(() => "---"), ...shown].map((row) => `| ${row.join(" | ")} |\n`);
  if (rows.length > LONGEST) lines.push(`\nand ${rows.length - LONGEST} more\n`);
  return `\n${lines.join("")}`;
}

/** No text becomes markup, a link or a formula; a backslash does not escape a dollar. */
function escapeMarkdown(text: string): string {
  const escaped = text.replace(/[\\`*_{}[\]()#+!|~@-]|:(?=\/\/)|(?<=www)\./gi, "\\$&");
  return escapeHtml(escaped).replaceAll("$", "<span>$$</span>");
}
