import { at, step } from "./pointer.js";
import { schemaAt, type Part } from "./schema.js";
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
  const { document, operations } = description;
  for (const { id, responses, schemas } of operations) {
    note("operation", id, id);
    for (const { status, media, headers } of responses) {
      note("status", `${id} ${status}`, id);
      for (const { name } of media) note("media type", `${id} ${status} ${name}`, id);
      for (const { name } of headers) note("header", `${id} ${status} ${name}`, id);
    }
    for (const pointer of schemas) {
      const part = { pointer, schema: schemaAt(document, pointer) };
      for (const { dimension, item } of schemaItems(description, part)) note(dimension, item, id);
    }
  }
  for (const gap of [...gapsOf(document)].toSorted()) note("gap", gap, "");
}

/** An item that a schema brings along, and whether a value exercises it. */
interface Item {
  dimension: string;
  item: string;
  isIn: (value: Json) => boolean;
}

/** The items that one schema brings along. */
export function schemaItems({ config }: Description, { pointer, schema }: Part): Item[] {
  const items: Item[] = [];
  const add = (dimension: string, name: string, isIn: Item["isIn"]) =>
    items.push({ dimension, item: pointer + name, isIn });
  const addValue = (dimension: string, wanted: Json) =>
    add(dimension, ` ${JSON.stringify(wanted)}`, (value) => value === wanted);
  const types = new Set([schema.type ?? []].flat());
  // Of a union, only the branch that is meant is walked.
  if (/\/(one|any)Of\/\d+$/.test(pointer)) add("union branch", "", () => true);
  if (types.has("null")) addValue("null", null);
  const isText = types.has("string");
  if (isText && /may be empty/i.test(String(schema.description))) addValue("empty value", "");
  if (types.has("array") && !schema.minItems)
    add("empty value", " []", (value) => Array.isArray(value) && value.length === 0);
  if (types.has("boolean"))
    for (const each of [true, false]) if (schema.const !== !each) addValue("boolean", each);
  for (const each of config.occurs[pointer] ?? []) addValue("known value", each);
  for (const form of formsOf(schema.propertyNames?.pattern)) {
    const fits = (key: string) => new RegExp(form, "u").test(key);
    add("map key", ` ${form}`, (value) => keysOf(value).some(fits));
  }
  if (typeof schema.additionalProperties === "object" && !schema.properties)
    add("empty value", " {}", (value) => keysOf(value).length === 0);
  for (const name of Object.keys(schema.properties ?? {})) {
    const has = (value: Json) => keysOf(value).includes(name);
    add("property", `/properties${step(name)}`, has);
    if (schema.required?.includes(name)) continue;
    add("absent property", `/properties${step(name)}`, (value) => !has(value));
  }
  return items;
}

function keysOf(value: Json): string[] {
  return Object.keys(value ?? {});
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
