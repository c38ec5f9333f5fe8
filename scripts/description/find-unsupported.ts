import { Ajv2020 } from "ajv/dist/2020.js";
import { didYouMean, isMisspelling } from "../../src/contract/engine/suggest.js";
import type { Json } from "../../src/openapi/description.js";
import { resolveRef } from "../../src/openapi/document.js";
import { KINDS, kindOfKeyword } from "../../src/openapi/keywords.js";
import {
  getAtPointer,
  isLocalRef,
  lastKey,
  parentPointer,
  refToPointer,
  toReferenceToken,
} from "../../src/openapi/pointer.js";
import { combined, isObject, listUnions, schemaAt } from "../../src/openapi/schema.js";
import type { Schema } from "../../src/openapi/schema.js";
import { describeUnion } from "../../src/openapi/unions.js";
import type { TestedBranch } from "../../src/openapi/unions.js";
import { FORMATS } from "./ajv.js";
import { listInPlace, reachInPlace } from "./schema-pointers.js";
import { findAmbiguousTypes, findContradictions } from "./type-checks.js";

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

/** The problem with a value that is not a schema, so that other problems can follow from it. */
export const NO_SCHEMA =
  "a schema must be an object or a boolean; write one, or indent its lines more than its name";

/** A problem with a schema, and a fix. */
export interface SchemaProblem {
  pointer: string;
  text: string;
}

/** Lists the unsupported parts of schemas. */
export function findUnsupported(document: Json, schemas: Iterable<string>): SchemaProblem[] {
  // A missing schema is reported at the reference that leads to it.
  const pointers = [...schemas].filter((each) => getAtPointer(document, each) !== undefined);
  const broken = pointers.filter((each) => {
    const schema = getAtPointer(document, each) as Json;
    return typeof schema !== "boolean" && !isObject(schema);
  });
  // If the lines of a property are indented too little, each of them looks like another property.
  const first = broken.filter(
    (each, at) => parentPointer(each) !== parentPointer(broken[at - 1] ?? ""),
  );
  if (first.length > 0) return first.map((pointer) => ({ pointer, text: NO_SCHEMA }));
  const problems = pointers.flatMap((pointer) => {
    const schema = getAtPointer(document, pointer) as Json;
    if (!isObject(schema)) return problemsWithBoolean(pointer);
    const unknown = Object.keys(schema)
      .filter((keyword) => kindOfKeyword(keyword) === undefined)
      .map((keyword) => ({
        pointer: pointer + toReferenceToken(keyword),
        text: `the keyword ${keyword} is not supported${fixFor(keyword, schema[keyword]!)}`,
      }));
    const invalid = findInvalid(pointer, schema);
    return [
      ...unknown,
      ...(invalid.length > 0 ? invalid : findContradictions(pointer, schema as Schema)),
      ...findMisspelledFormat(pointer, schema as Schema),
      ...findUnusable(document, pointer, schema),
      ...findHidden(pointer, schema),
    ];
  });
  // Comparing the branches of a union requires that all schemas are valid and that no reference is part of a cycle.
  if (problems.length > 0) return problems;
  const undistinguished = pointers.flatMap((pointer) => findUndistinguished(document, pointer));
  if (undistinguished.length > 0) return undistinguished;
  return pointers.flatMap((pointer) => findAmbiguousTypes(document, pointer));
}

/** Says what to do about an unsupported keyword. */
function fixFor(keyword: string, value: Json): string {
  if (INSTEAD[keyword] !== undefined) return `; ${INSTEAD[keyword]}`;
  const indent = isObject(value) ? "indent it as a property, " : "";
  return didYouMean(keyword, [...KINDS.keys()]) || `; ${indent}remove it, or name it x-${keyword}`;
}

