import { findFailedDiscriminators, pickClosest } from "./closest-branch.js";
import type { SchemaError, Description, Json } from "./description.js";
import { resolveRef } from "./document.js";
import { reachSchemas } from "./keywords.js";
import { refToPointer, toReferenceToken } from "./pointer.js";
import { describeUnion } from "./unions.js";
import { isObject, listUnions, schemaAt, type ApplicableSchema, type Union } from "./schema.js";

/** A body and the pointer to its schema. */
export interface Subject {
  description: Description;
  schema: string;
  body: Json;
}

/** A value in a body, with all schemas that apply to the value. */
export interface WalkedValue {
  /** RFC 6901 pointer into the body. */
  pointer: string;
  /** The pointer with `*` instead of indexes and map keys, so that all items of a list have the same template. */
  pointerTemplate: string;
  value: Json;
  /** Pointers to the schemas that declare the value as a property or an item. */
  declaring: string[];
  /** The declaring schemas, plus all applicable schemas that they reference or combine. */
  schemas: ApplicableSchema[];
  /** Whether the value or an enclosing value is marked as sensitive, even in a union branch that does not apply. */
  isSensitive: boolean;
  /**
   * Pointers to union branches that mark this value or an inner value as sensitive, including branches that do not
   * apply.
   */
  otherBranches: readonly string[];
  /** The enclosing object or list. */
  around?: WalkedValue;
}

/** Yields every value in a body. An object or array comes before the values inside it. */
export function* walkValues({ description, schema, body }: Subject): Generator<WalkedValue> {
  const schemas = applicableSchemas(description, [schema], body);
  const otherBranches = listOtherBranches(description, schemas, []);
  const isSensitive = schemas.some(isMarked) || isMarkedIn(description, otherBranches);
  const root = { pointer: "", pointerTemplate: "", value: body, declaring: [schema], schemas };
  yield* walkInto(description, { ...root, isSensitive, otherBranches });
}

function* walkInto(description: Description, walked: WalkedValue): Generator<WalkedValue> {
  yield walked;
  if (typeof walked.value !== "object") return;
  for (const key of Object.keys(walked.value ?? {}))
    yield* walkInto(description, memberOf(description, walked, key));
}

function memberOf(description: Description, around: WalkedValue, key: string): WalkedValue {
  const value = (around.value as { [key: string]: Json })[key] as Json;
  const isList = Array.isArray(around.value);
  const membersIn = (schemas: readonly ApplicableSchema[]) =>
    isList ? itemSchemas(description, schemas, Number(key), value) : memberSchemas(schemas, key);
  const declaring = membersIn(around.schemas);
  const token = toReferenceToken(key);
  const isNamed =
    declaring.length === 0 || declaring.some((each) => each.endsWith(`/properties${token}`));
  const pointerTemplate = around.pointerTemplate + (isNamed && !isList ? token : "/*");
  const schemas = applicableSchemas(description, declaring, value);
  const others = around.otherBranches.flatMap((each) =>
    membersIn(possibleSchemas(description.document, each)),
  );
  const otherBranches = listOtherBranches(description, schemas, others);
  const isSensitive =
    around.isSensitive || schemas.some(isMarked) || isMarkedIn(description, otherBranches);
  return {
    pointer: around.pointer + token,
    pointerTemplate,
    value,
    declaring,
    schemas,
    isSensitive,
    otherBranches,
    around,
  };
}

function isMarked({ schema }: ApplicableSchema): boolean {
  return schema["x-sensitive"] === true;
}

/** Returns the schemas at the given pointers, plus all applicable schemas that they reference or combine. */
export function applicableSchemas(
  description: Description,
  pointers: readonly string[],
  value: Json,
  found: ApplicableSchema[] = [],
): ApplicableSchema[] {
  for (const pointer of pointers) {
    if (found.some((each) => each.pointer === pointer)) continue;
    const schema = schemaAt(description.document, pointer);
    const current = { pointer, schema };
    found.push(current);
    applicableSchemas(description, listApplied(description, current, value), value, found);
  }
  return found;
}

function listApplied(
  description: Description,
  { pointer, schema }: ApplicableSchema,
  value: Json,
): string[] {
  const applied = schema.$ref ? [refToPointer(schema.$ref)] : [];
  for (const index of schema.allOf?.keys() ?? []) applied.push(`${pointer}/allOf/${index}`);
  for (const union of listUnions({ pointer, schema }))
    applied.push(...selectBranches(description, union, value));
  if (schema["if"] !== undefined) {
    const isTrue = accepts(description, `${pointer}/if`, value);
    if (isTrue) applied.push(`${pointer}/if`);
    const next = isTrue ? "then" : "else";
    if (schema[next] !== undefined) applied.push(`${pointer}/${next}`);
  }
  for (const keyword of ["dependentSchemas", "dependencies"]) {
    const named = schema[keyword];
    if (named === undefined || !isObject(value)) continue;
    for (const name of Object.keys(named as object))
      if (Object.hasOwn(value, name))
        applied.push(`${pointer}/${keyword}${toReferenceToken(name)}`);
  }
  return applied;
}

