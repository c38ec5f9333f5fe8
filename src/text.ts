/** Percent-encodes a string; undefined if it has a lone surrogate, which has no UTF-8 form. */
export function encode(text: string): string | undefined {
  try {
    return encodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; the text itself if it is not JSON. */
export function jsonOf(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return text;
  }
}

/** The kind of a value, for messages that must not contain the value itself. `NaN`, `1.5` and `1e21` are shown. */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) {
    const { name = "Object" } = (value.constructor ?? {}) as { name?: string };
    return name === "Object" ? "an object" : `an instance of ${name}`;
  }
  const isShown = value === null || value === undefined || typeof value === "number";
  return isShown && !Number.isSafeInteger(value) ? `${value}` : `a ${typeof value}`;
}

/** A plain object: neither an array nor an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
