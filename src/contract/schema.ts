import { at, step, targetOf } from "./pointer.js";
import type { Json } from "./types.js";

/** A schema object of JSON Schema 2020-12, as far as names and places go; `true` and `false` are {@link FREE}. */
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
  not?: unknown;
  [keyword: string]: unknown;
}

/** What `true` stands for: a schema that says nothing. */
export const FREE: Schema = {};

/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const ONE = [
  "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then",
  "unevaluatedItems", "unevaluatedProperties",
] as const; // prettier-ignore
const MANY = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;
const NAMED = ["dependentSchemas", "patternProperties", "properties", "$defs"] as const;

const caches = new WeakMap<object, Map<string, Schema>>();

/** The schema at a pointer, looked up once a document. */
export function schemaAt(document: Json, pointer: string): Schema {
  const key = document as object;
  let cache = caches.get(key);
  if (!cache) caches.set(key, (cache = new Map<string, Schema>()));
  let schema = cache.get(pointer);
  if (!schema) {
    const found = at(document, pointer);
    schema = typeof found === "object" && found !== null ? (found as Schema) : FREE;
    cache.set(pointer, schema);
  }
  return schema;
}

/** The pointer of what a chain of `$ref` without siblings leads to. */
export function resolved(document: Json, pointer: string): string {
  const seen = new Set<string>();
  let here = pointer;
  while (!seen.has(here)) {
    seen.add(here);
    const value = at(document, here) as Schema | undefined;
    const alone = Object.keys(value ?? {}).every((key) =>
      ["$ref", "description", "summary"].includes(key),
    );
    if (typeof value?.$ref !== "string" || !alone) return here;
    here = targetOf(value.$ref);
  }
  return here;
}

/** Pointers of the schemas directly under a schema, `$ref` not among them. */
export function subschemas(schema: Schema, pointer: string): string[] {
  const one = ONE.filter((keyword) => typeof schema[keyword] === "object");
  const named = [...MANY, ...NAMED].flatMap((keyword) =>
    Object.keys(schema[keyword] ?? {}).map((key) => `${pointer}/${keyword}${step(key)}`),
  );
  return [...one.map((keyword) => `${pointer}/${keyword}`), ...named];
}

/** Every schema that one reaches, itself first, each once. */
export function reachable(
  document: Json,
  pointer: string,
  seen = new Map<string, Schema>(),
): Map<string, Schema> {
  if (seen.has(pointer)) return seen;
  const schema = schemaAt(document, pointer);
  seen.set(pointer, schema);
  if (schema.$ref) reachable(document, targetOf(schema.$ref), seen);
  for (const each of subschemas(schema, pointer)) reachable(document, each, seen);
  return seen;
}
