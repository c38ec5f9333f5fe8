import { isDeepStrictEqual } from "node:util";
import openapiTS, { astToString, transformSchemaObject } from "openapi-typescript";
import ts from "typescript";
import type { Json } from "../../src/openapi/description.js";
import { resolveRef } from "../../src/openapi/document.js";
import { kindOfKeyword, reachSchemas } from "../../src/openapi/keywords.js";
import { getAtPointer, lastKey, parentPointer } from "../../src/openapi/pointer.js";
import { combined, isObject, schemaAt, type Schema } from "../../src/openapi/schema.js";
import { constantsIn } from "../../src/openapi/unions.js";
import { schemasIn } from "../description/schemas.js";
import { templateOf } from "./key-template.js";
import { IMPORT_OTHER_VALUE } from "./other-values.js";
import { GENERATED_HEADER } from "./text.js";
import { findProperty, isAboutObjects, type TypeContext } from "./type-text.js";

const { factory } = ts;

type SchemaObject = Parameters<typeof transformSchemaObject>[0];
type Context = Parameters<typeof transformSchemaObject>[1];

/** Generates the types of a description in the form that openapi-fetch expects, with openapi-typescript. */
export async function schemaModule(context: TypeContext): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(rewriteSchemas(context)), {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
    transform: (schema, options) => otherValueType(schema as Schema) ?? mapType(schema, options),
  });
  const imports = context.otherValues.size > 0 ? `${IMPORT_OTHER_VALUE}\n` : "";
  return GENERATED_HEADER + imports + astToString(nodes);
}

/** Copies a document, and rewrites the schemas for which openapi-typescript would generate the wrong type. */
function rewriteSchemas({ document, names, operations, otherValues }: TypeContext): Json {
  const complete = cloned(document);
  const others = operations.flatMap(({ parameters, responses }) => [
    ...parameters,
    ...responses.flatMap(({ headers }) => headers),
  ]);
  const roots = [...names.keys(), ...schemasIn(others)];
  for (const pointer of reachSchemas(document, roots)) {
    const missing = findRequired(document, pointer);
    const schema = getAtPointer(complete, pointer) as Schema;
    if (Object.keys(missing).length > 0) schema.properties = { ...schema.properties, ...missing };
  }
  const copy = cloned(complete);
  for (const [pointer, known] of otherValues)
    Object.assign(getAtPointer(copy, pointer) as Schema, { [OTHER_VALUE]: known });
  // Rewriting a schema can move the schemas that it contains, so these come first.
  const pointers = [...reachSchemas(copy, roots)].toSorted((a, b) => b.length - a.length);
  for (const pointer of pointers) {
    const schema = getAtPointer(copy, pointer);
    const parent = getAtPointer(copy, parentPointer(pointer)) as Record<string, unknown>;
    if (isObject(schema))
      parent[lastKey(pointer)] = rewriteSchema(schema, allowsOthers(complete, pointer));
  }
  return copy;
}

/** Copies a document. Aliases in YAML give one object several places, which the copy can rewrite separately. */
const cloned = (document: Json) => JSON.parse(JSON.stringify(document)) as Json;

/**
 * Returns the properties that a schema requires but does not declare. openapi-typescript makes a property required only
 * if the schema itself or one of the schemas in its `allOf` declares the property, and these must be about objects.
 */
function findRequired(document: Json, pointer: string): Record<string, unknown> {
  const { required = [], allOf = [] } = schemaAt(document, pointer);
  const parts = allowsOthers(document, pointer)
    ? []
    : allOf.map((_, index) => resolveRef(document, `${pointer}/allOf/${index}`));
  const declaring = [pointer, ...parts].map((each) => schemaAt(document, each).properties ?? {});
  const missing = required.filter((name) => !declaring.some((each) => Object.hasOwn(each, name)));
  const found = missing.map((name) => [name, findProperty(document, pointer, name)] as const);
  return Object.fromEntries(
    found.map(([name, each]) => [name, each === undefined ? {} : getAtPointer(document, each)]),
  );
}

