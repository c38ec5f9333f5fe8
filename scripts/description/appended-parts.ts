import { getAtPointer, refToPointer } from "../../src/openapi/pointer.js";
import { isObject, schemaAt } from "../../src/openapi/schema.js";
import type { Json, Operation } from "../../src/openapi/description.js";

/** The extension of a query parameter that maps each name in its list to the property that the name adds. */
const APPENDS = "x-appends";

/** A query parameter whose list of names adds parts to the response. */
export interface AppendedParts {
  /** The name of the query parameter. */
  parameter: string;
  /** The TypeScript type of the names. */
  names: string;
  /** The TypeScript type of the properties that are always present, for a type parameter `Name`. */
  present: string;
}

/**
 * Finds the query parameter of an operation that adds parts to the response.
 * @param models the type names of schemas, by pointer
 */
export function findAppendedParts(
  document: Json,
  { parameters }: Pick<Operation, "parameters">,
  models: ReadonlyMap<string, string>,
): AppendedParts | undefined {
  for (const { name, in: location, pointer, schema } of parameters) {
    const appends = Object(getAtPointer(document, pointer))[APPENDS] as Json | undefined;
    if (location !== "query" || schema === undefined || !isObject(appends)) continue;
    const types = Object.entries(appends).map(([key, property]) => ({
      key: literal(key),
      property: literal(String(property)),
      isTemplate: key.includes("{"),
    }));
    const { $ref } = Object(schemaAt(document, schema).items) as { $ref?: string };
    const templates = types.filter(({ isTemplate }) => isTemplate).map(({ key }) => key);
    const fixed = types.filter(({ isTemplate }) => !isTemplate);
    // The service omits the part of a template, such as a season, if the part does not exist.
    const asked = templates.length > 0 ? `Exclude<Name, ${templates.join(" | ")}>` : "Name";
    const rows = fixed.map(({ key, property }) => `${key}: ${property}`);
    return {
      parameter: name,
      names:
        ($ref === undefined ? undefined : models.get(refToPointer($ref))) ??
        types.map(({ key }) => key).join(" | "),
      present: fixed.every(({ key, property }) => key === property)
        ? asked
        : `{ ${rows.join("; ")} }[${asked}]`,
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
