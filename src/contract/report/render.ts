import { styleText } from "node:util";
import { githubReport, junitReport, sarifReport } from "./ci.js";
import { htmlReport, markdownReport } from "./pages.js";
import { counted } from "../engine/short.js";
import { factsOf, mapStrings, MOST, placeOf, subjectOf } from "./report.js";
import { summaryOf, textOf, visible, visibleJson } from "./report.js";
import type { Report, ReportFinding } from "./report.js";

const RENDERERS = {
  pretty: prettyReport,
  json: visibleJson,
  junit: junitReport,
  sarif: sarifReport,
  github: githubReport,
  markdown: markdownReport,
  html: htmlReport,
} satisfies Record<string, (report: Report, color: boolean) => string>;

/** The name of an output format. */
export type Format = keyof typeof RENDERERS;

export const FORMATS = Object.keys(RENDERERS) as readonly Format[];

/** Formats a report as text that ends with a line break. @param color ANSI colors; only `pretty` supports them */
export function render(format: Format, report: Report, color: boolean): string {
  const isData = format === "json" || format === "sarif";
  return RENDERERS[format](isData ? report : mapStrings(report, visible), color);
}

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

const OUTCOMES = {
  passed: "green",
  failed: "red",
  unreadable: "red",
  inconclusive: "yellow",
} as const;

/** Occurrences shown per finding. */
const PLACES = 3;

/** The report for a terminal. Omits unreadable inputs, because they go to standard error. */
function prettyReport(report: Report, color: boolean): string {
  const paint: Paint = (style, text) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const { findings, problems, summary } = report;
  const faults = findings.filter(({ severity }) => severity === "fail" || severity === "warn");
  const accepted = findings.filter(({ severity }) => severity === "accepted");
  // Notes need no action, so this lists only their rules and gaps. Other formats show them in full.
  const notes = findings.filter(({ severity }) => severity === "note");
  const about = [...new Set(notes.map(({ rule, gap }) => gap ?? rule))].toSorted().join(", ");
  const hidden = faults.length - MOST;
  const lines = [
    ...faults.slice(0, MOST).flatMap((each) => block(each, paint)),
    hidden > 0 && `… and ${counted(hidden, "more finding")}; --format json lists all of them`,
    ...accepted.slice(0, MOST).map((each) => paint("dim", acceptedLine(each))),
    accepted.length > MOST && paint("dim", `… and ${accepted.length - MOST} more accepted`),
    notes.length > 0 && paint("blue", `ℹ ${counted(notes.length, "note")}: ${about}`),
    ...problems.map((each) => each.kind === "accepted" && paint("red", `✖ ${textOf(each)}`)),
    paint(["bold", OUTCOMES[summary.outcome]], summaryOf(report)),
  ];
  return `${lines.filter((each) => each !== false).join("\n")}\n`;
}

function block(finding: ReportFinding, paint: Paint): string[] {
  const { recording, count, rule, spec, severity } = finding;
  const places = recording.slice(0, PLACES).map(placeOf);
  if (count > PLACES) places.push(`and ${count - PLACES} more`);
  const rows = [["recording", places.join(", ")], ["spec", placeOf(spec)], ...factsOf(finding)];
  const head = severity === "fail" ? paint("red", `✖ ${rule}`) : paint("yellow", `⚠ ${rule}`);
  const times = count > 1 ? paint("dim", ` ×${count}`) : "";
  return [
    `${head} ${paint("bold", subjectOf(finding))}${times}`,
    ...rows.map(([name = "", text]) => `  ${paint("dim", name.padEnd(12))} ${text}`),
    "",
  ];
}

function acceptedLine(finding: ReportFinding): string {
  const { rule, count, accepted } = finding;
  const times = count > 1 ? ` ×${count}` : "";
  return `✓ accepted ${rule} ${subjectOf(finding)}${times}: ${accepted?.reason ?? ""}`;
}
