import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import { schemaAt } from "../../src/openapi/schema.js";
import type { Json, SchemaHolder } from "../../src/openapi/description.js";
import { listOperations } from "../../src/openapi/document.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { findAppendedParts, type AppendedParts } from "../description/appended-parts.js";
import { OPTIONAL } from "../description/expressible.js";
import {
  acceptsAnyQuery,
  nameModels,
  nameQueries,
  sharedBody,
  withModels,
} from "../description/models.js";
import { schemaType } from "./schema-type.js";
import { declaration } from "./declaration.js";
import { GENERATED_HEADER, jsdoc, oneLine } from "./text.js";

const { factory } = ts;

/** Doc comments for declarations that openapi-typescript does not document. */
const DOCS: Readonly<Record<string, string>> = {
  paths: "The description's path items, by path template, in the form that openapi-fetch expects.",
  components: "The description's components.",
  operations: "The description's operations, by operationId.",
};

/**
 * Generates a description's types with openapi-typescript, as two modules. The first module declares every named
 * schema, so that editors show a name such as `Genre` instead of a list of fields. The second module declares all other
 * types, and imports the first module.
 * @param models the path from which the second module imports the first module
 */
export async function typeModules(document: Json, models: string): Promise<[string, string]> {
  const options = {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
    transform: schemaType,
    transformProperty: (property: ts.PropertySignature, schema: object) =>
      OPTIONAL in schema ? orUndefined(property) : property,
  };
  const names = nameModels(document);
  const descriptions = describeBodies(document, names);
  const named = withModels(document, names);
  const nodes = await openapiTS(named as unknown as OpenAPI3, options);
  const schemas = new Map<string, ts.TypeNode>();
  const queries = listQueries(document, names);
  const rest = nodes.map((node) => {
    const referring = withNames(node, queries, schemas);
    const name = ts.isInterfaceDeclaration(referring) ? referring.name.text : "";
    if (name === "paths") return withoutNever(referring);
    if (name !== "components") return referring;
    return ts.visitEachChild(referring, (member) => withoutTypes(member, schemas), undefined);
  });
  const queryOf = new Map([...queries].map(([id, query]) => [query.name, { id, ...query }]));
  const declarations = [...schemas].map(([name, type]) => {
    const schema = schemaAt(named, `/components/schemas/${name}`);
    const { id, isOpen = true } = queryOf.get(name) ?? {};
    const own =
      id === undefined ? (descriptions.get(name) ?? name) : `Query parameters of \`${id}\`.`;
    const text = oneLine(String(schema["description"] ?? own));
    return (
      jsdoc(schema["deprecated"] === true ? `${text}\n@deprecated` : text) +
      printed([declaration(name, type, schemas, isOpen ? [] : ["ClosedQuery"])])
    );
  });
  for (const [id, { appendedParts }] of queries)
    if (appendedParts?.union !== undefined)
      declarations.push(
        `${jsdoc(`A part that \`${appendedParts.parameter}\` of \`${id}\` can add.`)}export type ${appendedParts.names} = ${appendedParts.union};\n`,
      );
  const closed = [...queries.values()].filter(({ isOpen }) => !isOpen);
  if (closed.length > 0) {
    const text =
      "Query parameters for every call. Each is sent only to the operations that take it.";
    const type = defaultsOf(closed, schemas);
    declarations.push(
      jsdoc(text) + printed([declaration("DefaultQuery", type, schemas, ["ClosedQuery"])]),
    );
  }
  const types = printed(rest).replaceAll(/^export interface (\w+)/gm, (line, name: string) =>
    name in DOCS ? jsdoc(DOCS[name]!) + line : line,
  );
  const imports = [
    `import type { ${[...schemas.keys()].join(", ")} } from "${models}";\n`,
    types.includes("OpenQuery<") ? 'import type { OpenQuery } from "../types/query.js";\n' : "",
    types.includes(": PathValue") ? 'import type { PathValue } from "../types/method.js";\n' : "",
  ].join("");
  return [
    `${GENERATED_HEADER}${closed.length > 0 ? 'import type { ClosedQuery } from "../types/query.js";\n\n' : ""}${declarations.join("\n") || "export {};"}`,
    `${GENERATED_HEADER}${imports}\n${types}`,
  ];
}

/** Describes the types of inline bodies, by name: by their shared response or request body, or else by their operation. */
function describeBodies(
  document: Json,
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const described = new Map<string, string>();
  for (const { id, requestContent, responses } of listOperations(document)) {
    const add = (content: readonly SchemaHolder[], text: string) => {
      for (const { schema = "" } of content) {
        const shared = sharedBody(schema);
        const own = shared && getAtPointer(document, `${shared}/description`);
        if (names.has(schema)) described.set(names.get(schema)!, own ? String(own) : text);
      }
    };
    add(requestContent, `Request body of \`${id}\`.`);
    for (const { content } of responses) add(content, `Response of \`${id}\`.`);
  }
  return described;
}

/** The type of an operation's query parameters. */
interface QueryType {
  name: string;
  /** Whether an app can also pass undeclared parameters. */
  isOpen: boolean;
  appendedParts: AppendedParts | undefined;
}

/** Lists the query types, by operationId. */
function listQueries(
  document: Json,
  models: ReadonlyMap<string, string>,
): ReadonlyMap<string, QueryType> {
  const names = nameQueries(document, models);
  const queries = listOperations(document).flatMap((each): [string, QueryType][] => {
    const name = names.get(each.id);
    if (name === undefined) return [];
    const isOpen = acceptsAnyQuery(document, each);
    const appendedParts = findAppendedParts(document, each, models);
    return [[each.id, { name, isOpen, appendedParts }]];
  });
  return new Map(queries);
}

