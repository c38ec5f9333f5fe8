import openapiTS, { astToString, transformSchemaObject } from "openapi-typescript";
import ts from "typescript";
import type { Json } from "../../src/openapi/description.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { isObject } from "../../src/openapi/schema.js";
import { templateOf } from "./key-template.js";
import { IMPORT_OTHER_VALUE } from "./other-values.js";
import { GENERATED_HEADER } from "./text.js";
import type { TypeContext } from "./type-text.js";

const { factory } = ts;

type SchemaObject = Parameters<typeof transformSchemaObject>[0];
type Context = Parameters<typeof transformSchemaObject>[1];

/** Generates the types of a description in the form that openapi-fetch expects, with openapi-typescript. */
export async function schemaModule({ document, otherValues }: TypeContext): Promise<string> {
  // openapi-typescript would replace the constants of the branches with the names in a discriminator.
  const copy = JSON.parse(JSON.stringify(document), (key, value: Json) =>
    key === "discriminator" && "propertyName" in Object(value) ? undefined : value,
  ) as Json;
  for (const [pointer, known] of otherValues)
    Object.assign(getAtPointer(copy, pointer) as object, { [OTHER_VALUE]: known });
  const nodes = await openapiTS(JSON.stringify(copy, rewriteSchema), {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
    transform: (schema, context) => otherValueType(schema as Schema) ?? mapType(schema, context),
  });
  const imports = otherValues.size > 0 ? `${IMPORT_OTHER_VALUE}\n` : "";
  return GENERATED_HEADER + imports + astToString(nodes);
}

/** Rewrites schemas for which openapi-typescript would generate the wrong type. */
function rewriteSchema(_: string, value: Json): Json {
  if (!isObject(value)) return value;
  const { oneOf, ...others } = value;
  const { const: constant, type, allOf = [] } = others;
  // openapi-typescript ignores `const: null`.
  if (constant === null) return { ...value, type: "null" };
  // Of several types, openapi-typescript omits those that are also the type of a branch.
  return Array.isArray(type) && Array.isArray(oneOf)
    ? { ...others, allOf: [...(allOf as Json[]), { oneOf }] }
    : value;
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
  const { patternProperties = {}, additionalProperties, ...others } = schema as Schema;
  const isMap = Object.keys(Object(additionalProperties)).length > 0;
  // TypeScript would apply a type for any name to the declared names, too.
  const values = new Map<string, SchemaObject>();
  for (const [pattern, value] of Object.entries(patternProperties)) {
    const key = templateOf(pattern);
    values.set(key ?? "string", key === undefined ? ANYTHING : value);
  }
  const isUniform = values.size === 0 && others["properties"] === undefined;
  if (isMap) values.set("string", isUniform ? (additionalProperties as SchemaObject) : ANYTHING);
  if (others.type !== "object" || values.size === 0) return undefined;
  const signatures = [...values].map(([key, value]) =>
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

const ANYTHING = {} as SchemaObject;

/** Keywords whose types a map intersects. */
const COMBINED = new Set(["properties", "allOf", "anyOf", "oneOf"]);

const typeNamed = (name: string) => factory.createTypeReferenceNode(name);
