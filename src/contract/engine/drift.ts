import type { Fault } from "./fault.js";
import { nearest } from "./nearest.js";
import { lastOf } from "./pointer.js";
import type { Part } from "./schema.js";
import { list, short } from "./short.js";
import type { ContractConfig } from "./types.js";
import { isObject, typeOf } from "./union.js";
import { either } from "./value.js";
import { placesIn, type Place, type Subject } from "./walk.js";

/** Keywords that name members, or say that any may be there. */
const NAMING = ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"];
/** Keywords that say nothing of what a value is like. */
const SILENT =
  /^(x-.*|description|title|deprecated|examples?|default|readOnly|writeOnly|\$comment|\$ref)$/;

/**
 * What a body holds and the description does not: fields and values that nothing declares, and what is seen where the source
 * says "not shown". Walks schema and instance itself, so that it neither closes a schema nor depends on its validity.
 */
export function driftOf(subject: Subject, places = placesIn(subject)): Fault[] {
  const { config } = subject.description;
  const faults: Fault[] = [];
  for (const place of places)
    faults.push(...fieldFaults(config, place), ...valueFaults(config, place));
  return faults;
}

/** The names that a description gives to the members of an object. */
export function declaredNames(parts: readonly Part[]): string[] {
  return [...new Set(parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))];
}

/** Which of the declared names that an object does not have a member of it may be meant for. */
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

/** A value where nothing is said of it, or that is none of those which are known to occur. */
function valueFaults(config: ContractConfig, { parts, pointer, shape, value }: Place): Fault[] {
  const gap = gapOf(parts);
  const fault = () => ({ pointer, shape, actual: short(value, pointer) });
  const named = parts.find((part) => Object.hasOwn(config.occurs, part.pointer));
  if (!named) return gap && isFree(parts) ? [{ ...fault(), rule: "gap/value", ...gap }] : [];
  const { [named.pointer]: occurs = [] } = config.occurs;
  if (occurs.includes(value)) return [];
  const expected = either(occurs);
  // Where the source says that others are not shown, another is no surprise.
  if (gap) return [{ ...fault(), rule: "gap/value", ...gap, expected }];
  // Whether one of another type may be there, its type says.
  if (!occurs.some((each) => typeOf(each) === typeOf(value))) return [];
  return [{ ...fault(), rule: "drift/value", spec: named.pointer, expected }];
}

/** A member of an object that nothing declares, or that is one of those which are not shown. */
function fieldFaults(config: ContractConfig, place: Place): Fault[] {
  const { pointer, shape, value, schemas, around } = place;
  if (!around || !isObject(around.value)) return [];
  const { parts } = around;
  const gap = gapOf(parts.filter((part) => isOpen(part, schemas, config)));
  if (schemas.length > 0 && !gap) return [];
  const naming = parts.findLast(({ schema }) => NAMING.some((each) => schema[each] !== undefined));
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

/** Whether further fields of an object are not shown, and one of which these schemas speak is among them. */
function isOpen({ pointer, schema }: Part, schemas: string[], { open }: ContractConfig): boolean {
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