/** Validates a value against a union branch, an `if` schema, or a `contains` schema. */
function errorsOf(
  { document, validators }: Description,
  pointer: string,
  value: Json,
): readonly SchemaError[] {
  return validators[resolveRef(document, pointer)]?.(value) ?? [];
}

function accepts(description: Description, pointer: string, value: Json): boolean {
  return errorsOf(description, pointer, value).length === 0;
}

/** Returns the branches of a union that accept a value, or the closest branch if all branches reject the value. */
export function selectBranches(description: Description, union: Union, value: Json): string[] {
  const { branches } = union;
  const traits = describeUnion(description.document, union);
  const failures = branches.map((branch, index) =>
    findFailedDiscriminators(traits.branches[index]!, value).length > 0
      ? undefined
      : errorsOf(description, branch, value),
  );
  const accepting = branches.filter((_, index) => failures[index]?.length === 0);
  if (accepting.length > 0) return accepting;
  const subject = { ...traits, schemaPath: "", instancePath: "", value };
  const { branch } = pickClosest(
    subject,
    failures.map((each) => each ?? []),
  );
  return branch === undefined ? [] : [branches[branch]!];
}

/**
 * Returns pointers to all union branches that mark the value or an inner value as sensitive, including branches that do
 * not apply.
 */
function listOtherBranches(
  { document }: Description,
  schemas: readonly ApplicableSchema[],
  others: readonly string[],
): string[] {
  const branches = schemas.flatMap((each) => listUnions(each).flatMap((union) => union.branches));
  return [...branches, ...others].filter((each) => marksAnything(document, each));
}

function isMarkedIn({ document }: Description, others: readonly string[]): boolean {
  return others.some((each) => possibleSchemas(document, each).some(isMarked));
}

const markings = new WeakMap<object, Map<string, boolean>>();

/** Checks whether a schema, or any schema that it contains or references, is marked as sensitive. */
export function marksAnything(document: Json, pointer: string): boolean {
  const known = markings.get(document as object) ?? new Map<string, boolean>();
  markings.set(document as object, known);
  let marks = known.get(pointer);
  if (marks === undefined) {
    const reached = [...reachSchemas(document, [pointer])];
    marks = reached.some((each) => schemaAt(document, each)["x-sensitive"] === true);
    known.set(pointer, marks);
  }
  return marks;
}

/** Returns a schema and all schemas that might apply to the same value. */
function possibleSchemas(
  document: Json,
  pointer: string,
  found: ApplicableSchema[] = [],
): ApplicableSchema[] {
  if (found.some((each) => each.pointer === pointer)) return found;
  const schema = schemaAt(document, pointer);
  found.push({ pointer, schema });
  const inPlace = ["allOf", "oneOf", "anyOf", "dependentSchemas"].flatMap((keyword) =>
    Object.keys(Object(schema[keyword])).map((key) => `/${keyword}${toReferenceToken(key)}`),
  );
  const single = ["then", "else"].filter((keyword) => schema[keyword] !== undefined);
  for (const each of [...inPlace, ...single.map((keyword) => `/${keyword}`)])
    possibleSchemas(document, pointer + each, found);
  if (schema.$ref) possibleSchemas(document, refToPointer(schema.$ref), found);
  return found;
}

/** Returns pointers to the schemas that declare a property. */
export function memberSchemas(schemas: readonly ApplicableSchema[], key: string): string[] {
  const pointers: string[] = [];
  // Uses loops instead of array methods, because this function runs for every property of every body, and extra
  // allocations are slow.
  for (const { pointer, schema } of schemas) {
    const before = pointers.length;
    if (schema.properties && Object.hasOwn(schema.properties, key))
      pointers.push(`${pointer}/properties${toReferenceToken(key)}`);
    if (schema.patternProperties)
      for (const pattern of Object.keys(schema.patternProperties))
        if (new RegExp(pattern, "u").test(key))
          pointers.push(`${pointer}/patternProperties${toReferenceToken(pattern)}`);
    const { additionalProperties } = schema;
    if (
      pointers.length === before &&
      additionalProperties !== undefined &&
      additionalProperties !== false
    )
      pointers.push(`${pointer}/additionalProperties`);
  }
  if (pointers.length > 0) return pointers;
  const other = schemas.find(({ schema }) => (schema["unevaluatedProperties"] ?? false) !== false);
  return other ? [`${other.pointer}/unevaluatedProperties`] : [];
}

/** Returns pointers to the schemas that declare an item of an array. */
export function itemSchemas(
  description: Description,
  schemas: readonly ApplicableSchema[],
  index: number,
  item: Json,
): string[] {
  return schemas.flatMap(({ pointer, schema }) => {
    const isInPrefix = index < (schema.prefixItems?.length ?? 0);
    const contains = `${pointer}/contains`;
    const pointers = isInPrefix ? [`${pointer}/prefixItems/${index}`] : [];
    if (!isInPrefix && schema.items) pointers.push(`${pointer}/items`);
    if (schema["contains"] && accepts(description, contains, item)) pointers.push(contains);
    if (pointers.length === 0 && schema["unevaluatedItems"])
      pointers.push(`${pointer}/unevaluatedItems`);
    return pointers;
  });
}
