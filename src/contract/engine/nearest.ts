/** The name closest to another; undefined if none is close enough to suggest. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  const given = plain(name);
  for (const each of names) {
    // A change to a one-letter name leaves nothing to compare.
    const most = each.length > 1 ? Math.max(1, Math.floor(each.length / 3)) : 0;
    const furthest = Math.min(least - 1, most);
    const distance = contains(name, each) ? 1 : edits(given, plain(each), furthest);
    if (distance <= furthest) [best, least] = [each, distance];
  }
  return best;
}

/** `release_date` and `releaseDate` count as the same name. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Whether a name begins or ends with another. */
function contains(name: string, other: string): boolean {
  return other.length > 2 && (name.startsWith(other) || name.endsWith(other));
}

/** Damerau-Levenshtein distance: changed, added, removed and swapped characters. */
function edits(a: string, b: string, most: number): number {
  // The lengths alone rule out many pairs.
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
