import type { Finding, Occurrence } from "../engine/types.js";

/** The maximum number of occurrences that a report contains for each finding. Further occurrences are only counted. */
export const MAX_OCCURRENCES = 1000;

/** Findings by fingerprint, in the order in which they first occur. */
export interface FindingGroups {
  /** Adds a finding. Returns its fingerprint as one string for all exchanges, because a large input has many. */
  add: (finding: Finding) => string;
  list: () => Finding[];
}

/**
 * Groups findings as they are found. After the first 1,000 occurrences of a finding, keeps an occurrence only if an entry
 * in the configuration could tell it apart from the others.
 * @param isComplete whether to keep all occurrences
 */
export function createFindingGroups(isComplete: boolean): FindingGroups {
  const groups = new Map<string, Finding>();
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
      const group = groups.get(finding.fingerprint);
      if (!group) groups.set(finding.fingerprint, finding);
      else
        for (const each of finding.occurrences) {
          group.count += 1;
          if (isNew(each, group)) group.occurrences.push(each);
        }
      return group?.fingerprint ?? finding.fingerprint;
    },
    list: () => [...groups.values()],
  };
}

function keyOf({ status, pointer, actual }: Occurrence): string {
  return [status, pointer, actual].join("\n");
}
