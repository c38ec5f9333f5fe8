import type { Json } from "../types.js";
import { FormError } from "./problem.js";

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Whether a JSON value, or what was read instead of one, is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member that has to be an object. @throws {FormError} it is none */
export function objectAt(parent: JsonObject, key: string, pointer: string): JsonObject {
  const value = parent[key];
  if (isObject(value)) return value;
  throw new FormError(`${name(pointer, key)} is no object`, `${pointer}/${key}`);
}

/** A member that has to be a string that is not empty. @throws {FormError} it is none */
export function stringAt(parent: JsonObject, key: string, pointer: string): string {
  const value = parent[key];
  if (typeof value === "string" && value !== "") return value;
  throw new FormError(`${name(pointer, key)} is no text`, `${pointer}/${key}`);
}

/** A member that has to be a whole number. @throws {FormError} it is none */
export function integerAt(parent: JsonObject, key: string, pointer: string): number {
  const value = parent[key];
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw new FormError(`${name(pointer, key)} is no whole number`, `${pointer}/${key}`);
}

/**
 * Headers by lower-case name, of an object or of a HAR's list of `name` and `value`. Repeated ones are joined with a
 * comma, as RFC 9110, 5.3 has it. Pseudo headers of HTTP/2, such as `:status`, are left out.
 * @throws {FormError} they are of neither form
 */
export function headersOf(value: Json | undefined, pointer: string): Record<string, string> {
  const pairs = Array.isArray(value)
    ? value.map((each) => (isObject(each) ? [each.name, each.value] : []))
    : isObject(value)
      ? Object.entries(value)
      : undefined;
  if (!pairs) throw new FormError(`${name(pointer, "")} are neither object nor list`, pointer);
  const headers = new Map<string, string>();
  for (const [key, given] of pairs) {
    const text = Array.isArray(given) ? given.map(String).join(", ") : given;
    if (typeof key !== "string" || !["string", "number"].includes(typeof text)) {
      throw new FormError(`${name(pointer, "")} hold one without name or value`, pointer);
    }
    if (key.startsWith(":")) continue;
    const before = headers.get(key.toLowerCase());
    headers.set(key.toLowerCase(), before === undefined ? String(text) : `${before}, ${text}`);
  }
  return Object.fromEntries(headers);
}

/** A query as a recording holds it: repeated names are lists. */
export function queryOf(parameters: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((key) => {
      const values = parameters.getAll(key);
      return [key, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

function name(pointer: string, key: string): string {
  return [...pointer.split("/").slice(1), key].filter(Boolean).join(".");
}
