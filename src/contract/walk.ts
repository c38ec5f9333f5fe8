import { keyOf, parentOf, step, targetOf } from "./pointer.js";
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
  /** Pointers of the schemas that speak about it by its name or index. */
  schemas: string[];
  /** These, with all that they refer to and combine, as far as it is about this value. */
  parts: Part[];
  /** The object or list that it is in. */
  around?: Place;
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

/** Makes a function that finds the places at pointers into an instance; what is around several is looked at once. */
export function placesIn(subject: Subject): (pointer: string) => Place {
  const known = new Map([["", outermost(subject)]]);
  const placeAt = (pointer: string): Place => {
    let place = known.get(pointer);
    if (!place) {
      const key = keyOf(pointer.slice(pointer.lastIndexOf("/") + 1));
      place = inside(subject.description, placeAt(parentOf(pointer)), key);
      known.set(pointer, place);
    }
    return place;
  };
  return placeAt;
}

function outermost({ description, schema, body }: Subject): Place {
  const schemas = [schema];
  const parts = partsOf(description, schemas, body);
  return { pointer: "", shape: "", value: body, schemas, parts };
}

function inside(description: Description, around: Place, key: string): Place {
  const isList = Array.isArray(around.value);
  const schemas = isList ? itemOf(around.parts, Number(key)) : memberOf(around.parts, key);
  const value = (around.value as { [key: string]: Json })[key] as Json;
  const isNamed = !isList && (schemas.length === 0 || isNamedBy(around.parts, key));
  const at = step(key);
  return {
    pointer: around.pointer + at,
    shape: around.shape + (isNamed ? at : "/*"),
    value,
    schemas,
    parts: partsOf(description, schemas, value),
    around,
  };
}

/** The schemas at some pointers with all that they refer to and combine, as far as it is about this value. */
function partsOf(description: Description, pointers: readonly string[], value: Json): Part[] {
  const parts: Part[] = [];
  for (const pointer of pointers) addParts(parts, description, pointer, value);
  return parts;
}

function addParts(parts: Part[], description: Description, pointer: string, value: Json): void {
  if (parts.some((part) => part.pointer === pointer)) return;
  const part = { pointer, schema: schemaAt(description.document, pointer) };
  parts.push(part);
  for (const other of combinedIn(description, part, value))
    addParts(parts, description, other, value);
}

/** Pointers of the schemas that a schema refers to and combines, as far as they are about a value. */
function* combinedIn(description: Description, part: Part, value: Json): Generator<string> {
  const { pointer, schema } = part;
  if (schema.$ref) yield targetOf(schema.$ref);
  for (const index of schema.allOf?.keys() ?? []) yield `${pointer}/allOf/${index}`;
  yield* branchesOf(description, part, value);
  if (schema.if !== undefined) {
    const holds = isValid(description, `${pointer}/if`, value);
    if (holds) yield `${pointer}/if`;
    yield `${pointer}/${holds ? "then" : "else"}`;
  }
  for (const key of Object.keys(schema.dependentSchemas ?? {})) {
    if (isObject(value) && Object.hasOwn(value, key))
      yield `${pointer}/dependentSchemas${step(key)}`;
  }
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