/** Formats are open, but one typo in a known format would turn its check off. */
function findMisspelledFormat(pointer: string, { format }: Schema): SchemaProblem[] {
  if (typeof format !== "string" || FORMATS.includes(format)) return [];
  const meant = FORMATS.find((each) => isMisspelling(format, each, 1));
  const text = `the format ${format} is unknown; did you mean "${meant}"?`;
  return meant === undefined ? [] : [{ pointer: `${pointer}/format`, text }];
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
  const errors = metaSchema.errors!;
  return errors.flatMap(({ instancePath, message, keyword, params }) => {
    const [, name = ""] = instancePath.split("/");
    // Another error says more, such as which item of a list is invalid.
    const isSummary = errors.some((each) => each.instancePath.startsWith(`${instancePath}/`));
    if (isSummary || keyword === "anyOf" || keyword === "allOf" || name === "") return [];
    const allowed = (params["allowedValues"] ?? []) as string[];
    const rule = allowed.length > 0 ? `must be one of ${allowed.join(", ")}` : message;
    const value = getAtPointer(schema, instancePath);
    const isNull = value === null && allowed.includes("null");
    const fix = isNull
      ? '; write "null" in quotes, or another type'
      : didYouMean(String(value), allowed) || "; correct its value";
    const problem = name === "enum" && isEmptyEnum ? "must contain a value" : rule;
    return { pointer: pointer + instancePath, text: `${name} ${problem}${fix}` };
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
  if (reachInPlace(document, listInPlace(document, pointer)).includes(pointer))
    return `${shown} is part of a cycle; replace one of the references with a schema`;
  return undefined;
}

/** Reports a boolean in `allOf`, which Redocly cannot read. */
function problemsWithBoolean(pointer: string) {
  const text = `a schema in allOf must be an object; ${INSTEAD_OF_BOOLEAN}`;
  return /\/allOf\/\d+$/.test(pointer) ? [{ pointer, text }] : [];
}

/** Lists the unions whose branches cannot be distinguished, and discriminators that contradict the branches. */
function findUndistinguished(document: Json, pointer: string) {
  const schema = schemaAt(document, pointer);
  const unions = listUnions({ pointer, schema });
  const { propertyName, mapping = {} } = schema.discriminator ?? {};
  const branches = unions.flatMap((each) => each.branches);
  const names = branches.flatMap((branch) =>
    combined(document, branch).flatMap((each) => Object.keys(each.schema.properties ?? {})),
  );
  // A schema without a union can have a discriminator, too: for the schemas that contain it in allOf.
  if (propertyName !== undefined && branches.length > 0 && !names.includes(propertyName)) {
    const hint = didYouMean(propertyName, names) || "; correct it, or remove the discriminator";
    const place = `${pointer}/discriminator/propertyName`;
    return [{ pointer: place, text: `no branch declares ${propertyName}${hint}` }];
  }
  const tests = unions.map((union) => describeUnion(document, union));
  const problems = tests.flatMap(({ problem }) => problem ?? []);
  const choices = tests
    .flatMap((each) => each.choices)
    .filter(({ property }) => property === propertyName);
  const tested = choices.flatMap((each) => each.tested);
  const rest = choices.find((each) => each.rest !== undefined)?.rest;
  if (problems.length > 0 || tested.length === 0) return problems;
  return Object.entries(mapping).flatMap(([value, target]) => {
    const isOf = ({ constants = [] }: TestedBranch) => constants.map(String).includes(value);
    const branch = tested.find(isOf)?.pointer ?? rest;
    const { $ref = `#${branch}` } = schemaAt(document, branch ?? "");
    const given = isLocalRef(target) ? target : `#/components/schemas/${target}`;
    const [expected, found] = [$ref, given].map((ref) => resolveRef(document, refToPointer(ref)));
    const text = branch
      ? `the value ${value} belongs to another schema; write ${value}: "${$ref}"`
      : `no branch has the value ${value} of ${propertyName}; correct or remove it`;
    const place = `${pointer}/discriminator/mapping${toReferenceToken(value)}`;
    return branch && found === expected ? [] : { pointer: place, text };
  });
}

/** Reports the names of properties and schemas that ajv ignores, or that TypeScript or Redocly finds in every object. */
function findHidden(pointer: string, { properties }: { [keyword: string]: Json }) {
  const hidden = HIDDEN.filter((name) => Object.hasOwn(Object(properties) as object, name));
  const problems = hidden.map((name) => ({
    pointer: `${pointer}/properties/${name}`,
    text: `ajv or TypeScript cannot read the property ${name}; remove it`,
  }));
  const name = lastKey(pointer);
  if (parentPointer(pointer) !== "/components/schemas" || !HIDDEN.includes(name)) return problems;
  return [...problems, { pointer, text: `Redocly cannot read a schema named ${name}; rename it` }];
}

/** The names that every object inherits, except for those that are no problem. */
const HIDDEN = Object.getOwnPropertyNames(Object.prototype).filter(
  (name) => name !== "constructor" && name !== "toString",
);

function problemWithPattern(pattern: string): string | undefined {
  try {
    return void new RegExp(pattern, "u");
  } catch (error) {
    const fix = "in Unicode mode, escape only characters with a special meaning";
    return `the pattern is invalid: ${(error as Error).message.replace(/^.*: /, "")}; ${fix}`;
  }
}
