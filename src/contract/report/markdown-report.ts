import { counted } from "../engine/short.js";
import { escapeHtml, factsOf, placeOf, subjectOf, summaryOf, textOf } from "./report.js";
import type { Report, ReportFinding } from "./report.js";

const MARKS = { fail: "❌", warn: "⚠️", note: "ℹ️", accepted: "☑️" } as const;
const COLUMNS = ["", "Rule", "Where", "Expected", "Actual", "Recording", "Described", "Fix"];

/** GitHub cuts off a step summary after 1 MiB. */
const LONGEST = 200;

/** A summary in GitHub Flavored Markdown, for a workflow step or a comment. */
export function markdownReport(report: Report): string {
  return [
    `## Contract\n\n**${escapeMarkdown(summaryOf(report))}**\n`,
    markdownTable(COLUMNS, report.findings.map(markdownRow)),
    markdownTable(
      ["Problem", "Details"],
      report.problems.map((each) => [each.kind, textOf(each)]),
    ),
    markdownTable(["Skipped", "Count"], skippedRows(report)),
  ].join("");
}

function skippedRows({ skipped }: Report): string[][] {
  return skipped.map(({ reason, count }) => [reason, String(count)]);
}

function markdownRow(finding: ReportFinding): string[] {
  const { rule, severity, expected, actual, recording, count } = finding;
  const { spec, fix, didYouMean, accepted } = finding;
  const [first = {}] = recording;
  const advice = didYouMean === undefined ? fix : `${fix} Did you mean ${didYouMean}?`;
  return [
    MARKS[severity],
    rule,
    subjectOf(finding),
    expected,
    actual,
    count > 1 ? `${placeOf(first)} and ${count - 1} more` : placeOf(first),
    placeOf(spec),
    accepted ? `Accepted: ${accepted.reason}` : advice,
  ];
}

function markdownTable(head: string[], rows: string[][]): string {
  if (rows.length === 0) return "";
  const shown = rows.slice(0, LONGEST).map((row) => row.map(escapeMarkdown));
  const lines = [head, head.map(() => "---"), ...shown].map((row) => `| ${row.join(" | ")} |\n`);
  if (rows.length > LONGEST) lines.push(`\nand ${rows.length - LONGEST} more\n`);
  return `\n${lines.join("")}`;
}

/** Keeps text from becoming markup, a link or a formula; a backslash does not escape a dollar sign. */
function escapeMarkdown(text: string): string {
  const escaped = text.replace(/[\\`*_{}[\]()#+!|~@-]|:(?=\/\/)|(?<=www)\./gi, "\\$&");
  return escapeHtml(escaped).replaceAll("$", "<span>$$</span>");
}

const LABELS = { fail: "failure", warn: "warning", note: "note", accepted: "accepted" } as const;

/** A self-contained HTML page without scripts or requests; supports light and dark mode. */
export function htmlReport(report: Report): string {
  const { outcome, accepted, notes } = report.summary;
  const articles = (...severities: string[]) =>
    report.findings
      .filter(({ severity }) => severities.includes(severity))
      .map(article)
      .join("");
  const problems = report.problems.map((each) => [each.kind, escapeHtml(textOf(each))]);
  const content = [
    htmlTable("Problems", ["Kind", "Details"], problems),
    htmlTable(
      "Operations",
      ["Operation", "Read", "Fail", "Warn", "Accepted"],
      operationRows(report),
    ),
    `<h2>Findings</h2>\n${articles("fail", "warn") || "<p>None.</p>\n"}`,
    details(`${accepted} accepted`, articles("accepted")),
    details(counted(notes, "note"), articles("note")),
    htmlTable("Skipped", ["Reason", "Count"], skippedRows(report)),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Contract: ${outcome}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Contract</h1>
<p class="${outcome}">${escapeHtml(summaryOf(report))}</p>
<main>
${content.join("")}</main>
</body>
</html>
`;
}

function operationRows({ exchanges, findings }: Report): string[][] {
  const names = [...new Set(exchanges.map(({ operation }) => operation))].toSorted();
  return names.map((name) => {
    const read = exchanges.filter(({ operation }) => operation === name);
    const found = findings.filter(({ operation }) => operation === name);
    const counts = ["fail", "warn", "accepted"].map(
      (wanted) => found.filter(({ severity }) => severity === wanted).length,
    );
    return [breakable(name || "no operation"), ...[read.length, ...counts].map(String)];
  });
}

/** A name that wraps only after a dot. */
function breakable(name: string): string {
  return escapeHtml(name).replaceAll(".", ".<wbr>");
}

function article(finding: ReportFinding): string {
  const { severity, rule, recording, count, spec, operation } = finding;
  const [first = {}, ...others] = recording;
  const facts = [
    ...factsOf(finding),
    ["recording", placeOf(first)],
    ["described", placeOf(spec)],
  ].map(([name, text = ""]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`);
  const places = others.map((each) => `<li>${escapeHtml(placeOf(each))}</li>`);
  const hidden = count - recording.length;
  if (hidden > 0) places.push(`<li>and ${hidden} more</li>`);
  const place = escapeHtml(subjectOf(finding).slice(operation.length));
  return `<article class="${severity}">
<h3><span class="mark">${LABELS[severity]}</span> ${escapeHtml(rule)}</h3>
<p><code><span class="name">${breakable(operation)}</span>${place}</code></p>
<dl>${facts.join("")}</dl>
${details(counted(count - 1, "more place"), count > 1 ? `<ul>${places.join("")}</ul>` : "")}</article>
`;
}

/** @param rows of HTML */
function htmlTable(title: string, head: string[], rows: string[][]): string {
  if (rows.length === 0) return "";
  const columns = head.map((each) => `<th scope="col">${each}</th>`).join("");
  const lines = rows.map(([name = "", ...cells]) => {
    const row = cells.map((each) => `<td>${each}</td>`).join("");
    return `<tr><th scope="row">${name}</th>${row}</tr>\n`;
  });
  return `<h2>${title}</h2>
<div class="wide" tabindex="0"><table><thead><tr>${columns}</tr></thead><tbody>
${lines.join("")}</tbody></table></div>
`;
}

function details(summary: string, content: string): string {
  return content && `<details><summary>${summary}</summary>\n${content}</details>\n`;
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --back: light-dark(#fff, #16181c);
  --fail: light-dark(#b3261e, #ff8a80); --warn: light-dark(#7a5200, #ffcc66); --note: light-dark(#1a56a8, #8ab8ff); }
body { margin: 0 auto; max-width: 80rem; padding: 1rem; background: var(--back); color: light-dark(#1c1e21, #e4e6ea);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
.failed, .unreadable { color: var(--fail); } .inconclusive { color: var(--warn); }
.wide { overflow-x: auto; overflow-wrap: normal; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left; }
.name, th, td:last-child { overflow-wrap: normal; }
article { border: 1px solid var(--line); border-left: .3rem solid var(--tone); padding: .75rem; margin: 0 0 1rem; }
.fail { --tone: var(--fail); } .warn { --tone: var(--warn); } .note, .accepted { --tone: var(--note); }
h3 { margin: 0; } .mark { color: var(--tone); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 .75rem; } dd { margin: 0; }
dt { font-weight: 600; } dt::first-letter { text-transform: uppercase; }
@media (max-width: 40rem) { table { font-size: .7rem; } th, td { padding: .15rem .3rem; } }
details { margin: 0 0 1rem; } details article { margin: 1rem 0; }
`;
