import { formatValue, joinWithOr, maskKey, pluralize } from "./format-value.js";
import {
  closestAncestor,
  getAtPointer,
  parentPointer,
  toReferenceToken,
} from "../../openapi/pointer.js";
import { gapsAt, type Gap } from "../../openapi/gaps.js";
import type { SchemaError } from "../../openapi/description.js";
import type { ApplicableSchema } from "../../openapi/schema.js";
import type { RuleId } from "./rules.js";
import type { Finding } from "./types.js";

/** A deviation from the description, or something that the specification leaves open, at one location of an exchange. */
export interface Mismatch extends Pick<Finding, "rule" | "expected" | "value"> {
  /** RFC 6901 pointer to the invalid value or the missing property. */
  pointer: string;
  /**
   * The location in the recording if it differs from `pointer`, such as `status`, `header: etag`, or another pointer.
   */
  location?: string;
  /**
   * A key that all occurrences of a mismatch have in common, such as the pointer with `*` for indexes, or the header
   * name.
   */
  groupKey: string;
  /** The pointer to the part of the description that the mismatch refers to. */
  descriptionPointer: string;
  /**
   * The detail that distinguishes deviations at the same location, such as the type of the value; undefined if the rule
   * implies the detail.
   */
  actual?: string | undefined;
  declared?: string[];
  didYouMean?: string | undefined;
  gap?: Gap | undefined;
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
  enum: ({ allowedValues }) => joinWithOr(allowedValues as unknown[]),
  exclusiveMaximum: limit("a number <"),
  exclusiveMinimum: limit("a number >"),
  "false schema": () => "absent",
  format: ({ format }) =>
    format === "date" ? "a date such as 2027-12-31" : `format ${String(format)}`,
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
 * Rules from the lowest to the highest precedence. If a value breaks several rules, only the mismatch with the highest
 * precedence is reported. An invalid key ranks highest, because the description declares nothing for its value.
 */
const ORDER: readonly RuleId[] = [
  "schema/pattern",
  "schema/format",
  "schema/enum",
  "schema/const",
  "schema/type",
  "schema/propertyNames",
];

/** Rules whose mismatches mean that a property must not exist. */
export const FORBIDS: ReadonlySet<RuleId> = new Set<RuleId>([
  "schema/additionalProperties",
  "schema/false",
]);

/** A function that checks whether the value that caused an error must be hidden. */
type IsHidden = (error: SchemaError, value: unknown) => boolean;

/** Converts the errors of a validator to mismatches, with one mismatch per invalid value. */
export function toMismatches(
  errors: readonly SchemaError[],
  body: unknown,
  isHidden: IsHidden,
): Mismatch[] {
  const kept = new Map<string, Mismatch>();
  const rankOf = ({ rule }: Mismatch) => ORDER.indexOf(rule);
  for (const error of errors) {
    // This error only repeats the errors of the name.
    if (error.keyword === "propertyNames") continue;
    const mismatch = toMismatch(error, body, isHidden);
    const before = kept.get(mismatch.pointer);
    if (!before || rankOf(mismatch) > rankOf(before)) kept.set(mismatch.pointer, mismatch);
  }
  const mismatches = [...kept.values()];
  const keys = invalidKeys(mismatches);
  return mismatches.filter(({ pointer }) => !isWithinKey(pointer, keys));
}

/** Returns pointers to the values whose keys are invalid. */
export function invalidKeys(mismatches: readonly Mismatch[]): ReadonlySet<string> {
  const keys = mismatches.filter(({ rule }) => rule === "schema/propertyNames");
  return new Set(keys.map(({ pointer }) => pointer));
}

/** Checks whether a value is inside the value of an invalid key. The description declares nothing about such values. */
export function isWithinKey(pointer: string, keys: ReadonlySet<string>): boolean {
  // Returns early if there are no invalid keys, because this function runs for every value.
  return keys.size > 0 && closestAncestor(parentPointer(pointer), keys) !== undefined;
}

/**
 * Returns a pointer to the invalid value, or to the property that is missing, is undeclared, or has an invalid name.
 */
export function locationOf({ instancePath, params, propertyName }: SchemaError): string {
  const name = params.missingProperty ?? params.additionalProperty ?? propertyName;
  return name === undefined ? instancePath : instancePath + toReferenceToken(String(name));
}

function toMismatch(error: SchemaError, body: unknown, isHidden: IsHidden): Mismatch {
  const { keyword, schemaPath: descriptionPointer, propertyName } = error;
  const pointer = locationOf(error);
  const found = { pointer, groupKey: pointer, descriptionPointer, expected: formatExpected(error) };
  if (propertyName !== undefined)
    return { ...found, rule: "schema/propertyNames", value: `the key ${maskKey(propertyName)}` };
  const value = getAtPointer(body, pointer);
  const rule = keyword === "false schema" ? "schema/false" : (`schema/${keyword}` as const);
  const isPublic = !FORBIDS.has(rule) && isDeclaredType(error, value) && !isHidden(error, value);
  return { ...found, rule, value: formatValue(value, isPublic) };
}

/**
 * Checks whether the description declares the type of a value, so that the value can be shown. Compares types only for
 * strings, because numbers, booleans, and null reveal no secret.
 */
function isDeclaredType({ keyword, params }: SchemaError, value: unknown): boolean {
  if (typeof value !== "string") return true;
  const { allowedValue, allowedValues = [allowedValue] } = params;
  const isAllowed = (allowedValues as unknown[]).some((each) => typeof each === "string");
  return /^(pattern|format|m..Length)$/.test(keyword) || isAllowed;
}

/** Returns the first gap that the schemas list, as the properties of a mismatch about the gap. */
export function findGap(
  schemas: readonly ApplicableSchema[],
): Pick<Mismatch, "gap" | "descriptionPointer" | "expected"> | undefined {
  for (const { pointer, schema } of schemas) {
    const [gap] = gapsAt(schema);
    if (gap) return { gap, descriptionPointer: pointer, expected: "anything" };
  }
  return undefined;
}
