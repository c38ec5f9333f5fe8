import type { Position } from "../engine/types.js";
import type { Excerpts } from "./excerpt.js";
import type { Report, ReportFinding } from "./report.js";
import { STYLE } from "./style.js";
import { matrixOf, tablesOf, type Table } from "./tables.js";
import { escapeHtml } from "./visible.js";
import { counted, factsOf, placeOf, subjectOf, sumOf } from "./words.js";

const LABELS = { fail: "failure", warn: "warning", note: "note" } as const;

/** One page for a person, in one file: no script, no request, in the colours that the reader prefers. */
export function htmlReport(report: Report, { excerpts }: { excerpts: Excerpts }): string {
  const { outcome, notes } = report.summary;
  const articles = report.findings.map((finding) => article(finding, excerpts));
  // Notes come last, and ask for nothing.
  const faults = articles.slice(0, articles.length - notes).join("");
  const rest = details(counted(notes, "note"), articles.slice(articles.length - notes).join(""));
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
<p class="${outcome}">${escapeHtml(sumOf(report))}</p>
<main>
${table(matrixOf(report))}<h2>Findings</h2>
${faults || "<p>None.</p>\n"}${rest}${tablesOf(report).map(table).join("")}</main>
</body>
</html>
`;
}

function article(finding: ReportFinding, excerpts: Excerpts): string {
  const { severity, rule, recording, spec } = finding;
  const facts = factsOf(finding).map(
    ([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`,
  );
  const [first = spec, ...others] = recording;
  const places = others.map((each) => `<li>${escapeHtml(placeOf(each))}</li>`).join("");
  return `<article class="${severity}">
<h3><span class="mark">${LABELS[severity]}</span> ${escapeHtml(rule)}</h3>
<p><code>${escapeHtml(subjectOf(finding))}</code></p>
<dl>${facts.join("")}</dl>
<div class="sides">
${[first, spec].map((place) => figure(place, excerpts)).join("\n")}
</div>
${details(counted(others.length, "more place"), places && `<ul>${places}</ul>`)}</article>
`;
}

function figure(place: Position, excerpts: Excerpts): string {
  const lines = excerpts.get(placeOf(place))?.map(({ number, text }) => {
    const line = `<i>${String(number).padStart(5)}</i> ${escapeHtml(text)}`;
    return number === place.line ? `<mark>${line}</mark>` : line;
  });
  const code = lines ? `<pre tabindex="0">${lines.join("\n")}</pre>` : "";
  return `<figure><figcaption>${escapeHtml(placeOf(place))}</figcaption>${code}</figure>`;
}

function table({ head, rows }: Table): string {
  const columns = head.map((each) => `<th scope="col">${escapeHtml(each)}</th>`).join("");
  const lines = rows.map(([name = "", ...cells]) => {
    const row = cells.map((each) => `<td>${escapeHtml(each)}</td>`).join("");
    return `<tr><th scope="row">${escapeHtml(name)}</th>${row}</tr>\n`;
  });
  return `<h2>${head[0]}</h2>
<div class="wide" tabindex="0"><table><thead><tr>${columns}</tr></thead><tbody>
${lines.join("")}</tbody></table></div>
`;
}

function details(summary: string, content: string): string {
  return content && `<details><summary>${summary}</summary>\n${content}</details>\n`;
}
