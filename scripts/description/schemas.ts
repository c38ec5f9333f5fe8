import { Ajv2020 } from "ajv/dist/2020.js";
import { didYouMean } from "../../src/contract/engine/suggest.js";
import { resolveRef, walkPointers } from "../../src/openapi/document.js";
import {
  getAtPointer,
  isLocalRef,
  lastKey,
  parentPointer,
  parsePointer,
  refToPointer,
  toReferenceToken,
} from "../../src/openapi/pointer.js";
import { reach } from "../shared/reach.js";
import { kindOfKeyword, reachSchemas } from "../../src/openapi/keywords.js";
import { combined, hasType, isObject, listUnions, schemaAt } from "../../src/openapi/schema.js";
import type { Schema } from "../../src/openapi/schema.js";
import { itemSchemas, memberSchemas } from "../../src/openapi/schema-sets.js";
import { describeUnion, overlap, typesIn } from "../../src/openapi/unions.js";
import type { TestedBranch } from "../../src/openapi/unions.js";
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

/** The problem with a value that is not a schema, so that other problems can follow from it. */
export const NO_SCHEMA =
  "a schema must be an object or a boolean; write one, or indent its lines more than its name";

/** Lists the unsupported parts of schemas, each with its pointer and a fix. */
export function findUnsupported(
  document: Json,
  schemas: Iterable<string>,
): { pointer: string; text: string }[] {
  // A missing schema is reported at the reference that leads to it.
  const pointers = [...schemas].filter((each) => getAtPointer(document, each) !== undefined);
  const broken = pointers.filter((each) => {
    const schema = getAtPointer(document, each) as Json;
    return typeof schema !== "boolean" && !isObject(schema);
  });
  if (broken.length > 0) return broken.map((pointer) => ({ pointer, text: NO_SCHEMA }));
  const problems = pointers.flatMap((pointer) => {
    const schema = getAtPointer(document, pointer) as Json;
    if (!isObject(schema)) return problemsWithBoolean(pointer);
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
      ...findHidden(pointer, schema),
    ];
  });
  // Comparing the branches of a union requires that all schemas are valid and that no reference is part of a cycle.
  return problems.length > 0
    ? problems
    : pointers.flatMap((pointer) => [
        ...findUndistinguished(document, pointer),
        ...findUntyped(document, pointer),
        ...findExcluded(document, pointer),
        ...findDisjoint(document, pointer),
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
  return metaSchema.errors!.flatMap(({ instancePath, message, keyword, params }) => {
    const [, name = ""] = instancePath.split("/");
    const isSummary = keyword === "anyOf" || keyword === "allOf" || name === "";
    const allowed =
      keyword === "enum" && `must be one of ${(params["allowedValues"] as Json[]).join(", ")}`;
    const rule = name === "enum" && isEmptyEnum ? "must contain a value" : allowed || message;
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

/** Lists the properties with names that ajv ignores, or that TypeScript gives to every object. */
function findHidden(pointer: string, { properties }: { [keyword: string]: Json }) {
  const hidden = HIDDEN.filter((name) => Object.hasOwn(Object(properties) as object, name));
  return hidden.map((name) => ({
    pointer: `${pointer}/properties/${name}`,
    text: `ajv or TypeScript cannot read the property ${name}; remove it`,
  }));
}

/** The names that every object inherits, except for those that are no problem. */
const HIDDEN = Object.getOwnPropertyNames(Object.prototype).filter(
  (name) => name !== "constructor" && name !== "toString",
);

/**
 * Lists values in `enum` and `const` that `type` excludes, and a type `null` that `enum` excludes. Every validator would
 * reject them, which is rarely intended.
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

/** Lists keywords without `type`, if the type of their schema would depend on the schemas around. */
function findUntyped(document: Json, pointer: string) {
  const around = schemasAround(pointer).flatMap((each) => combined(document, each));
  const types = [...new Set(typesIn(document, around))];
  const list = types.map((each) => (each === "null" ? '"null"' : each)).join(", ");
  const fix = types.length === 1 ? `\`type: ${list}\`` : `\`type: [${list}]\``;
  const report = (place: string, type: string, restricted: string) => ({
    pointer: place,
    text: `${lastKey(place)} restricts only ${restricted}, but ${
      types.includes(type)
        ? `this schema allows other types, too; add ${fix}`
        : `the value is never an ${type}; remove it`
    }`,
  });
  return combined(document, pointer).flatMap(({ pointer: place, schema }) => {
    if (schema.type !== undefined || types.length === 0) return [];
    const keyword = ABOUT_OBJECTS.find((each) => each in schema);
    return [
      ...(keyword !== undefined && types.some((each) => each !== "object")
        ? [report(`${place}/${keyword}`, "object", "objects")]
        : []),
      ...("items" in schema ? [report(`${place}/items`, "array", "arrays")] : []),
    ];
  });
}

/**
 * Lists the schemas that allow other types than the `type` beside them, if one of both allows objects. TypeScript would
 * accept these types, too: an object type without required properties accepts scalars, and the generated types have no
 * part for an object without properties of its own, which would exclude null.
 */
function findExcluded(document: Json, pointer: string) {
  const schema = schemaAt(document, pointer);
  const types = [schema.type ?? []].flat();
  const hasParts = ["patternProperties", "properties", "required"].some(
    (each) => Object.keys(schema[each] ?? {}).length > 0,
  );
  const others = types.includes("object") ? (hasParts ? /^(?!null)/ : /./) : /^object$/;
  if (types.length === 0) return [];
  return listInPlace(document, pointer).flatMap((place) => {
    const excluded = typesIn(document, combined(document, place)).find(
      (each) => others.test(each) && !types.some((type) => overlap(type, each)),
    );
    return excluded === undefined
      ? []
      : {
          pointer: place,
          text: `this schema allows ${excluded}, but the type next to ${lastKey(parentPointer(place))} does not; add ${excluded} to that type, or remove it here`,
        };
  });
}

/**
 * Reports schemas in `allOf` that exclude each other's types: for the whole value, for a property, or for the items.
 * TypeScript would accept text for the type of text that is also an object, unless the object requires a property.
 */
function findDisjoint(document: Json, pointer: string) {
  const seen = new Set<string>();
  const find = (pointers: readonly string[], text: string): string | undefined => {
    const key = pointers.toSorted().join("\n");
    if (seen.has(key)) return undefined;
    seen.add(key);
    const all = pointers.flatMap((each) => combined(document, each));
    const parts = [...new Map(all.map((each) => [each.pointer, each])).values()];
    if (parts.length === 1) return undefined;
    const isTyped = parts.some((each) => typesIn(document, [each]).length > 0);
    if (isTyped && typesIn(document, parts).length === 0)
      return `${text}the schemas in allOf have no type in common; correct their types`;
    const names = new Set(parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {})));
    const members = [...names].map((name) => ({
      inner: memberSchemas(parts, name),
      what: `no value of ${name} can match: `,
    }));
    members.push({ inner: itemSchemas(parts), what: "no item can match: " });
    for (const { inner, what } of members) {
      // A schema alone is checked by itself.
      const found = inner.length > 1 ? find(inner, text + what) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const { $ref, allOf } = schemaAt(document, pointer);
  // The target of a reference is checked by itself.
  const text = $ref === undefined ? find([pointer], "") : undefined;
  return text === undefined ? [] : [{ pointer: allOf ? `${pointer}/allOf` : pointer, text }];
}

/** Keywords that restrict only objects, so that a schema with one of them is about objects. */
export const ABOUT_OBJECTS = `additionalProperties maxProperties minProperties patternProperties
  properties propertyNames required`.split(/\s+/);

/** Returns the pointer to a schema, after pointers to the schemas that combine it with others for the same value. */
export function schemasAround(pointer: string): string[] {
  const [, outer] = /^(.*)\/(?:allOf|anyOf|oneOf)\/\d+$/.exec(pointer) ?? [];
  return outer === undefined ? [pointer] : [...schemasAround(outer), pointer];
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

/** Matches pointers to the schemas that are not inside other schemas or examples. */
const OUTER =
  /^(?!.*\/examples?\/)(\/components\/schemas\/[^/]+|.*\/(content|headers|parameters)\/[^/]+\/schema)$/;

/** Lists pointers to all schemas outside other schemas, even those of webhooks and those that nothing uses. */
export function listOuterSchemas(document: Json): string[] {
  return [...walkPointers(document)].filter((each) => OUTER.test(each));
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
