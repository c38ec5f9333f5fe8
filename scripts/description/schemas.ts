import { Ajv2020 } from "ajv/dist/2020.js";
import {
  getAtPointer,
  parsePointer,
  refToPointer,
  toReferenceToken,
} from "../../src/openapi/pointer.js";
import { reach } from "../shared/reach.js";
import { kindOfKeyword, reachSchemas } from "../../src/openapi/keywords.js";
import {
  combined,
  hasType,
  isEqual,
  isObject,
  jsonType,
  listUnions,
  schemaAt,
  type ApplicableSchema,
  type Schema,
} from "../../src/openapi/schema.js";
import { memberSchemas } from "../../src/openapi/schema-sets.js";
import { constantsIn, describeUnion, overlap } from "../../src/openapi/unions.js";
import type { SchemaHolder, Json, Operation } from "../../src/openapi/description.js";

/** Fixes for unsupported keywords that have a supported replacement. */
const INSTEAD: Readonly<Record<string, string>> = {
  $defs: "move its schemas to components/schemas",
  $anchor: "refer to the schema by its path, such as #/components/schemas/Movie",
  $dynamicAnchor: "refer to the schema by its path, such as #/components/schemas/Movie",
  $dynamicRef: "write $ref with the path of the schema",
  $id: "refer to the schema by its path, such as #/components/schemas/Movie",
  definitions: "move its schemas to components/schemas",
  nullable: 'add "null" to type, or write oneOf with a reference and { type: "null" }',
};

/** Lists the unsupported parts of schemas, each with its pointer and a fix. */
export function findUnsupported(
  document: Json,
  schemas: Iterable<string>,
): { pointer: string; text: string }[] {
  const pointers = [...schemas];
  const problems = pointers.flatMap((pointer) => {
    const schema = getAtPointer(document, pointer);
    // A missing schema is reported at the reference that leads to it.
    if (schema === undefined) return [];
    if (typeof schema === "boolean") return problemsWithBoolean(pointer);
    if (!isObject(schema)) return { pointer, text: "a schema must be an object or a boolean" };
    const unknown = Object.keys(schema)
      .filter((keyword) => kindOfKeyword(keyword) === undefined)
      .map((keyword) => ({
        pointer: pointer + toReferenceToken(keyword),
        text: `the keyword ${keyword} is not supported; ${INSTEAD[keyword] ?? `remove it, or name it x-${keyword}`}`,
      }));
    const invalid = findInvalid(pointer, schema);
    return [
      ...unknown,
      ...(invalid.length > 0 ? invalid : findContradictions(pointer, schema as Schema)),
      ...findUnusable(document, pointer, schema),
      ...findSiblings(pointer, schema),
      ...findHidden(pointer, schema),
    ];
  });
  // Comparing the branches of a union requires that all schemas are valid and that no reference is part of a cycle.
  return problems.length > 0
    ? problems
    : pointers.flatMap((pointer) => [
        ...findUndistinguished(document, pointer),
        ...findImpossible(document, pointer),
      ]);
}

const INSTEAD_OF_BOOLEAN = "write {} instead of true, or { not: {} } instead of false";

const metaSchema = new Ajv2020({ logger: false, strict: false });

/** Lists the keywords whose values JSON Schema does not allow, such as an empty list in `enum`. */
function findInvalid(pointer: string, schema: { [keyword: string]: Json }) {
  const checked = Object.entries(schema).filter(([keyword, value]) => {
    const kind = kindOfKeyword(keyword);
    // Schemas inside this schema are checked by themselves.
    return kind === "value" || (kind === "list" && Array.isArray(value) && value.length === 0);
  });
  // `enum: []` is valid JSON Schema, but ajv cannot compile it.
  const isEmptyEnum = Array.isArray(schema["enum"]) && schema["enum"].length === 0;
  if (isEmptyEnum) checked.push(["enum", null]);
  if (metaSchema.validateSchema(Object.fromEntries(checked)) === true) return [];
  return metaSchema.errors!.flatMap(({ instancePath, message, keyword }) => {
    const [, name = ""] = instancePath.split("/");
    const isSummary = keyword === "anyOf" || keyword === "allOf" || name === "";
    const rule = name === "enum" && isEmptyEnum ? "must contain a value" : message;
    return isSummary
      ? []
      : { pointer: `${pointer}/${name}`, text: `${name} ${rule}; correct its value` };
  });
}

