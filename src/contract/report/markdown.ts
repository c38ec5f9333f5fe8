import type { Report, ReportFinding } from "./report.js";
import { tablesOf, type Table } from "./tables.js";
import { escapeHtml } from "./visible.js";
import { placeOf, subjectOf, sumOf } from "./words.js";

const MARKS = { fail: "❌", warn: "⚠️", note: "ℹ️" } as const;
const HEAD = ["", "Rule", "Where", "Expected", "Actual", "Recording", "Described", "Fix"];

/** More rows would be cut off: a step summary holds 1 MiB. */
const LONGEST = 200;

/** A summary in GitHub's Markdown, for a step of a workflow or a comment. */
export function markdownReport(report: Report): string {
  const findings = { head: HEAD, rows: report.findings.map(rowOf) };
  const tables = [findings, ...tablesOf(report)].map(table);
  return `## Contract\n\n**${escapeMarkdown(sumOf(report))}**\n${tables.join("")}`;
}

function rowOf(finding: ReportFinding): string[] {
  const { rule, severity, expected, actual, recording, spec, fix, didYouMean } = finding;
  const [first, ...others] = recording;
  const place = first ? placeOf(first) : "";
  return [
    MARKS[severity],
    rule,
    subjectOf(finding),
    expected,
    actual,
    others.length > 0 ? `${place} and ${others.length} more` : place,
    placeOf(spec),
    didYouMean === undefined ? fix : `${fix} Did you mean ${didYouMean}?`,
  ];
}

function table({ head, rows }: Table): string {
  if (rows.length === 0) return "";
  const shown = rows.slice(0, LONGEST).map((row) => row.map(escapeMarkdown));
  const lines = [head, head.map(() => "---"), ...shown].map((row) => `| ${row.join(" | ")} |\n`);
  if (rows.length > LONGEST) lines.push(`\nand ${rows.length - LONGEST} more\n`);
  return `\n${lines.join("")}`;
}

/** Nothing of a text is markup, nor becomes a link or a formula, from which no backslash keeps a dollar. */
function escapeMarkdown(text: string): string {
  const escaped = text.replace(/[\\`*_{}[\]()#+!|~@-]|:(?=\/\/)|(?<=www)\./gi, "\\$&");
  return escapeHtml(escaped).replaceAll("$", "<span>$$</span>");
}
