const LONGEST = 80;
const SECRET_NAME = /token|session|secret|password|api_?key|authorization|cookie|hash/i;
/** Long runs without a space are tokens more often than words. */
const SECRET_VALUE = /[\w+/=.~-]{32,}/g;

/**
 * A value as a finding shows it: JSON of at most 80 characters, without what may be a secret.
 * @param place pointer of the value, by whose names secrets are known
 */
export function short(value: unknown, place = ""): string {
  if (value === undefined) return "absent";
  if (typeof value === "string" && SECRET_NAME.test(place))
    return `a string of ${value.length} characters`;
  // Most of a large value would be thrown away again.
  if (typeof value === "object" && value !== null) return outline(value);
  const json = JSON.stringify(typeof value === "string" ? value.slice(0, 2 * LONGEST) : value);
  return cut(json.replace(SECRET_VALUE, "…"));
}

/** Names as a finding lists them. */
export function list(names: readonly string[]): string {
  return cut(names.map((name) => `\`${name.replace(SECRET_VALUE, "…")}\``).join(", "));
}

function outline(value: object): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  const keys = Object.keys(value);
  return keys.length === 0 ? "an object without members" : cut(`an object with ${list(keys)}`);
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
