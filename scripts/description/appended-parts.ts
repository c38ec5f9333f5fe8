import { getAtPointer, refToPointer } from "../../src/openapi/pointer.js";
import { isObject, schemaAt } from "../../src/openapi/schema.js";
import type { Json, Operation } from "../../src/openapi/description.js";

/** The extension of a query parameter that maps each name in its list to the property that the name adds. */
const APPENDS = "x-appends";

/** A query parameter whose list of names adds parts to the response. */
export interface AppendedParts {
  /** The name of the query parameter. */
  parameter: string;
  /** The name of the TypeScript type of the names. */
  names: string;
  /** The names as a union, unless a schema of the description already declares them. */
  union?: string;
}

/**
 * Finds the query parameter of an operation that adds parts to the response.
 * @param models the type names of schemas, by pointer
 */
export function findAppendedParts(
  document: Json,
  { parameters, responses }: Pick<Operation, "parameters" | "responses">,
  models: ReadonlyMap<string, string>,
): AppendedParts | undefined {
  for (const { name, in: location, pointer, schema } of parameters) {
    const appends = Object(getAtPointer(document, pointer))[APPENDS] as Json | undefined;
    if (location !== "query" || schema === undefined || !isObject(appends)) continue;
    const { $ref } = Object(schemaAt(document, schema).items) as { $ref?: string };
    const declared = $ref === undefined ? undefined : models.get(refToPointer($ref));
    const success = responses.find(({ status }) => status.startsWith("2"))?.content[0]?.schema;
    return {
      parameter: name,
      names: declared ?? `${models.get(success ?? "") ?? "Response"}Append`,
      ...(declared === undefined && { union: Object.keys(appends).map(literal).join(" | ") }),
    };
  }
  return undefined;
}

/** Returns the type of a name. A template such as `season/{season_number}` has a number in place of the braces. */
function literal(name: string): string {
  return name.includes("{")
    ? `\`${name.replaceAll(/\{[^}]*\}/g, "${number}")}\``
    : JSON.stringify(name);
}
