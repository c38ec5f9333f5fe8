import { parsePointer } from "../../openapi/pointer.js";
import type { Json } from "../../openapi/description.js";
import type { Occurrence } from "../engine/types.js";
import type { Problem, ReportFinding } from "../report/create-report.js";
import { writeFile } from "../write-file.js";
import { readRawConfig, type AcceptedDeviation, type AcceptedEntry } from "./config.js";

/**
 * Marks a finding as accepted if every occurrence is. An entry that has expired, has no reason, or matches nothing
 * becomes a problem; expired entries and entries without a reason accept nothing.
 * @param today as YYYY-MM-DD
 * @param isComplete whether the run read everything that the entries are about: only then can an entry be unused
 */
export function applyAccepted(
  findings: readonly ReportFinding[],
  entries: readonly AcceptedEntry[],
  today: string,
  isComplete: boolean,
): { findings: ReportFinding[]; problems: Problem[] } {
  const used = new Set<AcceptedEntry>();
  const marked = findings.map((finding): ReportFinding => {
    const accepting = finding.occurrences.map((occurrence) => {
      const matching = entries.filter(
        (each) => matchesPlace(each, finding, occurrence) && each.found === occurrence.found,
      );
      for (const each of matching) used.add(each);
      return matching.find((each) => findProblem(each, today) === undefined);
    });
    const [entry] = accepting;
    if (!entry || accepting.includes(undefined)) return finding;
    const { reason, expires } = entry;
    return { ...finding, severity: "accepted", accepted: { reason, ...(expires && { expires }) } };
  });
  const problems = entries.flatMap((entry, index): Problem[] => {
    const isUnused = isComplete && !used.has(entry);
    const message =
      findProblem(entry, today) ?? (isUnused ? describeUnused(entry, findings) : undefined);
    if (message === undefined) return [];
    const { rule, operation, pointer, position } = entry;
    const words = [`accepted entry ${index + 1}:`, rule, operation, pointer, message];
    return [{ kind: "accepted", ...position, message: words.filter(Boolean).join(" ") }];
  });
  return { findings: marked, problems };
}

function matchesPlace(
  entry: AcceptedDeviation,
  { rule, operation }: Pick<ReportFinding, "rule" | "operation">,
  { status, pointer }: Pick<Occurrence, "status" | "pointer">,
): boolean {
  if (entry.rule !== rule || entry.operation !== operation || entry.status !== status) return false;
  const [wanted, given] = [parsePointer(entry.pointer), parsePointer(pointer)];
  const isMatch = (each: string, index: number) => each === "*" || each === given[index];
  return wanted.length === given.length && wanted.every(isMatch);
}

function findProblem({ reason, expires }: AcceptedEntry, today: string): string | undefined {
  if (reason.trim() === "") return "has no reason; say why the finding is accepted";
  if (expires === undefined || expires >= today) return undefined;
  return `expired on ${expires}; fix the deviation, or set a later date`;
}

function describeUnused(entry: AcceptedEntry, findings: readonly ReportFinding[]): string {
  const there = findings.flatMap((finding) =>
    finding.occurrences.filter((each) => matchesPlace(entry, finding, each)),
  );
  const [{ found } = {}] = there;
  const advice =
    found === undefined ? "remove it" : `"found" would have to be ${JSON.stringify(found)}`;
  return `matches no finding; ${advice}`;
}

/**
 * Adds an entry to the configuration file for each failure. An entry that is no longer valid and matches one of the
 * failures is replaced.
 * @returns the number of new entries
 */
export async function writeAccepted(
  path: string,
  name: string,
  findings: readonly ReportFinding[],
  today: string,
): Promise<number> {
  const failures = findings.filter(({ severity }) => severity === "error");
  const added = new Map<string, { [key: string]: Json }>();
  const reason = `Accepted on ${today} by --write-accepted`;
  for (const { rule, operation, pointerTemplate: pointer, occurrences } of failures) {
    for (const { status, found } of occurrences) {
      const place = { ...(status !== 200 && { status }), ...(pointer && { pointer }) };
      const kind = found === undefined ? {} : { found };
      const entry = { rule, operation, ...place, ...kind };
      added.set(JSON.stringify(entry), { ...entry, reason });
    }
  }
  if (added.size === 0) return 0;
  const config = await readRawConfig(path, name);
  const isReplaced = (given: Partial<AcceptedEntry>) => {
    const entry = { status: 200, pointer: "", reason: "", ...given } as AcceptedEntry;
    if (findProblem(entry, today) === undefined) return false;
    return failures.some((finding) =>
      finding.occurrences.some((each) => matchesPlace(entry, finding, each)),
    );
  };
  const kept = ((config["accepted"] ?? []) as Partial<AcceptedEntry>[]).filter(
    (each) => !isReplaced(each),
  );
  const written = { ...config, accepted: [...kept, ...added.values()] };
  await writeFile(path, `${JSON.stringify(written, null, 2)}\n`, name);
  return added.size;
}
