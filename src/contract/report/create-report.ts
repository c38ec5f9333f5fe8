import type { UnvalidatedReason } from "../engine/check-response.js";
import { pluralize } from "../engine/format-value.js";
import type { Finding } from "../engine/types.js";
import type { Position } from "../../types/exchange.js";
import type { SkipReason } from "../input/har.js";

/** An exchange in a report. */
export interface ReportExchange {
  /** The name of the file and, for a HAR, the number of the entry. */
  name: string;
  /** The operationId; empty if no operation matches. */
  operation: string;
  /** An exchange passes only if it was validated. */
  outcome: "passed" | "failed" | "unvalidated";
  /** Why the exchange was not validated. */
  unvalidated?: UnvalidatedReason;
  /** The fingerprints of the findings in the exchange. */
  findings: string[];
}

/** A reason, other than a finding, why a run does not pass. */
export interface Problem extends Partial<Position> {
  /** An unreadable input, an invalid entry in `accepted`, or too few validated exchanges. */
  kind: "unreadable" | "accepted-entry" | "inconclusive";
  /** The text of the problem, which reports show after the position. */
  message: string;
}

/** A reason, and the number of exchanges that it applies to. */
export interface ReasonCount<Reason> {
  reason: Reason;
  count: number;
}

/**
 * The report of a run, as printed in JSON. A report contains no timestamp, so the same input produces the same bytes.
 */
export interface ContractReport {
  /** The version of the report format, which increases with each incompatible change. */
  version: 1;
  /** The path to the OpenAPI description. */
  description: string;
  summary: Summary;
  findings: Finding[];
  exchanges: ReportExchange[];
  /** The reasons why entries were skipped. */
  skipped: ReasonCount<SkipReason>[];
  /** The reasons why exchanges were not validated. */
  unvalidated: ReasonCount<UnvalidatedReason>[];
  problems: Problem[];
  /** The shard that the run checked; missing if the run checked all files. */
  shard?: Shard;
}

/** A list whose items need not be in memory. */
export interface Sequence<Item> extends Iterable<Item> {
  readonly length: number;
}

/** A report before it is written. */
export interface Report extends Omit<ContractReport, "exchanges"> {
  exchanges: Sequence<ReportExchange>;
}

/** A part of the files, which one of several jobs checks. */
export interface Shard {
  /** The number of the shard, starting at 1. */
  index: number;
  /** The number of shards. */
  count: number;
  /** The paths to the files of all shards, in the order in which one run would check them. */
  files: string[];
}

/** The outcome and the counts of a run. */
export interface Summary {
  outcome: "passed" | "failed" | "unreadable" | "inconclusive";
  /** The total number of exchanges in the input, whether validated, not validated, or skipped. */
  read: number;
  matched: number;
  validated: number;
  unvalidated: number;
  skipped: number;
  passed: number;
  errors: number;
  warnings: number;
  notes: number;
  accepted: number;
  unreadable: number;
}

/** The data that a run collects for its report. */
export interface Results extends Pick<ContractReport, "description" | "findings" | "problems"> {
  exchanges: Sequence<Omit<ReportExchange, "outcome">>;
  skipped: ReadonlyMap<SkipReason, number>;
  /** The minimum share of exchanges that must be validated, from 0 to 1. Skipped entries do not count. */
  minValidatedShare: number;
  /** The shard that the run checked. Whether a run validated enough exchanges is decided for all shards together. */
  shard?: Shard | undefined;
}

const ORDER = ["error", "warning", "accepted", "note"] as const;

