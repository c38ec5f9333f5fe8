import { escapeHtml } from "./escape.js";
import type { Excerpt, Excerpts } from "./excerpt.js";
import { matrixOf, type Table } from "./matrix.js";
import type { Report, ReportFinding } from "./report.js";
import { STYLE } from "./style.js";
import { mapStrings, visible } from "./visible.js";
import { counted, placeOf, sumOf, survivorsOf } from "./words.js";

const LABELS = { fail: "failure", warn: "warning", note: "note" } as const;

/** One page for a person, in one file: no script, no request, in the colours that the reader prefers. */
export function htmlReport(raw: Report, excerpts: Excerpts): string {
  const report = mapStrings(raw, visible);
  const { findings, coverage, mutation, skipped, unreadable, summary } = report;
  const articles = (isMeant: (finding: ReportFinding) => boolean) =>
    findings
      .map((finding, index) =>
        isMeant(finding) ? article(finding, raw.findings[index], excerpts) : "",
      )
      .filter(Boolean)
      .join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Contract: ${summary.outcome}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Contract</h1>
<p class="${summary.outcome}">${escapeHtml(sumOf(report))}</p>
</header>
<main>
${section("Operations", table("matrix", matrixOf(report)))}
${section("Findings", articles(({ severity }) => severity !== "note") || "<p>None.</p>")}
${section(
  "Notes",
  details(
    counted(summary.notes, "note"),
    articles(({ severity }) => severity === "note"),
  ),
)}
${section("Coverage", coverage ? dimensions(coverage) : "")}
${section("Mutants", list(survivorsOf(mutation)))}
${section("Unreadable", list(unreadable.map((each) => `${placeOf(each)} ${each.problem}`)))}
${section("Skipped", list(skipped.map(({ reason, count }) => `${count}: ${reason}`)))}
</main>
</body>
</html>
`;
}

function article(
  finding: ReportFinding,
  original: ReportFinding | undefined,
  excerpts: Excerpts,
): string {
  const { severity, rule, operation, status, pointer, recording, spec, declared } = finding;
  const rows = [
    ["Expected", finding.expected],
    ["Actual", finding.actual],
    ...(finding.didYouMean === undefined ? [] : [["Did you mean", finding.didYouMean]]),
    ...(declared.length === 0 ? [] : [["Declared", declared.join(", ")]]),
    ...(finding.gap === undefined ? [] : [["Gap", finding.gap]]),
    ["Fix", finding.fix],
  ];
  const [first, ...others] = recording;
  const excerptAt = (place: ReportFinding["spec"] | undefined) =>
    place && excerpts.get(placeOf(place));
  return `<article class="${severity}">
<h3><span class="mark">${LABELS[severity]}</span> ${escapeHtml(rule)}</h3>
<p><b>${escapeHtml(operation || "no operation")}</b> ${status} <code>${escapeHtml(pointer || "/")}</code></p>
<dl>${rows.map(([name = "", text = ""]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`).join("")}</dl>
<div class="sides">
${figure(first ? placeOf(first) : "", excerptAt(original?.recording[0]))}
${figure(placeOf(spec), excerptAt(original?.spec))}
</div>
${details(counted(others.length, "more place"), list(others.map(placeOf)))}
</article>`;
}

function figure(caption: string, excerpt: Excerpt | undefined): string {
  const lines = (excerpt?.lines ?? []).map(({ number, text }) => {
    const line = `<i>${String(number).padStart(5)}</i> ${escapeHtml(visible(text))}`;
    return number === excerpt?.line ? `<mark>${line}</mark>` : line;
  });
  const code = lines.length > 0 ? `<pre tabindex="0">${lines.join("\n")}</pre>` : "";
  return `<figure><figcaption>${escapeHtml(caption)}</figcaption>${code}</figure>`;
}

function dimensions({ dimensions: all }: NonNullable<Report["coverage"]>): string {
  const open = all.flatMap(({ name, missing }) =>
    missing.map(({ item, reason }) => `${name}: ${item} (${reason ?? "no reason"})`),
  );
  const rows = all.map(({ name, covered, total, ratio, threshold }) => [
    name,
    `${covered} of ${total}`,
    `${(ratio * 100).toFixed(1)} %`,
    `${threshold * 100} % wanted`,
  ]);
  const head = ["Dimension", "Covered", "Ratio", "Threshold"];
  return (
    table("", { head, rows }) + details(`${counted(open.length, "item")} not exercised`, list(open))
  );
}

function table(kind: string, { head, rows }: Table): string {
  if (rows.length === 0) return "";
  const columns = head.map((each) => `<th scope="col">${escapeHtml(each)}</th>`).join("");
  return `<div class="wide" tabindex="0"><table class="${kind}"><thead><tr>${columns}</tr></thead><tbody>
${rows.map(tableRow).join("\n")}
</tbody></table></div>`;
}

function tableRow([name = "", ...cells]: string[]): string {
  const row = cells.map((each) => `<td>${escapeHtml(each)}</td>`).join("");
  return `<tr><th scope="row">${escapeHtml(name)}</th>${row}</tr>`;
}

function details(summary: string, content: string): string {
  return content === "" ? "" : `<details><summary>${summary}</summary>\n${content}</details>`;
}

function list(items: string[]): string {
  return items.length === 0
    ? ""
    : `<ul>${items.map((each) => `<li>${escapeHtml(each)}</li>`).join("")}</ul>`;
}

function section(title: string, content: string): string {
  return content === "" ? "" : `<section><h2>${title}</h2>\n${content}\n</section>`;
}
