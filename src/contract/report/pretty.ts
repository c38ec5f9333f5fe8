import { styleText } from "node:util";
import type { Mutation, Report, ReportFinding } from "./report.js";
import { mapStrings, visible } from "./visible.js";
import { counted, placeOf, sumOf, survivorsOf } from "./words.js";

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

const MARKS = {
  fail: { mark: "✖", style: "red" },
  warn: { mark: "⚠", style: "yellow" },
  note: { mark: "ℹ", style: "blue" },
} as const;

/** More places of one fault help nobody. */
const PLACES = 3;

/** The report for a person at a terminal. What cannot be read is not in it: that goes to the standard error. */
export function prettyReport(raw: Report, { color }: { color: boolean }): string {
  const report = mapStrings(raw, visible);
  const paint: Paint = (style, text) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const { outcome } = report.summary;
  const style = outcome === "passed" ? "green" : outcome === "inconclusive" ? "yellow" : "red";
  return [
    ...report.findings
      .filter(({ severity }) => severity !== "note")
      .map((finding) => block(finding, paint)),
    ...noteLines(report.findings, paint),
    ...coverageLines(report, paint),
    ...survivorsOf(report.mutation).map((each) => `${paint("red", "✖ mutant")} ${each}`),
    ...waivedLines(report.mutation, paint),
    ...report.skipped.map(({ reason, count }) => paint("dim", `${count} skipped: ${reason}`)),
    paint(["bold", style], sumOf(report)),
    "",
  ].join("\n");
}

function block(finding: ReportFinding, paint: Paint): string {
  const { mark, style } = MARKS[finding.severity];
  const { recording, declared, didYouMean, gap } = finding;
  const places = recording.slice(0, PLACES).map(placeOf);
  if (recording.length > PLACES) places.push(`and ${recording.length - PLACES} more`);
  const rows = [
    ["recording", places.join(", ")],
    ["spec", placeOf(finding.spec)],
    ["expected", finding.expected],
    ["actual", finding.actual],
    ...(didYouMean === undefined ? [] : [["did you mean", didYouMean]]),
    ...(declared.length === 0 ? [] : [["declared", declared.join(", ")]]),
    ...(gap === undefined ? [] : [["gap", gap]]),
    ["fix", finding.fix],
  ];
  const head = `${finding.operation || "no operation"} ${finding.status} ${finding.pointer || "/"}`;
  const times = recording.length > 1 ? paint("dim", ` ×${recording.length}`) : "";
  return [
    `${paint(style, `${mark} ${finding.rule}`)} ${paint("bold", head)}${times}`,
    ...rows.map(([name = "", text = ""]) => `  ${paint("dim", name.padEnd(12))} ${text}`),
    "",
  ].join("\n");
}

/** One reason covers many mutants. */
function waivedLines(mutation: Mutation | null, paint: Paint): string[] {
  const lines = (mutation?.waived ?? []).map(({ operator, reason }) => `${operator}: ${reason}`);
  return [...new Set(lines)].map((line) => {
    const count = lines.filter((each) => each === line).length;
    return paint("dim", `${counted(count, "mutant")} waived, ${line}`);
  });
}

/** Notes ask for nothing: how many of which rule is enough here, the other formats have them all. */
function noteLines(findings: readonly ReportFinding[], paint: Paint): string[] {
  const notes = findings.filter(({ severity }) => severity === "note");
  return [...new Set(notes.map(({ rule }) => rule))].toSorted().map((rule) => {
    const same = notes.filter((each) => each.rule === rule);
    const gaps = [...new Set(same.flatMap(({ gap }) => gap ?? []))].toSorted().join(", ");
    const { mark, style } = MARKS.note;
    return `${paint(style, `${mark} ${rule}`)} ${counted(same.length, "note")} ${paint("dim", gaps)}`;
  });
}

function coverageLines({ coverage }: Report, paint: Paint): string[] {
  if (!coverage) return [];
  return coverage.dimensions.flatMap(({ name, covered, total, ratio, threshold, missing }) => {
    const isShort = ratio < threshold;
    const percent = `${(ratio * 100).toFixed(1)} %`.padStart(7);
    const line = `${name.padEnd(20)} ${percent}  ${covered} of ${total}`;
    const unexplained = missing.filter(({ reason }) => reason === undefined);
    return [
      isShort ? paint("red", `✖ ${line}, at least ${threshold * 100} % wanted`) : `✔ ${line}`,
      ...unexplained.map(({ item }) => paint("red", `    not exercised: ${item}`)),
      ...(missing.length > unexplained.length
        ? [
            paint(
              "dim",
              `    ${counted(missing.length - unexplained.length, "item")} with a reason`,
            ),
          ]
        : []),
    ];
  });
}
