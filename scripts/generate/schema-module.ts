import openapiTS, { astToString, transformSchemaObject } from "openapi-typescript";
import ts from "typescript";
import type { Json } from "../../src/openapi/description.js";
import { templateOf } from "./key-template.js";
import { GENERATED_HEADER } from "./text.js";

const { factory } = ts;

type SchemaObject = Parameters<typeof transformSchemaObject>[0];
type Context = Parameters<typeof transformSchemaObject>[1];

/** Generates the types of a description in the form that openapi-fetch expects, with openapi-typescript. */
export async function schemaModule(document: Json): Promise<string> {
  // openapi-typescript would replace the constants of the branches with the names in a discriminator.
  const copy = JSON.stringify(document, (key, value: Json) =>
    key === "discriminator" && "propertyName" in Object(value) ? undefined : value,
  );
  const nodes = await openapiTS(copy, {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
    transform: mapType,
  });
  return GENERATED_HEADER + astToString(nodes);
}

/**
 * Returns the type of a map, in which any name can be missing. openapi-typescript itself generates types in which every
 * name is present, and which apply patterns for names to all names.
 */
function mapType(schema: SchemaObject, context: Context): ts.TypeNode | undefined {
  const { patternProperties = {}, additionalProperties, ...others } = schema as Schema;
  const values = Object.entries(patternProperties).map(([pattern, value]) => ({
    key: templateOf(pattern) ?? "string",
    value,
  }));
  if (Object.keys(Object(additionalProperties)).length > 0)
    values.push({ key: "string", value: additionalProperties as SchemaObject });
  if (others.type !== "object" || values.length === 0) return undefined;
  const signatures = values.map(({ key, value }) =>
    factory.createIndexSignature(
      undefined,
      [factory.createParameterDeclaration(undefined, undefined, "key", undefined, typeNamed(key))],
      factory.createUnionTypeNode([transformSchemaObject(value, context), typeNamed("undefined")]),
    ),
  );
  const map = factory.createTypeLiteralNode(signatures);
  if (Object.keys(others).every((each) => !COMBINED.has(each))) return map;
  return factory.createIntersectionTypeNode([
    transformSchemaObject(others as SchemaObject, context),
    map,
  ]);
}

type Schema = Record<string, unknown> & {
  type?: unknown;
  patternProperties?: Record<string, SchemaObject>;
};

/** Keywords whose types a map intersects. */
const COMBINED = new Set(["properties", "allOf", "anyOf", "oneOf"]);

const typeNamed = (name: string) => factory.createTypeReferenceNode(name);
