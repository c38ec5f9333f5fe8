import { formatValue, joinWithOr, maskKey, pluralize } from "./format-value.js";
import { closestAncestor, getAtPointer, isWithin, parentPointer } from "../../openapi/pointer.js";
import { locationOf } from "../../openapi/schema-errors.js";
import type { RuleId } from "./rules.js";
import type { SchemaError } from "../../openapi/description.js";

/** A value that contradicts its schema. */
export interface Violation {
  /** The id of the violated rule; docs/findings.md lists all rules. */
  rule: RuleId;
  /** The JSON Schema keyword that the value violates. */
  keyword: string;
  /** RFC 6901 pointer to the invalid value or the missing property. */
  pointer: string;
  /** The pointer to the keyword in the description. */
  descriptionPointer: string;
  /** The value or condition that the description requires. */
  expected: string;
  /**
   * The value, shortened if it is long, or only its type and size if it is an object, an array, sensitive, or of an
   * undeclared type.
   */
  actual: string;
}

type Params = SchemaError["params"];

const limit =
  (before: string, noun = "") =>
  (params: Params) => {
    const count = Number(params.limit);
    return `${before} ${noun === "" ? count : pluralize(count, noun)}`;
  };

/** Functions that format the expected value, by keyword. */
const EXPECTED: Readonly<Record<string, (params: Params) => string>> = {
  additionalProperties: () => "absent",
  const: ({ allowedValue }) => joinWithOr([allowedValue]),
  contains: ({ minContains, maxContains }) => {
    const most = maxContains === undefined ? "" : `, and at most ${Number(maxContains)}`;
    return `at least ${pluralize(Number(minContains), "item")} matching \`contains\`${most}`;
  },
  dependencies: ({ property }) => `present, because \`${String(property)}\` is present`,
  dependentRequired: ({ property }) => `present, because \`${String(property)}\` is present`,
  enum: ({ allowedValues }) => joinWithOr(allowedValues as unknown[]),
  exclusiveMaximum: limit("a number <"),
  exclusiveMinimum: limit("a number >"),
  "false schema": () => "absent",
  format: ({ format }) => `format ${String(format)}`,
  items: limit("at most", "item"),
  maxItems: limit("at most", "item"),
  maxLength: limit("at most", "character"),
  maxProperties: limit("at most", "field"),
  maximum: limit("a number ≤"),
  minItems: limit("at least", "item"),
  minLength: limit("at least", "character"),
  minProperties: limit("at least", "field"),
  minimum: limit("a number ≥"),
  multipleOf: ({ multipleOf }) => `a multiple of ${Number(multipleOf)}`,
  not: () => "a value that does not match the schema under `not`",
  pattern: ({ pattern }) => `a string that matches ${String(pattern)}`,
  required: () => "present",
  type: ({ type }) => [type].flat().join(" or "),
  unevaluatedItems: limit("at most", "item"),
  unevaluatedProperties: () => "absent",
  uniqueItems: () => "unique items",
};

/** Formats what the description requires at the location of an error. */
export function formatExpected({ keyword, params }: SchemaError): string {
  const { alternatives, passingSchemas } = params as { [name: string]: SchemaError[] | undefined };
  if (alternatives) return [...new Set(alternatives.map(formatExpected))].join(" or ");
  if (passingSchemas) return `a value that matches only one branch, not ${passingSchemas.length}`;
  return EXPECTED[keyword]?.(params) ?? `a value that matches \`${keyword}\``;
}

/**
 * Keywords from the lowest to the highest precedence. If a value violates several keywords, only the violation of the
 * keyword with the highest precedence is reported.
 */
const ORDER = ["pattern", "format", "enum", "const", "type"];

/** Keywords whose errors mean that a property must not exist. */
export const FORBIDS = new Set(["additionalProperties", "unevaluatedProperties", "false schema"]);

/** A function that checks whether the value that caused an error must be hidden. */
type IsHidden = (error: SchemaError, value: unknown) => boolean;

/** Converts validator errors to violations, with one violation per invalid value. */
export function toViolations(
  errors: readonly SchemaError[],
  body: unknown,
  isHidden: IsHidden,
): Violation[] {
  const kept = new Map<string, Violation>();
  for (const error of dropConsequences(errors)) {
    const violation = toViolation(error, body, isHidden);
    const before = kept.get(violation.pointer);
    if (!before || rankOf(violation) > rankOf(before)) kept.set(violation.pointer, violation);
  }
  const violations = [...kept.values()];
  const keys = invalidKeys(violations);
  return violations.filter(({ pointer }) => !isWithinKey(pointer, keys));
}

/** Drops errors that only repeat another error, such as the error of an `if` whose `then` already has an error. */
function dropConsequences(errors: readonly SchemaError[]): SchemaError[] {
  const own = errors.filter(({ keyword }) => keyword !== "if" && keyword !== "propertyNames");
  const isUnevaluated = ({ keyword }: SchemaError) => keyword.startsWith("unevaluated");
  if (!own.some(isUnevaluated)) return own;
  const others = own.filter((each) => !isUnevaluated(each)).map(locationOf);
  // If a value does not match a schema, all properties that the schema declares are reported as unevaluated.
  return own.filter(
    (each) =>
      !isUnevaluated(each) || !others.some((location) => isWithin(location, each.instancePath)),
  );
}

/** Returns pointers to the values whose keys are invalid. */
export function invalidKeys(violations: readonly Violation[]): ReadonlySet<string> {
  const keys = violations.filter(({ rule }) => rule === "schema/propertyNames");
  return new Set(keys.map(({ pointer }) => pointer));
}

/** Checks whether a value is inside the value of an invalid key. The description declares nothing about such values. */
export function isWithinKey(pointer: string, keys: ReadonlySet<string>): boolean {
  // Returns early if there are no invalid keys, because this function runs for every value.
  return keys.size > 0 && closestAncestor(parentPointer(pointer), keys) !== undefined;
}

/**
 * Ranks a violation by its keyword. An invalid key ranks highest, because the description declares nothing for its
 * value.
 */
function rankOf({ rule, keyword }: Violation): number {
  return rule === "schema/propertyNames" ? ORDER.length : ORDER.indexOf(keyword);
}

function toViolation(error: SchemaError, body: unknown, isHidden: IsHidden): Violation {
  const { keyword, schemaPath: descriptionPointer, propertyName } = error;
  const pointer = locationOf(error);
  const found = { keyword, pointer, descriptionPointer, expected: formatExpected(error) };
  if (propertyName !== undefined)
    return { ...found, rule: "schema/propertyNames", actual: `the key ${maskKey(propertyName)}` };
  const value = getAtPointer(body, pointer);
  const isPublic = isDeclaredType(error, value) && !isHidden(error, value);
  const rule = keyword === "false schema" ? "schema/false" : (`schema/${keyword}` as const);
  return { ...found, rule, actual: formatValue(value, isPublic) };
}

/**
 * Checks whether the description declares the type of a value, so that the value can be shown. Compares types only for
 * strings, because numbers, booleans, and null reveal no secret.
 */
function isDeclaredType({ keyword, params }: SchemaError, value: unknown): boolean {
  if (FORBIDS.has(keyword)) return false;
  if (typeof value !== "string") return true;
  const { allowedValue, allowedValues = [allowedValue] } = params;
  const isAllowed = (allowedValues as unknown[]).some((each) => typeof each === "string");
  return /^(pattern|format|m..Length)$/.test(keyword) || isAllowed;
}
