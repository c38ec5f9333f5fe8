import type { CompleteExchange } from "../../src/types/exchange.js";
import { methodsName, RESERVED } from "../description/models.js";
import type { OperationEntry } from "../../src/types/operation.js";
import { exampleOf } from "./example.js";
import type { MethodModel } from "../description/read-operations.js";
import { onlyInSibling } from "./only-in.js";
import { GENERATED_HEADER, jsdoc, oneLine } from "./text.js";

type ExampleResponses = readonly CompleteExchange[];

/**
 * Generates a module with a table of operations and with interfaces. The interfaces declare a method with a doc comment
 * for each operation, so that editors can show the docs.
 * @param prefix the prefix in the names of the modules that declare the types
 */
export function operationsModule(
  operations: readonly MethodModel[],
  exampleResponses: ExampleResponses,
  prefix = "",
): string {
  const groups = [...new Set(operations.map(({ id }) => id.split(".")[0]!))];
  const inGroup = (group: string) => operations.filter(({ id }) => id.startsWith(`${group}.`));
  const interfaces = groups.map((group) => {
    const methods = inGroup(group).map((each) => methodOf(each, operations, exampleResponses));
    const text = `The operations in the \`${group}\` group.`;
    return `${jsdoc(text)}export interface ${methodsName(group)} {\n${methods.join("\n")}}\n`;
  });
  const fields = groups.map((group) => {
    const names = inGroup(group).map(({ id }) => `\`${id.split(".")[1]}\``);
    return `${jsdoc(`Methods: ${names.join(", ")}.`)}readonly ${group}: ${methodsName(group)};\n`;
  });
  return `${GENERATED_HEADER}${imports(operations, prefix)}
/** A method for every operation in the description, by group. */
export interface CatalogueMethods {
${fields.join("")}}

${interfaces.join("\n")}
/** The description's operationIds. */
export type OperationId = keyof typeof operations;

/** What the client knows about each operation, by operationId. */
export const operations = {
${operations.map((each) => rowOf(each, operations)).join("")}} as const;
`;
}

function imports(operations: readonly MethodModel[], prefix: string): string {
  const signatures = operations.map((each) => methodOf(each, operations, [])).join("\n");
  const used = (names: string[]) =>
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(signatures)).join(", ");
  const types = operations.flatMap(({ results, body, query }) => [
    ...results.flatMap(({ type }) => type ?? []),
    ...(body ? [body.type] : []),
    ...(query ? [query.name] : []),
  ]);
  const models = [...new Set(types)].toSorted();
  const options = ["BodyOptions", "CallOptions", "PathValue", "RequestBody", "RequestOptions"];
  const rows = [
    [used(["InferOptions", "ResultOf"]), "../types/appended.js"],
    [used([...options, "WithResponse"]), "../types/method.js"],
    [
      used(["ClosedQuery", "OnlyIn", "OpenQuery", "QueryOptions", "RequiredQueryOptions"]),
      "../types/query.js",
    ],
    [models.join(", "), `./${prefix}models.js`],
  ];
  return rows
    .map(([names, from]) => (names ? `import type { ${names} } from "${from}";\n` : ""))
    .join("");
}

function rowOf(operation: MethodModel, operations: readonly MethodModel[]): string {
  const { id, method, path, body, results, commaSeparated, requiredNames, acceptsAnyQuery } =
    operation;
  const nameOf = (name: string) =>
    name + (commaSeparated.includes(name) ? "," : "") + (requiredNames.includes(name) ? "!" : "");
  // An operation that accepts any parameter names only those that the client treats differently.
  const named = operation.queryNames.filter((name) => !acceptsAnyQuery || nameOf(name) !== name);
  const first = [...commaSeparated, ...named.filter((name) => !commaSeparated.includes(name))];
  const names = [...first.map(nameOf), ...(acceptsAnyQuery ? ["*"] : [])].join(" ");
  const empty = results.filter(({ type }) => !type).map(({ status }) => Number(status));
  // The operation for a part has the path of the details, followed by the name of the part.
  const privateParts = operations.flatMap(({ isPrivate, path: at }) =>
    isPrivate && operation.partNames && at.startsWith(`${path}/`) ? at.split("/").at(-1)! : [],
  );
  const { filter, filteredParts, maxPage, pageItems, isPrivate } = operation;
  // A bundle compresses best if the paths come last.
  const row: OperationEntry = {
    method,
    ...(body && { body: body.required ? "required" : "optional" }),
    ...(names !== "*" && { query: names }),
    ...(filter !== undefined && { filter }),
    ...(filteredParts && operation.partNames && { filteredParts }),
    ...(maxPage !== undefined && { maxPage }),
    ...(pageItems !== undefined && { items: pageItems }),
    ...(isPrivate && { isPrivate }),
    ...(privateParts.length > 0 && { privateParts: [...new Set(privateParts)].join(" ") }),
    ...(body && body.mediaType !== "application/json" && { mediaType: body.mediaType }),
    ...(empty.length > 0 && { emptyStatuses: empty }),
    path,
  };
  return `  "${id}": ${JSON.stringify(row)},\n`;
}

