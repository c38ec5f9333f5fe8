import { join } from "node:path";
import { operations } from "../../generated/full-operations.js";
import { inspectExchange } from "../engine/check.js";
import { severityOf } from "../engine/rules.js";
import { findSensitiveValues } from "../engine/sensitive.js";
import type { Description } from "../../openapi/description.js";
import { matchPath } from "../../openapi/route.js";
import type { Finding } from "../engine/types.js";
import type { Exchange } from "../../types/exchange.js";
import type { SkipReason } from "../input/har.js";
import type { Item } from "../input/read.js";
import { countReason, createReport } from "../report/create-report.js";
import { createExchangeLog } from "../report/exchange-log.js";
import type { Report, Results, Shard } from "../report/create-report.js";
import { applyAccepted } from "./accepted.js";
import type { Config } from "./config.js";
import { findPackage } from "../shared/find-package.js";
import { createFindingGroups, limitOccurrences } from "./finding-groups.js";
import { createFindingRedactor } from "./redact-finding.js";

/** Imports a description and its validators. A run imports only the description that it uses. */
export async function loadDescription(
  name: Config["description"],
): Promise<{ description: Description }> {
  return name === "full"
    ? import("../../generated/full-description.js")
    : import("../../generated/description.js");
}

/** The results of a run. */
export interface RunResult extends Omit<Results, "minValidatedShare" | "skipped" | "shard"> {
  skipped: Map<SkipReason, number>;
}

/**
 * Checks exchanges as they are read, and keeps only their findings. Redacts the findings at the end, because a later
 * exchange can show that a value is sensitive.
 */
export async function checkAll(
  items: AsyncIterable<Item> | Iterable<Item>,
  { description }: { description: Description },
  { undeclared }: Pick<Config, "undeclared">,
  isShard: boolean,
  displayPath: (path: string) => string,
): Promise<RunResult> {
  // The package includes the YAML file, so that a report can show positions in the file.
  const { folder = "" } = findPackage() ?? {};
  const file = folder === "" ? description.file : displayPath(join(folder, description.file));
  const located = { ...description, file };
  const groups = createFindingGroups(isShard);
  const exchanges = createExchangeLog();
  const sensitive = new Set<string>();
  const checked: RunResult = {
    description: file,
    findings: [],
    exchanges,
    skipped: new Map(),
    problems: [],
  };
  for await (const item of items) {
    if ("unreadable" in item) checked.problems.push({ kind: "unreadable", ...item.unreadable });
    if ("skipped" in item) countReason(checked.skipped, item.skipped);
    if ("unvalidated" in item) exchanges.add({ ...item, operation: "", findings: [] });
    if (!("exchange" in item)) continue;
    const { exchange, matching } = item;
    const { operation, findings, unvalidated } = inspectExchange(exchange, located, matching);
    const other = operation ? undefined : findInFull(exchange, located);
    const token = readToken(exchange.request);
    if (token !== "") sensitive.add(token);
    if (operation)
      for (const each of findSensitiveValues(exchange, operation, located)) sensitive.add(each);
    exchanges.add({
      name: exchange.name,
      operation: operation?.id ?? "",
      ...(unvalidated && { unvalidated: other ? "only in the full description" : unvalidated }),
      findings: findings.map((each) => groups.add(other ? suggestFull(each, other) : each)),
    });
  }
  const redact = createFindingRedactor(sensitive, description);
  for (const finding of groups.take())
    checked.findings.push({
      ...redact(finding),
      severity: severityOf(finding.category, undeclared),
    });
  return checked;
}

function readToken({ headers }: Exchange["request"]): string {
  return (headers?.["authorization"] ?? "").replace(/^Bearer +/i, "");
}

/** The operations of the full description, which contains those of the specification. */
export const FULL_ROUTES = Object.entries(operations).map(([id, { method, path }]) => ({
  id,
  method,
  path,
}));

/** Returns the operation of an exchange if only the full description documents it. */
function findInFull({ request }: Exchange, { operations: known }: Description) {
  const method = request.method?.toUpperCase();
  const found = matchPath(request.path ?? "", FULL_ROUTES).find((each) => each.method === method);
  return known.some(({ id }) => id === found?.id) ? undefined : found;
}

/** Says in the fix for an unknown path or method that the full description documents the operation. */
function suggestFull(finding: Finding, { id }: { id: string }): Finding {
  if (finding.rule !== "http/unknown-path" && finding.rule !== "http/unknown-method")
    return finding;
  const how = 'pass --full, or set "description": "full" in the configuration file';
  return { ...finding, fix: `The full description documents this operation (${id}): ${how}.` };
}

/** Options for {@link reportRun}. */
interface ReportOptions {
  /**
   * Whether the exchanges are calls to a deployment. If so, every call must be validated, but accepted entries that match
   * no finding are not reported, because the plan might not call their operations.
   */
  isLive: boolean;
  /** The shard that the run checked. Accepted entries can match findings in other shards. */
  shard: Shard | undefined;
  /** The date as YYYY-MM-DD. */
  today: string;
}

/** Creates the report of a run. */
export function reportRun(
  checked: RunResult,
  config: Config,
  { isLive, shard, today }: ReportOptions,
): Report {
  let isValidated = false;
  for (const { unvalidated } of checked.exchanges) isValidated ||= unvalidated === undefined;
  const isComplete = !isLive && !shard && isValidated && checked.problems.length === 0;
  const { accepted } = config;
  const { findings, problems } = applyAccepted(checked.findings, accepted, today, isComplete);
  const limit = limitOccurrences(findings);
  return createReport({
    ...checked,
    minValidatedShare: isLive ? 1 : config.minValidatedShare,
    shard,
    findings: findings.map((each) => ({
      ...each,
      // Merging shards needs all occurrences, because entries accept them one by one.
      occurrences: shard ? each.occurrences : each.occurrences.slice(0, limit),
    })),
    problems: [...checked.problems, ...problems],
  });
}
