import { transformSchemaObject } from "openapi-typescript";
import ts from "typescript";
import { IN_QUERY, OPEN } from "../description/expressible.js";
import { templateOf } from "../description/key-template.js";

const { factory } = ts;

type Schema = Record<string, unknown>;
type Context = Parameters<typeof transformSchemaObject>[1];

/**
 * Returns the types that openapi-typescript would not generate: lists with a fixed beginning or length, objects with
 * patterns for property names, and values of parameters. Returns undefined for any other schema.
 */
export function schemaType(schema: object, context: Context): ts.TypeNode | undefined {
  const { type, format, pattern, patternProperties } = schema as Schema;
  const isInQuery = IN_QUERY in schema;
  if (type === "array") {
    const list = listType(schema as Schema, context);
    return isInQuery ? factory.createTypeOperatorNode(ts.SyntaxKind.ReadonlyKeyword, list) : list;
  }
  if (type === "object" && patternProperties) return patternType(schema as Schema, context);
  if (type === "integer" && /\/parameters\/path\//.test(context.path ?? ""))
    return factory.createTypeReferenceNode("PathValue");
  const template = isInQuery && type === "string" && pattern && templateOf(String(pattern));
  if (template) return factory.createTypeReferenceNode(`\`${template}\``);
  // The client sends a Date in the format of `date-time`.
  if (type === "string" && format === "date-time" && isInQuery)
    return factory.createUnionTypeNode([
      factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      factory.createTypeReferenceNode("Date"),
    ]);
  // TypeScript would merge the known values into `string`, and editors could not complete them.
  if (OPEN in schema)
    return factory.createIntersectionTypeNode([
      factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      factory.createTypeLiteralNode([]),
    ]);
  return undefined;
}

/** Returns a tuple if the schema declares the first items or allows none, or else an array. */
function listType(schema: Schema, context: Context): ts.ArrayTypeNode | ts.TupleTypeNode {
  const { items = true, minItems = 0, maxItems = Infinity } = schema as Record<string, number>;
  const prefix = (schema["prefixItems"] ?? []) as object[];
  const rest = factory.createArrayTypeNode(typeOf(items, context));
  const isClosed = (items as unknown) === false || maxItems <= prefix.length;
  if (prefix.length === 0 && !isClosed) return rest;
  const elements = prefix.slice(0, maxItems).map((each, index) => {
    const element = typeOf(each, context);
    return index < minItems ? element : factory.createOptionalTypeNode(element);
  });
  return factory.createTupleTypeNode([
    ...elements,
    ...(isClosed ? [] : [factory.createRestTypeNode(rest)]),
  ]);
}

/** Returns an object type with an index signature for each pattern. Every pattern must have a template. */
function patternType({ patternProperties, ...schema }: Schema, context: Context): ts.TypeNode {
  const signatures = Object.entries(patternProperties as object).map(([pattern, each]) => {
    const key = factory.createTypeReferenceNode(`\`${templateOf(pattern)}\``);
    const nothing = factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
    return factory.createIndexSignature(
      undefined,
      [factory.createParameterDeclaration(undefined, undefined, "key", undefined, key)],
      factory.createUnionTypeNode([typeOf(each, context), nothing]),
    );
  });
  const named = schema["properties"] ? typeOf(schema, context) : factory.createTypeLiteralNode([]);
  const members = ts.isTypeLiteralNode(named) ? named.members : [];
  return factory.createTypeLiteralNode([...members, ...signatures]);
}

function typeOf(schema: unknown, context: Context): ts.TypeNode {
  return transformSchemaObject(schema as Parameters<typeof transformSchemaObject>[0], context);
}
