/** Returns the name that is closest to another, or undefined if none is close enough to suggest. */
export function closestName(name: string, names: Iterable<string>): string | undefined {
  let closest: string | undefined;
  let minimum = Infinity;
  const given = normalize(name);
  // If two names are parts of the given name, the longer one is the better suggestion.
  for (const each of [...names].sort((a, b) => b.length - a.length)) {
    // A one-letter name must match exactly, because a single change would replace the whole name. In the name of an
    // operation, such as `movies.details`, the method decides.
    const { length } = each.slice(each.lastIndexOf(".") + 1);
    const limit = each.length > 1 ? Math.max(1, Math.floor(length / 3)) : 0;
    const maximum = Math.min(minimum - 1, limit);
    // A short name, such as `id`, must be a whole word of the given name.
    const isPart =
      each.length > 2
        ? name.startsWith(each) || name.endsWith(each)
        : name.startsWith(`${each}_`) || name.endsWith(`_${each}`);
    const edits = editDistance(given, normalize(each), maximum);
    const distance = isPart ? Math.min(1, edits) : edits;
    if (distance <= maximum) [closest, minimum] = [each, distance];
  }
  return closest;
}

/**
 * Checks whether a name is within some typos of another.
 * @param maximum the number of typos; by default one, or two if the other name has more than five letters
 */
export function isMisspelling(
  name: string,
  other: string,
  maximum = other.length > 5 ? 2 : 1,
): boolean {
  return editDistance(normalize(name), normalize(other), maximum) <= maximum;
}

/** Suggests the known word that is closest to an unknown word. Returns an empty string if no known word is close. */
export function didYouMean(word: string, known: readonly string[]): string {
  const closest = closestName(word, known);
  return closest === undefined ? "" : `; did you mean "${closest}"?`;
}

/**
 * Returns up to three path templates that are close to an unknown path, which can start with any prefix. Omits templates
 * that have no word in common with the path.
 */
export function closestPaths(path: string, templates: readonly string[]): string[] {
  const [, version = ""] = templates[0]?.split("/") ?? [];
  const segments = path.split("/").filter(Boolean);
  const given = [version, ...segments.slice(segments.indexOf(version) + 1)];
  const distances = [...new Set(templates)].map((template) => {
    const expected = template.split("/").slice(1);
    const length = Math.max(given.length, expected.length);
    const costs = Array.from({ length }, (_, at) => costOf(given[at], expected[at]));
    const isClose = costs.some(
      (cost, at) => at > 0 && cost <= TYPO && !expected[at]?.startsWith("{"),
    );
    return { template, isClose, distance: costs.reduce((sum, each) => sum + each, 0) };
  });
  const closest = distances.filter((each) => each.isClose).sort((a, b) => a.distance - b.distance);
  return closest.slice(0, 3).map(({ template }) => template);
}

/** The cost of a misspelled segment. */
const TYPO = 0.3;

/** Compares a segment of a path with a segment of a template. A parameter prefers a value with a digit to a word. */
function costOf(segment: string | undefined, expected: string | undefined): number {
  if (segment === expected) return 0;
  if (segment === undefined || expected === undefined) return 1;
  if (expected.startsWith("{")) return /\d/.test(segment) ? 0.1 : 0.6;
  return isMisspelling(segment, expected) ? TYPO : 1.2;
}

/** Converts a name to lowercase without punctuation, so that `release_date` and `releaseDate` count as one name. */
function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Computes the Damerau-Levenshtein distance: the number of characters to change, add, remove, or swap. */
function editDistance(a: string, b: string, maximum: number): number {
  // The distance is at least the difference between the lengths.
  if (Math.abs(a.length - b.length) > maximum) return Infinity;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
