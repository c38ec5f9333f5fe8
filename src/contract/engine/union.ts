import type { Part } from "./schema.js";
import type { Json, Test } from "./types.js";

/** The unions of a schema, and the pointers of their branches. */
export function unionsOf({ pointer, schema }: Part): { pointer: string; branches: string[] }[] {
  // Asked of every schema of every value, and most have none.
  if (!schema.oneOf && !schema.anyOf) return [];
  return (["oneOf", "anyOf"] as const).flatMap((keyword) => {
    const union = `${pointer}/${keyword}`;
    const branches = schema[keyword]?.map((_, index) => `${union}/${index}`);
    return branches ? [{ pointer: union, branches }] : [];
  });
}

/** Whether a value passes the test of a branch. */
export function passes({ types, tag }: Test, value: unknown): boolean {
  if (!types.includes(typeOf(value))) return false;
  if (!tag || !isObject(value)) return true;
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
