/** Percent-encodes a string. Returns undefined if it contains a lone surrogate, which UTF-8 cannot represent. */
export function percentEncode(text: string): string | undefined {
  try {
    return encodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses a URL; undefined if it is invalid. On Node 20 and 22, an optimized `URL.canParse` rejects valid non-ASCII
 * URLs.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Parses JSON. Returns the text itself if it is not JSON. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Converts to JSON. Returns undefined if JSON cannot represent the value, or it is too deeply nested. */
export function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Describes a possibly secret value for a message. Shows it only if it is null, undefined, or an unsafe number. */
export function describeType(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) {
    const { name } = Object(value.constructor) as { name?: string };
    return !name || name === "Object" ? "an object" : `an instance of ${name}`;
  }
  const isUnsafe = typeof value === "number" && !Number.isSafeInteger(value);
  return isUnsafe || value === null || value === undefined ? `${value}` : `a ${typeof value}`;
}

/** Whether a value is a plain object from any realm: neither an array nor a class instance. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (Object(value) !== value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
