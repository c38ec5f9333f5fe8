import type { Schema } from "../engine/schema.js";
import type { Json } from "../engine/types.js";

/** A value of each JSON type, but null. */
const SAMPLES = { string: "text", number: 7, boolean: true, object: {}, array: [] };

type Wrong = [operator: string, keyword: string, value: Json];

/** What a schema excludes in place of a value, each with the keyword that excludes it. */
export function* wrongValues(schema: Schema, value: Json): Generator<Wrong> {
  const types = new Set([schema.type ?? ["null", ...Object.keys(SAMPLES)]].flat());
  const isWhole = types.has("integer") && !types.has("number");
  if (!types.has("null")) yield ["null", "type", null];
  for (const [type, sample] of Object.entries(SAMPLES))
    if (!types.has(type) && !(isWhole && type === "number"))
      yield [`${type} instead`, "type", sample];
  if (isWhole) yield ["fraction", "type", 1.5];
  if (schema.const !== undefined && typeof value === "boolean")
    yield ["wrong constant", "const", !value];
  if (schema.minItems && Array.isArray(value)) yield ["empty list", "minItems", []];
  if (typeof value !== "string") return;
  if (schema.const !== undefined || schema.enum) yield ["wrong tag", "const", "unheard_of"];
  for (const broken of brokenForms(schema, value)) yield ["break form", "pattern", broken];
  if (schema.format === "uri") yield ["break form", "format", "not a URL"];
}

function brokenForms({ pattern }: Schema, value: string): string[] {
  if (pattern === undefined) return [];
  const form = new RegExp(pattern, "u");
  const shorter = [value.slice(1), value.slice(0, -1)];
  const broken = [...shorter, value.replaceAll(/\d/g, "9"), `?${value}`, `${value}?`, " "];
  return [...new Set(broken)].filter((each) => !form.test(each));
}

/** A copy of an object without one of its members. */
export function without<T>(object: Record<string, T>, name: string): Record<string, T> {
  const { [name]: _, ...rest } = object;
  return rest;
}
