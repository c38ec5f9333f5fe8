import { at } from "./pointer.js";
import type { Json } from "./types.js";

/** A schema object of JSON Schema 2020-12, as far as names and places go; `true` and `false` say nothing. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: Json;
  enum?: Json[];
  required?: string[];
  properties?: Record<string, unknown>;
  patternProperties?: Record<string, unknown>;
  propertyNames?: { pattern?: string };
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  dependentSchemas?: Record<string, unknown>;
  allOf?: unknown[];
  oneOf?: unknown[];
  anyOf?: unknown[];
  prefixItems?: unknown[];
  pattern?: string;
  format?: string;
  minLength?: number;
  minItems?: number;
  [keyword: string]: unknown;
}

/** One schema that speaks about a value, and where it stands in the description. */
export interface Part {
  pointer: string;
  schema: Schema;
}

const caches = new WeakMap<object, Map<string, Schema>>();

/** The schema at a pointer, looked up once a document. */
export function schemaAt(document: Json, pointer: string): Schema {
  const cache = caches.get(document as object) ?? new Map<string, Schema>();
  caches.set(document as object, cache);
  let schema = cache.get(pointer);
  if (!schema) {
    const found = at(document, pointer);
    schema = typeof found === "object" && found !== null ? (found as Schema) : {};
    cache.set(pointer, schema);
  }
  return schema;
}
