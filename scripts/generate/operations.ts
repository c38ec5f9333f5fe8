import { pathOf, type Description, type Operation, type Schema } from "./description.js";
import { jsdoc } from "./models.js";
import { header } from "./readme.js";

/** A row for each operation, and a signature for each in a plain interface, so that a hover reads like hand-written code. */
export function operationsModule({ operations }: Description): string {
  const rows = operations.map(({ id, method, path }) => `  "${id}": ["${method}", "${path}"],\n`);
  const groups = [...new Set(operations.map(groupOf))];
  const interfaces = groups.map((group) => {
    const members = operations.filter((operation) => groupOf(operation) === group).map(signature);
    const text = `The operations of the group \`${group}\`.`;
    return `${jsdoc(text)}export interface ${methodsName(group)} {\n${members.join("\n")}}\n`;
  });
  const fields = groups.map((group) => {
    const ids = operations.filter((operation) => groupOf(operation) === group).map(({ id }) => id);
    const names = ids.map((id) => `\`${id.split(".")[1]}\``).join(", ");
    return `${jsdoc(`Methods: ${names}.`, "  ")}  readonly ${group}: ${methodsName(group)};\n`;
  });
  const schemas = operations.flatMap(({ result, body }) =>
    body ? [result, body.schema] : [result],
  );
  const models = [...new Set(schemas.flatMap(({ $ref }) => ($ref ? [nameOf($ref)] : [])))];
  const types = [
    operations.some(({ body }) => body) && "BodyOptions",
    "CallOptions",
    operations.some(({ pathParameters }) => pathParameters.length > 0) && "Id",
    "Method",
  ].filter(Boolean);

  return `${header}import type { ${types.join(", ")} } from "../method.js";
import type { ${models.toSorted().join(", ")} } from "./models.js";
${schemas.every(({ $ref }) => $ref) ? "" : 'import type { operations as described } from "./schema.js";\n'}
/** HTTP method and path template of each operation, by operationId. */
export const operations = {
${rows.join("")}} as const;

/** The operationIds of the description. */
export type OperationId = keyof typeof operations;

/** Every operation of the description as a method, by group. */
export interface CatalogueMethods {
${fields.join("")}}

${interfaces.join("\n")}`;
}

function signature({ id, method, path, summary, pathParameters, body, result, status }: Operation) {
  const described = `described["${id}"]`;
  const bodyType = body && typeOf(body.schema, `NonNullable<${described}["requestBody"]>`);
  const resultType = typeOf(result, `${described}["responses"][${status}]`);
  const [only, ...more] = pathParameters;
  // The label of an argument has to be an identifier; the key of an object may be any name.
  const ids =
    more.length === 0 ? only && `${only.replaceAll(/\W/g, "_")}: Id` : named(pathParameters);
  const parameters = [...(ids ? [ids] : []), optionsOf(bodyType, body?.required)];
  const text = `${summary && summary.replace(/\.?$/, ". ")}\`${method.toUpperCase()} ${path}\``;
  return `${jsdoc(text, "  ")}  ${id.split(".")[1]}: Method<[${parameters.join(", ")}], ${resultType}>;\n`;
}

function named(pathParameters: string[]): string {
  return `path: { ${pathParameters.map((name) => `${JSON.stringify(name)}: Id`).join("; ")} }`;
}

function optionsOf(bodyType: string | undefined, required = false): string {
  if (!bodyType) return "options?: CallOptions";
  return required
    ? `options: BodyOptions<${bodyType}>`
    : `options?: Partial<BodyOptions<${bodyType}>>`;
}

function groupOf({ id }: Operation): string {
  return id.split(".")[0]!;
}

function methodsName(group: string): string {
  return `${group[0]!.toUpperCase()}${group.slice(1)}Methods`;
}

/** A named component by its name; a schema that stands in the operation itself by its place there. */
function typeOf(schema: Schema, place: string): string {
  return schema.$ref ? nameOf(schema.$ref) : `${place}["content"]["application/json"]`;
}

function nameOf(reference: string): string {
  return pathOf(reference).at(-1)!;
}
