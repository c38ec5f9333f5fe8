import { wrong } from "./errors.js";
import { encode, isPlainObject, kindOf } from "./text.js";

/** The names of the parameters in a path template, in order. */
export function parametersIn(template: string): string[] {
  return Array.from(template.matchAll(/\{([^{}]+)\}/g), ([, name = ""]) => name);
}

/**
 * Fills a path template. Each value becomes exactly one path segment.
 * @throws {TypeError} a value is missing or does not fit in one segment
 */
export function fillPath(
  operation: string,
  template: string,
  values: Readonly<Record<string, unknown>>,
): string {
  // Every second part is a parameter name.
  const parts = template.split(/[{}]/);
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at]!;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    parts[at] = segment(value, (problem) =>
      wrong(operation, `path parameter ${name} must be ${problem}`),
    );
  }
  return parts.join("");
}

function segment(value: unknown, refusal: (problem: string) => TypeError): string {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw refusal(`a safe integer, not ${value}; pass it as a string`);
  }
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") {
    throw refusal(`a string or an integer, not ${kindOf(value)}`);
  }
  // URL parsers resolve dot segments, which would call another path.
  if (["", ".", ".."].includes(`${value}`)) throw refusal(`an identifier, not "${value}"`);
  return encoded(`${value}`, refusal);
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
    const refusal = (problem: string) =>
      wrong(operation, `query parameter ${JSON.stringify(name)} must be ${problem}`);
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null || item === undefined) continue;
      pairs.push(`${encoded(name, refusal)}=${encoded(textOf(item, refusal), refusal)}`);
    }
  }
  return pairs.join("&");
}

function textOf(value: unknown, refusal: (problem: string) => TypeError): string {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (["string", "boolean", "bigint"].includes(typeof value)) return String(value);
  if (typeof value !== "number") {
    throw refusal(`a string, number, boolean or valid Date, not ${kindOf(value)}`);
  }
  if (!Number.isFinite(value)) throw refusal(`a finite number, not ${value}`);
  return String(value);
}

function encoded(text: string, refusal: (problem: string) => TypeError): string {
  const result = encode(text);
  if (result !== undefined) return result;
  throw refusal("well-formed Unicode, without lone surrogates");
}
