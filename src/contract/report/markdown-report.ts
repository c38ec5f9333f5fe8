import type { Report } from "./create-report.js";
import type { Finding } from "../engine/types.js";
import { formatOccurrence, formatPosition, formatProblem } from "../engine/format-position.js";
import { escapeHtml, formatSubject, formatSummary } from "./format-report.js";

const MARKS = { error: "❌", warning: "⚠️", note: "ℹ️", accepted: "☑️" } as const;
const COLUMNS = [
  "",
  "Rule",
  "Finding",
  "Where",
  "Expected",
  "Actual",
  "Recording",
  "Described",
  "Fix",
];

/** The maximum number of rows in a table. GitHub limits a step summary to 1 MiB. */
const MAX_ROWS = 200;

/** Formats a report as GitHub Flavored Markdown, for the summary of a workflow step or for a comment. */
export function markdownReport(report: Report): string {
  const { findings, problems } = report;
  return [
    `## Contract\n\n**${escapeMarkdown(formatSummary(report))}**\n`,
    formatTable(COLUMNS, findings.map(toRow)),
    formatTable(
      ["Problem", "Details"],
      problems.map((each) => [each.kind, formatProblem(each)]),
    ),
  ].join("");
}

function toRow(finding: Finding): string[] {
  const { rule, title, severity, expected, value, occurrences, count } = finding;
  const { descriptionLocation, fix, didYouMean, accepted } = finding;
  const location = formatOccurrence(occurrences[0]!);
  const advice = didYouMean === undefined ? fix : `${fix} Did you mean ${didYouMean}?`;
  return [
    MARKS[severity],
    rule,
    title,
    formatSubject(finding),
    expected,
    value,
    count > 1 ? `${location} and ${count - 1} more` : location,
    formatPosition(descriptionLocation),
    accepted ? `Accepted: ${accepted.reason}` : advice,
  ];
}

function formatTable(head: string[], rows: string[][]): string {
  if (rows.length === 0) return "";
  const shown = rows.slice(0, MAX_ROWS).map((row) => row.map(escapeMarkdown));
  const lines = [head, head.map(() => "---"), ...shown].map((row) => `| ${row.join(" | ")} |\n`);
  if (rows.length > MAX_ROWS) lines.push(`\nand ${rows.length - MAX_ROWS} more\n`);
  return `\n${lines.join("")}`;
}

/**
 * Escapes text, so that GitHub displays no markup, link, or formula. Wraps a dollar sign in an HTML element, because a
 * backslash does not escape it.
 */
function escapeMarkdown(text: string): string {
  const escaped = text.replace(/[\\`*_{}[\]()#+!|~@-]|:(?=\/\/)|(?<=www)\./gi, "\\$&");
  return escapeHtml(escaped).replaceAll("$", "<span>$$</span>");
}
