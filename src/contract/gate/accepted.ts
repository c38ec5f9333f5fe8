import { operations } from "../../generated/full-operations.js";
import { parsePointer } from "../../openapi/pointer.js";
import type { Json } from "../../openapi/description.js";
import { didYouMean } from "../engine/suggest.js";
import type { Finding, Occurrence } from "../engine/types.js";
import type { Problem } from "../report/create-report.js";
import { writeFile } from "../shared/write-file.js";
import { readRawConfig, type AcceptedEntry } from "./config.js";

/**
 * Marks a finding as accepted if all of its occurrences are accepted. Reports a problem for each entry that has
 * expired, has no reason, or matches no finding. An entry that has expired or has no reason accepts nothing.
 * @param today the date as YYYY-MM-DD
 * @param isComplete whether all recordings were read; if not, an entry that matches no finding is not reported
 */
export function applyAccepted(
  findings: readonly Finding[],
  entries: readonly AcceptedEntry[],
  today: string,
  isComplete: boolean,
): { findings: Finding[]; problems: Problem[] } {
  const used = new Set<AcceptedEntry>();
  const marked = findings.map((finding): Finding => {
    const candidates = listCandidates(entries, finding);
    const accepting = finding.occurrences.map((occurrence) => {
      const matching = candidates.filter(
        (each) => each.actual === occurrence.actual && isAt(each, occurrence),
      );
      for (const each of matching) used.add(each);
      return matching.find((each) => findProblem(each, today) === undefined);
    });
    const [entry] = accepting;
    if (!entry || accepting.includes(undefined)) return finding;
    const { reason, expires } = entry;
    return { ...finding, severity: "accepted", accepted: { reason, ...(expires && { expires }) } };
  });
  const unused = isComplete ? entries.filter((each) => !used.has(each)) : [];
  const advice = new Map(unused.map((each) => [each, suggestOperation(each) || "; remove it"]));
  for (const finding of findings)
    for (const entry of listCandidates(unused, finding))
      for (const each of finding.occurrences.filter((occurrence) => isAt(entry, occurrence)))
        advice.set(
          entry,
          each.actual
            ? `; "actual" must be ${JSON.stringify(each.actual)}`
            : '; leave out "actual"',
        );
  const problems = entries.flatMap((entry, index): Problem[] => {
    const problem = findProblem(entry, today);
    const hint = advice.get(entry);
    if (problem === undefined && hint === undefined) return [];
    const { rule, operation, pointer, position } = entry;
    const message = problem ?? `matches no finding${hint}`;
    const words = [`accepted entry ${index + 1}:`, rule, operation, pointer, message];
    return [{ kind: "accepted-entry", ...position, message: words.filter(Boolean).join(" ") }];
  });
  return { findings: marked, problems };
}

function suggestOperation({ operation }: AcceptedEntry): string {
  const known = Object.keys(operations);
  return known.includes(operation) ? "" : didYouMean(operation, known);
}

/** Returns the entries for the rule and the operation of a finding. */
function listCandidates(
  entries: readonly AcceptedEntry[],
  { rule, operation }: Pick<Finding, "rule" | "operation">,
): AcceptedEntry[] {
  return entries.filter((each) => each.rule === rule && each.operation === operation);
}

/** Checks whether an entry applies to the status and the location of an occurrence. */
function isAt(entry: AcceptedEntry, { status, pointer }: Occurrence): boolean {
  if (status !== undefined && entry.status !== status) return false;
  const [keys, given] = [parsePointer(entry.pointer), parsePointer(pointer)];
  return keys.length === given.length && keys.every((key, at) => key === "*" || key === given[at]);
}

function findProblem({ reason, expires }: AcceptedEntry, today: string): string | undefined {
  if (reason.trim() === "") return "has no reason; say why the finding is accepted";
  if (expires === undefined || expires >= today) return undefined;
  return `expired on ${expires}; fix the deviation, or set a later date`;
}

/**
 * For each error that no entry accepts, adds an entry to the configuration file. If an earlier entry for the same
 * location has expired or has no reason, replaces the earlier entry.
 * @param entries the entries in the configuration file
 * @returns the number of new entries
 */
export async function writeAccepted(
  path: string,
  name: string,
  findings: readonly Finding[],
  entries: readonly AcceptedEntry[],
  today: string,
): Promise<number> {
  const replaced = new Set<AcceptedEntry | undefined>();
  const added = new Map<string, { [key: string]: Json }>();
  const reason = `Accepted on ${today} by --accept`;
  for (const finding of findings.filter(({ severity }) => severity === "error")) {
    const { rule, operation, pointerTemplate: pointer } = finding;
    for (const occurrence of finding.occurrences) {
      const { status = 200, actual } = occurrence;
      const there = listCandidates(entries, finding).filter((each) => isAt(each, occurrence));
      const invalid = there.filter((each) => findProblem(each, today) !== undefined);
      if (there.some((each) => each.actual === actual && !invalid.includes(each))) continue;
      for (const each of invalid) replaced.add(each);
      const location = { ...(status !== 200 && { status }), ...(pointer && { pointer }) };
      const entry = { rule, operation, ...location, ...(actual !== undefined && { actual }) };
      added.set(JSON.stringify(entry), { ...entry, reason });
    }
  }
  if (added.size === 0) return 0;
  const config = await readRawConfig(path, name);
  const kept = ((config["accepted"] ?? []) as Json[]).filter(
    (_, index) => !replaced.has(entries[index]),
  );
  const written = { ...config, accepted: [...kept, ...added.values()] };
  await writeFile(path, `${JSON.stringify(written, null, 2)}\n`, name);
  return added.size;
}