/**
 * Generates a method as a property with call signatures. An editor shows the property's text and the signature's tags.
 * If the signature had its own text, an editor would hide the property's text.
 */
function methodOf(
  operation: MethodModel,
  operations: readonly MethodModel[],
  exampleResponses: ExampleResponses,
): string {
  const [generic, parameters, result] = signatureOf(operation, operations);
  return `${jsdoc(textOf(operation), "  ")}  readonly ${operation.id.split(".")[1]}: {
${jsdoc(tagsOf(operation, exampleResponses), "    ")}    ${generic}(${parameters}): Promise<${result}>;
    /** Resolves to the parsed body and the HTTP response. */
    withResponse${generic}(${parameters}): Promise<WithResponse<${result}>>;
  };
`;
}

/** Returns the type parameters, the parameters, and the result of a method. */
function signatureOf(
  operation: MethodModel,
  operations: readonly MethodModel[],
): [string, string, string] {
  const { pathParameters, query, body, results, acceptsAnyQuery, partNames } = operation;
  const types = results.map(({ type }) => type ?? "undefined");
  const result = [...new Set(types)].join(" | ");
  const known = query && (acceptsAnyQuery ? `OpenQuery<${query.name}>` : query.name);
  const onlyIn = onlyInSibling(operation, operations);
  const closedOptions = onlyIn ? `QueryOptions<ClosedQuery & ${onlyIn}>` : "RequestOptions";
  const queryOptions = query
    ? `${query.required ? "RequiredQueryOptions" : "QueryOptions"}<${known}>`
    : acceptsAnyQuery
      ? "CallOptions"
      : closedOptions;
  const bodyOptions = body && `${acceptsAnyQuery ? "BodyOptions" : "RequestBody"}<${body.type}>`;
  const options = [
    bodyOptions && (body.required ? bodyOptions : `Partial<${bodyOptions}>`),
    (!body || query || !acceptsAnyQuery) && queryOptions,
  ]
    .filter(Boolean)
    .join(" & ");
  const isRequired = body?.required || query?.required;
  const [only, ...others] = pathParameters;
  const members = pathParameters.map(({ name, type }) => `"${name}": ${type}`);
  const parameters = [
    ...(only && others.length === 0 ? [`${parameterName(only.name)}: ${only.type}`] : []),
    ...(others.length > 0 ? [`path: { ${members.join("; ")} }`] : []),
    `options${isRequired ? "" : "?"}: ${partNames ? `InferOptions<Given, ${options}>` : options}`,
  ].join(", ");
  if (!partNames) return ["", parameters, result];
  return [
    "<const Given extends Options & undefined = never, Options = Given>",
    parameters,
    `ResultOf<${result}, Options>`,
  ];
}

/**
 * Converts the name of a path parameter to a valid identifier. In the description, the name can contain any characters.
 */
function parameterName(name: string): string {
  const own = name.replaceAll(/\W/g, "_");
  return /^\d/.test(own) || own === "options" || RESERVED.includes(own) ? `_${own}` : own;
}

function textOf({ method, path, summary, description, gaps }: MethodModel): string {
  const title = summary && summary.replace(/\.?$/, ". ");
  // The end of a gap's text can state a scope or details that do not concern this operation.
  const unknown = gaps.map(({ id, text }) => `${id} ${text.replace(/ (\(|of all ).*$/, "")}`);
  return [
    `${title}\`${method} ${path}\``,
    description && `\n${description.trim()}`,
    unknown.length > 0 && `\nNot specified: ${unknown.join("; ")}.`,
  ]
    .filter(Boolean)
    .join("\n");
}

function tagsOf(operation: MethodModel, exampleResponses: ExampleResponses): string {
  const { pathParameters, headerParameters, query, body } = operation;
  const [only, ...others] = pathParameters.map(({ name, description }) => {
    return { name: parameterName(name), text: oneLine(description) };
  });
  const members = [only, ...others].map((each) => `\`${each?.name}\`: ${each?.text}`);
  const example = exampleOf(operation, exampleResponses);
  const required = [body?.required && "`body`", query?.required && "`query`"].filter(Boolean);
  const rule = required.length > 0 ? `required: ${required.join(" and ")}` : "all are optional";
  const headers = headerParameters.map((each) =>
    `\`${each.name}\`: ${oneLine(each.description)}`.trim(),
  );
  return [
    operation.isDeprecated && "@deprecated",
    only && others.length === 0 && `@param ${only.name} ${only.text}`,
    others.length > 0 && `@param path ${members.join(" ")}`,
    `@param options Options for this call; ${rule}.${headers.length > 0 ? ` Headers: ${headers.join("; ")}` : ""}`,
    example && `@example\n${example}`,
    // The descriptions start with an article, because TypeScript would parse a leading `{` as the start of a type.
    "@throws an {@link ApiError} if the service returns a non-2xx response",
    "@throws a {@link CatalogueError} for any other failure, such as a timeout or a lost connection",
  ]
    .filter(Boolean)
    .join("\n");
}
