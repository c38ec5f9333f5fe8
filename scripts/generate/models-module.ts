import { reachSchemas } from "../../src/openapi/keywords.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import type { Json, Operation, SchemaHolder } from "../../src/openapi/description.js";
import type { CheckedDescription } from "../description/description.js";
import { sharedBody } from "../description/models.js";
import type { MethodModel } from "../description/read-operations.js";
import { schemasIn } from "../description/schema-pointers.js";
import { docText } from "./doc-text.js";
import { findOtherValues, IMPORT_OTHER_VALUE } from "./other-values.js";
import { GENERATED_HEADER, jsdoc } from "./text.js";
import { onlyInSibling } from "./only-in.js";
import { declarationText, interfaceText } from "./declaration.js";
import { propertyText, sameNames, typesOf, type Property, type TypeContext } from "./type-text.js";

/** Generates the types of a description's schemas, bodies, and queries, with a name and a doc comment for each. */
export function modelsModule(context: TypeContext): string {
  const { document, operations } = context;
  const texts = describeBodies(document, operations);
  const models = [...context.names].map(([pointer, name]) => {
    const own = getAtPointer(document, `${pointer}/description`) ?? texts.get(pointer) ?? name;
    return declarationText(context, pointer, docText(document, pointer, own));
  });
  const queries = listQueries(context);
  const interfaces = queries.map(({ id, name, bases, properties }) => {
    const text = jsdoc(`Query parameters of \`${id}\`.`);
    return text + interfaceText(name, bases, properties.map(propertyText));
  });
  const closed = queries.filter(({ bases }) => bases.length > 0);
  const declarations = [
    ...models,
    ...interfaces,
    ...(closed.length > 0 ? [defaultsText(closed)] : []),
  ];
  const types = declarations.join("\n") || "export {};\n";
  const bases = closed.flatMap((each) => each.bases).map((base) => base.replace(/<.*/, ""));
  const used = [...new Set(bases)].join(", ");
  const imports = [
    ...(context.otherValues.size > 0 ? [IMPORT_OTHER_VALUE] : []),
    ...(used ? [`import type { ${used} } from "../types/query.js";\n`] : []),
  ];
  return [GENERATED_HEADER + imports.join(""), types].join(imports.length > 0 ? "\n" : "");
}

/** Returns what the types of a description depend on. */
export function typeContext({
  document,
  operations,
  names,
}: Pick<CheckedDescription, "document" | "operations" | "names">): TypeContext {
  const reachedFrom = (holders: readonly SchemaHolder[]) =>
    reachSchemas(document, schemasIn(holders));
  const inBody = reachedFrom(operations.flatMap(({ requestContent }) => requestContent));
  const responses = operations.flatMap((each) => each.responses);
  const inResponse = reachedFrom(responses.flatMap(({ content }) => content));
  const inQuery = [...reachedFrom(operations.flatMap(queryParameters))];
  return {
    document,
    operations,
    names,
    inBody,
    inQuery: new Set(inQuery.filter((each) => !inBody.has(each) && !inResponse.has(each))),
    otherValues: findOtherValues(document, operations),
  };
}

const queryParameters = ({ parameters }: Operation) =>
  parameters.filter((each) => each.in === "query");

/** Describes inline schemas, by pointer: by their shared response or request body, or else by their operation. */
function describeBodies(
  document: Json,
  operations: readonly MethodModel[],
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { id, requestContent, responses, partNames } of operations) {
    const add = (content: readonly SchemaHolder[], text: string) => {
      for (const { schema = "" } of content) {
        const shared = sharedBody(schema);
        const own = shared && getAtPointer(document, `${shared}/description`);
        texts.set(schema, own ? String(own) : text);
      }
    };
    add(requestContent, `Request body of \`${id}\`.`);
    for (const { content } of responses) add(content, `Response of \`${id}\`.`);
    if (partNames !== undefined)
      texts.set(partNames, `A part that \`append_to_response\` of \`${id}\` can add.`);
  }
  return texts;
}

/** The type of an operation's query parameters. */
interface QueryType {
  id: string;
  name: string;
  /** The types that reject undeclared parameters. Empty if an app can also pass undeclared parameters. */
  bases: readonly string[];
  properties: readonly Property[];
}

function listQueries(models: TypeContext): QueryType[] {
  const schemas = schemasIn(models.operations.flatMap(queryParameters));
  // A query can also contain a `Date` where a body has the same schema.
  const widened = { ...models, inQuery: reachSchemas(models.document, schemas) };
  const context = { ...widened, names: sameNames(models, widened) };
  return context.operations.flatMap((operation) => {
    const { id, query, acceptsAnyQuery } = operation;
    if (!query) return [];
    const onlyIn = onlyInSibling(operation, context.operations);
    const bases = acceptsAnyQuery ? [] : ["ClosedQuery", ...(onlyIn ? [onlyIn] : [])];
    const properties = queryParameters(operation).map((each) => propertyOf(context, each));
    return [{ id, name: query.name, bases, properties }];
  });
}

function propertyOf(
  context: TypeContext,
  { name = "", pointer, schema = "", required = false }: SchemaHolder,
): Property {
  const { document } = context;
  const description = getAtPointer(document, `${pointer}/description`);
  const types = typesOf(context, schema);
  const sent = types.includes("Date") ? ["A `Date` is sent as its UTC day."] : [];
  return {
    name,
    types: required ? types : [...types, "undefined"],
    isOptional: !required,
    text: docText(document, schema, description, sent),
  };
}

/**
 * Declares the type of the query parameters that can have the same value in every call: parameters that have the same
 * type in all operations, are optional in at least one, append nothing, and do not choose a page.
 */
function defaultsText(queries: readonly QueryType[]): string {
  const all = queries
    .flatMap(({ properties }) => properties)
    .filter(({ name }) => !["append_to_response", "page"].includes(name));
  const optional = all.filter(({ isOptional }) => isOptional).toReversed();
  const shared = [...new Map(optional.map((each) => [each.name, each])).values()]
    .filter(({ name, types }) =>
      all.every(
        (other) => other.name !== name || !other.isOptional || `${other.types}` === `${types}`,
      ),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const text = "Query parameters for every call. Each is sent only to the operations that take it.";
  return jsdoc(text) + interfaceText("DefaultQuery", ["ClosedQuery"], shared.map(propertyText));
}
