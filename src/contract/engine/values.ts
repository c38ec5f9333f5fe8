import { at, step } from "./pointer.js";
import type { RuleId } from "./rules.js";
import { either, short } from "./short.js";
import type { SchemaError } from "./types.js";

/** An invalid value. */
export interface Violation {
  /** Id of the rule; docs/findings.md has a paragraph for each. */
  rule: RuleId;
  /** The JSON Schema keyword that the value violates. */
  keyword: string;
  /** RFC 6901 pointer of the wrong value or missing member. */
  pointer: string;
  /** Pointer of the keyword in the description; empty in an app. */
  spec: string;
  /** The value or condition that the description requires. */
  expected: string;
  /** The value, shortened if it is long. */
  actual: string;
}

/** The rule of each keyword and the expected value. All other keywords limit a size or a number. */
const KEYWORDS: Record<string, [RuleId, expected?: (params: SchemaError["params"]) => string]> = {
  const: ["value/const", ({ allowedValue }) => short(allowedValue)],
  enum: ["value/const", ({ allowedValues }) => either(allowedValues as unknown[])],
  format: ["value/format", ({ format }) => `format ${String(format)}`],
  not: ["value/not"],
  pattern: ["value/pattern", ({ pattern }) => `a string that matches ${String(pattern)}`],
  required: ["value/required", () => "present"],
  type: ["value/type", ({ type }) => [type].flat().join(" or ")],
  uniqueItems: ["value/items"],
};

/** A value of the wrong type also violates other keywords: only the last violated one of these is reported. */
const ORDER = ["pattern", "format", "enum", "const", "type"];

/** Converts validator errors to violations, one per invalid value. */
export function violationsOf(errors: readonly SchemaError[], body: unknown): Violation[] {
  const kept = new Map<string, Violation>();
  for (const error of errors) {
    // The branch and the key report the same error.
    if (error.keyword === "if" || error.keyword === "propertyNames") continue;
    const violation = violationOf(error, body);
    const before = kept.get(violation.pointer);
    if (!before || rankOf(violation) > rankOf(before)) kept.set(violation.pointer, violation);
  }
  return [...kept.values()];
}

/** The value of an invalid key has no schema. */
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
  const expected =
    expectedOf?.(params) ?? (limit === undefined ? `a value that satisfies ${keyword}` : bound);
  const found = { keyword, pointer, spec, expected };
  if (propertyName !== undefined)
    return { ...found, rule: "value/key", actual: `the key ${short(propertyName)}` };
  const isNull = rule === "value/type" && value === null;
  return { ...found, rule: isNull ? "value/null" : rule, actual: short(value, pointer) };
}
