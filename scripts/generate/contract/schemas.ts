import { getAtPointer, parsePointer, toReferenceToken } from "../../../src/openapi/pointer.js";
import { kindOfKeyword, reachSchemas } from "../../../src/openapi/keywords.js";
import { isObject } from "../../../src/openapi/schema.js";
import type { SchemaHolder, Json, Operation } from "../../../src/openapi/description.js";

/** What to write instead of a keyword. */
const INSTEAD: Readonly<Record<string, string>> = {
  $anchor: "refer to the schema by its path, such as #/components/schemas/Movie",
  $dynamicAnchor: "refer to the schema by its path, such as #/components/schemas/Movie",
  $dynamicRef: "write $ref with the path of the schema",
  $id: "refer to the schema by its path, such as #/components/schemas/Movie",
  additionalItems: "write items beside prefixItems",
  nullable: 'add "null" to type',
};

/** Whatever the engine and the generator do not support in some schemas, each with its pointer. */
export function findUnsupported(
  document: Json,
  schemas: Iterable<string>,
): { pointer: string; text: string }[] {
  return [...schemas].flatMap((pointer) => {
    const schema = getAtPointer(document, pointer);
    if (typeof schema === "boolean") return [];
    if (!isObject(schema)) return { pointer, text: "a schema must be an object or a boolean" };
    return Object.keys(schema)
      .filter((keyword) => kindOfKeyword(keyword) === undefined)
      .map((keyword) => ({
        pointer: pointer + toReferenceToken(keyword),
        text: `the keyword ${keyword} is not supported; ${INSTEAD[keyword] ?? `remove it, or name it x-${keyword}`}`,
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
