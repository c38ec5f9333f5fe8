import type { Finding, Occurrence } from "../engine/types.js";

/** The maximum number of occurrences that a report contains for each finding. Further occurrences are only counted. */
export const MAX_OCCURRENCES = 1000;

/** Findings by fingerprint, in the order in which they first occur. */
export interface FindingGroups {
  /** Adds a finding. Returns its fingerprint as one string for all exchanges, because a large input has many. */
  add: (finding: Finding) => string;
  /** Yields the findings, and forgets each finding, so that a changed copy replaces it in memory. */
  take: () => Iterable<Finding>;
}

/**
 * Groups findings as they are found. After the first 1,000 occurrences of a finding, keeps an occurrence only if an entry
 * in the configuration could tell it apart from the others.
 * @param isComplete whether to keep all occurrences
 */
export function createFindingGroups(isComplete: boolean): FindingGroups {
  const groups = new Map<string, Finding>();
  const share = createStringPool();
  const kept = new Map<string, Set<string>>();
  const isNew = (occurrence: Occurrence, group: Finding) => {
    if (isComplete || group.occurrences.length < MAX_OCCURRENCES) return true;
    const keys = kept.get(group.fingerprint) ?? new Set(group.occurrences.map(keyOf));
    kept.set(group.fingerprint, keys);
    const { size } = keys;
    return keys.add(keyOf(occurrence)).size > size;
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
      }
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
