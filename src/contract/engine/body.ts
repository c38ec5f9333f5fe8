import { formatNames, formatValue, joinWithOr, maskName } from "./format-value.js";
import { getAtPointer, lastKey, parentPointer, toReferenceToken } from "../../openapi/pointer.js";
import { isObject, jsonType } from "../../openapi/schema.js";
import { walkValues } from "../../openapi/walk-values.js";
import { kindOfKeyword } from "../../openapi/keywords.js";
import { cachedByObject } from "../../openapi/cached.js";
import {
  declareItems,
  declareProperty,
  schemaSetOf,
  selectSet,
  type Declaration,
  type SchemaSet,
} from "../../openapi/schema-sets.js";
import type { ApplicableSchema, Schema } from "../../openapi/schema.js";
import type { Subject, WalkedValue } from "../../openapi/walk-values.js";
import { closestName } from "./suggest.js";
import type { Description, Json, SchemaError } from "../../openapi/description.js";
import {
  findGap,
  FORBIDS,
  invalidKeys,
  isWithinKey,
  locationOf,
  toMismatches,
  type Mismatch,
} from "./mismatches.js";

const NONE: readonly Mismatch[] = [];

/** Returns the mismatches of the values in a body that contradict the schema. */
export function findInvalid(subject: Subject): Mismatch[] {
  const errors = validate(subject);
  const { mismatches, values } = explain(subject, errors, () => {});
  return mismatches.map((each) => locate(each, subject, values));
}

function validate({ description, schema, body }: Subject): readonly SchemaError[] {
  return description.validators[schema]?.(body) ?? [];
}

/**
 * Converts the errors in a body to mismatches, and calls `visit` with each value in the body. Also returns a map of the
 * invalid values and their parents, keyed by pointer.
 */
function explain(
  subject: Subject,
  errors: readonly SchemaError[],
  visit: (value: WalkedValue) => void,
) {
  const locations = errors.map(locationOf);
  const pointers = new Set([...locations, ...locations.map(parentPointer)]);
  const values = new Map<string, WalkedValue>();
  for (const each of walkValues(subject)) {
    visit(each);
    // Keeping every value of a large body would need too much memory.
    if (pointers.size > 0 && pointers.has(each.pointer)) values.set(each.pointer, each);
  }
  const mismatches = toMismatches(errors, subject.body, ({ instancePath }) =>
    Boolean(values.get(instancePath)?.isSensitive),
  );
  return { mismatches, values };
}

/**
 * Checks a body. Returns the mismatches of values that contradict the schema, followed by those of anything undeclared
 * or unspecified.
 */
export function checkBody(subject: Subject): Mismatch[] {
  const { description, schema, body } = subject;
  const errors = validate(subject);
  // Most bodies are correct, and comparing a body with its schemas takes much longer than validating the body.
  if (
    errors.length === 0 &&
    !mayReport(description, schemaSetOf(description, [schema], body), body)
  )
    return [];
  const undeclared: Mismatch[] = [];
  const { mismatches, values } = explain(subject, errors, (each) => {
    for (const mismatch of checkField(each)) undeclared.push(mismatch);
    for (const mismatch of checkValue(each)) undeclared.push(mismatch);
  });
  const keys = invalidKeys(mismatches);
  const pointers = new Set(mismatches.map(({ pointer }) => pointer));
  const invalid = mismatches.map((each) => locate(each, subject, values));
  const isElsewhere = ({ location = "" }: Mismatch) =>
    !pointers.has(location) && !isWithinKey(location, keys);
  return mergeRenames(invalid, undeclared.filter(isElsewhere));
}

/** Checks whether a value, or a value inside it, could be reported as undeclared or unspecified. */
function mayReport(description: Description, set: SchemaSet, value: Json): boolean {
  const { document } = description;
  if (mayReportValue(set, value)) return true;
  if (typeof value !== "object" || value === null) return false;
  const mayReportInner = ({ step }: Declaration, inner: Json) =>
    mayReport(description, selectSet(description, step, inner), inner);
  if (Array.isArray(value)) {
    const items = declareItems(document, set);
    return value.some((each) => mayReportInner(items, each));
  }
  return Object.keys(value).some((key) => {
    const declared = declareProperty(document, set, key);
    return mayReportField(set, declared.declaring) || mayReportInner(declared, value[key]!);
  });
}

