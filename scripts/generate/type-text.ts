import {
  getAtPointer,
  lastKey,
  parentPointer,
  refToPointer,
  toReferenceToken,
} from "../../src/openapi/pointer.js";
import { reachSchemas } from "../../src/openapi/keywords.js";
import { combined, hasType, isObject, schemaAt, type Schema } from "../../src/openapi/schema.js";
import { memberSchemas } from "../../src/openapi/schema-sets.js";
import type { Json } from "../../src/openapi/description.js";
import type { MethodModel } from "../description/read-operations.js";
import { schemasAround } from "../description/schema-pointers.js";
import { docText } from "./doc-text.js";
import { OTHER_VALUE } from "./other-values.js";
import { jsdoc } from "./text.js";

/** The operations and schemas of a description, and what their types depend on. */
export interface TypeContext {
  readonly document: Json;
  readonly operations: readonly MethodModel[];
  /** The type names of schemas, by pointer. */
  readonly names: ReadonlyMap<string, string>;
  /** The schemas of request bodies. Their optional properties can be undefined. */
  readonly inBody: ReadonlySet<string>;
  /** The schemas of query parameters. Their lists can be readonly, and their dates can be `Date` objects. */
  readonly inQuery: ReadonlySet<string>;
  /** Whether openapi-fetch maps the types, and would map `string & {}` to an object. */
  readonly isMapped?: boolean;
  /** The known values of strings that select the last branch of a union by being none of its constants. */
  readonly otherValues: ReadonlyMap<string, readonly Json[]>;
  /** The properties of other schemas whose types are being printed, because a schema requires them. */
  readonly printing?: ReadonlySet<string>;
}

/** A property of an object type, or a query parameter. */
export interface Property {
  readonly name: string;
  /** The types of which the property's type is a union. */
  readonly types: readonly string[];
  readonly isOptional: boolean;
  /** The text of the doc comment. */
  readonly text: string;
}

/** The parts that a type intersects. */
export interface TypeParts {
  /** Pointers to the named schemas that the schema references. */
  readonly references: readonly string[];
  readonly properties: readonly Property[];
  /** The index signatures. */
  readonly signatures: readonly string[];
  /** All other types, each as a union. */
  readonly others: readonly (readonly string[])[];
}

const NO_PARTS: TypeParts = { references: [], properties: [], signatures: [], others: [] };

/** Returns the TypeScript type of the schema at a pointer: its name if it has one. */
export function typeText(context: TypeContext, pointer: string): string {
  return typesOf(context, pointer).join(" | ");
}

/** Lists the types of which the type of a schema is a union. */
export function typesOf(context: TypeContext, pointer: string): readonly string[] {
  const name = context.names.get(pointer);
  return name === undefined ? unionOf(context, partsOf(context, pointer)) : [name];
}

/** Returns the TypeScript type of the schema at a pointer without its own name. */
export function expandedText(context: TypeContext, pointer: string): string {
  return unionOf(context, partsOf(context, pointer)).join(" | ");
}

/**
 * Returns the names of the schemas that have the same type in another context. The type of a schema also depends on the
 * schemas inside it.
 */
export function sameNames(context: TypeContext, other: TypeContext): ReadonlyMap<string, string> {
  const { document, names } = context;
  const pointers = [...names.keys()];
  const different = new Set(
    pointers.filter((each) => expandedText(context, each) !== expandedText(other, each)),
  );
  const isSame = (pointer: string) =>
    [...reachSchemas(document, [pointer])].every((each) => !different.has(each));
  return different.size === 0 ? names : new Map([...names].filter(([pointer]) => isSame(pointer)));
}

/** Declares a property, with a doc comment. */
export function propertyText({ name, types, isOptional, text }: Property): string {
  return `${text && jsdoc(text)}${JSON.stringify(name)}${isOptional ? "?" : ""}: ${types.join(" | ")};`;
}

/** Returns the parts of the type of a schema. */
export function partsOf(context: TypeContext, pointer: string): TypeParts {
  const schema = getAtPointer(context.document, pointer);
  if (!isObject(schema)) return { ...NO_PARTS, others: schema === false ? [["never"]] : [] };
  const { $ref, allOf = [] } = schema as Schema;
  const partAt = (each: string): TypeParts =>
    context.names.has(each) ? { ...NO_PARTS, references: [each] } : partsOf(context, each);
  const parts = [
    ...($ref === undefined ? [] : [partAt(refToPointer($ref))]),
    ...allOf.map((_, index) => partAt(`${pointer}/allOf/${index}`)),
  ];
  const unions = (["anyOf", "oneOf"] as const).flatMap((keyword) =>
    schema[keyword] === undefined ? [] : [branchesOf(context, `${pointer}/${keyword}`)],
  );
  const own = parts.reduce(
    (merged, part) => mergeParts(context, merged, part),
    ownParts(context, pointer, schema),
  );
  const properties = isAboutObjects(schema)
    ? requireProperties(context, pointer, own.properties)
    : own.properties;
  const all = { ...own, properties, others: [...own.others, ...unions] };
  const map = findMap(own.signatures);
  const isUniform = properties.every(({ types }) => map === mapSignature(types.join(" | ")));
  if (map === undefined || isUniform) return all;
  // In one object type, the declared properties would need the type of the map's values.
  const signatures = own.signatures.filter((each) => each !== map);
  return { ...all, signatures, others: [...all.others, [`{\n${map}\n}`]] };
}

