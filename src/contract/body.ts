import { declaredNames, driftOf } from "./drift.js";
import type { Fault } from "./fault.js";
import { outerOf, parentOf, step, stepsOf } from "./pointer.js";
import type { Part } from "./schema.js";
import { unionsOf } from "./union.js";
import { standsAt, violationsOf, type Violation } from "./value.js";
import { placesIn, type Place, type Subject } from "./walk.js";

/** A value that should be another has nothing inside that is described. A wrong key or length says nothing of the rest. */
const HIDING = /^value\/(closed|const|null|type|union)$/;

/** Judges a body by its schema: what contradicts it, and what it does not describe. */
export function bodyFaults(subject: Subject): Fault[] {
  const { description, schema, body } = subject;
  const placeAt = placesIn(subject);
  const violations = violationsOf(description.validators[schema]?.(body) ?? [], body);
  const wrong = violations.map((each) => faultOf(each, schema, placeAt));
  const places = new Set(wrong.map(({ pointer }) => pointer));
  const hiding = new Set(wrong.filter(({ rule }) => HIDING.test(rule)).map((each) => each.pointer));
  const drift = driftOf(subject).filter(
    ({ pointer }) => !places.has(pointer) && outerOf(pointer, hiding) === undefined,
  );
  return withoutRenames(wrong, drift);
}

/** Completes a violation with its place in the description, which the validators do not know. */
function faultOf(violation: Violation, schema: string, placeAt: (pointer: string) => Place): Fault {
  const { rule, keyword, pointer, expected, actual } = violation;
  const place = standsAt(violation);
  const missing = place === pointer ? undefined : stepsOf(pointer).at(-1);
  const here = placeAt(place);
  const around = missing === undefined ? (here.around ?? here) : here;
  const fault = {
    rule,
    pointer,
    place,
    shape: missing === undefined ? here.shape : around.shape + step(missing),
    expected,
    actual,
    ...(missing !== undefined && { declared: declaredNames(around.parts) }),
  };
  if (rule === "value/key") {
    const spec = statementOf(around.parts, "propertyNames") ?? schema;
    return { ...fault, shape: `${around.shape}/*`, spec };
  }
  const closing = rule === "value/closed" ? around.parts : [];
  const statement = statementOf([...here.parts, ...closing], keyword, missing);
  if (statement !== undefined) return { ...fault, spec: statement };
  // What no schema says, the choice between the branches of a union has said.
  const [own] = missing === undefined ? here.parts.flatMap(unionsOf) : [];
  if (own) return { ...fault, rule: keyword === "type" ? rule : "value/union", spec: own.pointer };
  const [outer] = around.parts.flatMap(unionsOf);
  if (!outer) return { ...fault, spec: here.parts[0]?.pointer ?? schema };
  return {
    ...fault,
    rule: missing === undefined ? "value/tag" : "value/required",
    spec: outer.pointer,
  };
}

/** Pointer of the keyword, or of the name under `required`, that says what is contradicted. */
function statementOf(
  parts: readonly Part[],
  keyword: string,
  missing?: string,
): string | undefined {
  for (const { pointer, schema } of parts) {
    if (missing === undefined) {
      if (schema[keyword] !== undefined) return `${pointer}/${keyword}`;
    } else if (schema.required?.includes(missing)) {
      return `${pointer}/required/${schema.required.indexOf(missing)}`;
    }
  }
  return undefined;
}

/** A missing member and an undeclared one that is nearest to it are one fault: a renamed member. */
function withoutRenames(wrong: Fault[], drift: Fault[]): Fault[] {
  const left = new Set(drift);
  // Of several that are near the first one is meant: it is set last.
  const near = new Map<string, Fault>();
  for (const each of drift.toReversed()) {
    if (each.didYouMean !== undefined)
      near.set(parentOf(each.pointer) + step(each.didYouMean), each);
  }
  const faults = wrong.map((fault): Fault => {
    const renamed = fault.rule === "value/required" ? near.get(fault.pointer) : undefined;
    if (!renamed) return fault;
    left.delete(renamed);
    const name = stepsOf(renamed.pointer).at(-1);
    const actual = `absent, but \`${name}\` is there, which nothing declares`;
    return { ...fault, actual, didYouMean: renamed.didYouMean };
  });
  return [...faults, ...left];
}
