import { hash } from "./hash.js";
import { jsonType } from "../../openapi/schema.js";
import type { Exchange } from "../../types/exchange.js";

const MAX_LENGTH = 80;

/**
 * Formats a value for a finding. A scalar that is not sensitive is formatted as JSON and cut off after 80 characters. For
 * any other value, returns its type and size.
 * @param isPublic whether the description declares the type of the value, and does not mark the value as sensitive
 */
export function formatValue(value: unknown, isPublic: boolean): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  // An array can be long, so only its size is shown.
  if (Array.isArray(value)) return `an array of ${pluralize(value.length, "item")}`;
  if (typeof value === "object") {
    const names = formatNames(Object.keys(value).map(maskKey));
    return names === "" ? "an empty object" : truncate(`an object with ${names}`);
  }
  if (typeof value === "string" && !isPublic)
    return `a string of ${pluralize(value.length, "character")}`;
  if (typeof value === "string") return truncate(JSON.stringify(value.slice(0, 2 * MAX_LENGTH)));
  // JSON.parse converts 1e999 to Infinity, which JSON.stringify would convert to null.
  return isPublic ? String(value) : `a ${typeof value}`;
}

/** Describes an undeclared body. */
export function describeBody({ body, text }: Pick<Exchange["response"], "body" | "text">) {
  const given = body === undefined ? text : body;
  return { value: formatValue(given, false), actual: jsonType(given) };
}

/** Describes text that should be JSON. */
export function describeText({ length } = ""): string {
  return `${pluralize(length, "character")} of text that is not JSON`;
}

/** A pattern for names that consist of words and numbers joined with underscores, such as `iso_3166_1`. */
const IDENTIFIER = /^_*[a-z]+(?:_+(?:[a-z]+|\d{1,4}))*_*$/i;
const MAX_IDENTIFIER = 40;

/** Checks whether an undeclared name looks like a field name rather than data. */
export function isPlainIdentifier(name: string): boolean {
  return name.length <= MAX_IDENTIFIER && IDENTIFIER.test(name);
}

/**
 * Returns an undeclared name unchanged if it is a plain identifier, and otherwise its length, such as "(9 characters)".
 * A name that the recorder masked already states its length.
 */
export function maskKey(key: string): string {
  const [, masked] = /^(\(\d+ characters?), #[\da-f]{4}\)$/.exec(key) ?? [];
  if (masked !== undefined) return `${masked})`;
  return isPlainIdentifier(key) ? key : `(${pluralize(key.length, "character")})`;
}

/** Matches a masked name, such as `(8 characters, #1a2b)`. */
const MASKED = /^\(\d+ characters?, #[\da-f]{4}\)$/;

/**
 * Returns an undeclared name unchanged if it is a plain identifier. Otherwise, returns its length and a short hash, so
 * that an accepted entry for one name does not accept another name. Four digits cannot reveal the name. The recorder
 * writes masked names, so a masked name stays unchanged.
 */
export function maskName(name: string): string {
  if (isPlainIdentifier(name) || MASKED.test(name)) return name;
  return `${maskKey(name).slice(0, -1)}, #${hash(name).slice(-4)})`;
}

/** Formats a list of names for a finding. */
export function formatNames(names: readonly string[]): string {
  return truncate(names.map((name) => `\`${name}\``).join(", "));
}

/** Formats the alternatives that a description allows, joined with "or". */
export function joinWithOr(values: readonly unknown[]): string {
  return values.map((each) => formatValue(each, true)).join(" or ");
}

/** Joins choices for a message, such as "pretty, json, or sarif". */
export function joinChoices(choices: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(choices);
}

/** Formats a count with its noun, such as "1 finding" or "2 findings". */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Shortens text to 80 characters, without splitting a surrogate pair. */
function truncate(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  return `${text.slice(0, MAX_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
