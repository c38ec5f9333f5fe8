import { toViolations } from "../contract/engine/violations.js";
import type { Validator } from "../openapi/description.js";

/** The validators of a request. */
export interface RequestValidators {
  body?: Validator;
  isBodyRequired?: boolean;
  /** The path and query parameters. */
  parameters: readonly {
    name: string;
    in: "path" | "query";
    required: boolean;
    validator: Validator;
  }[];
}

/** Describes the first invalid value in a request body. */
export function findInvalidValue(
  { body: validate }: RequestValidators,
  body: unknown,
): string | undefined {
  const [violation] = toViolations(validate?.(body) ?? [], body, () => true);
  if (!violation) return undefined;
  const { pointer, actual, expected } = violation;
  return `${pointer || "the body"} is ${actual}, expected ${expected}`;
}

/** The first invalid parameter, and what the description expects. */
export function findRejectedParameter(
  { parameters }: RequestValidators,
  path: Readonly<Record<string, string>>,
  query: URLSearchParams,
): { name: string; in: "path" | "query"; expected: string } | undefined {
  for (const { name, in: location, required, validator } of parameters) {
    const given = location === "path" ? [path[name] ?? ""] : query.getAll(name);
    if (given.length === 0 && !required) continue;
    const failures = readingsOf(given).map((value) =>
      toViolations(validator(value), value, () => true),
    );
    if (failures.some((each) => each.length === 0)) continue;
    const expected = given.length === 0 ? "present" : failures.at(-1)![0]!.expected;
    return { name, in: location, expected };
  }
  return undefined;
}

/** The values that a parameter's text can stand for. */
function readingsOf(given: readonly string[]): unknown[] {
  const lists = [given, given.flatMap((each) => each.split(","))];
  const scalars = given.slice(0, 1).flatMap((text) => [text, readScalar(text)]);
  return [...lists, ...lists.map((list) => list.map(readScalar)), ...scalars];
}

/** Converts text to a number or boolean, if possible. */
function readScalar(text: string): unknown {
  return /^(-?(0|[1-9]\d*)(\.\d+)?|true|false)$/.test(text) ? JSON.parse(text) : text;
}
