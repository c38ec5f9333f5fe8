import { cached } from "./cached.js";
import type { Json, SchemaHolder } from "./description.js";
import { getAtPointer, isLocalRef, refToPointer } from "./pointer.js";

/** A JSON Schema 2020-12 object, with types for the most common keywords. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: Json;
  enum?: Json[];
  required?: string[];
  properties?: Record<string, unknown>;
  additionalProperties?: unknown;
  patternProperties?: Record<string, unknown>;
  items?: unknown;
  propertyNames?: { pattern?: string };
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  allOf?: unknown[];
  oneOf?: unknown[];
  anyOf?: unknown[];
  pattern?: string;
  format?: string;
  minItems?: number;
  [keyword: string]: unknown;
}

/** A schema that applies to a value, with the schema's pointer in the description. */
export interface ApplicableSchema {
  pointer: string;
  schema: Schema;
}

/** A `oneOf` or `anyOf` keyword, with pointers to its branches. */
export interface Union {
  keyword: "oneOf" | "anyOf";
  pointer: string;
  branches: string[];
}

/** Returns the schema at a pointer, or an empty one if there is none. */
export const schemaAt = /* @__PURE__ */ cached((document, pointer): Schema => {
  const found = getAtPointer(document, pointer);
  return isObject(found) ? (found as Schema) : {};
});

/** Returns a schema and all others that apply wherever it does, because of `$ref` or `allOf`. */
export const combined = /* @__PURE__ */ cached((document, pointer): readonly ApplicableSchema[] => {
  const found = new Map<string, ApplicableSchema>();
  const waiting = [pointer];
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    if (found.has(here)) continue;
    const schema = schemaAt(document, here);
    found.set(here, { pointer: here, schema });
    const parts = schema.allOf?.map((_, index) => `${here}/allOf/${index}`) ?? [];
    waiting.push(...parts.reverse());
    if (isLocalRef(schema.$ref)) waiting.push(refToPointer(schema.$ref));
  }
  return [...found.values()];
});

/** Lists a schema's own `oneOf` and `anyOf` unions. */
export function listUnions({ pointer, schema }: ApplicableSchema): Union[] {
  // Returns early, because this function runs for every schema of every value, and most schemas have no union.
  if (!schema.oneOf && !schema.anyOf) return [];
  return (["oneOf", "anyOf"] as const).flatMap((keyword) => {
    const union = `${pointer}/${keyword}`;
    const branches = schema[keyword]?.map((_, index) => `${union}/${index}`);
    return branches ? [{ keyword, pointer: union, branches }] : [];
  });
}

/** Returns the JSON type of a value. The type of an integer is `number`. */
export function jsonType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Checks whether a value has the type that a schema declares. Returns false if the schema declares no type. */
export function hasType(value: unknown, { type = [] }: Pick<Schema, "type">): boolean {
  const types = typeof type === "string" ? [type] : type;
  return types.includes(jsonType(value)) || (types.includes("integer") && Number.isInteger(value));
}

/** Checks whether a documented parameter is an object that stands for query parameters with arbitrary names. */
export function isFreeForm(document: Json, { in: location, schema = "" }: SchemaHolder): boolean {
  return location === "query" && schemaAt(document, schema).type === "object";
}

/** Checks whether a JSON value is an object. */
export function isObject(value: unknown): value is { [key: string]: Json } {
  return jsonType(value) === "object";
}

/** Checks whether two JSON values are equal. Generated validators contain a copy of this function. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || a === null || jsonType(a) !== jsonType(b)) return a === b;
  const [entries, other] = [Object.entries(a), b as { [key: string]: unknown }];
  return (
    entries.length === Object.keys(other).length &&
    entries.every(([key, value]) => Object.hasOwn(other, key) && isEqual(value, other[key]))
  );
}
