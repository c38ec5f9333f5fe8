/** Names of fields, headers and parameters that hold a secret. Names of dates, counts and types do not match. */
export const NAMES = String.raw`(?:token|secret|pass(?:w(?:or)?d|phrase|code)|pwd|sess(?:ion|_?id)|(?<![a-z])sid(?![a-z])|cookie|credential|jwt|bearer|[cx]srf|signature|hash(?!tag)|(?:access|api|encryption|private|session|signing|subscription)[\s_-]?key|auth(?!or(?!i[sz]ation)|entic(?!ation)|entication[_-]callback))(?![\w-]{0,30}(?:expir|type|count|_at\b))`;
export const SECRET_NAME = new RegExp(NAMES, "i");

const LONGEST = 80;
/** A long run without spaces is a token more often than a word. */
const SECRET_VALUE = /[\w+/=.~%&#;\\-]{32,}/g;

/**
 * Formats a value for a finding: at most 80 characters of JSON, without possible secrets.
 * @param place pointer to the value; its names reveal whether the value is a secret
 */
export function short(value: unknown, place = ""): string {
  if (value === undefined) return "absent";
  // Serializing a large value would be wasted work.
  if (Array.isArray(value)) return `an array of ${counted(value.length, "item")}`;
  if (typeof value === "object" && value !== null) {
    const names = list(Object.keys(value));
    return names === "" ? "an empty object" : cut(`an object with ${names}`);
  }
  // JSON cannot represent Infinity.
  if (typeof value !== "string") return String(value);
  if (SECRET_NAME.test(place)) return `a string of ${counted(value.length, "character")}`;
  return cut(withoutTokens(JSON.stringify(startOf(value, 2 * LONGEST))));
}

/** In a text of several megabytes, the pattern would overflow the stack. */
function withoutTokens(text: string): string {
  return startOf(text, 4096).replace(SECRET_VALUE, "…");
}

/** Formats a path for a finding. A segment with a digit counts as a secret if the previous segment names one. */
export function shortPath(path: string): string {
  const shown = path.split("/").map((name, index, names) => {
    const isSecret = SECRET_NAME.test(names[index - 1] ?? "") && /\d/.test(name);
    return isSecret ? "…" : withoutTokens(name);
  });
  return cut(shown.join("/"));
}

/** Formats a list of names for a finding. */
export function list(names: readonly string[]): string {
  return cut(names.map((name) => `\`${withoutTokens(name)}\``).join(", "));
}

/** Formats a list of values for a finding. */
export function either(values: readonly unknown[]): string {
  return values.map((each) => short(each)).join(" or ");
}

/** `1 finding`, `2 findings`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function cut(text: string): string {
  return text.length > LONGEST ? `${startOf(text, LONGEST - 1)}…` : text;
}

/** Never splits a surrogate pair. */
function startOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

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
