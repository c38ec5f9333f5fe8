import type { Json, Operation, SchemaHolder } from "../../src/openapi/description.js";
import { walkPointers } from "../../src/openapi/document.js";
import { reachSchemas } from "../../src/openapi/keywords.js";
import { isWithin, parsePointer, refToPointer } from "../../src/openapi/pointer.js";
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

/** Matches pointers to the schemas that are not inside other schemas or examples. */
const OUTER =
  /^(?!.*\/examples?\/)(\/components\/schemas\/[^/]+|.*\/(content|headers|parameters)\/[^/]+\/schema)$/;

/** Lists pointers to all schemas outside other schemas, even those of webhooks and those that nothing uses. */
export function listOuterSchemas(document: Json): string[] {
  const found: string[] = [];
  // Names of properties can be keywords, too.
  for (const each of walkPointers(document))
    if (OUTER.test(each) && !isWithin(each, found.at(-1) ?? "#")) found.push(each);
  return found;
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
