/** Percent-encodes text. Returns undefined if the text contains a lone surrogate, which UTF-8 cannot represent. */
export function percentEncode(text: string): string | undefined {
  try {
    return encodeURIComponent(text);
    // Stryker disable next-line BlockStatement: A function without a return statement returns undefined.
  } catch {
    return undefined;
  }
}

/**
 * Parses a URL. Returns undefined if the URL is invalid. Does not use `URL.canParse`, because its optimized version
 * rejects valid non-ASCII URLs on Node 20 and 22.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
    // Stryker disable next-line BlockStatement: A function without a return statement returns undefined.
  } catch {
    return undefined;
  }
}

/** Parses JSON. If the text is not JSON, returns the text unchanged. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Converts a value to JSON. Returns undefined for a value that JSON cannot represent or that is too deeply nested. */
export function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
    // Stryker disable next-line BlockStatement: A function without a return statement returns undefined.
  } catch {
    return undefined;
  }
}

/**
 * Describes the type of a value that might be secret. For null, undefined, and any number that is not a safe integer,
 * returns the value as text.
 */
export function describeType(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) {
    const { name } = Object(value.constructor) as { name?: string };
    return !name || name === "Object" ? "an object" : `an instance of ${name}`;
  }
  const isUnsafe = typeof value === "number" && !Number.isSafeInteger(value);
  return isUnsafe || value === null || value === undefined ? `${value}` : `a ${typeof value}`;
}

/** Checks whether a value is a plain object from any realm, rather than an array or a class instance. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (Object(value) !== value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
