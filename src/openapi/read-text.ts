import type { SchemaError, Validator } from "./description.js";
import { parsePointer } from "./pointer.js";

/** Keywords whose errors can mean that the text must be converted to a different type. */
const ABOUT_TYPE = /^(type|enum|const|anyOf|oneOf)$/;

/** A possible value of a parameter or header that was sent as text, with the value's validation errors. */
interface Reading {
  value: unknown;
  errors: readonly SchemaError[];
}

/**
 * Converts the text of a parameter, header, or text body to the type that the schema accepts. Tries a number or boolean
 * first, then text, an array, and an object. If the schema rejects every value, returns a value of the right type if
 * possible, with its validation errors.
 */
export function readText(given: readonly string[], validate: Validator): Reading {
  const rejected: Reading[] = [];
  for (const [converted, text] of readingsOf(given)) {
    let [value, errors] = [converted, validate(converted)];
    const mistyped = errors.filter(isAboutType);
    if (isStructure(text) && mistyped.every(({ instancePath }) => instancePath !== "")) {
      // Some items or fields are strings that look like numbers or booleans.
      value = restore(converted as object, text, mistyped);
      errors = validate(value);
    }
    if (!errors.some(isAboutType)) return { value, errors };
    rejected.push({ value, errors });
  }
  const hasOtherType = ({ errors }: Reading) =>
    errors.some(({ keyword, instancePath }) => keyword === "type" && instancePath === "");
  return rejected.find((each) => !hasOtherType(each)) ?? rejected[0]!;
}

function isStructure(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isAboutType({ keyword }: SchemaError): boolean {
  return ABOUT_TYPE.test(keyword);
}

/** Replaces the converted items or fields that have errors with their text. */
function restore(converted: object, text: object, errors: readonly SchemaError[]): object {
  const keys = new Set(errors.map(({ instancePath }) => parsePointer(instancePath)[0]));
  const texts = new Map(Object.entries(text));
  const restored = Object.entries(converted).map(([key, value]): [string, unknown] => [
    key,
    keys.has(key) ? texts.get(key) : value,
  ]);
  return Array.isArray(converted) ? restored.map(([, each]) => each) : Object.fromEntries(restored);
}

/**
 * Returns the possible values of a parameter or header that was sent as text, most specific first. Each value comes with
 * the same value before its numbers and booleans were converted.
 */
function readingsOf(given: readonly string[]): [converted: unknown, text: unknown][] {
  const [first = ""] = given;
  const parts = given.flatMap((each) => each.split(/, ?/));
  // The `simple` style separates a name from its value with an equals sign if `explode` is true, and with a comma
  // otherwise.
  const pairs = parts.every((each) => each.includes("="))
    ? parts.map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)])
    : parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1] ?? ""]] : []));
  const objects = pairs.length * 2 === parts.length || pairs.length === parts.length ? [pairs] : [];
  return [
    [readScalar(first), first],
    [first, first],
    ...[parts, given].map((list): [unknown, unknown] => [list.map(readScalar), list]),
    ...objects.map((entries): [unknown, unknown] => [
      Object.fromEntries(entries.map(([name, value = ""]) => [name, readScalar(value)])),
      Object.fromEntries(entries),
    ]),
  ];
}

/** Converts text to a number or boolean, if possible. */
function readScalar(text: string): unknown {
  const isScalar = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false)$/.test(text);
  return isScalar ? JSON.parse(text) : text;
}
