import { step, stepsOf, targetOf } from "./pointer.js";
import { schemaAt, type Part } from "./schema.js";
import type { Description, Json, Test } from "./types.js";
import { isObject, passes, unionsOf } from "./union.js";

/** A body, and the schema of a description that it is judged by. */
export interface Subject {
  description: Description;
  /** Pointer of the schema. */
  schema: string;
  body: Json;
}

/** A value of an instance with everything that the description says of it. */
export interface Place {
  /** RFC 6901 pointer into the instance. */
  pointer: string;
  /** The pointer with `*` for indexes and for keys of maps: the same for all items of a list. */
  shape: string;
  value: Json;
  parts: Part[];
}

/** Visits every value of an instance, from the outside in; where `visit` gives false, what is inside is left out. */
export function walk(subject: Subject, visit: (place: Place) => boolean | void): void {
  const enter = (place: Place) => {
    if (visit(place) === false || typeof place.value !== "object") return;
    for (const key of Object.keys(place.value ?? {}))
      enter(inside(subject.description, place, key));
  };
  enter(outermost(subject));
}

/** The place at a pointer into an instance. */
export function placeAt(subject: Subject, pointer: string): Place {
  const further = (place: Place, key: string) => inside(subject.description, place, key);
  return stepsOf(pointer).reduce(further, outermost(subject));
}

function outermost({ description, schema, body }: Subject): Place {
  return { pointer: "", shape: "", value: body, parts: partsOf(description, [schema], body) };
}

function inside(description: Description, place: Place, key: string): Place {
  const { pointer, shape, parts } = place;
  const isList = Array.isArray(place.value);
  const pointers = isList ? itemOf(parts, Number(key)) : memberOf(parts, key);
  const value = (place.value as { [key: string]: Json })[key] as Json;
  const isNamed = !isList && (pointers.length === 0 || isNamedBy(parts, key));
  return {
    pointer: pointer + step(key),
    shape: shape + (isNamed ? step(key) : "/*"),
    value,
    parts: partsOf(description, pointers, value),
  };
}

/** The schemas at some pointers with all that they refer to and combine, as far as it is about this value. */
function partsOf(description: Description, pointers: readonly string[], value: Json): Part[] {
  const parts = new Map<string, Part>();
  const visit = (pointer: string) => {
    if (parts.has(pointer)) return;
    const schema = schemaAt(description.document, pointer);
    const part = { pointer, schema };
    parts.set(pointer, part);
    if (schema.$ref) visit(targetOf(schema.$ref));
    schema.allOf?.forEach((_, index) => visit(`${pointer}/allOf/${index}`));
    for (const branch of branchesOf(description, part, value)) visit(branch);
    if (schema.if !== undefined) {
      const holds = isValid(description, `${pointer}/if`, value);
      if (holds) visit(`${pointer}/if`);
      visit(`${pointer}/${holds ? "then" : "else"}`);
    }
    for (const key of Object.keys(schema.dependentSchemas ?? {})) {
      if (isObject(value) && Object.hasOwn(value, key))
        visit(`${pointer}/dependentSchemas${step(key)}`);
    }
  };
  for (const pointer of pointers) visit(pointer);
  return [...parts.values()];
}

/** The branches of a union that are meant: by tag or type, else those that the value satisfies, else all of them. */
export function branchesOf(description: Description, part: Part, value: Json): string[] {
  return unionsOf(part).flatMap(({ pointer, branches }) => {
    const tests = description.unions[pointer];
    if (tests) return branches.filter((_, index) => passes(tests[index] as Test, value));
    const satisfied = branches.filter((branch) => isValid(description, branch, value));
    return satisfied.length > 0 ? satisfied : branches;
  });
}

function isValid({ validators }: Description, pointer: string, value: Json): boolean {
  return validators[pointer]?.(value).length === 0;
}

/** Pointers of the schemas that speak about a member of an object. */
export function memberOf(parts: readonly Part[], key: string): string[] {
  const pointers: string[] = [];
  // Called for every member of every body: nothing is made that is not needed.
  for (const { pointer, schema } of parts) {
    const { properties, patternProperties, additionalProperties } = schema;
    const before = pointers.length;
    if (properties && Object.hasOwn(properties, key)) {
      pointers.push(`${pointer}/properties${step(key)}`);
    }
    for (const pattern of patternProperties ? Object.keys(patternProperties) : []) {
      if (new RegExp(pattern, "u").test(key)) {
        pointers.push(`${pointer}/patternProperties${step(pattern)}`);
      }
    }
    if (pointers.length === before && additionalProperties !== undefined) {
      pointers.push(`${pointer}/additionalProperties`);
    }
  }
  return pointers.length > 0 ? pointers : pointersOf(parts, "unevaluatedProperties");
}

/** Whether a member is described by its name, and not as one of many. */
function isNamedBy(parts: readonly Part[], key: string): boolean {
  return parts.some(({ schema }) => Object.hasOwn(schema.properties ?? {}, key));
}

/** Pointers of the schemas that speak about an item of an array. */
function itemOf(parts: readonly Part[], index: number): string[] {
  const pointers = parts.flatMap((part) =>
    index < (part.schema.prefixItems?.length ?? 0)
      ? `${part.pointer}/prefixItems/${index}`
      : pointersOf([part], "items"),
  );
  return pointers.length > 0 ? pointers : pointersOf(parts, "unevaluatedItems");
}

function pointersOf(parts: readonly Part[], keyword: string): string[] {
  const having = parts.filter(({ schema }) => schema[keyword] !== undefined);
  return having.map(({ pointer }) => `${pointer}/${keyword}`);
}
