import { SECRET_NAME } from "../secret-name.js";

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
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) {
    const names = list(Object.keys(value));
    return names === "" ? "an object without members" : cut(`an object with ${names}`);
  }
  // JSON cannot represent Infinity.
  if (typeof value !== "string") return String(value);
  if (SECRET_NAME.test(place)) return `a string of ${value.length} characters`;
  return cut(JSON.stringify(startOf(value, 2 * LONGEST)).replace(SECRET_VALUE, "…"));
}

/** Formats a path for a finding. A segment with a digit counts as a secret if the previous segment names one. */
export function shortPath(path: string): string {
  const shown = path.split("/").map((name, index, names) => {
    const isSecret = SECRET_NAME.test(names[index - 1] ?? "") && /\d/.test(name);
    return isSecret ? "…" : name.replace(SECRET_VALUE, "…");
  });
  return cut(shown.join("/"));
}

/** Formats a list of names for a finding. */
export function list(names: readonly string[]): string {
  return cut(names.map((name) => `\`${name.replace(SECRET_VALUE, "…")}\``).join(", "));
}

/** Formats a list of values for a finding. */
export function either(values: readonly unknown[]): string {
  return values.map((each) => short(each)).join(" or ");
}

function cut(text: string): string {
  return text.length > LONGEST ? `${startOf(text, LONGEST - 1)}…` : text;
}

/** Never splits a surrogate pair. */
function startOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
