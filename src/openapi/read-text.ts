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
 * first, then text, and an array. If the schema rejects every value, returns a value of the right type if
 * possible, with its validation errors.
 */
export function readText(given: readonly string[], validate: Validator): Reading {
  const rejected: Reading[] = [];
  for (const [converted, text] of readingsOf(given)) {
    let [value, errors] = [converted, validate(converted)];
    const mistyped = errors.filter(isAboutType);
    if (Array.isArray(text) && mistyped.every(({ instancePath }) => instancePath !== "")) {
      // Some items are strings that look like numbers or booleans.
      value = restore(converted as unknown[], text, mistyped);
      errors = validate(value);
    }
    if (!errors.some(isAboutType)) return { value, errors };
    rejected.push({ value, errors });
  }
  const hasOtherType = ({ errors }: Reading) =>
    errors.some(({ keyword, instancePath }) => keyword === "type" && instancePath === "");
  return rejected.find((each) => !hasOtherType(each)) ?? rejected[0]!;
}

function isAboutType({ keyword }: SchemaError): boolean {
  return ABOUT_TYPE.test(keyword);
}

/** Replaces the converted items that have errors with their text. */
function restore(
  converted: readonly unknown[],
  text: readonly unknown[],
  errors: readonly SchemaError[],
): unknown[] {
  const indexes = new Set(errors.map(({ instancePath }) => parsePointer(instancePath)[0]));
  return converted.map((value, index) => (indexes.has(String(index)) ? text[index] : value));
}

/**
 * Returns the possible values of a parameter or header that was sent as text, most specific first. Each value comes with
 * the same value before its numbers and booleans were converted. Empty text can be an empty list.
 */
function readingsOf(given: readonly string[]): [converted: unknown, text: unknown][] {
  const [first = ""] = given;
  const parts = given.flatMap((each) => each.split(/, ?/));
  const lists = [parts, given, ...(first === "" ? [[]] : [])];
  return [
    [readScalar(first), first],
    [first, first],
    ...lists.map((list): [unknown, unknown] => [list.map(readScalar), list]),
  ];
}

/** Converts text to a number or boolean, if possible. */
function readScalar(text: string): unknown {
  const isScalar = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false)$/.test(text);
  return isScalar ? JSON.parse(text) : text;
}
