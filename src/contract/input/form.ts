import { at, step } from "../pointer.js";
import type { Json } from "../types.js";
import { isObject } from "../union.js";

/** An input is not of the form that it should have. */
export class FormError extends Error {
  constructor(
    problem: string,
    /** RFC 6901 pointer to what is wrong. */
    readonly pointer = "",
  ) {
    super(`${pointer.slice(1).replaceAll("/", ".")} ${problem}`.trimStart());
  }
}

/** Makes a reader of what has to be there, and of one kind. */
function reader<T extends Json>(kind: string, isOf: (value: unknown) => value is T) {
  return (root: Json, pointer: string): T => {
    const value = at(root, pointer);
    if (isOf(value)) return value;
    throw new FormError(`is no ${kind}`, pointer);
  };
}

/** The object at a pointer. @throws {FormError} there is none */
export const objectAt = reader("object", isObject);

/** The string at a pointer, which is not empty. @throws {FormError} there is none */
export const textAt = reader(
  "text",
  (value): value is string => typeof value === "string" && value !== "",
);

/** The whole number at a pointer. @throws {FormError} there is none */
export const integerAt = reader("whole number", (value): value is number =>
  Number.isInteger(value),
);

/**
 * Reads headers of an object, or of a HAR's list of `name` and `value`. Repeated ones are joined with a comma, as
 * RFC 9110, 5.3 has it. Pseudo headers of HTTP/2, such as `:status`, are left out.
 * @throws {FormError} they are of neither form
 * @returns by lower-case name; and pointers to them, by `header: ` and that name
 */
export function headersAt(root: Json, pointer: string) {
  const given = at(root, pointer) ?? {};
  if (typeof given !== "object") throw new FormError("are neither object nor list", pointer);
  const all: [name: unknown, value: unknown, place: string][] = Array.isArray(given)
    ? given.map((each, index) => [at(each, "/name"), at(each, "/value"), `/${index}/value`])
    : Object.entries(given).map(([name, value]) => [name, value, step(name)]);
  const values = new Map<string, string>();
  const places = new Map<string, string>();
  for (const [name, value, place] of all) {
    const text = Array.isArray(value) ? value.join(", ") : value;
    if (typeof name !== "string" || !/string|number/.test(typeof text)) {
      throw new FormError("hold one without name or value", pointer);
    }
    if (name.startsWith(":")) continue;
    const key = name.toLowerCase();
    const before = values.get(key);
    values.set(key, before === undefined ? String(text) : `${before}, ${String(text)}`);
    places.set(`header: ${key}`, pointer + place);
  }
  return { headers: Object.fromEntries(values), places };
}
