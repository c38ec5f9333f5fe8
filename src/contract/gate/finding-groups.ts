import type { Finding, Occurrence } from "../engine/types.js";

/** The maximum number of occurrences that a report contains for each finding. Further occurrences are only counted. */
const MAX_OCCURRENCES = 1000;
/** The maximum number of occurrences of all findings together, because they have to fit into memory. */
const MAX_TOTAL = 50_000;

/**
 * Returns how many occurrences a report contains for each finding: 1,000, halved until all findings together fit. The
 * limit depends only on the counts, so that the report of merged shards is the report of one run.
 */
export function limitOccurrences(findings: Iterable<Pick<Finding, "count">>): number {
  const counts = Array.from(findings, ({ count }) => count);
  const sum = (limit: number) => counts.reduce((total, count) => total + Math.min(count, limit), 0);
  let limit = MAX_OCCURRENCES;
  while (limit > 1 && sum(limit) > MAX_TOTAL) limit >>= 1;
  return limit;
}

/** Findings by fingerprint, in the order in which they first occur. */
export interface FindingGroups {
  /** Adds a finding. Returns its fingerprint as one string for all exchanges, because a large input has many. */
  add: (finding: Finding) => string;
  /** Yields the findings, and forgets each finding, so that a changed copy replaces it in memory. */
  take: () => Iterable<Finding>;
}

/**
 * Groups findings as they are found. After the first occurrences of a finding, which a report contains, keeps an
 * occurrence only if an entry in the configuration could tell it apart from the others.
 * @param isComplete whether to keep all occurrences
 */
export function createFindingGroups(isComplete: boolean): FindingGroups {
  const groups = new Map<string, Finding>();
  const share = createStringPool();
  const kept = new Map<string, Set<string>>();
  let [limit, total] = [MAX_OCCURRENCES, 0];
  const isNew = (occurrence: Occurrence, group: Finding) => {
    if (isComplete || group.occurrences.length < limit) return true;
    const keys = kept.get(group.fingerprint) ?? new Set(group.occurrences.map(keyOf));
    kept.set(group.fingerprint, keys);
    const { size } = keys;
    return keys.add(keyOf(occurrence)).size > size;
  };
  const lowerLimit = () => {
    limit = limitOccurrences(groups.values());
    total = 0;
    for (const group of groups.values()) {
      const keys = new Set<string>();
      group.occurrences = group.occurrences.filter((each, index) => {
        const { size } = keys;
        return keys.add(keyOf(each)).size > size || index < limit;
      });
      total += Math.min(group.count, limit);
    }
  };
  return {
    add(finding) {
      const group = groups.get(finding.fingerprint) ?? { ...finding, occurrences: [], count: 0 };
      if (group.count === 0) groups.set(group.fingerprint, group);
      group.count += finding.count;
      for (const each of finding.occurrences) {
        if (!isNew(each, group)) continue;
        // A large input has many occurrences, but only a few different pointers and values.
        each.pointer = share(each.pointer);
        each.value = share(each.value);
        if (each.actual !== undefined) each.actual = share(each.actual);
        group.occurrences.push(each);
        if (group.occurrences.length <= limit) total += 1;
      }
      if (!isComplete && total > MAX_TOTAL && limit > 1) lowerLimit();
      return group.fingerprint;
    },
    *take() {
      for (const [fingerprint, finding] of groups) {
        groups.delete(fingerprint);
        yield finding;
      }
    },
  };
}

function keyOf({ status, pointer, actual }: Occurrence): string {
  return [status, pointer, actual].join("\n");
}

/** Creates a function that returns one and the same string for all strings that are equal. */
function createStringPool(): (text: string) => string {
  const strings = new Map<string, string>();
  return (text) => {
    const first = strings.get(text) ?? text;
    strings.set(first, first);
    return first;
  };
}
