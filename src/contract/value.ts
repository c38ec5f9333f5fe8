import { at, parentOf, step } from "./pointer.js";
import { short } from "./short.js";
import type { RuleId } from "./rules.js";
import type { SchemaError } from "./types.js";

/** A wrong value, as the validators know it: without places in the description. */
export interface Violation {
  /** Id of the rule; docs/findings.md has a paragraph for each. */
  rule: RuleId;
  /** The keyword of JSON Schema that is contradicted. */
  keyword: string;
  /** Of the wrong value, or of the member that is missing. */
  pointer: string;
  /** What is described. */
  expected: string;
  /** What was sent; a long value is cut. */
  actual: string;
}

/** The rule of each keyword; others restrict a size or a number. */
const RULES: Record<string, RuleId> = {
  additionalProperties: "value/closed",
  anyOf: "value/union",
  const: "value/const",
  contains: "value/items",
  dependentRequired: "value/required",
  enum: "value/const",
  "false schema": "value/closed",
  format: "value/format",
  not: "value/not",
  oneOf: "value/union",
  pattern: "value/pattern",
  propertyNames: "value/key",
  required: "value/required",
  type: "value/type",
  unevaluatedItems: "value/closed",
  unevaluatedProperties: "value/closed",
  uniqueItems: "value/items",
};

/** A value of the wrong type is wrong in every other way too: the keyword that comes first speaks for the rest. */
const ORDER = ["type", "const", "enum", "format", "pattern"];

/** Turns the errors of a validator into violations, one a wrong value. */
export function violationsOf(errors: readonly SchemaError[], body: unknown): Violation[] {
  const unions = errors.filter(({ keyword }) => keyword === "oneOf" || keyword === "anyOf");
  const kept = new Map<string, Violation>();
  errors.forEach((error, index) => {
    if (error.keyword === "if" || error.keyword === "propertyNames") return;
    const inBranch = unions.some(
      (union) =>
        union !== error &&
        index < errors.indexOf(union) &&
        isWithin(error.instancePath, union.instancePath),
    );
    if (inBranch) return;
    for (const violation of violationsOfError(error, body)) {
      const before = kept.get(violation.pointer);
      if (!before || rank(violation.keyword) < rank(before.keyword))
        kept.set(violation.pointer, violation);
    }
  });
  return [...kept.values()];
}

function violationsOfError(error: SchemaError, body: unknown): Violation[] {
  const { keyword, instancePath, params, propertyName } = error;
  const missing = (params.missingProperty ?? params.missingProperties) as string | undefined;
  const extra = (params.additionalProperty ?? params.unevaluatedProperty) as string | undefined;
  const member = missing ?? extra ?? propertyName;
  const pointer = member === undefined ? instancePath : instancePath + step(member);
  const value = at(body, pointer);
  const rule = propertyName === undefined ? (RULES[keyword] ?? "value/range") : "value/key";
  const isNull = keyword === "type" && value === null;
  return [
    {
      rule: isNull ? "value/null" : rule,
      keyword,
      pointer,
      expected: expectation(keyword, params),
      actual: propertyName === undefined ? short(value, pointer) : `the key ${short(propertyName)}`,
    },
  ];
}

function expectation(keyword: string, params: Record<string, unknown>): string {
  const { type, allowedValue, allowedValues, pattern, format, limit, comparison } = params;
  if (keyword === "type") return [type].flat().join(" or ");
  if (keyword === "required" || keyword === "dependentRequired") return "present";
  if (keyword === "const") return short(allowedValue);
  if (keyword === "enum")
    return (allowedValues as unknown[]).map((each) => short(each)).join(" or ");
  if (keyword === "pattern") return `matches ${String(pattern)}`;
  if (keyword === "format") return `of the format ${String(format)}`;
  if (RULES[keyword] === "value/closed") return "absent";
  if (limit !== undefined) return `${keyword} ${String(comparison ?? "")}${String(limit)}`;
  return `satisfies ${keyword}`;
}

function rank(keyword: string): number {
  const index = ORDER.indexOf(keyword);
  return index < 0 ? ORDER.length : index;
}

function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

/** Where a violation stands: a missing member has no place of its own. */
export function standsAt({ keyword, pointer }: Violation): string {
  return keyword === "required" || keyword === "dependentRequired" ? parentOf(pointer) : pointer;
}
