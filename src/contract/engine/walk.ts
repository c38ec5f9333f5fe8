import { step, targetOf } from "./pointer.js";
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

/** Places by pointer. */
export type Places = ReadonlyMap<string, Place>;

/** Visits every value of an instance, from the outside in. */
export function walk({ description, schema, body }: Subject, visit: (place: Place) => void): void {
  const enter = (place: Place) => {
    visit(place);
    if (typeof place.value !== "object") return;
    for (const key of Object.keys(place.value ?? {})) enter(inside(description, place, key));
  };
  const parts = partsOf(description, [schema], body);
  enter({ pointer: "", shape: "", value: body, schemas: [schema], parts });
}

/** Every value of an instance. */
export function placesIn(subject: Subject): Place[] {
  const places: Place[] = [];
  walk(subject, (place) => void places.push(place));
  return places;
}

/** Places by pointer. Made only where something is wrong: for a body that is right it would cost a good part of the walk. */
export function byPointer(places: readonly Place[]): Places {
  return new Map(places.map((place) => [place.pointer, place]));
}

function inside(description: Description, around: Place, key: string): Place {
  const isList = Array.isArray(around.value);
  const schemas = isList ? itemOf(around.parts, Number(key)) : memberOf(around.parts, key);
  const value = (around.value as { [key: string]: Json })[key] as Json;
  const at = step(key);
  const isNamed = schemas.length === 0 || schemas.some((each) => each.endsWith(`/properties${at}`));
  const shape = around.shape + (isNamed && !isList ? at : "/*");
  const parts = partsOf(description, schemas, value);
  return { pointer: around.pointer + at, shape, value, schemas, parts, around };
}

/** The schemas at some pointers with all that they refer to and combine, as far as it is about this value. */
function partsOf(
  description: Description,
  pointers: Iterable<string>,
  value: Json,
  parts: Part[] = [],
): Part[] {
  for (const pointer of pointers) {
    if (parts.some((part) => part.pointer === pointer)) continue;
    const part = { pointer, schema: schemaAt(description.document, pointer) };
    parts.push(part);
    partsOf(description, combinedIn(description, part, value), value, parts);
  }
  return parts;
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
  for (const key of Object.keys(schema.dependentSchemas ?? {}))
    if (isObject(value) && Object.hasOwn(value, key))
      yield `${pointer}/dependentSchemas${step(key)}`;
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
    if (properties && Object.hasOwn(properties, key))
      pointers.push(`${pointer}/properties${step(key)}`);
    for (const pattern of patternProperties ? Object.keys(patternProperties) : [])
      if (new RegExp(pattern, "u").test(key))
        pointers.push(`${pointer}/patternProperties${step(pattern)}`);
    if (pointers.length === before && additionalProperties !== undefined)
      pointers.push(`${pointer}/additionalProperties`);
  }
  return pointers.length > 0 ? pointers : pointersOf(parts, "unevaluatedProperties");
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

/** Pointers of a keyword in some schemas, where they have it. */
export function pointersOf(parts: readonly Part[], keyword: string): string[] {
  const having = parts.filter(({ schema }) => schema[keyword] !== undefined);
  return having.map(({ pointer }) => `${pointer}/${keyword}`);
}
