import { at, step } from "./pointer.js";
import type { RuleId } from "./rules.js";
import { either, short } from "./short.js";
import type { SchemaError } from "./types.js";

/** A wrong value. */
export interface Violation {
  /** Id of the rule; docs/findings.md has a paragraph for each. */
  rule: RuleId;
  /** The keyword of JSON Schema that is contradicted. */
  keyword: string;
  /** RFC 6901 pointer of the wrong value or missing member. */
  pointer: string;
  /** Pointer of the keyword in the description; empty in an app. */
  spec: string;
  /** The statement of the description. */
  expected: string;
  /** The value; a long one is cut. */
  actual: string;
}

/** The rule of each keyword and its expectation; the other keywords limit a size or a number. */
const KEYWORDS: Record<string, [RuleId, expected?: (params: SchemaError["params"]) => string]> = {
  const: ["value/const", ({ allowedValue }) => short(allowedValue)],
  enum: ["value/const", ({ allowedValues }) => either(allowedValues as unknown[])],
  format: ["value/format", ({ format }) => `of the format ${String(format)}`],
  not: ["value/not"],
  pattern: ["value/pattern", ({ pattern }) => `matches ${String(pattern)}`],
  required: ["value/required", () => "present"],
  type: ["value/type", ({ type }) => [type].flat().join(" or ")],
  uniqueItems: ["value/items"],
};

/** A value of the wrong type also breaks the other keywords: only the last broken one of these is reported. */
const ORDER = ["pattern", "format", "enum", "const", "type"];

/** Turns the errors of a validator into violations, one for each wrong value. */
export function violationsOf(errors: readonly SchemaError[], body: unknown): Violation[] {
  const kept = new Map<string, Violation>();
  for (const error of errors) {
    // The errors of the branch and of the key say the same.
    if (error.keyword === "if" || error.keyword === "propertyNames") continue;
    const violation = violationOf(error, body);
    const before = kept.get(violation.pointer);
    if (!before || rankOf(violation) > rankOf(before)) kept.set(violation.pointer, violation);
  }
  return [...kept.values()];
}

/** The value of a wrong key has no description. */
function rankOf({ rule, keyword }: Violation): number {
  return rule === "value/key" ? ORDER.length : ORDER.indexOf(keyword);
}

function violationOf(error: SchemaError, body: unknown): Violation {
  const { keyword, instancePath, schemaPath: spec = "", params, propertyName } = error;
  const { missingProperty, limit, comparison } = params;
  const member = missingProperty ?? propertyName;
  const pointer = member === undefined ? instancePath : instancePath + step(String(member));
  const value = at(body, pointer);
  const [rule = "value/range", expectedOf] = KEYWORDS[keyword] ?? [];
  const bound = `${keyword} ${String(comparison ?? "")}${String(limit)}`;
  const expected = expectedOf?.(params) ?? (limit === undefined ? `satisfies ${keyword}` : bound);
  const found = { keyword, pointer, spec, expected };
  if (propertyName !== undefined)
    return { ...found, rule: "value/key", actual: `the key ${short(propertyName)}` };
  const isNull = rule === "value/type" && value === null;
  return { ...found, rule: isNull ? "value/null" : rule, actual: short(value, pointer) };
}
