import type { Fault } from "./fault.js";
import { nearest } from "./nearest.js";
import { stepsOf } from "./pointer.js";
import type { Part } from "./schema.js";
import { list, short } from "./short.js";
import type { ContractConfig } from "./types.js";
import { isObject } from "./union.js";
import { either } from "./value.js";
import { walk, type Place, type Subject } from "./walk.js";

/** Keywords that name members, or say that any may be there. */
const NAMING = ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"];
/** Keywords that say nothing of what a value is like. */
const SILENT =
  /^(x-.*|description|title|deprecated|examples?|default|readOnly|writeOnly|\$comment|\$ref)$/;

/**
 * What a body holds and the description does not: fields that nothing declares, and what is seen where the source
 * says "not shown". Walks schema and instance itself, so that it neither closes a schema nor depends on its validity.
 */
export function driftOf(subject: Subject): Fault[] {
  const { config } = subject.description;
  const faults: Fault[] = [];
  walk(subject, (place) => {
    const field = fieldFault(config, place);
    if (field) faults.push(field);
    const gap = gapOf(place.parts);
    if (!gap) return true;
    const value = gapFault(config, place, gap);
    if (value) faults.push(value);
    return !isFree(place.parts);
  });
  return faults;
}

/** The names that a description gives to the members of an object. */
export function declaredNames(parts: readonly Part[]): string[] {
  return [...new Set(parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))];
}

/** The id of the gap that a schema is marked with, and where the mark is. */
export function gapOf(parts: readonly Part[]): { gap: string; spec: string } | undefined {
  for (const { pointer, schema } of parts) {
    const [first] = (schema["x-not-specified"] ?? []) as { id: string }[];
    if (first) return { gap: first.id, spec: pointer };
  }
  return undefined;
}

/** A value where nothing is said of it, or that is none of those which are known to occur. */
function gapFault(
  { occurs: known }: ContractConfig,
  { parts, pointer, shape, value }: Place,
  gap: { gap: string; spec: string },
): Fault | undefined {
  const { pointer: named = "" } = parts.find((part) => Object.hasOwn(known, part.pointer)) ?? {};
  const occurs = known[named];
  if (occurs ? occurs.includes(value) : !isFree(parts)) return undefined;
  const expected = occurs ? either(occurs) : "not shown by the source";
  return { rule: "gap/value", pointer, shape, expected, actual: short(value, pointer), ...gap };
}

/** A member of an object that nothing declares, or that is one of those which are not shown. */
function fieldFault(
  { open }: ContractConfig,
  { pointer, shape, value, schemas, around }: Place,
): Fault | undefined {
  if (!around || !isObject(around.value)) return undefined;
  const { parts, value: object } = around;
  const gap = gapOf(parts.filter((part) => isOpen(part, schemas, open)));
  if (schemas.length > 0 && !gap) return undefined;
  const spec = parts.findLast(({ schema }) => NAMING.some((each) => schema[each] !== undefined));
  if (!spec) return undefined;
  const declared = declaredNames(parts);
  const fault = { pointer, actual: short(value, pointer), declared };
  if (gap) {
    const expected = "further fields are not shown by the source";
    return { ...fault, rule: "gap/field", shape: around.shape, expected, ...gap };
  }
  const absent = declared.filter((name) => !Object.hasOwn(object, name));
  return {
    ...fault,
    rule: "drift/field",
    shape,
    spec: spec.pointer,
    expected: declared.length > 0 ? `one of ${list(declared)}` : "no such field",
    didYouMean: nearest(stepsOf(pointer).at(-1) ?? "", absent),
  };
}

/** Whether further fields of an object are not shown, and one of which these schemas speak is among them. */
function isOpen({ pointer, schema }: Part, schemas: string[], open: readonly string[]): boolean {
  if (schemas.length === 0) return open.includes(pointer);
  const { additionalProperties: more } = schema;
  const isAny = more === true || (isObject(more) && Object.keys(more).length === 0);
  return isAny && schemas.every((each) => each === `${pointer}/additionalProperties`);
}

/** Whether nothing is said of a value: what stands there is not shown. */
export function isFree(parts: readonly Part[]): boolean {
  const keywords = parts.flatMap(({ schema }) => Object.keys(schema));
  return keywords.every((keyword) => SILENT.test(keyword));
}
