import { at, step, targetOf } from "./pointer.js";
import type { Description, Json, Test } from "./types.js";

/** A JSON Schema 2020-12 object, with the keywords that the engine reads. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: Json;
  enum?: Json[];
  required?: string[];
  properties?: Record<string, unknown>;
  additionalProperties?: unknown;
  propertyNames?: { pattern?: string };
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  allOf?: unknown[];
  oneOf?: unknown[];
  anyOf?: unknown[];
  pattern?: string;
  format?: string;
  minLength?: number;
  minItems?: number;
  [keyword: string]: unknown;
}

/** One schema that applies to a value, and its pointer in the description. */
export interface Part {
  pointer: string;
  schema: Schema;
}

/** A `oneOf` or `anyOf`, with the pointers of its branches. */
export interface Union {
  keyword: "oneOf" | "anyOf";
  pointer: string;
  branches: string[];
}

/** A body and the pointer to its schema. */
export interface Subject {
  description: Description;
  schema: string;
  body: Json;
}

/** A value in a body, with every schema that applies to it. */
export interface Place {
  /** RFC 6901 pointer into the body. */
  pointer: string;
  /** The pointer with `*` for indexes and map keys: the same for all items of a list. */
  shape: string;
  value: Json;
  /** Pointers to the schemas that declare the value by its name or index. */
  schemas: string[];
  /** These schemas, plus the schemas they reference or combine, if they apply to the value. */
  parts: Part[];
  /** The enclosing object or list. */
  around?: Place;
}

const caches = new WeakMap<object, Map<string, Schema>>();

/** The schema at a pointer, looked up once per document. */
export function schemaAt(document: Json, pointer: string): Schema {
  const cache = caches.get(document as object) ?? new Map<string, Schema>();
  caches.set(document as object, cache);
  let schema = cache.get(pointer);
  if (!schema) {
    const found = at(document, pointer);
    schema = isObject(found) ? (found as Schema) : {};
    cache.set(pointer, schema);
  }
  return schema;
}

/** The unions in a schema. */
export function unionsOf({ pointer, schema }: Part): Union[] {
  // A fast path: this runs for every schema of every value, and most have no union.
  if (!schema.oneOf && !schema.anyOf) return [];
  return (["oneOf", "anyOf"] as const).flatMap((keyword) => {
    const union = `${pointer}/${keyword}`;
    const branches = schema[keyword]?.map((_, index) => `${union}/${index}`);
    return branches ? [{ keyword, pointer: union, branches }] : [];
  });
}

/** Whether a value passes the test of a branch. */
export function passes({ types, tag, has, lacks }: Test, value: unknown): boolean {
  if (!types.includes(typeOf(value))) return false;
  if (!isObject(value)) return true;
  if (has !== undefined) return Object.hasOwn(value, has);
  if (lacks !== undefined) return !Object.hasOwn(value, lacks);
  if (!tag) return true;
  if (!Object.hasOwn(value, tag.name)) return false;
  const given = value[tag.name] as Json;
  return tag.in ? tag.in.includes(given) : !tag.notIn?.includes(given);
}

/** The JSON type of a value; integers count as `number`. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeOf(value) === "object";
}

/** Every value in a body, from the outside in. */
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

function inside(description: Description, around: Place, key: string): Place {
  const isList = Array.isArray(around.value);
  const schemas = isList ? itemOf(around.parts) : memberOf(around.parts, key);
  const value = (around.value as { [key: string]: Json })[key] as Json;
  const own = step(key);
  const isNamed =
    schemas.length === 0 || schemas.some((each) => each.endsWith(`/properties${own}`));
  const shape = around.shape + (isNamed && !isList ? own : "/*");
  const parts = partsOf(description, schemas, value);
  return { pointer: around.pointer + own, shape, value, schemas, parts, around };
}

/** The schemas at some pointers, plus the schemas they reference or combine, if they apply to a value. */
export function partsOf(
  description: Description,
  pointers: readonly string[],
  value: Json,
  parts: Part[] = [],
): Part[] {
  for (const pointer of pointers) {
    if (parts.some((part) => part.pointer === pointer)) continue;
    const schema = schemaAt(description.document, pointer);
    const part = { pointer, schema };
    parts.push(part);
    if (schema.$ref) partsOf(description, [targetOf(schema.$ref)], value, parts);
    const all = schema.allOf?.map((_, index) => `${pointer}/allOf/${index}`);
    if (all) partsOf(description, all, value, parts);
    partsOf(description, branchesOf(description, part, value), value, parts);
  }
  return parts;
}

/** The union branches in a schema that a value selects by its type or tag. */
export function branchesOf({ unions }: Description, part: Part, value: Json): string[] {
  return unionsOf(part).flatMap(({ pointer, branches }) =>
    branches.filter((_, index) => passes(unions[pointer]?.[index] as Test, value)),
  );
}

/** Pointers of the schemas that declare a field. */
export function memberOf(parts: readonly Part[], key: string): string[] {
  const pointers: string[] = [];
  // Runs for every field of every body, so it avoids other allocations.
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
