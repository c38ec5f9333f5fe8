import type { Fault } from "./fault.js";
import { nearest } from "./nearest.js";
import { step } from "./pointer.js";
import type { Part } from "./schema.js";
import { list, short } from "./short.js";
import type { ContractConfig, Json } from "./types.js";
import { isObject } from "./union.js";
import { either } from "./value.js";
import { memberOf, walk, type Place, type Subject } from "./walk.js";

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
    const gap = gapOf(place.parts);
    if (gap) faults.push(...gapFaults(config, place, gap));
    if (gap && isFree(place.parts)) return false;
    if (isObject(place.value)) faults.push(...fieldFaults(config, place, place.value));
    return undefined;
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
function gapFaults(
  { occurs: known }: ContractConfig,
  { parts, pointer, shape, value }: Place,
  gap: { gap: string; spec: string },
): Fault[] {
  const { pointer: named = "" } = parts.find((part) => Object.hasOwn(known, part.pointer)) ?? {};
  const occurs = known[named];
  if (occurs ? occurs.includes(value) : !isFree(parts)) return [];
  const expected = occurs ? either(occurs) : "not shown by the source";
  return [{ rule: "gap/value", pointer, shape, expected, actual: short(value, pointer), ...gap }];
}

function fieldFaults(
  { open }: ContractConfig,
  { parts, pointer: parent, shape }: Place,
  value: { [key: string]: Json },
): Fault[] {
  const naming = parts.filter(({ schema }) => NAMING.some((each) => schema[each] !== undefined));
  if (naming.length === 0) return [];
  const declared = declaredNames(parts);
  return Object.keys(value).flatMap((key): Fault[] => {
    const members = memberOf(parts, key);
    const gap = gapOf(parts.filter((part) => isOpen(part, members, open)));
    if (members.length > 0 && !gap) return [];
    const pointer = parent + step(key);
    const fault = { pointer, actual: short(value[key], pointer), declared };
    if (gap) {
      const expected = "further fields are not shown by the source";
      return [{ ...fault, rule: "gap/field", shape, expected, ...gap }];
    }
    const absent = declared.filter((name) => !Object.hasOwn(value, name));
    return [
      {
        ...fault,
        rule: "drift/field",
        shape: shape + step(key),
        spec: naming.at(-1)?.pointer ?? "",
        expected: declared.length > 0 ? `one of ${list(declared)}` : "no such field",
        didYouMean: nearest(key, absent),
      },
    ];
  });
}

/** Whether further fields of an object are not shown, and a member is one of these. */
function isOpen({ pointer, schema }: Part, members: string[], open: readonly string[]): boolean {
  if (members.length === 0) return open.includes(pointer);
  const { additionalProperties: more } = schema;
  const isAny = more === true || (isObject(more) && Object.keys(more).length === 0);
  return isAny && members.every((each) => each === `${pointer}/additionalProperties`);
}

/** Whether nothing is said of a value: what stands there is not shown. */
export function isFree(parts: readonly Part[]): boolean {
  const keywords = parts.flatMap(({ schema }) => Object.keys(schema));
  return keywords.every((keyword) => SILENT.test(keyword));
}
