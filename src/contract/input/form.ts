import { at, step } from "../engine/pointer.js";
import type { Json } from "../engine/types.js";
import { isObject } from "../engine/union.js";

/** An input is not of the form that it should have. */
export class FormError extends Error {
  /** @param pointer RFC 6901 pointer to what is wrong */
  constructor(
    problem: string,
    readonly pointer = "",
  ) {
    super(`${pointer.slice(1).replaceAll("/", ".")} ${problem}`.trimStart());
  }
}

/** Makes a reader of what has to be at a pointer, and of one kind: it throws a FormError. */
function reader<T extends Json>(kind: string, isOf: (value: unknown) => boolean) {
  return (root: Json, pointer: string): T => {
    const value = at(root, pointer);
    if (!isOf(value)) throw new FormError(`is no ${kind}`, pointer);
    return value as T;
  };
}

export const objectAt = reader<{ [key: string]: Json }>("object", isObject);
/** The string at a pointer, which is not empty. */
export const textAt = reader<string>("text", (value) => typeof value === "string" && value !== "");
export const integerAt = reader<number>("whole number", Number.isInteger);
/** As RFC 9110, 15 has it: of three digits, whose first is 1 to 5. */
export const statusAt = reader<number>(
  "HTTP status, a whole number from 100 to 599",
  (value) => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599,
);

/**
 * Reads headers of an object, or of a HAR's list of `name` and `value`: by lower-case name, and pointers to them by
 * `header: ` and that name.
 * @throws {FormError} they are of neither form
 */
export function headersAt(root: Json, pointer: string) {
  const given = at(root, pointer) ?? {};
  if (typeof given !== "object") throw new FormError("are neither object nor list", pointer);
  const all: [name: unknown, value: unknown, place: string][] = Array.isArray(given)
    ? given.map((each, index) => [at(each, "/name"), at(each, "/value"), `/${index}/value`])
    : Object.entries(given).map(([name, value]) => [name, value, step(name)]);
  const headers = new Map<string, string>();
  const places = new Map<string, string>();
  for (const [name, value, place] of all) {
    const text: unknown = Array.isArray(value) ? value.join(", ") : value;
    if (typeof name !== "string" || (typeof text !== "string" && typeof text !== "number")) {
      throw new FormError("hold one without name or value", pointer);
    }
    // A pseudo header of HTTP/2, such as `:status`.
    if (name.startsWith(":")) continue;
    const key = name.toLowerCase();
    // As RFC 9110, 5.3 has it.
    headers.set(key, headers.has(key) ? `${headers.get(key)}, ${text}` : `${text}`);
    places.set(`header: ${key}`, pointer + place);
  }
  return { headers: Object.fromEntries(headers), places };
}
