import { choosePlaceholder, constantsIn } from "../../src/contract/record/placeholders.js";
import { toReferenceToken } from "../../src/openapi/pointer.js";
import { walkValues, type Subject, type WalkedValue } from "../../src/openapi/walk-values.js";
import type { Json } from "../../src/openapi/description.js";

/** For each common form of a string, the placeholder with the same form. */
const FORMS: readonly (readonly [form: RegExp, placeholder: string])[] = [
  [/^\d{4}-\d\d-\d\d$/, "2020-01-01"],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/, "2020-01-01 00:00:00 UTC"],
  [/^\d{4}-\d\d-\d\dT[\d:]+\.\d+Z$/, "2020-01-01T00:00:00.000Z"],
  [/^\d{4}-\d\d-\d\dT[\d:]+Z$/, "2020-01-01T00:00:00Z"],
  [/^https?:\/\//, "https://example.org/x"],
  [/^\/./, "/x.jpg"],
  [/^tt\d+$/, "tt0000001"],
  [/^nm\d+$/, "nm0000001"],
  [/^\d+$/, "7"],
  [/^\d+(\|\d+)+$/, "7|7"],
  [/^[0-9a-f]{24}$/, "0".repeat(24)],
  [/^[0-9a-f]{32}$/, "0".repeat(32)],
  [/^[0-9a-f]{40}$/, "0".repeat(40)],
  [/^[a-z]{2}$/, "en"],
  [/^[A-Z]{2}$/, "US"],
  [/^[a-z]{2}-[A-Z]{2}$/, "en-US"],
  [/^[A-Z]\w+\/[A-Z]/, "Region/City"],
];
const TEXT = "text";
const NUMBERS = [7, 6.5, 1, 0];
/** Matches the name of a property. Other keys can identify a person, so they are kept only in declared maps. */
const NAME = /^[A-Za-z_][\w/-]{0,40}$/;

/**
 * Replaces each value in a body with a placeholder. Keeps types, forms, nulls, empty values, property names, declared
 * map keys, and the constants, enumerated values, and known values of the schema. Keeps one item of each shape in a
 * list or a map.
 */
export function withPlaceholders(subject: Subject): Json {
  const walked = new Map([...walkValues(subject)].map((each) => [each.pointer, each]));
  const replace = (value: Json, pointer: string): Json => {
    const schemas = walked.get(pointer)!.schemas.map(({ schema }) => schema);
    const isNamed = schemas.some((each) => constantsIn(each).includes(value));
    if (value === null || value === "" || isNamed) return value;
    if (typeof value === "boolean") return true;
    if (typeof value === "string" || typeof value === "number")
      return choosePlaceholder(value, schemas, preferredTo(value));
    const entries = Object.entries(value).map(([key, each]) => {
      const inner = pointer + toReferenceToken(key);
      return [keyOf(key, walked.get(inner)!), replace(each, inner)] as const;
    });
    if (Array.isArray(value)) return distinct(entries).map(([, each]) => each);
    const isMap = Object.keys(value).some((key) =>
      isMapKey(walked.get(pointer + toReferenceToken(key))!),
    );
    const kept = isMap ? distinct(entries) : entries;
    return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };
  return replace(subject.body, "");
}

/** Returns whether a key is declared as the key of a map, not as the name of a property. */
function isMapKey({ declaring, pointer }: WalkedValue): boolean {
  const token = pointer.slice(pointer.lastIndexOf("/"));
  return declaring.length > 0 && !declaring.some((each) => each.endsWith(`/properties${token}`));
}

function keyOf(key: string, walked: WalkedValue): string {
  return NAME.test(key) || isMapKey(walked) ? key : TEXT;
}

/** Returns the placeholders that evidence prefers to those of a recording. */
function preferredTo(value: string | number): Json[] {
  if (typeof value === "number")
    return NUMBERS.filter((each) => Number.isInteger(each) === Number.isInteger(value));
  const usual = FORMS.find(([form]) => form.test(value))?.[1] ?? TEXT;
  return [usual, ...FORMS.map(([, each]) => each), TEXT];
}

/** Keeps the first entry with each value. */
function distinct(entries: readonly (readonly [string, Json])[]) {
  const seen = new Set<string>();
  return entries.filter(([, value]) => {
    const text = JSON.stringify(value);
    return !seen.has(text) && seen.add(text);
  });
}
