import { styleText } from "node:util";
import { counted, factsOf, MOST, placeOf, subjectOf, summaryOf, textOf } from "./report.js";
import type { Report, ReportFinding } from "./report.js";

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

const MARKS = { fail: "✖", warn: "⚠" } as const;
const STYLES = { fail: "red", warn: "yellow" } as const;
const OUTCOMES = {
  passed: "green",
  failed: "red",
  unreadable: "red",
  inconclusive: "yellow",
} as const;

/** Places of one finding that are shown. */
const PLACES = 3;

/** The report for a terminal. Unreadable inputs are not in it: they go to standard error. */
export function prettyReport(report: Report, color: boolean): string {
  const paint: Paint = (style, text) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const { findings, problems, summary } = report;
  const faults = findings.filter(({ severity }) => severity === "fail" || severity === "warn");
  const hidden = faults.length - MOST;
  const accepted = findings.filter(({ severity }) => severity === "accepted");
  // Notes need no action: their rules and gaps are enough here, and the other formats list them.
  const notes = findings.filter(({ severity }) => severity === "note");
  const about = [...new Set(notes.map(({ rule, gap }) => gap ?? rule))].toSorted().join(", ");
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
  const { recording, rule, spec } = finding;
  const severity = finding.severity === "fail" ? "fail" : "warn";
  const places = recording.slice(0, PLACES).map(placeOf);
  if (recording.length > PLACES) places.push(`and ${recording.length - PLACES} more`);
  const rows = [["recording", places.join(", ")], ["spec", placeOf(spec)], ...factsOf(finding)];
  const head = paint(STYLES[severity], `${MARKS[severity]} ${rule}`);
  const times = recording.length > 1 ? paint("dim", ` ×${recording.length}`) : "";
  return [
    `${head} ${paint("bold", subjectOf(finding))}${times}`,
    ...rows.map(([name = "", text]) => `  ${paint("dim", name.padEnd(12))} ${text}`),
    "",
  ];
}

function acceptedLine(finding: ReportFinding): string {
  const { rule, recording, accepted } = finding;
  const times = recording.length > 1 ? ` ×${recording.length}` : "";
  return `✓ accepted ${rule} ${subjectOf(finding)}${times}: ${accepted?.reason ?? ""}`;
}