/** Returns the index signature that restricts the values of all names. */
export function findMap(signatures: readonly string[]): string | undefined {
  return signatures.find((each) => each.startsWith("[key: string]:") && each !== ANY_NAME);
}

/** Returns the index signature of a map, which can lack any name. */
function mapSignature(type: string): string {
  return `[key: string]: ${type} | undefined;`;
}

/** Returns whether a schema does not name other types than `object`, which could lack the required properties. */
export function isAboutObjects({ type = [] }: Schema): boolean {
  return [type].flat().every((each) => each === "object");
}

/** Intersects two types. Merges their properties, unless these overlap. */
function mergeParts(context: TypeContext, merged: TypeParts, part: TypeParts): TypeParts {
  const names = new Set(merged.properties.map(({ name }) => name));
  const overlaps = part.properties.some(({ name }) => names.has(name));
  const signatures = new Set([...merged.signatures, ...part.signatures]);
  const isMap = part.signatures.length > 0 && [...signatures].some((each) => each !== ANY_NAME);
  const { references, others } = merged;
  if (overlaps || isMap) return { ...merged, others: [...others, unionOf(context, part)] };
  return {
    references: [...references, ...part.references],
    properties: [...merged.properties, ...part.properties],
    signatures: [...signatures],
    others: [...others, ...part.others],
  };
}

/** Returns the type that a schema declares itself, without the schemas that it references or combines. */
function ownParts(context: TypeContext, pointer: string, schema: Schema): TypeParts {
  const { type, properties, patternProperties, additionalProperties } = schema;
  const isComposed =
    type === undefined || ["$ref", "allOf", "anyOf", "oneOf"].some((each) => each in schema);
  if (schema.const !== undefined) return { ...NO_PARTS, others: [[JSON.stringify(schema.const)]] };
  if (schema.enum !== undefined) {
    const allowed = schema.enum.filter((each) => type === undefined || hasType(each, schema));
    return { ...NO_PARTS, others: [allowed.map((each) => JSON.stringify(each))] };
  }
  const object = {
    ...NO_PARTS,
    properties: Object.keys(properties ?? {}).map((name) => propertyOf(context, pointer, name)),
    signatures: signaturesOf(context, pointer, schema, isComposed),
  };
  const isObjectType = type ?? properties ?? patternProperties ?? isObject(additionalProperties);
  if (isAboutObjects(schema)) return isObjectType ? object : NO_PARTS;
  const types = [type!].flat().flatMap((each) => {
    if (each === "object") {
      const all = requireProperties(context, pointer, object.properties);
      return unionOf(context, { ...object, properties: all });
    }
    return each === "array"
      ? listText(context, pointer, schema)
      : scalarTypes(context, pointer, each);
  });
  return types.includes("unknown") ? NO_PARTS : { ...NO_PARTS, others: [types] };
}

function propertyOf(context: TypeContext, owner: string, name: string): Property {
  const schema = getAtPointer(context.document, owner) as Schema;
  const pointer = `${owner}/properties${toReferenceToken(name)}`;
  const isOptional = !schema.required?.includes(name);
  const [own = [], ...others] = memberSchemas([{ pointer: owner, schema }], name).map((each) =>
    typesOf(context, each),
  );
  // The name can also match patterns.
  const types = others.length > 0 ? intersected([own, ...others]) : own;
  return {
    name,
    // Apps can also use `exactOptionalPropertyTypes`.
    types: isOptional && context.inBody.has(owner) ? [...types, "undefined"] : types,
    isOptional,
    text: docText(context.document, pointer),
  };
}

/** Makes properties required that a schema requires, even if another schema declares them. */
function requireProperties(
  context: TypeContext,
  owner: string,
  properties: readonly Property[],
): Property[] {
  const { required = [] } = getAtPointer(context.document, owner) as Schema;
  const own = properties.map((each) =>
    each.isOptional && required.includes(each.name) ? { ...each, isOptional: false } : each,
  );
  const missing = required.filter((name) => !own.some((each) => each.name === name));
  const found = missing.map((name) => {
    const pointer = findProperty(context.document, owner, name);
    const text = pointer === undefined ? "" : docText(context.document, pointer);
    const types = pointer === undefined ? ["unknown"] : requiredTypes(context, pointer);
    return { name, types, isOptional: false, text };
  });
  return [...own, ...found];
}

