import { SECRET_NAME } from "../secret-name.js";

const LONGEST = 80;
/** Long runs without a space are tokens more often than words. */
const SECRET_VALUE = /[\w+/=.~%&#;\\-]{32,}/g;

/**
 * A value as a finding shows it: JSON of at most 80 characters, without what may be a secret.
 * @param place pointer of the value, by whose names secrets are known
 */
export function short(value: unknown, place = ""): string {
  if (value === undefined) return "absent";
  // Most of a large value would be thrown away again.
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) {
    const names = list(Object.keys(value));
    return names === "" ? "an object without members" : cut(`an object with ${names}`);
  }
  // JSON has no word for a number that is too large to be held.
  if (typeof value !== "string") return String(value);
  if (SECRET_NAME.test(place)) return `a string of ${value.length} characters`;
  return cut(JSON.stringify(startOf(value, 2 * LONGEST)).replace(SECRET_VALUE, "…"));
}

/** A path as a finding shows it. Behind the name of a secret, what has a digit is one. */
export function shortPath(path: string): string {
  const shown = path.split("/").map((name, index, names) => {
    const isSecret = SECRET_NAME.test(names[index - 1] ?? "") && /\d/.test(name);
    return isSecret ? "…" : name.replace(SECRET_VALUE, "…");
  });
  return cut(shown.join("/"));
}

/** Names as a finding lists them. */
export function list(names: readonly string[]): string {
  return cut(names.map((name) => `\`${name.replace(SECRET_VALUE, "…")}\``).join(", "));
}

/** Values as a finding lists them. */
export function either(values: readonly unknown[]): string {
  return values.map((each) => short(each)).join(" or ");
}

function cut(text: string): string {
  return text.length > LONGEST ? `${startOf(text, LONGEST - 1)}…` : text;
}

/** Of a letter that is two UTF-16 units no half is kept. */
function startOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
