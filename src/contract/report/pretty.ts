import { styleText } from "node:util";
import { unexplained, type Dimension } from "../coverage.js";
import { problemsOf } from "./problems.js";
import type { Report, ReportFinding } from "./report.js";
import { counted, factsOf, isShort, percent, placeOf, subjectOf, sumOf } from "./words.js";

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

const MARKS = { fail: "✖", warn: "⚠", note: "ℹ" } as const;
const STYLES = { fail: "red", warn: "yellow", note: "blue" } as const;
const OUTCOMES = {
  passed: "green",
  failed: "red",
  unreadable: "red",
  inconclusive: "yellow",
} as const;

/** More places of one fault help nobody. */
const PLACES = 3;

/** The report for a person at a terminal. What cannot be read is not in it: that goes to the standard error. */
export function prettyReport(report: Report, { color }: { color: boolean }): string {
  const paint: Paint = (style, text) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const { findings, coverage, skipped, summary } = report;
  const problems = problemsOf(report).filter(({ kind }) => kind === "mutant");
  // Notes ask for nothing: their rules and gaps are enough here, the other formats have them all.
  const notes = findings.filter(({ severity }) => severity === "note");
  const about = [...new Set(notes.map(({ rule, gap }) => gap ?? rule))].toSorted().join(", ");
  const note = paint(STYLES.note, `${MARKS.note} ${counted(notes.length, "note")}: ${about}`);
  const lines = [
    ...findings.flatMap((each) => (each.severity === "note" ? [] : block(each, paint))),
    ...(notes.length > 0 ? [note] : []),
    ...(coverage?.dimensions ?? []).flatMap((dimension) => dimensionLines(dimension, paint)),
    ...problems.map(({ text }) => `${paint("red", "✖ mutant")} ${text}`),
    ...skipped.map(({ reason, count }) => paint("dim", `${count} skipped: ${reason}`)),
    paint(["bold", OUTCOMES[summary.outcome]], sumOf(report)),
  ];
  return `${lines.join("\n")}\n`;
}

function block(finding: ReportFinding, paint: Paint): string[] {
  const { severity, recording, rule, spec } = finding;
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

function dimensionLines(dimension: Dimension, paint: Paint): string[] {
  const { name, covered, total, ratio, threshold, missing } = dimension;
  const line = `${name.padEnd(20)} ${percent(ratio).padStart(7)}  ${covered} of ${total}`;
  const short = paint("red", `✖ ${line}, at least ${percent(threshold)} wanted`);
  const open = unexplained(dimension);
  const lines = open.map(({ item }) => paint("red", `    not exercised: ${item}`));
  const explained = missing.length - open.length;
  if (explained > 0) lines.push(paint("dim", `    ${counted(explained, "item")} with a reason`));
  return [isShort(dimension) ? short : `✔ ${line}`, ...lines];
}
