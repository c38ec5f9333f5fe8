import { pluralize } from "../engine/format-value.js";
import type { Finding } from "../engine/types.js";
import type { ReasonCount, Report } from "./create-report.js";

/** The maximum number of findings that are shown in the terminal. */
export const MAX_SHOWN = 50;

/** Formats the operation, the status, and the location of a finding. */
export function formatSubject({ operation, status, pointer }: Finding): string {
  return [operation || "no operation", status ?? "", pointer || "/"]
    .filter((each) => each !== "")
    .join(" ");
}

/** Formats a finding as one line. */
export function formatFinding(finding: Finding): string {
  return `${finding.title}: ${formatSubject(finding)}, expected ${finding.expected}, got ${finding.value}`;
}

/** Options for formatting a report. */
export interface RenderOptions {
  /** Whether to use ANSI colors, which only the `pretty` format supports. */
  color?: boolean;
  /** Whether to include notes in the `sarif` format. */
  hasNotes?: boolean;
}

const OUTCOMES = {
  passed: "Passed",
  failed: "Failed",
  unreadable: "Incomplete",
  inconclusive: "Inconclusive",
};

/** Summarizes a report in one line. */
export function formatSummary({ summary, skipped, unvalidated, problems }: Report): string {
  const { outcome, read, matched, validated, unreadable } = summary;
  const invalid = problems.filter(({ kind }) => kind === "accepted-entry").length;
  const counts = [
    `${pluralize(read, "exchange")} read, ${matched} matched, ${validated} validated`,
    `, ${summary.unvalidated} not validated${formatReasons(unvalidated)}`,
    `, ${summary.skipped} skipped${formatReasons(skipped)}; `,
    `${pluralize(summary.errors, "error")}, ${pluralize(summary.warnings, "warning")}`,
    `, ${pluralize(summary.notes, "note")}, ${summary.accepted} accepted`,
    unreadable > 0 ? `, ${unreadable} unreadable` : "",
    invalid > 0 ? `, ${invalid} invalid accepted ${invalid === 1 ? "entry" : "entries"}` : "",
  ];
  const why = problems.flatMap((each) => (each.kind === "inconclusive" ? `; ${each.message}` : []));
  return `${OUTCOMES[outcome]}: ${[...counts, ...why].join("")}`;
}

function formatReasons(counts: readonly ReasonCount<string>[]): string {
  const reasons = counts.map(({ reason, count }) => `${reason}: ${count}`).join(", ");
  return reasons && ` (${reasons})`;
}

/** Characters that are invisible, or that control a terminal or the text direction. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/** Escapes invisible characters, for example as `\u{1b}`, so that recorded text cannot control the terminal. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`);
}

/**
 * Formats data as indented JSON, one item of a list at a time, because a report can list many exchanges. Escapes
 * invisible characters in strings; a parser still returns the same strings.
 * @param depth how many levels of objects have lists that are formatted item by item
 */
export function* formatJson(data: object, depth = 1): Generator<string> {
  yield* formatObject(data, depth, 0);
  yield "\n";
}

function* formatObject(data: object, depth: number, indent: number): Generator<string> {
  const line = `\n${" ".repeat(indent)}`;
  let separator = "{";
  for (const [key, value] of Object.entries(data)) {
    if (value === undefined) continue;
    yield `${separator}${line}  ${JSON.stringify(key)}: `;
    separator = ",";
    const isList = typeof value === "object" && value !== null && Symbol.iterator in value;
    if (!isList) {
      yield formatItem(value, indent + 2);
      continue;
    }
    let before = "[";
    for (const item of value as Iterable<object>) {
      yield `${before}${line}    `;
      if (depth > 1) yield* formatObject(item, depth - 1, indent + 4);
      else yield formatItem(item, indent + 4);
      before = ",";
    }
    yield before === "[" ? "[]" : `${line}  ]`;
  }
  yield `${line}}`;
}

/** Formats a value as JSON. @param indent the number of spaces before the second line and each further line */
function formatItem(value: unknown, indent: number): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const text = JSON.stringify(value, null, 2).replaceAll("\n", `\n${" ".repeat(indent)}`);
  return text.replace(INVISIBLE, (each) => each.replace(/[^\n]/g, escape));
}

const ENTITIES = new Map(
  Object.entries({ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" }),
);

/** Escapes text for use in an HTML or XML element, or in a quoted attribute value. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&${ENTITIES.get(character)};`);
}
