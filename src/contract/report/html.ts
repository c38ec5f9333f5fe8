import { counted, factsOf, placeOf, subjectOf, summaryOf, textOf } from "./report.js";
import type { Report, ReportFinding } from "./report.js";
import { escapeHtml } from "./visible.js";

const LABELS = { fail: "failure", warn: "warning", note: "note", accepted: "accepted" } as const;

/** One page in one file, without scripts or requests, in light or dark as the reader prefers. */
export function htmlReport(report: Report): string {
  const articles = (...severities: string[]) =>
    report.findings
      .filter(({ severity }) => severities.includes(severity))
      .map(article)
      .join("");
  const { outcome, accepted, notes } = report.summary;
  const problems = report.problems.map((each) => [each.kind, escapeHtml(textOf(each))]);
  const skipped = report.skipped.map(({ reason, count }) => [reason, String(count)]);
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
${table("Problems", ["Kind", "Details"], problems)}${table(
    "Operations",
    ["Operation", "Read", "Fail", "Warn", "Accepted"],
    rowsOf(report),
  )}<h2>Findings</h2>
${articles("fail", "warn") || "<p>None.</p>\n"}${details(`${accepted} accepted`, articles("accepted"))}${details(
    counted(notes, "note"),
    articles("note"),
  )}${table("Skipped", ["Reason", "Count"], skipped)}</main>
</body>
</html>
`;
}

function rowsOf({ exchanges, findings }: Report): string[][] {
  const names = [...new Set(exchanges.map(({ operation }) => operation))].toSorted();
  return names.map((name) => {
    const count = (wanted: string) =>
      findings.filter(({ operation, severity }) => operation === name && severity === wanted)
        .length;
    const { length } = exchanges.filter(({ operation }) => operation === name);
    const counts = [length, count("fail"), count("warn"), count("accepted")].map(String);
    return [breakable(name || "no operation"), ...counts];
  });
}

/** A name that breaks after a dot only. */
function breakable(name: string): string {
  return escapeHtml(name).replaceAll(".", ".<wbr>");
}

function article(finding: ReportFinding): string {
  const { severity, rule, recording, spec, operation } = finding;
  const facts = factsOf(finding).map(
    ([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`,
  );
  const [first, ...others] = recording.map((each) => escapeHtml(placeOf(each)));
  const places = others.map((each) => `<li>${each}</li>`).join("");
  const place = escapeHtml(subjectOf(finding).slice(operation.length));
  return `<article class="${severity}">
<h3><span class="mark">${LABELS[severity]}</span> ${escapeHtml(rule)}</h3>
<p><code><span class="name">${breakable(operation)}</span>${place}</code></p>
<dl>${facts.join("")}<dt>recording</dt><dd>${first}</dd><dt>described</dt><dd>${escapeHtml(placeOf(spec))}</dd></dl>
${details(counted(others.length, "more place"), places && `<ul>${places}</ul>`)}</article>
`;
}

/** @param rows of HTML */
function table(title: string, head: string[], rows: string[][]): string {
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
