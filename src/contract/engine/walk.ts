import { step, targetOf } from "./pointer.js";
import { passes, schemaAt, unionsOf, type Part } from "./schema.js";
import type { Description, Json, Test } from "./types.js";

/** A body, and the schema that it is validated against. */
export interface Subject {
  description: Description;
  /** Pointer of the schema. */
  schema: string;
  body: Json;
}

/** A value of a body with everything that the description says about it. */
export interface Place {
  /** RFC 6901 pointer into the body. */
  pointer: string;
  /** The pointer with `*` for indexes and keys of maps: the same for all items of a list. */
  shape: string;
  value: Json;
  /** Pointers of the schemas that declare it by name or index. */
  schemas: string[];
  /** These and all that they refer to and combine, as far as they apply to this value. */
  parts: Part[];
  /** The object or list that holds it. */
  around?: Place;
}

/** Places by pointer. */
export type Places = ReadonlyMap<string, Place>;

/** Every value of a body, from the outside in. */
export function placesIn({ description, schema, body }: Subject): Place[] {
  const places: Place[] = [];
  const enter = (place: Place) => {
    places.push(place);
    if (typeof place.value !== "object") return;
    for (const key of Object.keys(place.value ?? {})) enter(inside(description, place, key));
  };
  const parts = partsOf(description, [schema], body);
  enter({ pointer: "", shape: "", value: body, schemas: [schema], parts });
  return places;
}

/** Places by pointer. For a valid body it would cost a good part of the walk, so make it only if something is wrong. */
export function byPointer(places: readonly Place[]): Places {
  return new Map(places.map((place) => [place.pointer, place]));
}

function inside(description: Description, around: Place, key: string): Place {
  const isList = Array.isArray(around.value);
  const schemas = isList ? itemOf(around.parts) : memberOf(around.parts, key);
  const value = (around.value as { [key: string]: Json })[key] as Json;
  const at = step(key);
  const isNamed = schemas.length === 0 || schemas.some((each) => each.endsWith(`/properties${at}`));
  const shape = around.shape + (isNamed && !isList ? at : "/*");
  const parts = partsOf(description, schemas, value);
  return { pointer: around.pointer + at, shape, value, schemas, parts, around };
}

/** The schemas at some pointers and all that they refer to and combine, as far as they apply to a value. */
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

function* combinedIn(description: Description, part: Part, value: Json): Generator<string> {
  if (part.schema.$ref) yield targetOf(part.schema.$ref);
  for (const index of part.schema.allOf?.keys() ?? []) yield `${part.pointer}/allOf/${index}`;
  yield* branchesOf(description, part, value);
}

/** The branches of the unions of a schema that a value selects by its type or tag. */
export function branchesOf({ unions }: Description, part: Part, value: Json): string[] {
  return unionsOf(part).flatMap(({ pointer, branches }) =>
    branches.filter((_, index) => passes(unions[pointer]?.[index] as Test, value)),
  );
}

/** Pointers of the schemas that declare a member of an object. */
export function memberOf(parts: readonly Part[], key: string): string[] {
  const pointers: string[] = [];
  // Called for every member of every body: nothing is made that is not needed.
  for (const { pointer, schema } of parts) {
    if (schema.properties && Object.hasOwn(schema.properties, key))
      pointers.push(`${pointer}/properties${step(key)}`);
    else if (schema.additionalProperties !== undefined)
      pointers.push(`${pointer}/additionalProperties`);
  }
  return pointers;
}

function itemOf(parts: readonly Part[]): string[] {
  return parts.flatMap(({ pointer, schema }) => (schema.items ? `${pointer}/items` : []));
}
