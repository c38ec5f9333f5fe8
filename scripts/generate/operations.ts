import type { ExampleExchange } from "../../src/types/example-exchange.js";
import { methodsName, RESERVED } from "../description/models.js";
import { exampleOf } from "./example.js";
import type { MethodModel } from "../description/read-operations.js";
import { GENERATED_HEADER, jsdoc, oneLine } from "./text.js";

type ExampleResponses = readonly ExampleExchange[];

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
    const methods = inGroup(group).map((each) => methodOf(each, exampleResponses));
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

/**
 * The HTTP method and path template of each operation, by operationId. A third element lists the 2xx statuses without
 * content. A fourth element says whether the request body is required or optional; the element is empty if the request
 * has no body. A fifth element lists the query parameters whose items are separated with commas.
 */
export const operations = {
${operations.map(rowOf).join("")}} as const;
`;
}

function imports(operations: readonly MethodModel[], prefix: string): string {
  const signatures = operations.map((each) => methodOf(each, [])).join("\n");
  const used = (names: string[]) =>
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(signatures)).join(", ");
  const types = operations.flatMap(({ results, body }) => [
    ...results.flatMap(({ type }) => type ?? []),
    ...(body ? [body.type] : []),
  ]);
  const named = [...types, ...operations.flatMap(({ query }) => query ?? [])];
  const models = [...new Set(named.map(({ name }) => name))].toSorted();
  const rows = [
    [used(["BodyOptions", "CallOptions", "PathValue", "WithResponse"]), "../types/method.js"],
    [used(["OpenQuery", "QueryOptions", "RequiredQueryOptions"]), "../types/query.js"],
    [models.join(", "), `./${prefix}models.js`],
  ];
  return rows
    .map(([names, from]) => (names ? `import type { ${names} } from "${from}";\n` : ""))
    .join("");
}

function rowOf({ id, method, path, body, results, commaSeparated }: MethodModel): string {
  const empty = results.filter(({ type }) => !type).map(({ status }) => Number(status));
  const use = body && (body.required ? "required" : "optional");
  const rest =
    commaSeparated.length > 0
      ? [empty, use ?? "", commaSeparated]
      : use
        ? [empty, use]
        : empty.length > 0
          ? [empty]
          : [];
  return `  "${id}": ${JSON.stringify([method, path, ...rest])},\n`;
}

/**
 * Generates a method as a property with call signatures. An editor shows the property's text and the signature's tags.
 * If the signature had its own text, an editor would hide the property's text.
 */
function methodOf(operation: MethodModel, exampleResponses: ExampleResponses): string {
  const [parameters, result] = signatureOf(operation);
  return `${jsdoc(textOf(operation), "  ")}  readonly ${operation.id.split(".")[1]}: {
${jsdoc(tagsOf(operation, exampleResponses), "    ")}    (${parameters}): Promise<${result}>;
    /** Calls the method, and resolves to the parsed body and the HTTP response. */
    withResponse(${parameters}): Promise<WithResponse<${result}>>;
  };
`;
}

function signatureOf({ pathParameters, query, body, results }: MethodModel): [string, string] {
  const types = results.map(({ type }) => type?.name ?? "undefined");
  const known = query?.isOpen ? `OpenQuery<${query.name}>` : query?.name;
  const queryOptions = query
    ? `${query.required ? "RequiredQueryOptions" : "QueryOptions"}<${known}>`
    : "CallOptions";
  const bodyOptions = body && `BodyOptions<${body.type.name}>`;
  const options = [
    bodyOptions && (body.required ? bodyOptions : `Partial<${bodyOptions}>`),
    (!body || query) && queryOptions,
  ].filter(Boolean);
  const isRequired = body?.required || query?.required;
  const names = pathParameters.map(({ name }) => name);
  const parameters = [
    ...(names.length === 1 ? [`${parameterName(names[0]!)}: PathValue`] : []),
    ...(names.length > 1
      ? [`path: { ${names.map((name) => `"${name}": PathValue`).join("; ")} }`]
      : []),
    `options${isRequired ? "" : "?"}: ${options.join(" & ")}`,
  ];
  return [parameters.join(", "), [...new Set(types)].join(" | ")];
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
    `${title}\`${method.toUpperCase()} ${path}\``,
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
    `\`${each.name}\`${each.required ? " (required)" : ""}: ${oneLine(each.description)}`.trim(),
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
