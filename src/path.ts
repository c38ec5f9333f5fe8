import { encode, kindOf } from "./text.js";

const BRACE = /[{}]/;

/** The names of the parameters of a path template, in its order. */
export function parametersIn(template: string): string[] {
  return Array.from(template.matchAll(/\{([^{}]+)\}/g), ([, name = ""]) => name);
}

/**
 * Puts the values of path parameters into a path template, each as exactly one segment.
 * @throws {TypeError} a value is missing or would leave its segment; the message names the parameter
 */
export function fillPath(
  operation: string,
  template: string,
  values: Readonly<Record<string, unknown>>,
): string {
  // Every second part is a name.
  const parts = template.split(BRACE);
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at]!;
    parts[at] = segment(Object.hasOwn(values, name) ? values[name] : undefined, (problem) => {
      throw new TypeError(`${operation}: path parameter ${name} ${problem}`);
    });
  }
  return parts.join("");
}

function segment(value: unknown, refuse: (problem: string) => never): string {
  if (typeof value === "number" && !Number.isFinite(value)) {
    refuse(`is ${value}; give a finite number`);
  }
  if (typeof value === "number" || typeof value === "bigint") return encodeURIComponent(`${value}`);
  if (typeof value !== "string") refuse(`is ${kindOf(value)}; give a string or a number`);
  if (value === "") refuse("is empty; give an identifier");
  // URL parsers resolve dot segments away, so that another path would be called.
  if (value === "." || value === "..") refuse(`is "${value}", which leads to another path`);
  return encode(value) ?? refuse("holds a lone surrogate, which cannot be sent");
}
