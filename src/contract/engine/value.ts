import { at, outerOf, step } from "./pointer.js";
import type { RuleId } from "./rules.js";
import { short } from "./short.js";
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

const present = () => "present";
const absent = () => "absent";

/** The rule of each keyword, and what it expects; others restrict a size or a number. */
const KEYWORDS: Record<string, [RuleId, expected?: (params: SchemaError["params"]) => string]> = {
  additionalProperties: ["value/closed", absent],
  anyOf: ["value/union"],
  const: ["value/const", ({ allowedValue }) => short(allowedValue)],
  contains: ["value/items"],
  dependentRequired: ["value/required", present],
  enum: ["value/const", ({ allowedValues }) => either(allowedValues as unknown[])],
  "false schema": ["value/closed", absent],
  items: ["value/closed", absent],
  format: ["value/format", ({ format }) => `of the format ${String(format)}`],
  not: ["value/not"],
  oneOf: ["value/union"],
  pattern: ["value/pattern", ({ pattern }) => `matches ${String(pattern)}`],
  required: ["value/required", present],
  type: ["value/type", ({ type }) => [type].flat().join(" or ")],
  unevaluatedItems: ["value/closed", absent],
  unevaluatedProperties: ["value/closed", absent],
  uniqueItems: ["value/items"],
};

/** A value of the wrong type is wrong in every other way too: the keyword that comes last speaks for the rest. */
const ORDER = ["pattern", "format", "enum", "const", "type"];

/** Of a member that has a wrong key, no value is described. */
function rankOf({ rule, keyword }: Violation): number {
  return rule === "value/key" ? ORDER.length : ORDER.indexOf(keyword);
}

/** Turns the errors of a validator into violations, one a wrong value. */
export function violationsOf(errors: readonly SchemaError[], body: unknown): Violation[] {
  const unions = new Set<string>();
  // The errors of its branches stand before that of the union, which says enough; of `contains`, those of its items.
  const own = errors.toReversed().filter(({ keyword, instancePath, params }) => {
    // Of a list of which all is evaluated, ajv may say that no more than `true` items are.
    if (outerOf(instancePath, unions) !== undefined || params.limit === true) return false;
    if (/^((one|any)Of|contains)$/.test(keyword)) unions.add(instancePath);
    return keyword !== "if" && keyword !== "propertyNames";
  });
  const kept = new Map<string, Violation>();
  for (const error of own.toReversed()) {
    const violation = violationOf(error, body);
    const before = kept.get(violation.pointer);
    if (!before || rankOf(violation) > rankOf(before)) kept.set(violation.pointer, violation);
  }
  return [...kept.values()];
}

/** Values as a finding lists them. */
export function either(values: readonly unknown[]): string {
  return values.map((each) => short(each)).join(" or ");
}

function violationOf(error: SchemaError, body: unknown): Violation {
  const { keyword, instancePath, params, propertyName } = error;
  const { missingProperty, additionalProperty, unevaluatedProperty, limit, comparison } = params;
  // An item too many has no name: the limit is the index of the first of them.
  const item = /^(unevaluatedI|i)tems$/.test(keyword) ? limit : undefined;
  const member =
    missingProperty ?? additionalProperty ?? unevaluatedProperty ?? propertyName ?? item;
  const pointer = member === undefined ? instancePath : instancePath + step(String(member));
  const value = at(body, pointer);
  const [rule = "value/range", expected] = KEYWORDS[keyword] ?? [];
  const bound = limit ?? params.multipleOf;
  const bounded = `${keyword} ${String(comparison ?? "")}${String(bound)}`;
  const otherwise = bound === undefined ? `satisfies ${keyword}` : bounded;
  const found = { keyword, pointer, expected: expected?.(params) ?? otherwise };
  if (propertyName !== undefined)
    return { ...found, rule: "value/key", actual: `the key ${short(propertyName)}` };
  const isNull = rule === "value/type" && value === null;
  return { ...found, rule: isNull ? "value/null" : rule, actual: short(value, pointer) };
}