/** Masks the pointer of a mismatch, and adds its location and what the schemas around the value declare. */
function locate(
  { descriptionPointer: keywordAt, ...found }: Mismatch,
  { description: { document } }: Subject,
  values: ReadonlyMap<string, WalkedValue>,
): Mismatch {
  const { rule, pointer, value } = found;
  // A missing property has no value, so the mismatch is located at the object that should contain the property.
  const isMissing = !values.has(pointer);
  const here = values.get(isMissing ? parentPointer(pointer) : pointer)!;
  const descriptionPointer = findStatement(keywordAt, document);
  const name = lastKey(pointer);
  const mismatch = {
    ...found,
    pointer: maskKeys(here) + (isMissing ? toReferenceToken(name) : ""),
    location: here.pointer,
    groupKey: here.pointerTemplate,
    descriptionPointer,
  };
  if (isMissing) {
    const names = getAtPointer(document, descriptionPointer);
    const index = Array.isArray(names) ? names.indexOf(name) : -1;
    return {
      ...mismatch,
      groupKey: here.pointerTemplate + toReferenceToken(name),
      descriptionPointer: index < 0 ? descriptionPointer : `${descriptionPointer}/${index}`,
      declared: declaredNames(here.schemas),
    };
  }
  if (rule === "schema/propertyNames") {
    const masked = parentPointer(mismatch.pointer) + toReferenceToken(maskName(name));
    const groupKey = `${here.around?.pointerTemplate}/*`;
    return { ...mismatch, pointer: masked, groupKey, actual: maskName(name) };
  }
  if (FORBIDS.has(rule) && here.around && isObject(here.around.value)) {
    const masked = toReferenceToken(maskName(name));
    const { pointerTemplate } = here.around;
    const isDeclared = here.declaring.length > 0;
    const groupKey = isDeclared ? here.pointerTemplate : pointerTemplate + masked;
    return { ...mismatch, pointer: maskKeys(here.around) + masked, groupKey, ...suggestName(here) };
  }
  // A keyword that is not in the document comes from a discriminator, so the mismatch is about the union.
  const isUnion = rule === "schema/enum" && descriptionPointer !== keywordAt;
  const isConstant = rule === "schema/const" || rule === "schema/enum";
  const actual = isConstant ? value : jsonType(here.value);
  return { ...mismatch, rule: isUnion ? "schema/oneOf" : rule, actual };
}

/**
 * Returns the pointer to a value. Masks undeclared keys and keys of sensitive maps, unless they are plain identifiers.
 */
function maskKeys({ pointer, declaring, around }: WalkedValue): string {
  if (!around) return "";
  const token = pointer.slice(around.pointer.length);
  const isNamed = declaring.some((each) => each.endsWith(`/properties${token}`));
  const isPublic = declaring.length > 0 && !around.isSensitive;
  const isShown = isNamed || isPublic || Array.isArray(around.value);
  return maskKeys(around) + (isShown ? token : toReferenceToken(maskName(lastKey(pointer))));
}

/**
 * Lists the property names that are declared for the parent of an undeclared property, and suggests the closest name.
 */
function suggestName({ pointer, value, around }: WalkedValue) {
  const declared = declaredNames(around!.schemas);
  const absent = declared.filter((name) => !Object.hasOwn(around!.value as object, name));
  return { declared, actual: jsonType(value), didYouMean: closestName(lastKey(pointer), absent) };
}

/**
 * Returns the pointer, or its closest ancestor that exists in the document. The document does not contain generated
 * schemas, such as the conditions that select a branch of a union.
 */
function findStatement(pointer: string, document: Json): string {
  const isStated = getAtPointer(document, pointer) !== undefined;
  return isStated ? pointer : findStatement(parentPointer(pointer), document);
}

/**
 * Merges the mismatches of a missing property and an undeclared property into one mismatch if the names are similar.
 */
function mergeRenames(invalid: Mismatch[], undeclared: Mismatch[]): Mismatch[] {
  const similar = new Map<string, Mismatch>();
  for (const each of [...undeclared, ...invalid.filter(({ rule }) => rule !== "schema/required")])
    if (each.didYouMean !== undefined)
      similar.set(parentPointer(each.location!) + toReferenceToken(each.didYouMean), each);
  const renamed = new Set<Mismatch>();
  const merged = invalid.map((mismatch): Mismatch => {
    const missing = mismatch.location + toReferenceToken(lastKey(mismatch.pointer));
    const other = mismatch.rule === "schema/required" ? similar.get(missing) : undefined;
    if (!other) return mismatch;
    renamed.add(other);
    const actual = lastKey(other.pointer);
    const value = `absent, but the undeclared property \`${actual}\` is present`;
    return { ...mismatch, location: other.location!, value, actual, didYouMean: other.didYouMean };
  });
  return [...merged, ...undeclared].filter((each) => !renamed.has(each));
}

/** Checks whether {@link checkField} could report a property of an object. */
function mayReportField({ schemas }: SchemaSet, declaring: readonly string[]): boolean {
  // Returns early, because this function runs for every property.
  const isNamed = declaring.some((each) => !each.endsWith("/additionalProperties"));
  return !isNamed && (declaring.length === 0 || findOpening(schemas, declaring) !== undefined);
}

