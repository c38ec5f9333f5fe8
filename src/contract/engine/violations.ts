import { formatValue, joinWithOr, maskKey, pluralize } from "./format-value.js";
import {
  closestAncestor,
  getAtPointer,
  parentPointer,
  toReferenceToken,
} from "../../openapi/pointer.js";
import type { RuleId } from "./rules.js";
import type { SchemaError } from "../../openapi/description.js";

/** A value that contradicts its schema. */
export interface Violation {
  /** Id of the rule; docs/findings.md has a section for each. */
  rule: RuleId;
  /** The JSON Schema keyword that the value violates. */
  keyword: string;
  /** RFC 6901 pointer to the wrong value or missing member. */
  pointer: string;
  /** Pointer to the keyword in the description. */
  descriptionPointer: string;
  /** The value or condition that the description requires. */
  expected: string;
  /** The value, shortened if it is long; only its type and size if it is sensitive or its type is not declared. */
  actual: string;
}

/** The expected value, by keyword. */
const EXPECTED: Record<string, (params: SchemaError["params"]) => string> = {
  const: ({ allowedValue }) => joinWithOr([allowedValue]),
  enum: ({ allowedValues }) => joinWithOr(allowedValues as unknown[]),
  format: ({ format }) => `format ${String(format)}`,
  minItems: ({ limit }) => `at least ${pluralize(Number(limit), "item")}`,
  not: () => "a value that does not match the schema under `not`",
  pattern: ({ pattern }) => `a string that matches ${String(pattern)}`,
  required: () => "present",
  type: ({ type }) => [type].flat().join(" or "),
};

/** A value of the wrong type also violates other keywords: only the last violated one of these is reported. */
const ORDER = ["pattern", "format", "enum", "const", "type"];

/** Whether a violation must not show the value that an error is about. */
type IsHidden = (error: SchemaError, value: unknown) => boolean;

/** Converts validator errors to violations, one per invalid value. */
export function toViolations(
  errors: readonly SchemaError[],
  body: unknown,
  isHidden: IsHidden,
): Violation[] {
  const kept = new Map<string, Violation>();
  for (const error of errors) {
    // The branch and the key report the same error.
    if (error.keyword === "if" || error.keyword === "propertyNames") continue;
    const violation = toViolation(error, body, isHidden);
    const before = kept.get(violation.pointer);
    if (!before || rankOf(violation) > rankOf(before)) kept.set(violation.pointer, violation);
  }
  const violations = [...kept.values()];
  const keys = invalidKeys(violations);
  return violations.filter(({ pointer }) => !isWithinKey(pointer, keys));
}

/** Pointers to the invalid keys. */
export function invalidKeys(violations: readonly Violation[]): ReadonlySet<string> {
  const keys = violations.filter(({ rule }) => rule === "schema/propertyNames");
  return new Set(keys.map(({ pointer }) => pointer));
}

/** Whether a value is inside the value of an invalid key, which nothing describes. */
export function isWithinKey(pointer: string, keys: ReadonlySet<string>): boolean {
  return closestAncestor(parentPointer(pointer), keys) !== undefined;
}

/** The value of an invalid key has no schema. */
function rankOf({ rule, keyword }: Violation): number {
  return rule === "schema/propertyNames" ? ORDER.length : ORDER.indexOf(keyword);
}

function toViolation(error: SchemaError, body: unknown, isHidden: IsHidden): Violation {
  const { keyword, instancePath, schemaPath: descriptionPointer, params, propertyName } = error;
  const member = params.missingProperty ?? propertyName;
  const pointer =
    member === undefined ? instancePath : instancePath + toReferenceToken(String(member));
  const expected = EXPECTED[keyword]?.(params) ?? `a value that matches \`${keyword}\``;
  const found = { keyword, pointer, descriptionPointer, expected };
  if (propertyName !== undefined)
    return { ...found, rule: "schema/propertyNames", actual: `the key ${maskKey(propertyName)}` };
  const value = getAtPointer(body, pointer);
  const isPublic = isDeclaredType(error, value) && !isHidden(error, value);
  return { ...found, rule: `schema/${keyword}`, actual: formatValue(value, isPublic) };
}

/** Whether the description declares a string where there is one. Scalars of other types reveal nothing. */
function isDeclaredType({ keyword, params }: SchemaError, value: unknown): boolean {
  if (typeof value !== "string") return true;
  const { allowedValue, allowedValues = [allowedValue] } = params;
  const isAllowed = (allowedValues as unknown[]).some((each) => typeof each === "string");
  return keyword === "pattern" || keyword === "format" || isAllowed;
}
