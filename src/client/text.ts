/** Calls a function. Returns undefined if the function throws an error. */
export function resultOf<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    // The caller handles the missing result.
  }
  return undefined;
}

/** Percent-encodes text. Returns undefined if the text contains a lone surrogate, which UTF-8 cannot represent. */
export function percentEncode(text: string): string | undefined {
  return resultOf(() => encodeURIComponent(text));
}

/**
 * Parses a URL. Returns undefined if the URL is invalid. Does not use `URL.canParse`, because its optimized version
 * rejects valid non-ASCII URLs on Node 20 and 22.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  return resultOf(() => new URL(text, base));
}

/** Parses JSON. If the text is not JSON, returns the text unchanged. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the machine-readable code in a parsed response body. */
export function serviceCodeOf(body: unknown): number | undefined {
  const code = (body as { status_code?: unknown } | null | undefined)?.status_code;
  return typeof code === "number" ? code : undefined;
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

/** Suggests the name that shares the most pairs of letters with a misspelled name, if it shares at least a third. */
export function suggestName(name: string, names: readonly string[]): string {
  const pairsIn = (text: string) => {
    const letters = text.toLowerCase().replace(/[^a-z\d]/g, "");
    return [...letters].slice(1).map((letter, index) => letters[index]! + letter);
  };
  const given = pairsIn(name);
  let nearest: string | undefined;
  let best = 0.33;
  for (const each of names) {
    const pairs = pairsIn(each);
    const shared = pairs.filter((pair) => given.includes(pair)).length;
    const share = shared / Math.max(pairs.length, given.length);
    if (share > best) [nearest, best] = [each, share];
  }
  return nearest === undefined ? "" : ` (did you mean "${nearest}"?)`;
}
