import { pluralize } from "../../src/contract/engine/format-value.js";
import { kindOfKeyword } from "../../src/openapi/keywords.js";
import { getAtPointer, refToPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { hasType, isObject, schemaAt } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";
import { reach } from "../shared/reach.js";
import { templateOf } from "./key-template.js";

type SchemaObject = { [keyword: string]: Json };

const COMPOSITIONS = ["allOf", "anyOf", "oneOf"] as const;

/**
 * Rewrites a schema, so that openapi-typescript generates a type that accepts every value that the schema accepts, and
 * rejects what TypeScript can reject.
 */
export function toExpressible(whole: SchemaObject): SchemaObject {
  // openapi-typescript does not support `const: null`.
  if (whole["const"] === null) return toExpressible({ ...omit(whole, "const"), type: "null" });
  // The type omits the definitions, because each referenced definition has its own type. It also omits the
  // discriminator, for which openapi-typescript would rewrite the types of the branches.
  const schema = omit(whole, "$defs", "definitions", "discriminator");
  const { $ref, enum: values } = schema;
  if ($ref !== undefined) {
    const isAlone = Object.keys(schema).every((key) => key === "$ref" || isAnnotation(key));
    return isAlone ? schema : joined(schema, [{ $ref }, withoutAnnotations(schema, "$ref")]);
  }
  if (Array.isArray(values) && schema["type"] !== undefined) return matchTypes(schema, values);
  const composed = COMPOSITIONS.filter((keyword) => schema[keyword] !== undefined);
  const own = withoutAnnotations(schema, ...COMPOSITIONS);
  if (composed.length === 0 || "const" in own || "enum" in own) return withPatterns(schema);
  const parts = composed.flatMap((keyword) =>
    keyword === "allOf" ? (schema[keyword] as Json[]) : { [keyword]: schema[keyword]! },
  );
  return isVisible(own)
    ? joined(schema, [own, ...parts])
    : composed.length > 1
      ? joined(schema, parts)
      : omit(markOpen(schema), "type");
}

/** The mark of a string schema that allows other values than those of an `enum` beside it. */
export const OPEN = "x-open-text";

/** Marks the strings beside an `enum` of strings. */
function markOpen(schema: SchemaObject): SchemaObject {
  const branches = schema["anyOf"];
  if (!Array.isArray(branches) || !branches.every(isObject)) return schema;
  const isText = ({ type }: SchemaObject) => type === "string";
  const hasValues = (each: SchemaObject) => isText(each) && each["enum"] !== undefined;
  if (!branches.some(hasValues)) return schema;
  const isOpen = (each: SchemaObject) =>
    isText(each) && !("enum" in each || "const" in each || IN_QUERY in each);
  const marked = branches.map((each) => (isOpen(each) ? { ...each, [OPEN]: true } : each));
  return { ...schema, anyOf: marked };
}

/** Returns a schema with the given parts, and with the annotations of another schema. */
function joined(schema: SchemaObject, [own, ...parts]: readonly Json[]): SchemaObject {
  const kept = Object.entries(schema).filter(([key]) => isAnnotation(key));
  const allOf = [own, ...parts].map((each) => (isObject(each) ? toExpressible(each) : each!));
  return { ...Object.fromEntries(kept), allOf };
}

/** Returns whether the type of a schema would be visible beside the types of the schemas that it combines. */
function isVisible({ type, ...others }: SchemaObject): boolean {
  const keywords = ["properties", "patternProperties", "additionalProperties", "items"];
  if (keywords.some((keyword) => others[keyword] !== undefined)) return true;
  return type !== undefined && ![type].flat().includes("object");
}

/** Removes the enum values that the types reject, and the null type if the values do not contain null. */
function matchTypes(schema: SchemaObject, values: readonly Json[]): SchemaObject {
  const { type } = schema as { type: string | string[] };
  const allowed = values.filter((each) => hasType(each, { type }));
  const types = [type].flat().filter((each) => each !== "null" || allowed.includes(null));
  return {
    ...schema,
    enum: allowed,
    type: Array.isArray(type) && types.length < type.length ? types : type,
  };
}

/** Expresses patterns for property names as templates, or else allows any name. */
function withPatterns(schema: SchemaObject): SchemaObject {
  const { properties, additionalProperties, type } = schema;
  const patternProperties = schema["patternProperties"] as SchemaObject | undefined;
  const isObjectSchema = properties !== undefined || [type].flat().includes("object");
  // An index signature in TypeScript applies to the named properties, too.
  const isMixed = properties !== undefined && isObject(additionalProperties);
  const others = omit(schema, "patternProperties");
  if (isMixed) return { ...others, additionalProperties: true };
  if (!patternProperties || !(isObjectSchema || type === undefined)) return schema;
  if (type === undefined && properties === undefined) return others;
  if ((additionalProperties ?? false) === false) {
    if (areTemplates(Object.keys(patternProperties), Object.keys(Object(properties))))
      return { ...omit(schema, "additionalProperties"), type: type ?? "object" };
    if (additionalProperties === false && properties === undefined)
      return { ...others, additionalProperties: { anyOf: Object.values(patternProperties) } };
  }
  return { ...others, additionalProperties: true };
}

/** Returns whether TypeScript can express patterns for names as templates, next to named properties. */
function areTemplates(patterns: readonly string[], names: readonly string[]): boolean {
  const templates = patterns.map(templateOf);
  return patterns.every((pattern, index) => {
    const others = templates.filter((_, position) => position !== index);
    const keys = [...names, ...others.map((each) => each?.replaceAll(/\$\{\w+\}/g, "1") ?? "")];
    return (
      templates[index] !== undefined && !keys.some((key) => new RegExp(pattern, "u").test(key))
    );
  });
}

/**
 * Adds the properties that a schema requires but declares elsewhere, such as in a schema that it combines. Without
 * them, the type would not require these properties.
 * @param copyProperty returns a copy of the schema at a pointer
 */
export function requireProperties(
  document: Json,
  pointer: string,
  schema: SchemaObject,
  copyProperty: (pointer: string) => Json,
): SchemaObject {
  const { properties = {}, required = [] } = schema as {
    properties?: SchemaObject;
    required?: string[];
  };
  const outer = listOuter(pointer);
  const isObjectSchema = [...reach(outer, (each) => listParts(document, each))].some((each) => {
    const { type, properties: declared } = schemaAt(document, each);
    return type === "object" || declared !== undefined;
  });
  const missing = required.flatMap((name): [string, Json][] => {
    if (Object.hasOwn(properties, name)) return [];
    const found = findProperty(document, outer.at(-1)!, name);
    return found !== undefined ? [[name, copyProperty(found)]] : isObjectSchema ? [[name, {}]] : [];
  });
  if (missing.length === 0) return schema;
  return { ...schema, properties: { ...properties, ...Object.fromEntries(missing) } };
}

/** The mark of a schema that applies to a query parameter or a part of it. */
export const IN_QUERY = "x-in-query";

/** The mark of a property that a request body can set to undefined. */
export const OPTIONAL = "x-optional";

/** Marks the optional properties of a request body. `exactOptionalPropertyTypes` would reject undefined for them. */
export function markOptional(schema: SchemaObject): SchemaObject {
  const { properties, required } = schema;
  if (!isObject(properties)) return schema;
  const marked = Object.entries(properties).map(([name, each]) => {
    const isOptional = isObject(each) && !(required as string[] | undefined)?.includes(name);
    return [name, isOptional ? { ...each, [OPTIONAL]: true } : each];
  });
  return { ...schema, properties: Object.fromEntries(marked) as SchemaObject };
}

/** Lists the pointer to a schema, and to the schemas that combine it with others, from the inside out. */
function listOuter(pointer: string): string[] {
  const outer = pointer.replace(/\/(allOf|anyOf|oneOf)\/\d+$/, "");
  return outer === pointer ? [pointer] : [pointer, ...listOuter(outer)];
}

/** Returns the pointer to the declaration of a property in a schema. Follows `$ref` and `allOf`. */
function findProperty(document: Json, pointer: string, name: string): string | undefined {
  return [...reach([pointer], (each) => listParts(document, each))]
    .map((each) => `${each}/properties${toReferenceToken(name)}`)
    .find((each) => getAtPointer(document, each) !== undefined);
}

/** Lists pointers to the schemas that a schema references or combines with `allOf`. */
function listParts(document: Json, pointer: string): string[] {
  const { $ref, allOf = [] } = schemaAt(document, pointer);
  const references = $ref === undefined ? [] : [refToPointer($ref)];
  return [...references, ...allOf.map((_, index) => `${pointer}/allOf/${index}`)];
}

function isAnnotation(keyword: string): boolean {
  return kindOfKeyword(keyword) === "note";
}

function withoutAnnotations(schema: SchemaObject, ...keywords: readonly string[]): SchemaObject {
  return omit(schema, ...keywords, ...Object.keys(schema).filter(isAnnotation));
}

function omit(schema: SchemaObject, ...keywords: readonly string[]): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)));
}

/** Keywords for limits that a type cannot express, with their units. */
const LIMITS = [
  ["minimum", "maximum", ""],
  ["minLength", "maxLength", "character"],
  ["minItems", "maxItems", "item"],
] as const;

/** Adds the limits of a value to its description, so that editors show them. */
export function withLimits(schema: SchemaObject): SchemaObject {
  const limits = LIMITS.flatMap(([low, high, unit]) => {
    const [from, to] = [schema[low], schema[high]];
    const withUnit = (count: number) => (unit === "" ? `${count}` : pluralize(count, unit));
    if (typeof from === "number" && typeof to === "number")
      return `From ${from} to ${withUnit(to)}.`;
    if (typeof from === "number") return `At least ${withUnit(from)}.`;
    return typeof to === "number" ? `At most ${withUnit(to)}.` : [];
  });
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  if (typeof exclusiveMinimum === "number") limits.push(`More than ${exclusiveMinimum}.`);
  if (typeof exclusiveMaximum === "number") limits.push(`Less than ${exclusiveMaximum}.`);
  if (limits.length === 0) return schema;
  const { description } = schema;
  const own = typeof description === "string" ? [description.trim()] : [];
  return { ...schema, description: [...own, ...limits].join(" ") };
}
