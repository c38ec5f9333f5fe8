import type { SchemaError, Validator } from "./description.js";

/** Keywords whose errors can mean that the text must be converted to a different type. */
const ABOUT_TYPE = /^(type|enum|const|anyOf|oneOf)$/;

/** A value that the text of a parameter or header can stand for, with the value's validation errors. */
interface Reading {
  value: unknown;
  errors: readonly SchemaError[];
}

/**
 * Converts the text of a parameter or header to the type that the schema accepts. Tries a number or boolean first, then
 * text, then an array. If the schema rejects every value, returns a value of the right type if possible, with its
 * validation errors.
 */
export function readText(given: readonly string[], validate: Validator): Reading {
  const rejected: Reading[] = [];
  for (const value of readingsOf(given)) {
    const errors = validate(value);
    if (!errors.some(({ keyword }) => ABOUT_TYPE.test(keyword))) return { value, errors };
    rejected.push({ value, errors });
  }
  const hasOtherType = ({ errors }: Reading) =>
    errors.some(({ keyword, instancePath }) => keyword === "type" && instancePath === "");
  return rejected.find((each) => !hasOtherType(each)) ?? rejected[0]!;
}

/** Returns the values that the text of a parameter or header can stand for, most specific first. */
function readingsOf(given: readonly string[]): unknown[] {
  const scalars = given.slice(0, 1).flatMap((text) => [readScalar(text), text]);
  const lists = [given.flatMap((each) => each.split(/, ?/)), given];
  return [...scalars, ...lists.map((list) => list.map(readScalar)), ...lists];
}

/** Converts text to a number or boolean, if possible. */
function readScalar(text: string): unknown {
  const isScalar = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false)$/.test(text);
  return isScalar ? JSON.parse(text) : text;
}
