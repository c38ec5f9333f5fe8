import { cached } from "./cached.js";
import { pickClosest } from "./closest-branch.js";
import { findFailedDiscriminators } from "./discriminator.js";
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
  declaring: readonly string[];
  /** The declaring schemas, plus all applicable schemas that they reference or combine. */
  schemas: readonly ApplicableSchema[];
  set: SchemaSet;
  /** Whether the value or an enclosing value is marked as sensitive, even in a schema that does not apply. */
  isSensitive: boolean;
  /**
   * Pointers to the declaring schemas that mark this value or an inner value as sensitive, including schemas in union
   * branches that do not apply.
   */
  marking: readonly string[];
  /** The enclosing object or list. */
  around: WalkedValue | undefined;
}

/** A combination of schemas that apply to a value. Each document has one object per combination. */
interface SchemaSet {
  schemas: readonly ApplicableSchema[];
  /** Whether a schema marks the value as sensitive. */
  isMarked: boolean;
  /** The declared properties that were looked up before, by name. */
  properties: Map<string, Declaration>;
  /** What all items have in common. */
  items?: Declaration;
}

/** The schemas of a property or an item. */
interface Declaration {
  /** Pointers to the schemas that declare the value. */
  declaring: readonly string[];
  /** All schemas that apply to the value; undefined if they depend on the value. */
  fixed: SchemaSet | undefined;
}

const schemaSet = /* @__PURE__ */ cached((document, joined): SchemaSet => {
  const pointers = joined === "" ? [] : joined.split("\n");
  const schemas = pointers.map((pointer) => ({ pointer, schema: schemaAt(document, pointer) }));
  return { schemas, isMarked: schemas.some(isMarkedSchema), properties: new Map() };
});

function setOf(document: Json, schemas: readonly ApplicableSchema[]): SchemaSet {
  return schemaSet(document, schemas.map(({ pointer }) => pointer).join("\n"));
}

/** Yields every value in a body. An object or array comes before the values inside it. */
export function* walkValues({ description, schema, body }: Subject): Generator<WalkedValue> {
  const { document } = description;
  const set = setOf(document, applicableSchemas(description, [schema], body));
  const marking = marksAnything(document, schema) ? [schema] : [];
  const root: WalkedValue = {
    pointer: "",
    pointerTemplate: "",
    value: body,
    declaring: [schema],
    schemas: set.schemas,
    set,
    isSensitive: set.isMarked || isMarkedIn(document, marking),
    marking,
    around: undefined,
  };
  const waiting = [root];
  for (let walked = waiting.pop(); walked; walked = waiting.pop()) {
    yield walked;
    if (typeof walked.value !== "object" || walked.value === null) continue;
    const keys = Object.keys(walked.value);
    for (let index = keys.length - 1; index >= 0; index--)
      waiting.push(memberOf(description, walked, keys[index]!));
  }
}

function memberOf(description: Description, around: WalkedValue, key: string): WalkedValue {
  const { document } = description;
  const value = (around.value as { [key: string]: Json })[key] as Json;
  const isList = Array.isArray(around.value);
  const { declaring, fixed } = isList
    ? declareItem(description, around.set, Number(key), value)
    : declareProperty(document, around.set, key);
  const token = toReferenceToken(key);
  const isNamed =
    declaring.length === 0 || declaring.some((each) => each.endsWith(`/properties${token}`));
  const set = fixed ?? setOf(document, applicableSchemas(description, declaring, value));
  const marking = findMarking(description, around, key);
  return {
    pointer: around.pointer + token,
    pointerTemplate: around.pointerTemplate + (isNamed && !isList ? token : "/*"),
    value,
    declaring,
    schemas: set.schemas,
    set,
    isSensitive: around.isSensitive || set.isMarked || isMarkedIn(document, marking),
    marking,
    around,
  };
}

/** Returns pointers to the possible schemas of a property or an item that mark it or an inner value as sensitive. */
function findMarking(
  description: Description,
  { marking, value }: WalkedValue,
  key: string,
): readonly string[] {
  // Returns early, because this function runs for every value, and most bodies contain nothing sensitive.
  if (marking.length === 0) return marking;
  const { document } = description;
  const found = marking.flatMap((each) => {
    const schemas = possibleSchemas(document, each);
    return Array.isArray(value)
      ? itemSchemas(description, schemas, Number(key), value[Number(key)]!)
      : memberSchemas(schemas, key);
  });
  return [...new Set(found)].filter((each) => marksAnything(document, each));
}

function declareProperty(document: Json, set: SchemaSet, key: string): Declaration {
  const known = set.properties.get(key);
  if (known) return known;
  const declared = declare(document, memberSchemas(set.schemas, key));
  // Caches only declared names, because a body can contain any number of other names.
  if (set.schemas.some(({ schema }) => Object.hasOwn(schema.properties ?? {}, key)))
    set.properties.set(key, declared);
  return declared;
}

function declareItem(
  description: Description,
  set: SchemaSet,
  index: number,
  item: Json,
): Declaration {
  if (set.items) return set.items;
  const pointers = itemSchemas(description, set.schemas, index, item);
  const declared = declare(description.document, pointers);
  const isUniform = ({ schema }: ApplicableSchema) => !schema.prefixItems && !schema["contains"];
  if (set.schemas.every(isUniform)) set.items = declared;
  return declared;
}

function declare(document: Json, declaring: readonly string[]): Declaration {
  const fixed: ApplicableSchema[] = [];
  const isFixed = declaring.every((each) => collectFixed(document, each, fixed));
  return { declaring, fixed: isFixed ? setOf(document, fixed) : undefined };
}

/** Collects the schemas that apply with a schema. Returns false if some of them depend on the value. */
function collectFixed(document: Json, pointer: string, found: ApplicableSchema[]): boolean {
  if (found.some((each) => each.pointer === pointer)) return true;
  const schema = schemaAt(document, pointer);
  found.push({ pointer, schema });
  if (CONDITIONS.some((keyword) => schema[keyword] !== undefined)) return false;
  return listUnconditional({ pointer, schema }).every((each) =>
    collectFixed(document, each, found),
  );
}

/** Keywords by which other schemas apply only to some values. */
const CONDITIONS = ["oneOf", "anyOf", "if", "dependentSchemas", "dependencies"];

/** Returns pointers to the schemas that apply wherever a schema applies. */
function listUnconditional({ pointer, schema }: ApplicableSchema): string[] {
  const applied = schema.$ref ? [refToPointer(schema.$ref)] : [];
  for (const index of schema.allOf?.keys() ?? []) applied.push(`${pointer}/allOf/${index}`);
  return applied;
}

function isMarkedSchema({ schema }: ApplicableSchema): boolean {
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
  const applied = listUnconditional({ pointer, schema });
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

function isMarkedIn(document: Json, pointers: readonly string[]): boolean {
  return pointers.some((each) => possibleSchemas(document, each).some(isMarkedSchema));
}

/** Checks whether a schema, or any schema that it contains or references, is marked as sensitive. */
export const marksAnything = /* @__PURE__ */ cached((document, pointer): boolean =>
  [...reachSchemas(document, [pointer])].some(
    (each) => schemaAt(document, each)["x-sensitive"] === true,
  ),
);

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