/** Creates the report of a run. Sorts the findings by severity, with errors first. */
export function createReport(results: Results): Report {
  const findings = ORDER.flatMap((wanted) =>
    results.findings.filter(({ severity }) => severity === wanted),
  );
  const count = (wanted: Finding["severity"]) =>
    findings.filter(({ severity }) => severity === wanted).length;
  const failed = new Set(
    findings.flatMap(({ severity, fingerprint }) => (severity === "error" ? fingerprint : [])),
  );
  const exchanges: Report["exchanges"] = {
    length: results.exchanges.length,
    *[Symbol.iterator]() {
      for (const each of results.exchanges) {
        const outcome = each.unvalidated === undefined ? "passed" : "unvalidated";
        const isFailed = each.findings.some((fingerprint) => failed.has(fingerprint));
        yield { ...each, outcome: isFailed ? "failed" : outcome };
      }
    },
  };
  const reasons = new Map<UnvalidatedReason, number>();
  let [matched, passed] = [0, 0];
  for (const { unvalidated, operation, outcome } of exchanges) {
    if (unvalidated !== undefined) countReason(reasons, unvalidated);
    if (operation !== "") matched += 1;
    if (outcome === "passed") passed += 1;
  }
  const { description, shard } = results;
  const skipped = sum(results.skipped.values());
  const unvalidated = sum(reasons.values());
  const inconclusive = shard ? [] : findInconclusive(results, reasons);
  const problems = [...results.problems, ...inconclusive];
  const summary: Summary = {
    outcome: decideOutcome(problems, failed.size > 0),
    read: exchanges.length + skipped,
    matched,
    validated: exchanges.length - unvalidated,
    unvalidated,
    skipped,
    passed,
    errors: count("error"),
    warnings: count("warning"),
    notes: count("note"),
    accepted: count("accepted"),
    unreadable: problems.filter(({ kind }) => kind === "unreadable").length,
  };
  const counts = { skipped: listCounts(results.skipped), unvalidated: listCounts(reasons) };
  return {
    version: 1,
    description,
    summary,
    findings,
    exchanges,
    ...counts,
    problems,
    ...(shard && { shard }),
  };
}

/** Adds to the count of a reason. */
export function countReason<Reason>(counts: Map<Reason, number>, reason: Reason, count = 1): void {
  counts.set(reason, (counts.get(reason) ?? 0) + count);
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, each) => total + each, 0);
}

function listCounts<Reason>(counts: ReadonlyMap<Reason, number>): ReasonCount<Reason>[] {
  return [...counts.keys()].toSorted().map((reason) => ({ reason, count: counts.get(reason)! }));
}

/** Reports a problem if too few exchanges were validated. */
function findInconclusive(
  { exchanges: { length }, skipped, minValidatedShare }: Results,
  unvalidated: ReadonlyMap<UnvalidatedReason, number>,
): Problem[] {
  const validated = length - sum(unvalidated.values());
  if (validated === 0) {
    const advice = advise(skipped, unvalidated);
    const message = `no exchange was validated${advice && `; ${advice}`}`;
    return [{ kind: "inconclusive", message }];
  }
  if (validated / length >= minValidatedShare) return [];
  const share = `only ${validated} of ${pluralize(length, "exchange")} validated`;
  const advice = unvalidated.has(FULL_ONLY) ? `; ${PASS_FULL}` : "";
  const message = `${share}; minValidatedShare is ${minValidatedShare}${advice}`;
  return [{ kind: "inconclusive", message }];
}

const FULL_ONLY: UnvalidatedReason = "only in the full description";
const PASS_FULL = "pass --full to check operations that only the full description has";

/** Says what to do about a run that validated no exchange. */
function advise(
  skipped: Results["skipped"],
  unvalidated: ReadonlyMap<UnvalidatedReason, number>,
): string {
  if (unvalidated.has(FULL_ONLY)) return PASS_FULL;
  // The traffic of a page also contains other paths, but these bodies are at documented paths.
  if (unvalidated.has("body not recorded")) return "record the bodies";
  // The findings, or the messages about unreadable files, say what to do.
  if (unvalidated.size > 0 && !unvalidated.has("no operation")) return "";
  const isElsewhere = skipped.has("other host") || skipped.has("other path");
  return isElsewhere ? "pass the URL of the service as --base-url" : "check the paths";
}

/**
 * Determines the outcome of a run. Unreadable input takes precedence over errors, because it can hide further errors.
 * Errors take precedence over too few validated exchanges.
 */
function decideOutcome(problems: readonly Problem[], isFailed: boolean): Summary["outcome"] {
  const has = (kind: Problem["kind"]) => problems.some((each) => each.kind === kind);
  if (has("unreadable")) return "unreadable";
  if (isFailed || has("accepted-entry")) return "failed";
  return has("inconclusive") ? "inconclusive" : "passed";
}
