import type { SchemaError, Validator } from "./description.js";

/** An error about one of these keywords can mean that the text stands for a value of another type. */
const ABOUT_TYPE = /^(type|enum|const|anyOf|oneOf)$/;

/** A value that a text can stand for, and what is wrong with the value. */
interface Reading {
  value: unknown;
  errors: readonly SchemaError[];
}

/**
 * Reads the text of a parameter or header as a number or boolean, as text, or as an array, whichever the schema accepts
 * first. If the schema accepts none, returns the value that comes closest, with its errors.
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

/** The values that a text can stand for, the most specific one first. */
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
