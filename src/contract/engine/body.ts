import type { Fault } from "./rules.js";
import { at, lastOf, outerOf, parentOf, step } from "./pointer.js";
import { isObject, placesIn, typeOf, type Part, type Place, type Subject } from "./schema.js";
import { either, list, nearest, short } from "./short.js";
import type { Json } from "./types.js";
import { violationsOf, type Violation } from "./values.js";

/** Keywords that restrict nothing. */
const SILENT = /^(x-.*|description|title|deprecated|examples?|default|\$ref)$/;

/** Checks a body in two passes: first values that contradict the schema, then anything undeclared. */
export function bodyFaults(subject: Subject, places = placesIn(subject)): Fault[] {
  const { description, schema, body } = subject;
  const all = violationsOf(description.validators[schema]?.(body) ?? [], body);
  // Nothing describes the value of an invalid key.
  const keys = new Set(all.filter(({ rule }) => rule === "value/key").map((each) => each.pointer));
  const isDescribed = ({ pointer }: { pointer: string }) =>
    outerOf(parentOf(pointer), keys) === undefined;
  const violations = all.filter(isDescribed);
  const drift = driftOf(places).filter(isDescribed);
  if (violations.length === 0) return drift;
  const byPointer = new Map(places.map((place) => [place.pointer, place]));
  const wrong = violations.map((each) => faultOf(each, description.document, byPointer));
  const pointers = new Set(wrong.map(({ pointer }) => pointer));
  return withoutRenames(
    wrong,
    drift.filter(({ pointer }) => !pointers.has(pointer)),
  );
}

function faultOf(
  { rule, keyword, pointer, expected, actual, spec: keywordAt }: Violation,
  document: Json,
  places: ReadonlyMap<string, Place>,
): Fault {
  // A missing field has no place of its own.
  const isMissing = rule === "value/required";
  const here = places.get(isMissing ? parentOf(pointer) : pointer) as Place;
  const spec = specOf(keywordAt, document);
  const fault = { rule, pointer, place: here.pointer, shape: here.shape, spec, expected, actual };
  if (isMissing) {
    const name = lastOf(pointer);
    const index = (at(document, spec) as Json[]).indexOf(name);
    return {
      ...fault,
      shape: here.shape + step(name),
      spec: index < 0 ? spec : `${spec}/${index}`,
      declared: declaredNames(here.parts),
    };
  }
  if (rule === "value/key") return { ...fault, shape: `${here.around?.shape}/*` };
  // Only the union itself lists all its tags.
  const isTag = keyword === "enum" && lastOf(spec) !== "enum";
  return isTag ? { ...fault, rule: "value/tag" } : fault;
}

/** The document contains the union, but not the tests that select its branches. */
function specOf(pointer: string, document: Json): string {
  return at(document, pointer) === undefined ? specOf(parentOf(pointer), document) : pointer;
}

/** Reports a missing field and an undeclared field with a similar name as one fault: a renamed field. */
function withoutRenames(wrong: Fault[], drift: Fault[]): Fault[] {
  // If several names are similar, the first one wins, so it is set last.
  const near = new Map<string, Fault>();
  for (const each of drift.toReversed())
    if (each.didYouMean !== undefined)
      near.set(parentOf(each.pointer) + step(each.didYouMean), each);
  const renamed = new Set<Fault>();
  const faults = wrong.map((fault): Fault => {
    const other = fault.rule === "value/required" ? near.get(fault.pointer) : undefined;
    if (!other) return fault;
    renamed.add(other);
    const { pointer: place, didYouMean } = other;
    const actual = `absent, but \`${lastOf(place)}\` is present but undeclared`;
    return { ...fault, place, actual, didYouMean };
  });
  return [...faults, ...drift.filter((each) => !renamed.has(each))];
}

/** Finds undeclared fields and values, and gaps. It needs neither closed schemas nor a valid body. */
function driftOf(places: readonly Place[]): Fault[] {
  const faults: Fault[] = [];
  for (const place of places) faults.push(...fieldFaults(place), ...valueFaults(place));
  return faults;
}

/** Checks a field: it may be undeclared, or unspecified in the source. */
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
    const expected = "anything (the source does not list further fields)";
    return [{ ...fault, rule: "gap/field", shape: around.shape, ...gap, expected }];
  }
  const expected = declared.length > 0 ? `one of ${list(declared)}` : "no such field";
  const absent = declared.filter((name) => !Object.hasOwn(around.value as object, name));
  const didYouMean = nearest(lastOf(pointer), absent);
  return [{ ...fault, rule: "drift/field", shape, spec: naming.pointer, expected, didYouMean }];
}

/** Whether the source leaves other fields of an object unspecified, and the schemas of the field add nothing. */
function isOpen({ pointer, schema }: Part, schemas: readonly string[]): boolean {
  if (schemas.length === 0) return schema["x-open"] === true;
  const isAny = schema.additionalProperties === true;
  return isAny && schemas.every((each) => each === `${pointer}/additionalProperties`);
}

/** Checks a value: it may be unknown, or unspecified in the source. */
function valueFaults({ parts, pointer, shape, value }: Place): Fault[] {
  const gap = gapOf(parts);
  const fault = () => ({ pointer, shape, actual: short(value, pointer) });
  const named = parts.find(({ schema }) => schema["x-known-values"] !== undefined);
  if (!named) return gap && isFree(parts) ? [{ ...fault(), rule: "gap/value", ...gap }] : [];
  const known = named.schema["x-known-values"] as Json[];
  if (known.includes(value)) return [];
  const expected = either(known);
  // The source leaves other values unspecified.
  if (gap) return [{ ...fault(), rule: "gap/value", ...gap, expected }];
  // `type` already reports values of another type.
  if (!known.some((each) => typeOf(each) === typeOf(value))) return [];
  return [{ ...fault(), rule: "drift/value", spec: named.pointer, expected }];
}

/** The first gap marked on some schemas, as part of a fault. */
export function gapOf(
  parts: readonly Part[],
): Pick<Fault, "gap" | "spec" | "expected"> | undefined {
  for (const { pointer, schema } of parts) {
    const [first] = (schema["x-not-specified"] ?? []) as { id: string }[];
    if (first)
      return { gap: first.id, spec: pointer, expected: "anything (not specified by the source)" };
  }
  return undefined;
}

/** The field names that a description declares for an object. */
function declaredNames(parts: readonly Part[]): string[] {
  return [...new Set(parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))];
}

/** Whether the description does not cover a value. */
export function isFree(parts: readonly Part[]): boolean {
  return parts.every(({ schema }) => Object.keys(schema).every((keyword) => SILENT.test(keyword)));
}
