import { styleText } from "node:util";
import type { Finding } from "../engine/types.js";
import { lastKey, parentPointer } from "../../openapi/pointer.js";
import { pluralize } from "../engine/format-value.js";
import type { Report } from "./create-report.js";
import { formatOccurrence, formatPosition, formatProblem } from "../engine/format-position.js";
import { formatSubject, formatSummary, MAX_SHOWN, type RenderOptions } from "./format-report.js";

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

const COLORS = {
  passed: "green",
  failed: "red",
  unreadable: "red",
  inconclusive: "yellow",
} as const;

/** The maximum number of occurrences that are shown for each finding. */
const MAX_OCCURRENCES = 3;

/** Formats a report for a terminal. Omits unreadable inputs, because they are printed to standard error. */
export function prettyReport(report: Report, { color = false }: RenderOptions): string {
  const paint: Paint = (style, text) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const { findings, problems, summary } = report;
  const shown = findings.filter(({ severity }) => severity === "error" || severity === "warning");
  const accepted = findings.filter(({ severity }) => severity === "accepted");
  // Notes need no action, so only their gaps are shown.
  const notes = findings.filter(({ severity }) => severity === "note");
  const about = notes.map(({ gap, title }) => `  ${gap ? `${gap.id} ${gap.text}` : title}`);
  const groups = groupMissing(shown);
  const hidden = groups.slice(MAX_SHOWN).flat().length;
  const lines = [
    ...groups.slice(0, MAX_SHOWN).flatMap((each) => formatBlock(mergeMissing(each), paint)),
    hidden > 0 && `… and ${pluralize(hidden, "more finding")}; --format json lists all of them`,
    ...accepted.slice(0, MAX_SHOWN).map((each) => paint("dim", formatAccepted(each))),
    accepted.length > MAX_SHOWN &&
      `… and ${pluralize(accepted.length - MAX_SHOWN, "more accepted finding")}`,
    notes.length > 0 &&
      paint(
        "blue",
        `ℹ ${pluralize(notes.length, "note")} about what the specification leaves open`,
      ),
    ...[...new Set(about)].toSorted(),
    ...problems.map(
      (each) => each.kind === "accepted-entry" && paint("red", `✖ ${formatProblem(each)}`),
    ),
    paint(["bold", COLORS[summary.outcome]], formatSummary(report)),
  ];
  return `${lines.filter((each) => each !== false).join("\n")}\n`;
}

/** Groups the missing properties of an object, because often all are missing for the same reason. */
function groupMissing(findings: readonly Finding[]): Finding[][] {
  const groups = new Map<unknown, Finding[]>();
  for (const finding of findings) {
    const { rule, operation, status, pointer, didYouMean, occurrences } = finding;
    const places = occurrences.map(formatOccurrence);
    const object = [operation, status, parentPointer(pointer), ...places].join("\n");
    const key = rule === "schema/required" && didYouMean === undefined ? object : finding;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()];
}

/** Formats the missing properties of an object as one finding. */
function mergeMissing(findings: Finding[]): Finding {
  const [first] = findings as [Finding];
  if (findings.length === 1) return first;
  return {
    ...first,
    pointer: parentPointer(first.pointer),
    title: `${findings.length} properties are missing`,
    expected: findings.map(({ pointer }) => lastKey(pointer)).join(", "),
    declared: [],
    fix: "Send the properties, or remove them from `required`.",
  };
}

function formatBlock(finding: Finding, paint: Paint): string[] {
  const { occurrences, count, rule, title, descriptionLocation, severity } = finding;
  const { expected, value, fix } = finding;
  const { didYouMean = "", declared } = finding;
  const locations = occurrences.slice(0, MAX_OCCURRENCES).map(formatOccurrence);
  if (count > MAX_OCCURRENCES) locations.push(`and ${count - MAX_OCCURRENCES} more`);
  const rows = Object.entries({
    recording: locations.join(", "),
    description: formatPosition(descriptionLocation),
    expected,
    actual: value,
    "did you mean": didYouMean,
    declared: declared.join(", "),
    fix,
  });
  const head = severity === "error" ? paint("red", `✖ ${rule}`) : paint("yellow", `⚠ ${rule}`);
  const times = count > 1 ? paint("dim", ` ×${count}`) : "";
  return [
    `${head} ${paint("bold", formatSubject(finding))}${times}`,
    `  ${title}`,
    ...rows
      .filter(([, text]) => text !== "")
      .map(([name, text]) => `  ${paint("dim", name.padEnd(12))} ${text}`),
    "",
  ];
}

function formatAccepted(finding: Finding): string {
  const { rule, count, accepted } = finding;
  const times = count > 1 ? ` ×${count}` : "";
  return `✓ accepted ${rule} ${formatSubject(finding)}${times}: ${accepted?.reason ?? ""}`;
}
