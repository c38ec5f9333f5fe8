import type { Fault } from "./finding.js";
import { nearest } from "./nearest.js";
import { lastOf } from "./pointer.js";
import { isObject, typeOf, type Part } from "./schema.js";
import { either, list, short } from "./short.js";
import type { Json } from "./types.js";
import type { Place } from "./walk.js";

/** Keywords that say nothing about a value. */
const SILENT = /^(x-.*|description|title|deprecated|examples?|default|\$ref)$/;

/**
 * Finds what a body holds and the description does not: undeclared fields and values, and anything where the source
 * says "not shown". It needs neither closed schemas nor a valid body.
 */
export function driftOf(places: readonly Place[]): Fault[] {
  const faults: Fault[] = [];
  for (const place of places) faults.push(...fieldFaults(place), ...valueFaults(place));
  return faults;
}

/** The names that a description declares for the members of an object. */
export function declaredNames(parts: readonly Part[]): string[] {
  return [...new Set(parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))];
}

/** The closest declared name that an object lacks. */
export function meantFor(pointer: string, { parts, value }: Place): string | undefined {
  const absent = declaredNames(parts).filter((name) => !Object.hasOwn(value as object, name));
  return nearest(lastOf(pointer), absent);
}

/** The gap that a schema is marked with, as a fault has it. */
export function gapOf(
  parts: readonly Part[],
): Pick<Fault, "gap" | "spec" | "expected"> | undefined {
  for (const { pointer, schema } of parts) {
    const [first] = (schema["x-not-specified"] ?? []) as { id: string }[];
    if (first) return { gap: first.id, spec: pointer, expected: "not shown by the source" };
  }
  return undefined;
}

/** A value that the source does not show, or that is not among the known values. */
function valueFaults({ parts, pointer, shape, value }: Place): Fault[] {
  const gap = gapOf(parts);
  const fault = () => ({ pointer, shape, actual: short(value, pointer) });
  const named = parts.find(({ schema }) => schema["x-known-values"] !== undefined);
  if (!named) return gap && isFree(parts) ? [{ ...fault(), rule: "gap/value", ...gap }] : [];
  const known = named.schema["x-known-values"] as Json[];
  if (known.includes(value)) return [];
  const expected = either(known);
  // The source leaves further values open.
  if (gap) return [{ ...fault(), rule: "gap/value", ...gap, expected }];
  // `type` decides about values of another type.
  if (!known.some((each) => typeOf(each) === typeOf(value))) return [];
  return [{ ...fault(), rule: "drift/value", spec: named.pointer, expected }];
}

/** A member that nothing declares, or that belongs to those which the source does not show. */
function fieldFaults({ pointer, shape, value, schemas, around }: Place): Fault[] {
  if (!around || !isObject(around.value)) return [];
  const { parts } = around;
  const gap = gapOf(parts.filter((part) => isOpen(part, schemas)));
  if (schemas.length > 0 && !gap) return [];
  const naming = parts.findLast(
    ({ schema }) => schema.properties ?? schema.additionalProperties !== undefined,
  );
  if (!naming) return [];
  const declared = declaredNames(parts);
  const fault = { pointer, actual: short(value, pointer), declared };
  if (gap) {
    const expected = "further fields are not shown by the source";
    return [{ ...fault, rule: "gap/field", shape: around.shape, ...gap, expected }];
  }
  const expected = declared.length > 0 ? `one of ${list(declared)}` : "no such field";
  const didYouMean = meantFor(pointer, around);
  return [{ ...fault, rule: "drift/field", shape, spec: naming.pointer, expected, didYouMean }];
}

/** Whether the source does not show all fields of an object, and these schemas leave a member to that. */
function isOpen({ pointer, schema }: Part, schemas: readonly string[]): boolean {
  if (schemas.length === 0) return schema["x-open"] === true;
  const isAny = schema.additionalProperties === true;
  return isAny && schemas.every((each) => each === `${pointer}/additionalProperties`);
}

/** Whether the description says nothing about a value. */
export function isFree(parts: readonly Part[]): boolean {
  return parts.every(({ schema }) => Object.keys(schema).every((keyword) => SILENT.test(keyword)));
}
