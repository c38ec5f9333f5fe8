import { toMismatches } from "../contract/engine/mismatches.js";
import { didYouMean } from "../contract/engine/suggest.js";
import { findBrokenRule, type ParameterRule } from "../openapi/parameter-rule.js";
import { readText } from "../openapi/read-text.js";
import { getAtPointer } from "../openapi/pointer.js";
import type { Json, Validator } from "../openapi/description.js";

/** The validators for the body and the parameters of a request. */
export interface RequestValidators {
  body?: Validator;
  isBodyRequired?: boolean;
  acceptsAnyQuery?: boolean;
  parameters: readonly {
    name: string;
    in: Location;
    required?: boolean;
    /** Whether commas separate the items of a list, so that the parameter cannot be repeated. */
    commaSeparated?: boolean;
    /** Whether the value is a secret, such as a session, which does not select an example. */
    isSensitive?: boolean;
    rule?: ParameterRule;
    /** What the value must be, in words, if its schema has a pattern. */
    description?: string;
    validator: Validator;
  }[];
}

type Location = "path" | "query" | "header";

/** The parameters of a request. */
interface Parameters {
  path: ReadonlyMap<string, string>;
  query: URLSearchParams;
  headers: Headers;
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

/**
 * Returns the first unknown, missing, or invalid parameter, with a description of the problem.
 * @param parts the names that `append_to_response` accepts
 */
export function findInvalidParameter(
  { parameters, acceptsAnyQuery }: RequestValidators,
  sent: Parameters,
  parts: readonly string[],
): { name: string; in: Location; problem: string } | undefined {
  const known = parameters.filter((each) => each.in === "query").map(({ name }) => name);
  const unknown = [...sent.query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined && !acceptsAnyQuery)
    return { name: unknown, in: "query", problem: `unknown${suggest(unknown, known)}` };
  for (const { name, in: location, required, commaSeparated, rule, ...others } of parameters) {
    const { description, validator } = others;
    const given = valuesOf(name, location, sent);
    const invalid = (problem: string) => ({ name, in: location, problem });
    const broken = rule && findBrokenRule(name, rule, sent.query);
    if (given.length === 0) {
      if (required) return invalid("missing");
    } else {
      const { value, errors } = readText(given, validator);
      const [mismatch] = toMismatches(errors, value, () => true);
      const item: unknown = getAtPointer(value as Json, mismatch?.pointer ?? "");
      if (mismatch && name === "append_to_response" && typeof item === "string")
        return invalid(`invalid: the part ${item} is unknown${suggest(item, parts)}`);
      if (mismatch?.rule === "schema/pattern" && description !== undefined)
        return invalid(`invalid; its description says: ${description}`);
      if (mismatch) return invalid(`invalid: expected ${mismatch.expected}`);
      if (given.length > 1 && (commaSeparated || !Array.isArray(value)))
        return invalid(`repeated: send it once${commaSeparated ? ", with commas" : ""}`);
    }
    if (broken !== undefined) return invalid(broken);
  }
  return undefined;
}

function suggest(name: string, known: readonly string[]): string {
  if (known.length === 0) return ": this operation has no query parameters";
  return didYouMean(name, known) || `; expected ${known.join(", ")}`;
}

/** Lists the values that a request has for a parameter. */
function valuesOf(name: string, location: Location, { path, query, headers }: Parameters) {
  if (location === "query") return query.getAll(name);
  return [(location === "path" ? path.get(name) : headers.get(name)) ?? []].flat();
}
