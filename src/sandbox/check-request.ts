import { toMismatches } from "../contract/engine/mismatches.js";
import { readText } from "../openapi/read-text.js";
import type { Validator } from "../openapi/description.js";

/** The validators for the body and the parameters of a request. */
export interface RequestValidators {
  body?: Validator;
  isBodyRequired?: boolean;
  /** The query and header parameters. Which values a path can have depends on the examples. */
  parameters: readonly {
    name: string;
    in: "query" | "header";
    required: boolean;
    validator: Validator;
  }[];
}

/** Describes the first invalid value in a request body. Returns undefined if the body is valid. */
export function findInvalidValue(
  { body: validate }: RequestValidators,
  body: unknown,
): string | undefined {
  const isHidden = (_: unknown, value: unknown) => typeof value === "string";
  const [mismatch] = toMismatches(validate?.(body) ?? [], body, isHidden);
  if (!mismatch) return undefined;
  const { pointer, value, expected } = mismatch;
  return `${pointer || "the body"} is ${value}, expected ${expected}`;
}

/** Returns the first missing or invalid parameter, with a description of the problem. */
export function findInvalidParameter(
  { parameters }: RequestValidators,
  query: URLSearchParams,
  headers: Headers,
): { name: string; in: "query" | "header"; problem: string } | undefined {
  for (const { name, in: location, required, validator } of parameters) {
    const given = location === "query" ? query.getAll(name) : [headers.get(name) ?? []].flat();
    if (given.length === 0) {
      if (required) return { name, in: location, problem: "missing" };
      continue;
    }
    const { value, errors } = readText(given, validator);
    const [mismatch] = toMismatches(errors, value, () => true);
    if (mismatch) return { name, in: location, problem: `invalid: expected ${mismatch.expected}` };
  }
  return undefined;
}