/** Returns whether a schema, or one that it references or combines with `allOf`, names other types than `object`. */
function allowsOthers(document: Json, pointer: string): boolean {
  return combined(document, pointer).some(({ schema }) => !isAboutObjects(schema));
}

/** @param isNullable whether a part of the schema can have another type than `object`, such as null */
function rewriteSchema(schema: Schema, isNullable: boolean): Schema {
  // The names in a discriminator would replace the constants of the branches.
  const { allOf = [], oneOf, anyOf, discriminator: _, ...own } = schema;
  // openapi-typescript would add the branches of some unions to the types next to them, instead of intersecting both.
  const parts = [...allOf, ...(oneOf ? [{ oneOf }] : []), ...(anyOf ? [{ anyOf }] : [])];
  const constants = constantsIn(schema);
  const isMap = own.patternProperties !== undefined || isObject(own.additionalProperties);
  const isAlone = constants.length > 0 || isMap || (isNullable && own.required !== undefined);
  if (constants.some(isObject) || (parts.length > 0 && isAlone)) {
    // openapi-typescript would ignore what is combined with constants and maps, and constants of type object. It would
    // look for the required properties in null, too.
    const alone = constants.length > 0 ? { enum: [...constants] } : rewriteSchema(own, isNullable);
    const notes = Object.entries(own).filter(([keyword]) => kindOfKeyword(keyword) === "note");
    const required = isNullable ? [] : (own.required ?? []);
    return { ...Object.fromEntries(notes), required, allOf: [alone, ...parts] };
  }
  // openapi-typescript ignores `const: null`.
  if (own.const === null) return { ...own, type: "null" };
  // The hook gets only schemas with a type.
  if (isMap) return { ...own, type: own.type ?? "object" };
  return parts.length > 0 ? { ...own, allOf: parts } : own;
}

/** Marks the schemas whose type is `OtherValue`, for the `transform` hook. */
const OTHER_VALUE = "x-other-value";

/** Returns the type of a string that is none of the constants in the other branches of its union. */
function otherValueType({ [OTHER_VALUE]: known }: Schema): ts.TypeNode | undefined {
  if (known === undefined) return undefined;
  const literals = (known as string[]).map((each) =>
    factory.createLiteralTypeNode(factory.createStringLiteral(each)),
  );
  return factory.createUnionTypeNode([...literals, typeNamed("OtherValue")]);
}

/**
 * Returns the type of a map, in which any name can be missing. openapi-typescript itself generates types in which every
 * name is present, and which apply patterns for names to all names.
 */
function mapType(schema: SchemaObject, context: Context): ts.TypeNode | undefined {
  const {
    type,
    properties = {},
    patternProperties = {},
    additionalProperties,
    required,
  } = schema as Schema;
  const hasValues = Object.keys(Object(additionalProperties)).length > 0;
  // TypeScript would apply a type for any name to the declared names, too.
  const values = new Map<string, unknown>();
  for (const [pattern, value] of Object.entries(patternProperties)) {
    const key = templateOf(pattern);
    values.set(key ?? "string", key === undefined ? ANYTHING : value);
  }
  const isUniform =
    values.size === 0 &&
    Object.values(properties).every((each) => isDeepStrictEqual(each, additionalProperties));
  if (hasValues) values.set("string", isUniform ? additionalProperties : ANYTHING);
  if (type !== "object" || values.size === 0) return undefined;
  const signatures = [...values].map(([key, value]) =>
    factory.createIndexSignature(
      undefined,
      [factory.createParameterDeclaration(undefined, undefined, "key", undefined, typeNamed(key))],
      factory.createUnionTypeNode([
        transformSchemaObject(value as SchemaObject, context),
        typeNamed("undefined"),
      ]),
    ),
  );
  const map = factory.createTypeLiteralNode(signatures);
  if (Object.keys(properties).length === 0) return map;
  const declared = transformSchemaObject({ properties, required } as SchemaObject, context);
  return factory.createIntersectionTypeNode([declared, map]);
}

const ANYTHING = {};

const typeNamed = (name: string) => factory.createTypeReferenceNode(name);
