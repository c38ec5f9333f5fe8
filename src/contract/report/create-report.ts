import type { UnvalidatedReason } from "../engine/check.js";
import { pluralize } from "../engine/format-value.js";
import type { Severity } from "../engine/rules.js";
import type { ObservedFact } from "../../openapi/description.js";
import type { Finding, Position } from "../engine/types.js";
import type { SkipReason } from "../input/har.js";

/** A finding in a report. */
export interface ReportFinding extends Finding {
  severity: Severity | "accepted";
  /** The number of occurrences; `occurrences` contains the first 1,000. */
  count: number;
  /** Why the configuration accepts the finding. */
  accepted?: { reason: string; expires?: string };
  /** The observed fact that the finding contradicts. */
  observed?: Omit<ObservedFact, "locations">;
}

/** One exchange with the service. */
export interface ReportExchange {
  /** The file, and the number of the entry in a HAR. */
  name: string;
  /** The operationId; empty if no operation matches. */
  operation: string;
  /** An exchange passes only if it was validated. */
  outcome: "passed" | "failed" | "unvalidated";
  /** Why it was not validated. */
  unvalidated?: UnvalidatedReason;
  /** Fingerprints of its findings. */
  findings: string[];
}

/** A reason, other than a finding, why a run does not pass. */
export interface Problem extends Partial<Position> {
  /** An unreadable input, an entry of `accepted`, or a run that proves too little. */
  kind: "unreadable" | "accepted" | "inconclusive";
  /** A sentence whose subject is the file, if there is one. */
  message: string;
}

/** A reason with its number of exchanges. */
export interface ReasonCount<Reason> {
  reason: Reason;
  count: number;
}

/** The report of a run, as printed in JSON. It contains no timestamp, so the same input produces the same bytes. */
export interface ContractReport {
  /** Increases with each incompatible change. */
  version: 1;
  /** Path of the description. */
  description: string;
  summary: Summary;
  findings: ReportFinding[];
  exchanges: ReportExchange[];
  /** Entries that are not exchanges with the service. */
  skipped: ReasonCount<SkipReason>[];
  /** Exchanges with the service that were not validated. */
  unvalidated: ReasonCount<UnvalidatedReason>[];
  problems: Problem[];
}

/** The counts of a run. */
export interface Summary {
  outcome: "passed" | "failed" | "unreadable" | "inconclusive";
  /** All exchanges in the input: the validated, the unvalidated, and the skipped ones. */
  read: number;
  matched: number;
  validated: number;
  unvalidated: number;
  skipped: number;
  passed: number;
  failures: number;
  warnings: number;
  notes: number;
  accepted: number;
  unreadable: number;
}

/** Everything that a run collects. */
export interface Results extends Pick<ContractReport, "description" | "findings" | "problems"> {
  exchanges: Omit<ReportExchange, "outcome">[];
  skipped: readonly SkipReason[];
  /** The minimum share of exchanges with the service that must be validated, from 0 to 1. */
  minValidated: number;
}

const ORDER = ["error", "warning", "accepted", "note"] as const;

/** Creates the report of a run: failures first, otherwise in the order of discovery. */
export function createReport(results: Results): ContractReport {
  const findings = ORDER.flatMap((wanted) =>
    results.findings.filter(({ severity }) => severity === wanted),
  );
  const count = (wanted: ReportFinding["severity"]) =>
    findings.filter(({ severity }) => severity === wanted).length;
  const failed = new Set(
    findings.flatMap(({ severity, fingerprint }) => (severity === "error" ? fingerprint : [])),
  );
  const exchanges = results.exchanges.map((each): ReportExchange => {
    const outcome = each.unvalidated === undefined ? "passed" : "unvalidated";
    const isFailed = each.findings.some((fingerprint) => failed.has(fingerprint));
    return { ...each, outcome: isFailed ? "failed" : outcome };
  });
  const reasons = exchanges.flatMap(({ unvalidated }) => unvalidated ?? []);
  const problems = [...results.problems, ...findInconclusive(results, reasons.length)];
  const { description, skipped } = results;
  const summary: Summary = {
    outcome: decideOutcome(problems, failed.size > 0),
    read: exchanges.length + skipped.length,
    matched: exchanges.filter(({ operation }) => operation !== "").length,
    validated: exchanges.length - reasons.length,
    unvalidated: reasons.length,
    skipped: skipped.length,
    passed: exchanges.filter(({ outcome }) => outcome === "passed").length,
    failures: count("error"),
    warnings: count("warning"),
    notes: count("note"),
    accepted: count("accepted"),
    unreadable: problems.filter(({ kind }) => kind === "unreadable").length,
  };
  const counts = { skipped: countReasons(skipped), unvalidated: countReasons(reasons) };
  return { version: 1, description, summary, findings, exchanges, ...counts, problems };
}

function countReasons<Reason extends string>(reasons: readonly Reason[]): ReasonCount<Reason>[] {
  const unique = [...new Set(reasons)].toSorted();
  return unique.map((reason) => ({
    reason,
    count: reasons.filter((each) => each === reason).length,
  }));
}

/** Says why too few exchanges were validated. */
function findInconclusive(
  { exchanges: { length }, minValidated }: Results,
  unvalidated: number,
): Problem[] {
  const validated = length - unvalidated;
  const advice = "check the paths, or pass the URL of the service as --base-url";
  if (validated === 0)
    return [{ kind: "inconclusive", message: `no exchange was validated; ${advice}` }];
  if (validated / length >= minValidated) return [];
  const share = `only ${validated} of ${pluralize(length, "exchange")} validated`;
  return [{ kind: "inconclusive", message: `${share}; minValidated is ${minValidated}` }];
}

/** Unreadable input may hide failures, and a failure counts even if few exchanges were validated. */
function decideOutcome(problems: readonly Problem[], isFailed: boolean): Summary["outcome"] {
  const has = (kind: Problem["kind"]) => problems.some((each) => each.kind === kind);
  if (has("unreadable")) return "unreadable";
  if (isFailed || has("accepted")) return "failed";
  return has("inconclusive") ? "inconclusive" : "passed";
}
