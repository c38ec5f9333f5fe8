import { counted } from "../engine/short.js";
import type { Severity } from "../engine/rules.js";
import type { Finding, ObservedFact, Position } from "../engine/types.js";
import type { SkipReason } from "../input/har.js";

/** A finding in a report. */
export interface ReportFinding extends Finding {
  severity: Severity | "accepted";
  /** The number of occurrences; `recording` contains the first 1,000. */
  count: number;
  /** Why the configuration accepts the finding. */
  accepted?: { reason: string; until?: string };
  /** The observed fact that the finding contradicts. */
  observed?: Omit<ObservedFact, "places">;
}

/** One exchange. */
export interface ReportExchange {
  /** The file, and the number of the entry in a HAR. */
  name: string;
  /** The operationId; empty if no operation matches. */
  operation: string;
  /** An exchange passes only if it matches an operation. */
  outcome: "passed" | "failed" | "unmatched";
  /** Fingerprints of its findings. */
  findings: string[];
}

/** A reason, other than a finding, why a run does not pass. */
export interface Problem extends Partial<Position> {
  /** An unreadable input, an entry of `accepted`, or a run that proves too little. */
  kind: "unreadable" | "accepted" | "inconclusive";
  /** A sentence whose subject is the file, if there is one. */
  problem: string;
}

/** The report of a run, as printed in JSON. It contains no timestamp, so the same input produces the same bytes. */
export interface Report {
  /** Increases with each incompatible change. */
  version: 2;
  /** Path of the description. */
  description: string;
  summary: Summary;
  findings: ReportFinding[];
  exchanges: ReportExchange[];
  skipped: { reason: SkipReason; count: number }[];
  problems: Problem[];
}

/** The counts of a run. */
export interface Summary {
  outcome: "passed" | "failed" | "unreadable" | "inconclusive";
  /** Exchanges in the input; an operation that `--live` could not call was not read. */
  read: number;
  matched: number;
  validated: number;
  skipped: number;
  passed: number;
  failures: number;
  warnings: number;
  notes: number;
  accepted: number;
  unreadable: number;
}

/** Everything that a run collects. */
export interface Results extends Pick<Report, "description" | "findings" | "problems"> {
  exchanges: Omit<ReportExchange, "outcome">[];
  /** Exchanges that match an operation. */
  matched: number;
  /** Matched exchanges that were compared with a described response. */
  validated: number;
  /** The share of exchanges that must match an operation, from 0 to 1. */
  minMatched: number;
  skipped: ReadonlyMap<SkipReason, number>;
}

const ORDER = ["fail", "warn", "accepted", "note"] as const;

/** Creates the report of a run: failures first, otherwise in the order of discovery. */
export function createReport(results: Results): Report {
  const { description, matched, validated } = results;
  const skipped = Array.from(results.skipped, ([reason, count]) => ({ reason, count }));
  skipped.sort((a, b) => (a.reason < b.reason ? -1 : 1));
  const sum = (counts: typeof skipped) => counts.reduce((total, { count }) => total + count, 0);
  const problems = [...results.problems, ...inconclusive(results)];
  const findings = ORDER.flatMap((wanted) =>
    results.findings.filter(({ severity }) => severity === wanted),
  );
  const count = (wanted: ReportFinding["severity"]) =>
    findings.filter(({ severity }) => severity === wanted).length;
  const failed = new Set(
    findings.flatMap(({ severity, fingerprint }) => (severity === "fail" ? fingerprint : [])),
  );
  const exchanges = results.exchanges.map((each): ReportExchange => {
    const passed = each.operation === "" ? "unmatched" : "passed";
    const isFailed = each.findings.some((fingerprint) => failed.has(fingerprint));
    return { ...each, outcome: isFailed ? "failed" : passed };
  });
  const summary: Summary = {
    outcome: outcomeOf(problems, failed.size > 0),
    read: exchanges.length + sum(skipped.filter(({ reason }) => reason !== "not called")),
    matched,
    validated,
    skipped: sum(skipped),
    passed: exchanges.filter(({ outcome }) => outcome === "passed").length,
    failures: count("fail"),
    warnings: count("warn"),
    notes: count("note"),
    accepted: count("accepted"),
    unreadable: problems.filter(({ kind }) => kind === "unreadable").length,
  };
  return { version: 2, description, summary, findings, exchanges, skipped, problems };
}

