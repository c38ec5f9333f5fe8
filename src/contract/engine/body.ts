import { declaredNames, driftOf, meantFor } from "./drift.js";
import type { Fault } from "./fault.js";
import { lastOf, outerOf, parentOf, step } from "./pointer.js";
import type { Part } from "./schema.js";
import { isObject, unionsOf } from "./union.js";
import { violationsOf, type Violation } from "./value.js";
import { byPointer, placesIn, pointersOf, type Place, type Places, type Subject } from "./walk.js";

/** A value that should be another has nothing inside that is described. A wrong key or length says nothing of the rest. */
const HIDING = /^value\/(closed|const|null|type|union)$/;

/** Judges a body by its schema: what contradicts it, and what it does not describe. */
export function bodyFaults(subject: Subject, places = placesIn(subject)): Fault[] {
  const { description, schema, body } = subject;
  const violations = violationsOf(description.validators[schema]?.(body) ?? [], body);
  const known = byPointer(violations.length > 0 ? places : []);
  // Beside what fails, ajv takes what is described there for unevaluated.
  const sure = violations.filter((each) => !isEvaluated(each, known));
  const wrong = (sure.length > 0 ? sure : violations).map((each) => faultOf(each, schema, known));
  const pointers = new Set(wrong.map(({ pointer }) => pointer));
  const hiding = new Set(wrong.filter(({ rule }) => HIDING.test(rule)).map((each) => each.pointer));
  const drift = driftOf(subject, places).filter(
    ({ pointer }) => !pointers.has(pointer) && outerOf(pointer, hiding) === undefined,
  );
  return withoutRenames(wrong, drift);
}

function isEvaluated({ keyword, pointer }: Violation, places: Places): boolean {
  const { schemas = [] } = places.get(pointer) ?? {};
  return keyword.startsWith("unevaluated") && !schemas.some((each) => each.endsWith(`/${keyword}`));
}

/** Completes a violation with its place in the description, which the validators do not know. */
function faultOf(violation: Violation, schema: string, places: Places): Fault {
  const { rule, keyword, pointer, expected, actual } = violation;
  // A missing member has no place of its own.
  const isMissing = rule === "value/required";
  const here = places.get(isMissing ? parentOf(pointer) : pointer) as Place;
  const { pointer: place, shape, parts, around = here } = here;
  const spec = parts[0]?.pointer ?? schema;
  const fault = { rule, pointer, place, shape, spec, expected, actual };
  if (isMissing) {
    const name = lastOf(pointer);
    const declared = declaredNames(parts);
    const said = requiredIn(parts, name) ?? unionIn(parts) ?? spec;
    return { ...fault, shape: shape + step(name), spec: said, declared };
  }
  if (rule === "value/key") {
    const [said = schema] = pointersOf(around.parts, "propertyNames");
    return { ...fault, shape: `${around.shape}/*`, spec: said };
  }
  const isClosed = rule === "value/closed";
  const [said] = pointersOf(isClosed ? [...parts, ...around.parts] : parts, keyword);
  const isMember = isClosed && isObject(around.value);
  const didYouMean = isMember ? meantFor(pointer, around) : undefined;
  if (said !== undefined) return { ...fault, spec: said, didYouMean };
  // What no schema says, the choice between the branches of a union has said.
  const own = unionIn(parts);
  if (own !== undefined && keyword === "type") return { ...fault, spec: own };
  if (own !== undefined)
    return { ...fault, rule: "value/union", spec: own, expected: `satisfies ${lastOf(own)}` };
  const outer = unionIn(around.parts);
  return outer === undefined ? fault : { ...fault, rule: "value/tag", spec: outer };
}

function requiredIn(parts: readonly Part[], name: string): string | undefined {
  const part = parts.find(({ schema }) => schema.required?.includes(name));
  return part && `${part.pointer}/required/${part.schema.required?.indexOf(name)}`;
}

function unionIn(parts: readonly Part[]): string | undefined {
  return parts.flatMap(unionsOf)[0]?.pointer;
}

/** A missing member and an undeclared or excluded one that is nearest to it are one fault: a renamed member. */
function withoutRenames(wrong: Fault[], drift: Fault[]): Fault[] {
  // Of several that are near the first one is meant: it is set last.
  const near = new Map<string, Fault>();
  for (const each of [...wrong, ...drift].toReversed()) {
    if (each.didYouMean !== undefined)
      near.set(parentOf(each.pointer) + step(each.didYouMean), each);
  }
  const renamed = new Set<Fault>();
  const faults = wrong.map((fault): Fault => {
    const other = fault.rule === "value/required" ? near.get(fault.pointer) : undefined;
    if (!other) return fault;
    renamed.add(other);
    const { pointer: place, didYouMean } = other;
    const actual = `absent, but \`${lastOf(other.pointer)}\` is there, which nothing declares`;
    return { ...fault, place, actual, didYouMean };
  });
  return [...faults, ...drift].filter((each) => !renamed.has(each));
}
