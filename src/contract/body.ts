import { declaredNames, driftOf } from "./drift.js";
import type { Fault } from "./fault.js";
import { parentOf, step, stepsOf } from "./pointer.js";
import type { Description, Json } from "./types.js";
import { isObject, itemOf, memberOf, partsOf, type Part } from "./walk.js";
import { standsAt, violationsOf, type Violation } from "./value.js";

/** Judges a body by its schema: what contradicts it, and what it does not describe. */
export function bodyFaults(description: Description, schema: string, body: Json): Fault[] {
  const errors = description.validators[schema]?.(body) ?? [];
  const wrong = violationsOf(errors, body).map((each) => faultOf(description, schema, body, each));
  const inWrong = ({ pointer }: Fault) =>
    wrong.some((each) => pointer === each.pointer || pointer.startsWith(`${each.pointer}/`));
  const drift = driftOf(description, schema, body).filter((each) => !inWrong(each));
  return withoutRenames(wrong, drift);
}

/** Completes a violation with its place in the description, which the validators do not know. */
function faultOf(
  description: Description,
  schema: string,
  body: Json,
  violation: Violation,
): Fault {
  const { keyword, pointer, expected, actual } = violation;
  const member = stepsOf(pointer).at(-1) ?? "";
  const place = standsAt(violation);
  const isMember = place !== pointer;
  const around = placeAt(description, schema, body, parentOf(pointer));
  const { parts, shape } = isMember ? around : placeAt(description, schema, body, pointer);
  const fault = {
    pointer,
    place,
    expected,
    actual,
    ...(isMember && { declared: declaredNames(parts) }),
  };
  const named = isMember ? shape + step(member) : shape;

  if (violation.rule === "value/key") {
    const part = around.parts.find((each) => each.schema.propertyNames !== undefined);
    return {
      ...fault,
      rule: "value/key",
      shape: `${around.shape}/*`,
      spec: `${part?.pointer ?? schema}/propertyNames`,
    };
  }
  const closing = violation.rule === "value/closed" ? around.parts : [];
  for (const part of [...parts, ...closing]) {
    const index = isMember ? (part.schema.required?.indexOf(member) ?? -1) : -1;
    if (index >= 0)
      return {
        ...fault,
        rule: violation.rule,
        shape: named,
        spec: `${part.pointer}/required/${index}`,
      };
    if (part.schema[keyword] === undefined || isMember) continue;
    return { ...fault, rule: violation.rule, shape: named, spec: `${part.pointer}/${keyword}` };
  }
  // What no schema says, the choice between the branches of a union has said.
  const own = isMember ? undefined : parts.find(unionOf);
  const part = own ?? around.parts.find(unionOf) ?? parts[0];
  const rule = own
    ? keyword === "type"
      ? violation.rule
      : "value/union"
    : isMember
      ? "value/required"
      : "value/tag";
  const key = part && unionOf(part);
  const spec = `${part?.pointer ?? schema}${key ? `/${key}` : ""}`;
  return { ...fault, rule: part && key ? rule : violation.rule, shape: named, spec };
}

function unionOf({ schema }: Part): "oneOf" | "anyOf" | undefined {
  return (["oneOf", "anyOf"] as const).find((keyword) => schema[keyword] !== undefined);
}

/** The schemas that speak about the value at a pointer, and the pointer without indexes and keys of maps. */
export function placeAt(
  description: Description,
  schema: string,
  body: Json,
  pointer: string,
): { parts: Part[]; shape: string } {
  let value = body;
  let shape = "";
  let parts = partsOf(description, [schema], value);
  for (const key of stepsOf(pointer)) {
    if (Array.isArray(value)) {
      const pointers = itemOf(parts, Number(key));
      value = value[Number(key)] as Json;
      parts = partsOf(description, pointers, value);
      shape += "/*";
    } else if (isObject(value)) {
      const { pointers, named } = memberOf(parts, key);
      value = value[key] as Json;
      parts = partsOf(description, pointers, value);
      shape += named || pointers.length === 0 ? step(key) : "/*";
    }
  }
  return { parts, shape };
}

/** A missing member and an undeclared one that is nearest to it are one fault: a renamed member. */
function withoutRenames(wrong: Fault[], drift: Fault[]): Fault[] {
  const renamed = new Set<Fault>();
  const faults = wrong.map((fault): Fault => {
    if (fault.rule !== "value/required") return fault;
    const [parent, name] = [parentOf(fault.pointer), stepsOf(fault.pointer).at(-1)];
    const other = drift.find(
      (each) =>
        each.rule === "drift/field" &&
        parentOf(each.pointer) === parent &&
        each.didYouMean === name &&
        !renamed.has(each),
    );
    if (!other) return fault;
    renamed.add(other);
    const actual = `absent, but \`${stepsOf(other.pointer).at(-1)}\` is there, which nothing declares`;
    return { ...fault, actual, didYouMean: name };
  });
  return [...faults, ...drift.filter((each) => !renamed.has(each))];
}
