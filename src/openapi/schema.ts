import { getAtPointer, refToPointer, toReferenceToken } from "./pointer.js";
import type { BranchSelector, SchemaHolder, Description, Json } from "./description.js";

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
  minItems?: number;
  [keyword: string]: unknown;
}

/** One schema that applies to a value, and its pointer in the description. */
export interface ApplicableSchema {
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
export interface WalkedValue {
  /** RFC 6901 pointer into the body. */
  pointer: string;
  /** The pointer with `*` for indexes and map keys: the same for all items of a list. */
  pointerTemplate: string;
  value: Json;
  /** Pointers to the schemas that declare the value by its name or index. */
  declaring: string[];
  /** These schemas, plus the schemas they reference or combine, if they apply to the value. */
  schemas: ApplicableSchema[];
  /** Whether the description marks the value, or a value around it, as sensitive. */
  isSensitive: boolean;
  /** The enclosing object or list. */
  around?: WalkedValue;
}

const caches = new WeakMap<object, Map<string, Schema>>();

/** The schema at a pointer, looked up once per document. */
export function schemaAt(document: Json, pointer: string): Schema {
  const cache = caches.get(document as object) ?? new Map<string, Schema>();
  caches.set(document as object, cache);
  let schema = cache.get(pointer);
  if (!schema) {
    const found = getAtPointer(document, pointer);
    schema = isObject(found) ? (found as Schema) : {};
    cache.set(pointer, schema);
  }
  return schema;
}

/** The unions in a schema. */
export function unionsIn({ pointer, schema }: ApplicableSchema): Union[] {
  // A fast path: this runs for every schema of every value, and most have no union.
  if (!schema.oneOf && !schema.anyOf) return [];
  return (["oneOf", "anyOf"] as const).flatMap((keyword) => {
    const union = `${pointer}/${keyword}`;
    const branches = schema[keyword]?.map((_, index) => `${union}/${index}`);
    return branches ? [{ keyword, pointer: union, branches }] : [];
  });
}

/** Whether a value belongs to a branch. */
function selectsBranch({ types, tag, has, lacks }: BranchSelector, value: unknown): boolean {
  if (!types.includes(jsonType(value))) return false;
  if (!isObject(value)) return true;
  if (has !== undefined) return Object.hasOwn(value, has);
  if (lacks !== undefined) return !Object.hasOwn(value, lacks);
  if (!tag) return true;
  if (!Object.hasOwn(value, tag.name)) return false;
  const given = value[tag.name] as Json;
  return tag.in ? tag.in.includes(given) : !tag.notIn?.includes(given);
}

/** The JSON type of a value; integers count as `number`. */
export function jsonType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Whether a value has the type that a schema declares; false if the schema declares none. */
export function hasType(value: unknown, { type = [] }: Pick<Schema, "type">): boolean {
  const types = new Set([type].flat());
  return types.has(jsonType(value)) || (types.has("integer") && Number.isInteger(value));
}

/** Whether a query parameter stands for any names: it is an object, because the source names none. */
export function isFreeForm(document: Json, { in: location, schema = "" }: SchemaHolder): boolean {
  return location === "query" && schemaAt(document, schema).type === "object";
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is { [key: string]: Json } {
  return jsonType(value) === "object";
}

/** Every value in a body, from the outside in. */
export function walkValues({ description, schema, body }: Subject): WalkedValue[] {
  const values: WalkedValue[] = [];
  const enter = (value: WalkedValue) => {
    values.push(value);
    if (typeof value.value !== "object") return;
    for (const key of Object.keys(value.value ?? {})) enter(memberOf(description, value, key));
  };
  const schemas = applicableSchemas(description, [schema], body);
  const place = { pointer: "", pointerTemplate: "", value: body, declaring: [schema], schemas };
  enter({ ...place, isSensitive: schemas.some(isMarked) });
  return values;
}

function memberOf(description: Description, around: WalkedValue, key: string): WalkedValue {
  const isList = Array.isArray(around.value);
  const declaring = isList ? itemSchemas(around.schemas) : memberSchemas(around.schemas, key);
  const value = (around.value as { [key: string]: Json })[key] as Json;
  const token = toReferenceToken(key);
  const isNamed =
    declaring.length === 0 || declaring.some((each) => each.endsWith(`/properties${token}`));
  const pointerTemplate = around.pointerTemplate + (isNamed && !isList ? token : "/*");
  const schemas = applicableSchemas(description, declaring, value);
  const isSensitive = around.isSensitive || schemas.some(isMarked);
  return {
    pointer: around.pointer + token,
    pointerTemplate,
    value,
    declaring,
    schemas,
    isSensitive,
    around,
  };
}

function isMarked({ schema }: ApplicableSchema): boolean {
  return schema["x-sensitive"] === true;
}

/** The schemas at some pointers, plus the schemas they reference or combine, if they apply to a value. */
export function applicableSchemas(
  description: Description,
  pointers: readonly string[],
  value: Json,
  found: ApplicableSchema[] = [],
): ApplicableSchema[] {
  for (const pointer of pointers) {
    if (found.some((each) => each.pointer === pointer)) continue;
    const schema = schemaAt(description.document, pointer);
    const current = { pointer, schema };
    found.push(current);
    if (schema.$ref) applicableSchemas(description, [refToPointer(schema.$ref)], value, found);
    const all = schema.allOf?.map((_, index) => `${pointer}/allOf/${index}`);
    if (all) applicableSchemas(description, all, value, found);
    applicableSchemas(description, selectBranches(description, current, value), value, found);
  }
  return found;
}

/** The union branches in a schema that a value selects by its type or tag. */
export function selectBranches(
  { unions }: Description,
  schema: ApplicableSchema,
  value: Json,
): string[] {
  return unionsIn(schema).flatMap(({ pointer, branches }) =>
    branches.filter((_, index) => selectsBranch(unions[pointer]![index]!, value)),
  );
}

/** Pointers of the schemas that declare a field. */
export function memberSchemas(schemas: readonly ApplicableSchema[], key: string): string[] {
  const pointers: string[] = [];
  // Runs for every field of every body, so it avoids other allocations.
  for (const { pointer, schema } of schemas) {
    if (schema.properties && Object.hasOwn(schema.properties, key))
      pointers.push(`${pointer}/properties${toReferenceToken(key)}`);
    else if (schema.additionalProperties !== undefined)
      pointers.push(`${pointer}/additionalProperties`);
  }
  return pointers;
}

function itemSchemas(schemas: readonly ApplicableSchema[]): string[] {
  return schemas.flatMap(({ pointer, schema }) => (schema.items ? `${pointer}/items` : []));
}
