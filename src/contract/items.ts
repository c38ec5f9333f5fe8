import { operationsOf } from "./operations.js";
import { at, step, stepsOf } from "./pointer.js";
import { reachable, type Schema } from "./schema.js";
import type { Description, Json } from "./types.js";

/** Takes note of an item of a dimension that an operation describes, or exercises. */
export type Note = (dimension: string, item: string, operation: string) => void;

/** The dimensions in which a description is covered, in the order of reports. */
export const DIMENSIONS = [
  "operation", "status", "media type", "header", "property", "absent property", "null", "empty value", "union branch",
  "map key", "known value", "boolean", "gap",
] as const; // prettier-ignore

/** Names every item of a description that an exchange can exercise. */
export function describedItems(description: Description, note: Note): void {
  for (const operation of operationsOf(description)) {
    note("operation", operation.id, operation.id);
    for (const { status, media, headers } of operation.responses) {
      const name = `${operation.id} ${status}`;
      note("status", name, operation.id);
      for (const { type } of media) note("media type", `${name} ${type}`, operation.id);
      for (const header of headers) note("header", `${name} ${header.name}`, operation.id);
    }
    for (const [pointer, schema] of describedSchemas(description.document, [operation])) {
      for (const [dimension, item] of schemaItems(description, pointer, schema))
        note(dimension, item, operation.id);
    }
  }
  for (const gap of [...gapsOf(description.document)].toSorted()) note("gap", gap, "");
}

/** The items that one schema brings along, each with a test of whether a value exercises it. */
export function schemaItems(
  { config }: Description,
  pointer: string,
  schema: Schema,
): [dimension: string, item: string, exercises: (value: Json) => boolean][] {
  const items: ReturnType<typeof schemaItems> = [];
  const types = new Set([schema.type ?? []].flat());
  if (types.has("null")) items.push(["null", `${pointer} null`, is(null)]);
  if (schema.minLength === 0 || (schema.pattern && new RegExp(schema.pattern, "u").test(""))) {
    items.push(["empty value", `${pointer} ""`, is("")]);
  }
  if (schema.minItems === 0)
    items.push([
      "empty value",
      `${pointer} []`,
      (value) => Array.isArray(value) && value.length === 0,
    ]);
  if (types.has("boolean")) {
    const values = typeof schema.const === "boolean" ? [schema.const] : [true, false];
    for (const each of values) items.push(["boolean", `${pointer} ${each}`, is(each)]);
  }
  for (const each of config.occurs[pointer] ?? [])
    items.push(["known value", `${pointer} ${JSON.stringify(each)}`, is(each)]);
  for (const form of formsOf(schema.propertyNames?.pattern)) {
    const exercises = (value: Json) =>
      Object.keys(value ?? {}).some((key) => new RegExp(form, "u").test(key));
    items.push(["map key", `${pointer} ${form}`, exercises]);
  }
  const isMap = typeof schema.additionalProperties === "object" && !schema.properties;
  if (isMap)
    items.push(["empty value", `${pointer} {}`, (value) => Object.keys(value ?? {}).length === 0]);
  for (const name of Object.keys(schema.properties ?? {})) {
    const item = `${pointer}/properties${step(name)}`;
    items.push(["property", item, (value) => Object.keys(value ?? {}).includes(name)]);
    if (schema.required?.includes(name)) continue;
    items.push(["absent property", item, (value) => !Object.keys(value ?? {}).includes(name)]);
  }
  for (const keyword of ["oneOf", "anyOf"] as const) {
    // Whether a branch is meant is known where the value is walked.
    schema[keyword]?.forEach((_, index) =>
      items.push(["union branch", `${pointer}/${keyword}/${index}`, () => false]),
    );
  }
  return items;
}

/** The schemas of what operations answer and take; what stands under `not` describes nothing. */
export function describedSchemas(
  document: Json,
  operations = operationsOf({ document }),
): Map<string, Schema> {
  const schemas = new Map<string, Schema>();
  for (const { schema } of operations.flatMap(({ responses, body }) => [
    ...body,
    ...responses.flatMap(({ media }) => media),
  ])) {
    if (schema !== undefined) reachable(document, schema, schemas);
  }
  for (const pointer of schemas.keys())
    if (stepsOf(pointer).includes("not")) schemas.delete(pointer);
  return schemas;
}

function is(wanted: Json): (value: Json) => boolean {
  return (value) => value === wanted;
}

/** The forms of a pattern with an optional end, such as `CC` and `CC-XX`: each on its own. */
function formsOf(pattern: string | undefined): string[] {
  if (pattern === undefined) return [];
  const [, start, end] = /^(\^.*[^\\])(\(.*\))\?\$$/.exec(pattern) ?? [];
  return start === undefined ? [pattern] : [`${start}$`, `${start}${end}$`];
}

function gapsOf(value: Json, found = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return found;
  for (const { id } of (at(value, "/x-not-specified") ?? []) as { id: string }[]) found.add(id);
  for (const each of Object.values(value)) gapsOf(each, found);
  return found;
}