/** Lists the types of a property that another schema declares. The property can contain a schema that requires it, too. */
function requiredTypes(context: TypeContext, pointer: string): readonly string[] {
  const { printing = new Set(), names } = context;
  if (!printing.has(pointer))
    return typesOf({ ...context, printing: new Set([...printing, pointer]) }, pointer);
  const declaring = names.get(parentPointer(parentPointer(pointer)));
  const key = JSON.stringify(lastKey(pointer));
  return [declaring === undefined ? "unknown" : `Exclude<${declaring}[${key}], undefined>`];
}

/**
 * Returns the pointer to the schema of a property in a schema, or in those that it references or with which it is
 * combined: its declaration or else the schema of other names.
 */
function findProperty(document: Json, owner: string, name: string): string | undefined {
  const around = schemasAround(owner).toReversed();
  const schemas = around.flatMap((each) => combined(document, each));
  const members = memberSchemas(schemas, name);
  return (
    members.find((each) => each.endsWith(`/properties${toReferenceToken(name)}`)) ?? members[0]
  );
}

/** The index signature of an object whose other properties can have any value. */
export const ANY_NAME = "[key: string]: unknown;";

/** Lists the index signatures of an object type. */
function signaturesOf(
  context: TypeContext,
  pointer: string,
  { properties = {}, patternProperties = {}, additionalProperties }: Schema,
  isComposed: boolean,
): string[] {
  const names = Object.keys(patternProperties);
  const signatures = names.map(templateOf).map((template) => {
    if (template === undefined) return ANY_NAME;
    const types = names
      .filter((each) => templateOf(each) === template)
      .map((each) => typesOf(context, `${pointer}/patternProperties${toReferenceToken(each)}`));
    const type = types.length > 1 ? intersected(types) : types[0]!;
    return `[key: ${template}]: ${type.join(" | ")} | undefined;`;
  });
  const patterns = [...new Set(signatures)];
  // TypeScript would apply a type for other names to the declared names, too.
  const isEmpty = Object.keys(properties).length === 0 && patterns.length === 0;
  const isMap = isObject(additionalProperties) && isEmpty;
  if (isMap) {
    return [mapSignature(typeText(context, `${pointer}/additionalProperties`))];
  }
  // An empty object type would also accept scalars.
  const isOpen = (isEmpty && !isComposed) || (additionalProperties ?? false) !== false;
  return [...patterns, ...(isOpen && !patterns.includes(ANY_NAME) ? [ANY_NAME] : [])];
}

function listText(context: TypeContext, pointer: string, { items = {} }: Schema): string {
  const item = items === false ? "never" : typeText(context, `${pointer}/items`);
  const isName = /^\w+$/.test(item);
  return `${context.inQuery.has(pointer) ? "readonly " : ""}${isName ? item : `(${item})`}[]`;
}

/** Returns the type for a pattern of text and a number, such as `^season/\d+$`; undefined for all other patterns. */
function templateOf(pattern: string): string | undefined {
  const [, text] = /^\^([\w/-]+)(?:\\d|\[0-9\])\+\$$/.exec(pattern) ?? [];
  return text === undefined ? undefined : `\`${text}\${number}\``;
}

function scalarTypes(context: TypeContext, pointer: string, type: string): readonly string[] {
  const { format = "", pattern = "" } = schemaAt(context.document, pointer);
  if (type === "integer") return ["number"];
  const known = type === "string" && context.otherValues.get(pointer);
  if (known) return [...known.map((each) => JSON.stringify(each)), OTHER_VALUE];
  if (type !== "string" || !context.inQuery.has(pointer)) return [type];
  return ["date", "date-time"].includes(format) ? [type, "Date"] : [templateOf(pattern) ?? type];
}

/** @param pointer pointer to the list of branches */
function branchesOf(context: TypeContext, pointer: string): string[] {
  const branches = getAtPointer(context.document, pointer) as readonly Schema[];
  const hasKnownText =
    !context.isMapped && branches.some(({ type, enum: values }) => type === "string" && values);
  return branches.flatMap((_, index) => {
    const types = typesOf(context, `${pointer}/${index}`);
    // TypeScript would merge the known values into `string`, and editors could not complete them.
    return types.map((each) => (hasKnownText && each === "string" ? "(string & {})" : each));
  });
}

/** Lists the types of which an intersection is a union. */
export function unionOf(context: TypeContext, parts: TypeParts): readonly string[] {
  const { references, properties, signatures, others } = parts;
  const members = [...properties.map(propertyText), ...signatures];
  const object = members.length > 0 ? [`{\n${members.join("\n")}\n}`] : [];
  const types = [...references.map((each) => context.names.get(each)!), ...object];
  if (types.length === 0 && others.length === 1) return others[0]!;
  return [[...types, ...intersected(others)].join(" & ") || "unknown"];
}

/** Returns the intersection of unions, unless there are none. */
function intersected(unions: readonly (readonly string[])[]): readonly string[] {
  const all = unions.map((types) => `(${types.join(" | ") || "never"})`);
  return all.length > 0 ? [all.join(" & ")] : [];
}