/** Lists references that cannot be resolved, and patterns that are not valid regular expressions. */
function findUnusable(document: Json, pointer: string, schema: { [keyword: string]: Json }) {
  const { $ref, pattern, patternProperties = {} } = schema;
  const problems: { pointer: string; text: string }[] = [];
  if ($ref !== undefined) {
    const problem = problemWithRef(document, pointer, $ref);
    if (problem) problems.push({ pointer: `${pointer}/$ref`, text: `the reference ${problem}` });
  }
  const patterns = [
    [`${pointer}/pattern`, pattern],
    ...Object.keys(patternProperties as object).map((key) => [
      `${pointer}/patternProperties${toReferenceToken(key)}`,
      key,
    ]),
  ] as [pointer: string, pattern: Json | undefined][];
  for (const [location, each] of patterns) {
    const problem = typeof each === "string" && problemWithPattern(each);
    if (problem) problems.push({ pointer: location, text: problem });
  }
  return problems;
}

function problemWithRef(document: Json, pointer: string, $ref: Json): string | undefined {
  const shown = typeof $ref === "string" ? $ref : JSON.stringify($ref);
  const fix = "put the schema into components and write #/components/schemas/NAME";
  if (typeof $ref !== "string" || !/^#\/components\/schemas\/[^/]+$/.test($ref))
    return `${shown} is not a named schema of this file; ${fix}`;
  const target = getAtPointer(document, refToPointer($ref));
  if (target === undefined)
    return `${shown} has no target; correct the reference, or add the schema`;
  // Redocly accepts boolean schemas everywhere else.
  if (typeof target === "boolean") return `${shown} leads to a boolean; ${INSTEAD_OF_BOOLEAN}`;
  return isCircular(document, pointer)
    ? `${shown} is part of a cycle; replace one of the references with a schema`
    : undefined;
}

/** Reports a boolean in `allOf`, which openapi-typescript cannot read. */
function problemsWithBoolean(pointer: string) {
  const text = `a schema in allOf must be an object; ${INSTEAD_OF_BOOLEAN}`;
  return /\/allOf\/\d+$/.test(pointer) ? [{ pointer, text }] : [];
}

/** Lists the keywords next to a reference, which openapi-typescript ignores. */
function findSiblings(pointer: string, { $ref, ...siblings }: { [keyword: string]: Json }) {
  if ($ref === undefined) return [];
  const restricting = Object.keys(siblings).filter((each) => kindOfKeyword(each) !== "note");
  return restricting.map((keyword) => ({
    pointer: pointer + toReferenceToken(keyword),
    text: `openapi-typescript ignores ${keyword} next to $ref; put the reference into allOf`,
  }));
}

/** Lists the unions whose branches cannot be distinguished. */
function findUndistinguished(document: Json, pointer: string) {
  const unions = listUnions({ pointer, schema: schemaAt(document, pointer) });
  return unions.flatMap((union) => describeUnion(document, union).problem ?? []);
}

/** Lists a property that ajv ignores. */
function findHidden(pointer: string, { properties }: { [keyword: string]: Json }) {
  if (!Object.hasOwn(Object(properties) as object, "__proto__")) return [];
  const hidden = `${pointer}/properties/__proto__`;
  return [{ pointer: hidden, text: "ajv ignores the property __proto__; remove it" }];
}

/**
 * Lists values in `enum` and `const` that `type` excludes, and a type `null` that `enum` excludes. The types that
 * openapi-typescript writes would contain these values, and every validator would reject them.
 */
function findContradictions(pointer: string, schema: Schema) {
  const { type, enum: values = [] } = schema;
  if (type === undefined) return [];
  const places = values.map((value, index) => ({ pointer: `${pointer}/enum/${index}`, value }));
  if (schema.const !== undefined) places.push({ pointer: `${pointer}/const`, value: schema.const });
  const problems = places
    .filter(({ value }) => !hasType(value, schema))
    .map(({ pointer: place, value }) => ({
      pointer: place,
      text: `type does not allow ${JSON.stringify(value)}; remove the value, or add its type`,
    }));
  if (values.length === 0 || !hasType(null, schema) || values.includes(null)) return problems;
  const text = 'enum lacks null, which type allows; add null, or remove "null" from type';
  return [...problems, { pointer: `${pointer}/enum`, text }];
}

/** Reports schemas that no value can match together, and required properties that a closed object excludes. */
function findImpossible(document: Json, pointer: string) {
  const { $ref, allOf, oneOf } = schemaAt(document, pointer);
  // The target of a reference is checked by itself.
  if ($ref !== undefined) return [];
  const parts = combined(document, pointer);
  const own = problemWithParts(parts);
  const text = own ?? problemWithUnions(document, parts, parts);
  if (text === undefined) return [];
  const place = own === undefined ? (oneOf ? "oneOf" : "anyOf") : "required";
  return [{ pointer: `${pointer}/${allOf ? "allOf" : place}`, text }];
}

/** Reports a union of `parts` without a branch that can match together with all schemas around it. */
function problemWithUnions(
  document: Json,
  parts: readonly ApplicableSchema[],
  around: readonly ApplicableSchema[],
): string | undefined {
  for (const { keyword, branches } of parts.flatMap(listUnions)) {
    const problems = branches.map((each) => {
      const branch = combined(document, each);
      const all = [...around, ...branch];
      return problemWithParts(all) ?? problemWithUnions(document, branch, all);
    });
    if (!problems.includes(undefined)) return `no branch of ${keyword} can match: ${problems[0]}`;
  }
  return undefined;
}

/** @param parts schemas that apply to the same value, such as a schema and the schemas that it combines with `allOf` */
function problemWithParts(parts: readonly ApplicableSchema[]): string | undefined {
  const schemas = parts.map(({ schema }) => schema);
  const values = schemas.map(constantsIn).filter(({ length }) => length > 0);
  const types = schemas.flatMap(({ type }) => (type === undefined ? [] : [[type].flat()]));
  if (!hasCommon([...types, ...values.map((list) => list.map(jsonType))], overlap))
    return "the schemas in allOf have no type in common; correct their types";
  if (!hasCommon(values, isEqual))
    return "the schemas in allOf have no value in common; correct enum or const";
  // A constant must have each of the types, of which `integer` excludes some numbers.
  const allowed = values.map((list) =>
    list.filter((value) => types.every((type) => hasType(value, { type }))),
  );
  if (!hasCommon(allowed, isEqual))
    return "the types in allOf exclude the values that enum and const have in common; correct one of them";
  const closed = parts.filter(({ schema }) => schema.additionalProperties === false);
  const excluded = schemas
    .flatMap(({ required = [] }) => required)
    .find((name) => closed.some((each) => memberSchemas([each], name).length === 0));
  const fix = "declare it in the same schema, or do not require it";
  return excluded === undefined
    ? undefined
    : `additionalProperties: false excludes ${excluded}, which is required; ${fix}`;
}

/** Returns whether the lists have an item in common. */
function hasCommon<T>(
  [first, ...others]: readonly (readonly T[])[],
  isSame: (a: T, b: T) => boolean,
) {
  return (
    first?.some((each) => others.every((list) => list.some((other) => isSame(each, other)))) ?? true
  );
}

/** Lists the given pointers to schemas, and pointers to all schemas that these schemas apply to the same value. */
export function reachInPlace(document: Json, pointers: readonly string[]): string[] {
  return [...reach(pointers, (each) => listInPlace(document, each))];
}

/** Lists pointers to the schemas that a schema applies to the value as a whole. */
function listInPlace(document: Json, pointer: string): string[] {
  const { $ref, ...schema } = schemaAt(document, pointer);
  const parts = (["allOf", "anyOf", "oneOf"] as const).flatMap((keyword) =>
    Object.keys(schema[keyword] ?? []).map((index) => `${pointer}/${keyword}/${index}`),
  );
  return [...(typeof $ref === "string" ? [refToPointer($ref)] : []), ...parts];
}

/**
 * Returns whether a schema refers to itself without moving to a part of the value, so that validation would never end.
 */
function isCircular(document: Json, pointer: string): boolean {
  return reachInPlace(document, listInPlace(document, pointer)).includes(pointer);
}

function problemWithPattern(pattern: string): string | undefined {
  try {
    return void new RegExp(pattern, "u");
  } catch (error) {
    const fix = "in Unicode mode, escape only characters with a special meaning";
    return `the pattern is invalid: ${(error as Error).message.replace(/^.*: /, "")}; ${fix}`;
  }
}

/** Returns whether a schema is inside `not`. A value must not match such a schema. */
export function isNegated(pointer: string): boolean {
  return parsePointer(pointer).includes("not");
}

/** Returns pointers to the schemas of parameters, headers, or media types. */
export function schemasIn(described: readonly SchemaHolder[]): string[] {
  return described.flatMap(({ schema }) => schema ?? []);
}

/** Lists pointers to all schemas that apply to the bodies of an operation. */
export function listBodySchemas(
  document: Json,
  { requestContent, responses }: Operation,
): string[] {
  const bodies = [...requestContent, ...responses.flatMap(({ content }) => content)];
  return [...reachSchemas(document, schemasIn(bodies))].filter((each) => !isNegated(each));
}