/** Why a run proves too little to pass. */
function inconclusive({ exchanges, matched, validated, minMatched }: Results): Problem[] {
  const { length } = exchanges;
  const share = `Only ${matched} of ${counted(length, "exchange")} matched an operation`;
  if (matched / length < minMatched)
    return [{ kind: "inconclusive", problem: `${share}; minMatched is ${minMatched}` }];
  return validated === 0 ? [{ kind: "inconclusive", problem: "Nothing was validated" }] : [];
}

/** Unreadable input may hide failures, and a failure counts even if few exchanges were validated. */
function outcomeOf(problems: readonly Problem[], isFailed: boolean): Summary["outcome"] {
  const has = (kind: Problem["kind"]) => problems.some((each) => each.kind === kind);
  if (has("unreadable")) return "unreadable";
  if (isFailed || has("accepted")) return "failed";
  return has("inconclusive") ? "inconclusive" : "passed";
}

/** The terminal and the annotations show this many findings. */
export const MOST = 50;

/** `file:line:column`, which terminals and editors open. */
export function placeOf({ file, line, column }: Partial<Position>): string {
  return [file, line, column].filter((each) => each !== undefined).join(":");
}

/** A problem as a sentence. */
export function textOf(problem: Omit<Problem, "kind">): string {
  return [placeOf(problem), problem.problem].filter(Boolean).join(" ");
}

/** The response that a finding refers to, and the place in it. */
export function subjectOf({ operation, status, pointer }: ReportFinding): string {
  return `${operation || "no operation"} ${status} ${pointer || "/"}`;
}

/** A finding in one line. */
export function titleOf(finding: ReportFinding): string {
  return `${subjectOf(finding)}: expected ${finding.expected}, got ${finding.actual}`;
}

/** The details of a finding, keyed by label. */
export function factsOf(finding: ReportFinding): [name: string, text: string][] {
  const { expected, actual, didYouMean = "", declared, gap = "", fix, accepted } = finding;
  const { reason = "", until = "" } = accepted ?? {};
  const names = declared.join(", ");
  const why = { accepted: reason, until };
  const facts = { expected, actual, "did you mean": didYouMean, declared: names, gap, fix, ...why };
  return Object.entries(facts).filter(([, text]) => text !== "");
}

const OUTCOMES = {
  passed: "Passed",
  failed: "Failed",
  unreadable: "Incomplete",
  inconclusive: "Inconclusive",
};

/** The whole run in one line. */
export function summaryOf({ summary, skipped, problems }: Report): string {
  const { outcome, read, matched, validated, unreadable } = summary;
  const reasons = skipped.map(({ reason, count }) => `${count} ${reason}`).join(", ");
  const invalid = problems.filter(({ kind }) => kind === "accepted").length;
  const counts = [
    `${counted(read, "exchange")} read, ${matched} matched, ${validated} validated`,
    `, ${summary.skipped} skipped${reasons && ` (${reasons})`}; `,
    `${counted(summary.failures, "failure")}, ${counted(summary.warnings, "warning")}`,
    `, ${counted(summary.notes, "note")}, ${summary.accepted} accepted`,
    unreadable > 0 ? `, ${unreadable} unreadable` : "",
    invalid > 0 ? `, ${invalid} invalid in the list of accepted findings` : "",
  ];
  const why = problems.flatMap((each) => (each.kind === "inconclusive" ? `. ${each.problem}` : []));
  return `${OUTCOMES[outcome]}: ${[...counts, ...why].join("")}`;
}

/** Characters that are invisible, or that control a terminal or the text direction. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/** Escapes invisible characters as `\u{1b}`, because recorded text must not control how the report displays. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`);
}

/** Data as indented JSON. Invisible characters are escaped, so a parser returns the same strings. */
export function visibleJson(data: object): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const text = JSON.stringify(data, null, 2);
  return `${text.replace(UNSEEN, (each) => each.replace(/[^\n]/g, escape))}\n`;
}

const ENTITIES = new Map(
  Object.entries({ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" }),
);

/** Escapes text for HTML or XML, between tags or quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&${ENTITIES.get(character)};`);
}

/** Copies JSON data with every string replaced. Keeps keys unchanged. */
export function mapStrings<T>(value: T, replace: (text: string) => string): T {
  if (typeof value === "string") return replace(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => mapStrings(each, replace)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, mapStrings(each, replace)]);
  return Object.fromEntries(entries) as T;
}
