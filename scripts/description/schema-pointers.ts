import type { Json, Operation, SchemaHolder } from "../../src/openapi/description.js";
import { keysAt, METHODS } from "../../src/openapi/document.js";
import { reachSchemas } from "../../src/openapi/keywords.js";
import { parsePointer, refToPointer, toReferenceToken } from "../../src/openapi/pointer.js";
import { schemaAt } from "../../src/openapi/schema.js";
import { reach } from "../shared/reach.js";

/** Keywords that restrict only objects, so that a schema with one of them is about objects. */
export const ABOUT_OBJECTS = `additionalProperties maxProperties minProperties patternProperties
  properties propertyNames required`.split(/\s+/);

/** Returns the pointer to a schema, after pointers to the schemas that combine it with others for the same value. */
export function schemasAround(pointer: string): string[] {
  const [, outer] = /^(.*)\/(?:allOf|anyOf|oneOf)\/\d+$/.exec(pointer) ?? [];
  return outer === undefined ? [pointer] : [...schemasAround(outer), pointer];
}

/** Lists the given pointers to schemas, and pointers to all schemas that these schemas apply to the same value. */
export function reachInPlace(document: Json, pointers: readonly string[]): string[] {
  return [...reach(pointers, (each) => listInPlace(document, each))];
}

/** Lists pointers to the schemas that a schema applies to the value as a whole. */
export function listInPlace(document: Json, pointer: string): string[] {
  const { $ref, ...schema } = schemaAt(document, pointer);
  const parts = (["allOf", "anyOf", "oneOf"] as const).flatMap((keyword) =>
    Object.keys(schema[keyword] ?? []).map((index) => `${pointer}/${keyword}/${index}`),
  );
  return [...(typeof $ref === "string" ? [refToPointer($ref)] : []), ...parts];
}

/** Returns whether a schema is inside `not`. A value must not match such a schema. */
export function isNegated(pointer: string): boolean {
  return parsePointer(pointer).includes("not");
}

/** The keywords of OpenAPI that lead to schemas, by the number of names between their values and the next keywords. */
const LEADING = [
  ["components", "requestBody", "schema", ...METHODS],
  `content encoding headers parameters pathItems paths requestBodies responses schemas webhooks`.split(
    " ",
  ),
  ["callbacks"],
];

/**
 * Lists pointers to all schemas outside other schemas, even those of webhooks and those that nothing uses.
 * @param object the pointer to the object of OpenAPI that contains the schemas
 */
export function listOuterSchemas(document: Json, object = ""): string[] {
  return keysAt(document, object).flatMap((keyword) => {
    const levels = LEADING.findIndex((keywords) => keywords.includes(keyword));
    if (levels === -1) return [];
    let found = [`${object}/${keyword}`];
    for (let level = 0; level < levels; level += 1)
      found = found.flatMap((each) =>
        keysAt(document, each).map((name) => each + toReferenceToken(name)),
      );
    if (keyword === "schema" || keyword === "schemas") return found;
    return found.flatMap((each) => listOuterSchemas(document, each));
  });
}

/** Returns pointers to the schemas of parameters, headers, or media types. */
export function schemasIn(described: readonly SchemaHolder[]): string[] {
  return described.flatMap(({ schema }) => schema ?? []);
}

/** Lists pointers to all schemas that apply to the bodies of an operation. */
export function listBodySchemas(
  document: Json,
  { requestContent, responses }: Operation,
): string[] {
  const bodies = [...requestContent, ...responses.flatMap(({ content }) => content)];
  return [...reachSchemas(document, schemasIn(bodies))].filter((each) => !isNegated(each));
}
