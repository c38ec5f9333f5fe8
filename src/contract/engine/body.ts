import { declaredNames, driftOf, meantFor } from "./drift.js";
import type { Fault } from "./finding.js";
import { at, lastOf, outerOf, parentOf, step } from "./pointer.js";
import { isObject } from "./schema.js";
import type { Json } from "./types.js";
import { violationsOf, type Violation } from "./values.js";
import { byPointer, placesIn, type Place, type Places, type Subject } from "./walk.js";

/** A value of the wrong kind hides what is described inside it. A wrong key or length says nothing about the rest. */
const HIDING = /^value\/(closed|const|null|type)$/;

/** Checks a body against its schema: what contradicts it, and what it does not declare. */
export function bodyFaults(subject: Subject, places = placesIn(subject)): Fault[] {
  const { description, schema, body } = subject;
  const violations = violationsOf(description.validators[schema]?.(body) ?? [], body);
  const known = byPointer(violations.length > 0 ? places : []);
  const wrong = violations.map((each) => faultOf(each, description.document, known));
  const pointers = new Set(wrong.map(({ pointer }) => pointer));
  const hiding = new Set(wrong.filter(({ rule }) => HIDING.test(rule)).map((each) => each.pointer));
  const drift = driftOf(places).filter(
    ({ pointer }) => !pointers.has(pointer) && outerOf(pointer, hiding) === undefined,
  );
  return withoutRenames(wrong, drift);
}

function faultOf(violation: Violation, document: Json, places: Places): Fault {
  const { rule, keyword, pointer, expected, actual } = violation;
  const spec = specOf(violation.spec, document);
  // A missing member has no place of its own.
  const isMissing = rule === "value/required";
  const here = places.get(isMissing ? parentOf(pointer) : pointer) as Place;
  const { around = here, shape } = here;
  const fault = { rule, pointer, place: here.pointer, shape, spec, expected, actual };
  if (isMissing) {
    const name = lastOf(pointer);
    const index = (at(document, spec) as Json[]).indexOf(name);
    const declared = declaredNames(here.parts);
    return {
      ...fault,
      shape: shape + step(name),
      spec: index < 0 ? spec : `${spec}/${index}`,
      declared,
    };
  }
  if (rule === "value/key") return { ...fault, shape: `${around.shape}/*` };
  if (rule === "value/closed" && isObject(around.value))
    return { ...fault, didYouMean: meantFor(pointer, around) };
  // Only the choice between the branches of a union lists the tags.
  const isTag = keyword === "enum" && lastOf(spec) !== "enum";
  return isTag ? { ...fault, rule: "value/tag" } : fault;
}

/** What a union adds to its branches stands nowhere in the document: the union says it. */
function specOf(pointer: string, document: Json): string {
  return at(document, pointer) === undefined ? specOf(parentOf(pointer), document) : pointer;
}

/** A missing member and an undeclared or excluded one with a similar name are one fault: a renamed member. */
function withoutRenames(wrong: Fault[], drift: Fault[]): Fault[] {
  // The first of several similar names is meant, so it is set last.
  const near = new Map<string, Fault>();
  for (const each of [...wrong, ...drift].toReversed())
    if (each.didYouMean !== undefined)
      near.set(parentOf(each.pointer) + step(each.didYouMean), each);
  const renamed = new Set<Fault>();
  const faults = wrong.map((fault): Fault => {
    const other = fault.rule === "value/required" ? near.get(fault.pointer) : undefined;
    if (!other) return fault;
    renamed.add(other);
    const { pointer: place, didYouMean } = other;
    const actual = `absent, but \`${lastOf(place)}\` is there, which nothing declares`;
    return { ...fault, place, actual, didYouMean };
  });
  return [...faults, ...drift].filter((each) => !renamed.has(each));
}