/**
 * Returns a type of the query parameters that can have the same value in every call: parameters that have the same type
 * in all operations, are optional in at least one, append nothing, and do not choose a page.
 * @param types the types of the queries, by name
 */
function defaultsOf(
  queries: readonly QueryType[],
  types: ReadonlyMap<string, ts.TypeNode>,
): ts.TypeNode {
  const members = queries.flatMap(({ name, appendedParts }) =>
    (types.get(name) as ts.TypeLiteralNode).members
      .filter(ts.isPropertySignature)
      .filter((each) => ![appendedParts?.parameter, "page"].includes(textOf(each.name))),
  );
  const optional = members.filter(({ questionToken }) => questionToken);
  const byName = Object.fromEntries(
    optional.toReversed().map((each) => [textOf(each.name), each] as const),
  );
  const isSame = (a: ts.PropertySignature, b: ts.PropertySignature) =>
    textOf(a.name) !== textOf(b.name) || !b.questionToken || textOf(a.type!) === textOf(b.type!);
  const shared = Object.entries(byName)
    .filter(([, each]) => members.every((other) => isSame(each, other)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return factory.createTypeLiteralNode(shared.map(([, each]) => each));
}

/**
 * Replaces the types of schemas and queries with their names, and flattens free-form query parameters.
 * @param queries the types of the queries, by operationId
 * @param types a map to which the query types are added
 */
function withNames(
  node: ts.Node,
  queries: ReadonlyMap<string, QueryType>,
  types: Map<string, ts.TypeNode>,
  id = "",
): ts.Node {
  const isOperation = ts.isPropertySignature(node) && queries.has(nameOf(node));
  const own = isOperation ? nameOf(node) : id;
  const visited = ts.visitEachChild(
    node,
    (each) => withNames(each, queries, types, own),
    undefined,
  );
  if (ts.isIndexedAccessTypeNode(visited) && isText(visited.objectType, 'components["schemas"]')) {
    return factory.createTypeReferenceNode(textOf(visited.indexType).slice(1, -1));
  }
  if (!ts.isPropertySignature(visited) || !visited.type || !ts.isTypeLiteralNode(visited.type))
    return visited;
  const members = visited.type.members.filter(ts.isPropertySignature);
  if (isText(visited.name, "query") && members.length > 0) {
    // openapi-typescript generates `query: { query: … }` for a free-form parameter, but apps pass the values of the
    // parameter directly in `query`.
    const query = queries.get(own);
    if (query === undefined) return withType(visited, members[0]!.type);
    const { name, isOpen, appendedParts } = query;
    const list = `readonly ${appendedParts?.names}[]`;
    const typed = members.map((each) =>
      textOf(each.name) === appendedParts?.parameter
        ? withType(each, factory.createTypeReferenceNode(list))
        : each,
    );
    types.set(name, factory.createTypeLiteralNode(typed.map(orUndefined)));
    const reference = factory.createTypeReferenceNode(name);
    const open = factory.createTypeReferenceNode("OpenQuery", [reference]);
    return withType(visited, isOpen ? open : reference);
  }
  return visited;
}

const nameOf = ({ name }: ts.PropertySignature) => (ts.isStringLiteral(name) ? name.text : "");

/** Allows undefined for an optional property, also if an app uses `exactOptionalPropertyTypes`. */
function orUndefined(member: ts.PropertySignature): ts.PropertySignature {
  if (!member.questionToken) return member;
  const nothing = factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
  return withType(member, factory.createUnionTypeNode([member.type!, nothing]));
}

/** Removes the `never` properties that openapi-typescript generates for missing methods and parameters. */
function withoutNever(node: ts.Node): ts.Node {
  const visited = ts.visitEachChild(node, withoutNever, undefined);
  if (!ts.isTypeLiteralNode(visited)) return visited;
  const members = visited.members.filter(
    (each) => !ts.isPropertySignature(each) || each.type?.kind !== ts.SyntaxKind.NeverKeyword,
  );
  return factory.updateTypeLiteralNode(visited, factory.createNodeArray(members));
}

/**
 * Moves each type in `schemas: { Genre: { … } }` to a map, and replaces the type with a reference: `schemas: { Genre:
 * Genre }`.
 */
function withoutTypes(node: ts.Node, schemas: Map<string, ts.TypeNode>): ts.Node {
  if (!ts.isPropertySignature(node) || !isText(node.name, "schemas")) return node;
  if (!node.type || !ts.isTypeLiteralNode(node.type)) return node;
  const members = node.type.members.filter(ts.isPropertySignature).map(({ name, type }) => {
    schemas.set(textOf(name), type!);
    const reference = factory.createTypeReferenceNode(textOf(name));
    return factory.createPropertySignature(undefined, name, undefined, reference);
  });
  return withType(node, factory.createTypeLiteralNode(members));
}

function withType(property: ts.PropertySignature, type: ts.TypeNode | undefined) {
  const { modifiers, name, questionToken } = property;
  return factory.updatePropertySignature(property, modifiers, name, questionToken, type);
}

const isText = (node: ts.Node | undefined, text: string) => node && textOf(node) === text;
const textOf = (node: ts.Node) => printed([node]).trim();

/** Prints nodes. Removes `@description` tags, and comments that only repeat the type or mention openapi-typescript. */
function printed(nodes: ts.Node[]): string {
  return astToString(nodes)
    .replaceAll(/^ *\* @(constant|enum \{\w+\})\n/gm, "")
    .replaceAll(/((?:\/\*\*| \*) )@description /g, "$1")
    .replaceAll(
      /^ *\/\*\*\n *\* discriminator enum property added by openapi-typescript\n *\*\/\n/gm,
      "",
    )
    .replaceAll(" (enum property replaced by openapi-typescript)", "");
}