/** Reports a property that is undeclared, or that the specification leaves open. */
function checkField(walked: WalkedValue): readonly Mismatch[] {
  const { pointer: location, value, declaring, around } = walked;
  if (!around || !isObject(around.value) || !mayReportField(around.set, declaring)) return NONE;
  const { schemas } = around;
  const opening = findOpening(schemas, declaring);
  const naming = schemas.findLast(
    ({ schema }) =>
      (schema.properties ?? schema.patternProperties ?? schema.additionalProperties) !== undefined,
  );
  if (!naming || isMentioned(schemas, lastKey(location))) return [];
  const declared = declaredNames(schemas);
  const key = lastKey(location);
  const masked = toReferenceToken(maskName(key));
  const pointer = maskKeys(around) + masked;
  const mismatch = { pointer, location, value: formatValue(value, false), declared };
  const groupKey = around.pointerTemplate;
  if (opening) return [{ ...mismatch, rule: "unspecified/property", groupKey, ...opening }];
  return [
    {
      ...mismatch,
      ...suggestName(walked),
      rule: "undeclared/property",
      groupKey: groupKey + masked,
      descriptionPointer: naming.pointer,
      expected: declared.length > 0 ? `one of ${formatNames(declared)}` : "no such property",
    },
  ];
}

/** Checks whether a schema under `not` names a property, so that the property is not reported as undeclared. */
function isMentioned(schemas: readonly ApplicableSchema[], key: string): boolean {
  return schemas.some(({ schema }) => mentions(schema.not, key));
}

function mentions(schema: unknown, key: string): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const { properties, required = [] } = schema as Schema;
  return (
    (isObject(properties) && Object.hasOwn(properties, key)) ||
    (Array.isArray(required) && required.includes(key)) ||
    Object.values(schema).some((each) => mentions(each, key))
  );
}

/** Returns what leaves an object open for a property, as the properties of a mismatch: a gap, or `x-open` alone. */
function findOpening(schemas: readonly ApplicableSchema[], declaring: readonly string[]) {
  const open = schemas.filter((each) => isOpen(each, declaring));
  const isExpected = declaring.length === 0 && open.length > 0;
  const about = isExpected
    ? { descriptionPointer: open[0]!.pointer, expected: "anything" }
    : undefined;
  return findGap(open) ?? about;
}

/**
 * Checks whether a property is allowed only because `x-open` or `additionalProperties: true` leaves the object open.
 */
function isOpen({ pointer, schema }: ApplicableSchema, declaring: readonly string[]): boolean {
  if (declaring.length === 0) return schema["x-open"] === true;
  const isAny = schema.additionalProperties === true;
  return isAny && declaring.every((each) => each === `${pointer}/additionalProperties`);
}

/** What schemas say about values that they allow. */
const describeValues = /* @__PURE__ */ cachedByObject(({ schemas }: SchemaSet) => {
  const gap = findGap(schemas);
  const named = schemas.find(({ schema }) => schema["x-known-values"] !== undefined);
  const known = (named?.schema["x-known-values"] ?? []) as Json[];
  const isUnspecified = !named && gap !== undefined && isUnconstrained(schemas);
  return { gap, named, known, isUnspecified };
});

/** Checks whether {@link checkValue} could report a value. */
function mayReportValue(set: SchemaSet, value: Json): boolean {
  const { named, known, isUnspecified } = describeValues(set);
  return isUnspecified || (named !== undefined && !known.includes(value));
}

/** Reports a value that is not one of the known values, or that the specification leaves open. */
function checkValue(walked: WalkedValue): readonly Mismatch[] {
  const { set, pointer: location, pointerTemplate, value, isSensitive } = walked;
  if (!mayReportValue(set, value)) return NONE;
  const { gap, named, known } = describeValues(set);
  const isKnownType = known.some((each) => jsonType(each) === jsonType(value));
  const shown = formatValue(value, isKnownType && !isSensitive);
  const pointer = maskKeys(walked);
  const mismatch = { pointer, location, groupKey: pointerTemplate, value: shown };
  const unspecified = { ...mismatch, rule: "unspecified/value" as const };
  if (!named) return [{ ...unspecified, ...gap! }];
  const expected = joinWithOr(known);
  // The specification does not say which other values are possible.
  if (gap) return [{ ...unspecified, ...gap, expected: `${expected}, or any other value` }];
  // A value of the wrong type is already reported as a violation of `type`.
  if (!isKnownType) return [];
  const about = { descriptionPointer: named.pointer, actual: shown };
  return named.schema["x-open"] === true
    ? [{ ...unspecified, ...about, expected: `${expected}, or any other value` }]
    : [{ ...mismatch, ...about, rule: "undeclared/value", expected }];
}

/** Returns the property names that the schemas of an object declare. */
function declaredNames(schemas: readonly ApplicableSchema[]): string[] {
  return [...new Set(schemas.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))];
}

/** Checks whether the schemas allow every value. */
export function isUnconstrained(schemas: readonly ApplicableSchema[]): boolean {
  return schemas.every(({ schema }) =>
    Object.keys(schema).every((keyword) => keyword === "$ref" || kindOfKeyword(keyword) === "note"),
  );
}
