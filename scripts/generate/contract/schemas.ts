import {
  getAtPointer,
  parsePointer,
  refToPointer,
  toReferenceToken,
} from "../../../src/openapi/pointer.js";
import { isObject, schemaAt } from "../../../src/openapi/schema.js";
import type { SchemaHolder, Json, Operation } from "../../../src/openapi/description.js";
import { reach } from "../../reach.js";

/** How supported keywords contain schemas: one, a list, or by name. A `value` contains none; a `note` is an annotation. */
const KEYWORDS: Readonly<Record<string, "one" | "list" | "named" | "value" | "note">> = {
  ...{ additionalProperties: "one", items: "one", not: "one", propertyNames: "one" },
  ...{ allOf: "list", anyOf: "list", oneOf: "list", properties: "named" },
  ...{ $ref: "value", const: "value", enum: "value", format: "value", minItems: "value" },
  ...{ pattern: "value", required: "value", type: "value" },
  ...{ default: "note", description: "note", discriminator: "note", title: "note" },
};

/** How a keyword contains schemas; undefined if it is not supported. */
export function classifyKeyword(keyword: string) {
  return keyword.startsWith("x-") ? "note" : KEYWORDS[keyword];
}

/** Pointers of the schemas that a schema contains or references. */
function listSubschemas(document: Json, pointer: string): string[] {
  const { $ref, ...keywords } = schemaAt(document, pointer);
  const contained = Object.entries(keywords).flatMap(([keyword, value]) => {
    const [kind, here] = [classifyKeyword(keyword), `${pointer}/${keyword}`];
    if (kind === "one") return here;
    if (kind !== "list" && kind !== "named") return [];
    return Object.keys(value as object).map((key) => here + toReferenceToken(key));
  });
  return $ref === undefined ? contained : [refToPointer($ref), ...contained];
}

/** Pointers of the schemas that some schemas reach, including themselves. */
export function reachSchemas(document: Json, pointers: Iterable<string>): Set<string> {
  return reach(pointers, (pointer) => listSubschemas(document, pointer));
}

/** Whatever the engine and the generator do not support in some schemas, each with its pointer. */
export function findUnsupported(
  document: Json,
  schemas: Iterable<string>,
): { pointer: string; text: string }[] {
  return [...schemas].flatMap((pointer) => {
    const schema = getAtPointer(document, pointer);
    const isOpen = schema === true && pointer.endsWith("/additionalProperties");
    if (!isObject(schema) && !isOpen)
      return { pointer, text: `the schema ${String(schema)} is not supported; write an object` };
    return Object.keys(Object(schema))
      .filter((keyword) => classifyKeyword(keyword) === undefined)
      .map((keyword) => ({
        pointer: pointer + toReferenceToken(keyword),
        text: `the keyword ${keyword} is not supported; remove it`,
      }));
  });
}

/** Whether a pointer leads through `not`, whose schemas describe what a value must not be. */
function isNegated(pointer: string): boolean {
  return parsePointer(pointer).includes("not");
}

/** The schemas of bodies or headers, if they have one. */
export function schemasIn(described: readonly SchemaHolder[]): string[] {
  return described.flatMap(({ schema }) => schema ?? []);
}

/** Pointers of the schemas that the bodies of an operation reach. */
export function listBodySchemas(
  document: Json,
  { requestContent, responses }: Operation,
): string[] {
  const bodies = [...requestContent, ...responses.flatMap(({ content }) => content)];
  return [...reachSchemas(document, schemasIn(bodies))].filter((each) => !isNegated(each));
}
