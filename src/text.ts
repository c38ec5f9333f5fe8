/** Percent-encodes a string; undefined if it has a lone surrogate, which has no UTF-8 form. */
export function percentEncode(text: string): string | undefined {
  try {
    return encodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON. Returns the text itself if it is not JSON. */
export function parseJson(
  text: string,
  reviver?: (name: string, value: unknown) => unknown,
): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return text;
  }
}

/** Describes a value for a message that must not contain it. Only null, undefined, and odd numbers are shown. */
export function describeType(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) {
    const { name } = Object(value.constructor) as { name?: string };
    return !name || name === "Object" ? "an object" : `an instance of ${name}`;
  }
  const isOdd = typeof value === "number" && !Number.isSafeInteger(value);
  return isOdd || value === null || value === undefined ? `${value}` : `a ${typeof value}`;
}

/** Whether a value is an object literal, of any realm: neither an array nor an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
