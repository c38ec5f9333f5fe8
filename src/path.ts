import { wrong } from "./errors.js";
import { encode, isPlainObject, kindOf } from "./text.js";

const PARAMETER = /\{([^{}]+)\}/g;
/** The types of values, besides numbers, that a query can hold. */
const FLAT = new Set(["string", "boolean", "bigint"]);

/** The names of the parameters in a path template, in order. */
export function parametersIn(template: string): string[] {
  return Array.from(template.matchAll(PARAMETER), ([, name = ""]) => name);
}

/**
 * Fills a path template. Each value becomes exactly one path segment.
 * @throws {TypeError} a value is missing or does not fit in one segment
 */
export function fillPath(operation: string, template: string, values: object): string {
  return template.replace(PARAMETER, (_, name: string) => {
    const value = (values as Record<string, unknown>)[name];
    const isId = typeof value === "string" || typeof value === "bigint";
    // URL parsers resolve dot segments, which would call another path.
    const isDots = typeof value === "string" && /^\.{0,2}$/.test(value);
    const text = isId || Number.isSafeInteger(value) ? encode(`${value as string}`) : undefined;
    if (text !== undefined && !isDots) return text;
    const found = typeof value === "string" ? JSON.stringify(value) : kindOf(value);
    const problem = `must be an identifier (a string or a safe integer), not ${found}`;
    throw wrong(operation, `path parameter ${name} ${problem}`);
  });
}

/**
 * Serializes a flat object as a query string, without the leading `?`.
 * @throws {TypeError} the object is not flat, or a value cannot be sent
 */
export function queryString(operation: string, query: unknown): string {
  if (!isPlainObject(query)) {
    throw wrong(operation, `query must be a plain object, not ${kindOf(query)}`);
  }
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (item === null || item === undefined) continue;
      const isDate = item instanceof Date && !Number.isNaN(item.getTime());
      const text = isDate ? item.toISOString() : item;
      const isFlat = typeof text === "number" ? Number.isFinite(text) : FLAT.has(typeof text);
      const key = encode(name);
      const pair = isFlat ? encode(`${text as string}`) : undefined;
      if (key === undefined || pair === undefined) {
        const problem = "must be a well-formed string, finite number, boolean or valid Date";
        const where = `query parameter ${JSON.stringify(name)}`;
        throw wrong(operation, `${where} ${problem}, not ${kindOf(item)}`);
      }
      pairs.push(`${key}=${pair}`);
    }
  }
  // URL parsers encode the apostrophe, too.
  return pairs.join("&").replaceAll("'", "%27");
}
