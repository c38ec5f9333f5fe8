import { encode, isPlainObject, kindOf } from "./text.js";

/**
 * Writes a flat record as a query string: names and values percent-encoded, a parameter for each item of an array,
 * dates in ISO 8601, null and undefined left out.
 * @throws {TypeError} the record is not flat, or a value cannot be sent; the message names the parameter
 */
export function queryString(operation: string, query: unknown): string {
  if (!isPlainObject(query)) {
    throw new TypeError(`${operation}: query is not a plain object; give names and values`);
  }
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    const refuse = (problem: string): never => {
      throw new TypeError(`${operation}: query parameter ${JSON.stringify(name)} ${problem}`);
    };
    const encoded = (text: string) =>
      encode(text) ?? refuse("holds a lone surrogate, which cannot be sent");
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null || item === undefined) continue;
      pairs.push(`${encoded(name)}=${encoded(textOf(item, refuse))}`);
    }
  }
  return pairs.join("&");
}

function textOf(value: unknown, refuse: (problem: string) => never): string {
  switch (typeof value) {
    case "number":
      if (!Number.isFinite(value)) refuse(`is ${value}; give a finite number`);
      return String(value);
    case "string":
    case "boolean":
    case "bigint":
      return String(value);
    default:
      return dateOf(value, refuse).toISOString();
  }
}

/** A date of any realm, which `instanceof` would not know. */
function dateOf(value: unknown, refuse: (problem: string) => never): Date {
  let time = 0;
  try {
    time = Date.prototype.getTime.call(value);
  } catch {
    refuse(`is ${kindOf(value)}; the query is flat`);
  }
  return Number.isNaN(time) ? refuse("is an invalid date") : new Date(time);
}
