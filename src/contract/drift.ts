import type { Fault } from "./fault.js";
import { nearest } from "./nearest.js";
import { step } from "./pointer.js";
import type { Schema } from "./schema.js";
import { list, short } from "./short.js";
import type { Description, Json } from "./types.js";
import { isObject, memberOf, walk, type Part, type Place } from "./walk.js";

/** Keywords that name members, or say that any may be there. */
const NAMING = ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"];
/** Keywords that say nothing of what a value is like. */
const SILENT =
  /^(x-.*|description|title|deprecated|examples?|default|readOnly|writeOnly|\$comment|\$ref)$/;

/**
 * What a body holds and the description does not: fields that nothing declares, and what is seen where the source
 * says "not shown". Walks schema and instance itself, so that it neither closes a schema nor depends on its validity.
 */
export function driftOf(description: Description, schema: string, body: Json): Fault[] {
  const faults: Fault[] = [];
  walk(description, schema, body, (place) => {
    const gap = gapOf(place.parts);
    const observed = valueFault(description, place, gap);
    if (observed) faults.push(observed);
    if (gap && isFree(place.parts)) return false;
    if (isObject(place.value)) faults.push(...fieldFaults(description, place));
    return undefined;
  });
  return faults;
}

/** The names that a description gives to the members of an object. */
export function declaredNames(parts: readonly Part[]): string[] {
  return [...new Set(parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))];
}

/** The gap that a schema is marked with, and the part that has the mark. */
export function gapOf(parts: readonly Part[]): { id: string; part: Part } | undefined {
  for (const part of parts) {
    const [first] = (part.schema["x-not-specified"] ?? []) as { id: string }[];
    if (first) return { id: first.id, part };
  }
  return undefined;
}

function valueFault(
  description: Description,
  place: Place,
  gap: ReturnType<typeof gapOf>,
): Fault | undefined {
  const known = place.parts.find(({ pointer }) =>
    Object.hasOwn(description.config.occurs, pointer),
  );
  const occurs = known && description.config.occurs[known.pointer];
  if (!gap || (occurs ? occurs.includes(place.value as never) : !isFree(place.parts)))
    return undefined;
  const expected = occurs
    ? occurs.map((each) => short(each)).join(" or ")
    : "not shown by the source";
  const { pointer, shape, value } = place;
  const spec = gap.part.pointer;
  return {
    rule: "gap/value",
    pointer,
    shape,
    spec,
    expected,
    actual: short(value, pointer),
    gap: gap.id,
  };
}

function fieldFaults(description: Description, place: Place): Fault[] {
  const { parts, value } = place;
  if (!isObject(value) || !parts.some(isNaming)) return [];
  const declared = declaredNames(parts);
  return Object.keys(value).flatMap((key): Fault[] => {
    const { pointers } = memberOf(parts, key);
    const gap = openAt(description, parts, pointers);
    if (pointers.length > 0 && !gap) return [];
    const pointer = place.pointer + step(key);
    const actual = short(value[key], pointer);
    if (gap) {
      const expected = `further fields are not shown by the source`;
      const spec = gap.part.pointer;
      return [
        {
          rule: "gap/field",
          pointer,
          shape: place.shape,
          spec,
          expected,
          actual,
          declared,
          gap: gap.id,
        },
      ];
    }
    const spec = parts.findLast(isNaming)?.pointer ?? "";
    const expected = declared.length > 0 ? `one of ${list(declared)}` : "no such field";
    const absent = declared.filter((name) => !Object.hasOwn(value, name));
    const shape = place.shape + step(key);
    const didYouMean = nearest(key, absent);
    return [{ rule: "drift/field", pointer, shape, spec, expected, actual, declared, didYouMean }];
  });
}

function isNaming({ schema }: Part): boolean {
  return NAMING.some((keyword) => schema[keyword] !== undefined);
}

/** The gap of an object whose further fields are not shown, where a member is one of these. */
function openAt(
  description: Description,
  parts: readonly Part[],
  members: readonly string[],
): ReturnType<typeof gapOf> {
  return gapOf(
    parts.filter(({ pointer, schema }) =>
      members.length === 0
        ? description.config.open.includes(pointer)
        : members.every((each) => each === `${pointer}/additionalProperties`) &&
          isAny(schema.additionalProperties),
    ),
  );
}

function isAny(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

/** Whether nothing is said of a value: what stands there is not shown. */
function isFree(parts: readonly Part[]): boolean {
  return parts.every(({ schema }: { schema: Schema }) =>
    Object.keys(schema).every((keyword) => SILENT.test(keyword)),
  );
}
