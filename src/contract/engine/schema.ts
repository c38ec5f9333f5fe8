import { at } from "./pointer.js";
import type { Json, Test } from "./types.js";

/** A schema object of JSON Schema 2020-12, as far as names and places go. */
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

/** One schema that applies to a value, and where it stands in the description. */
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

/** The unions of a schema. */
export function unionsOf({ pointer, schema }: Part): Union[] {
  // Called for every schema of every value, and most have none.
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

/** The JSON type of a value; a whole number is a number. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeOf(value) === "object";
}
