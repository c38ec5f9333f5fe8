import type { SandboxExchange } from "../../src/sandbox/exchange.js";
import type { Description, Operation, Schema } from "./description.js";
import { exampleOf } from "./example.js";
import { header, jsdoc, oneLine } from "./text.js";

/** One row per operation, and one documented method in a plain interface, so that a hover reads like hand-written code. */
export function operationsModule(
  { operations }: Description,
  recordings: readonly SandboxExchange[],
): string {
  const groups = [...new Set(operations.map(({ id }) => id.split(".")[0]!))];
  const inGroup = (group: string) => operations.filter(({ id }) => id.startsWith(`${group}.`));
  const interfaces = groups.map((group) => {
    const methods = inGroup(group).map(
      (each) => `${jsdoc(docsOf(each, recordings), "  ")}  ${signatureOf(each)};\n`,
    );
    const text = `The operations of the group \`${group}\`.`;
    return `${jsdoc(text)}export interface ${methodsName(group)} {\n${methods.join("\n")}}\n`;
  });
  const fields = groups.map((group) => {
    const names = inGroup(group).map(({ id }) => `\`${id.split(".")[1]}\``);
    return `${jsdoc(`Methods: ${names.join(", ")}.`)}readonly ${group}: ${methodsName(group)};\n`;
  });
  return `${header}${imports(operations)}
/**
 * HTTP method and path template of each operation, by operationId. A third element lists the 2xx statuses whose response
 * is described without content; a fourth says if the body is required, optional or none, unless the method tells.
 */
export const operations = {
${operations.map(rowOf).join("")}} as const;

/** The operationIds of the description. */
export type OperationId = keyof typeof operations;

/** Every operation of the description as a method, by group. */
export interface CatalogueMethods {
${fields.join("")}}

${interfaces.join("\n")}`;
}

function imports(operations: Operation[]): string {
  const signatures = operations.map(signatureOf).join("\n");
  const helpers = ["BodyOptions", "CallOptions", "Id", "Method"].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(signatures),
  );
  const schemas = operations.flatMap(({ results, body }): Schema[] => [
    ...results.flatMap(({ schema }) => (schema ? [schema] : [])),
    ...(body ? [body.schema] : []),
  ]);
  const models = schemas.flatMap(({ $ref }) => ($ref ? [nameOf($ref)] : []));
  const isInline = models.length < schemas.length;
  return `import type { ${helpers.join(", ")} } from "../method.js";
import type { ${[...new Set(models)].toSorted().join(", ")} } from "./models.js";
${isInline ? 'import type { operations as described } from "./schema.js";\n' : ""}`;
}

function rowOf({ id, method, path, body, results }: Operation): string {
  const empty = results.filter(({ schema }) => !schema).map(({ status }) => Number(status));
  const usual = ["get", "head", "delete"].includes(method) ? "none" : "required";
  const use = !body ? "none" : body.required ? "required" : "optional";
  const isUsual = use === usual;
  const rest = [...(empty.length > 0 || !isUsual ? [empty] : []), ...(isUsual ? [] : [use])];
  return `  "${id}": ${JSON.stringify([method, path, ...rest])},\n`;
}

function signatureOf({ id, pathParameters, body, results }: Operation): string {
  const place = `described["${id}"]`;
  const options =
    body && `BodyOptions<${typeOf(body.schema, `NonNullable<${place}["requestBody"]>`)}>`;
  const types = results.map(({ status, schema }) => {
    const key = status === "2XX" ? `"${status}"` : status;
    return schema ? typeOf(schema, `${place}["responses"][${key}]`) : "undefined";
  });
  const names = pathParameters.map(({ name }) => name);
  const parameters = [
    // The label of a tuple element must be an identifier; the key of an object may be any name.
    ...(names.length === 1 ? [`${names[0]!.replaceAll(/\W/g, "_")}: Id`] : []),
    ...(names.length > 1 ? [`path: { ${names.map((name) => `"${name}": Id`).join("; ")} }`] : []),
    !options ? "options?: CallOptions" : "",
    options && (body.required ? `options: ${options}` : `options?: Partial<${options}>`),
  ].filter(Boolean);
  const result = [...new Set(types)].join(" | ");
  return `${id.split(".")[1]}: Method<[${parameters.join(", ")}], ${result}>`;
}

function docsOf(operation: Operation, recordings: readonly SandboxExchange[]): string {
  const { method, path, summary, description, pathParameters, gaps } = operation;
  const title = summary && summary.replace(/\.?$/, ". ");
  // Here a gap is about this operation alone: its details and its reach are left out.
  const unknown = gaps.map(({ id, text }) => `${id} ${text.replace(/ (\(|of all ).*$/, "")}`);
  const example = exampleOf(operation, recordings);
  return [
    `${title}\`${method.toUpperCase()} ${path}\``,
    description && `\n${description.trim()}`,
    unknown.length > 0 && `\nNot specified: ${unknown.join("; ")}.`,
    ...pathParameters.map((each) => `@param ${each.name} ${oneLine(each.description)}`),
    example && `@example\n${example}`,
    // TypeScript reads `{` after the tag as the start of a type.
    "@throws an {@link ApiError} if the service returns a non-2xx response",
    "@throws another {@link CatalogueError} for any other failure, such as a timeout or a lost connection",
  ]
    .filter(Boolean)
    .join("\n");
}

function methodsName(group: string): string {
  return `${group[0]!.toUpperCase()}${group.slice(1)}Methods`;
}

/** A named schema by its name; an inline one by its place in the types of the operation. */
function typeOf(schema: Schema, place: string): string {
  return schema.$ref ? nameOf(schema.$ref) : `${place}["content"]["application/json"]`;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
