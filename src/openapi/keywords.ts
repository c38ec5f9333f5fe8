import { isLocalRef, refToPointer, toReferenceToken } from "./pointer.js";
import { schemaAt } from "./schema.js";
import type { Json } from "./description.js";

/**
 * What a keyword contains: one schema, a list of schemas, a map of schemas, a plain value, or a note that restricts
 * nothing.
 */
export type KeywordKind = "one" | "list" | "named" | "value" | "note";

const BY_KIND: Readonly<Record<KeywordKind, string>> = {
  one: "additionalProperties items not propertyNames",
  list: "allOf anyOf oneOf",
  named: "patternProperties properties",
  value: `$ref const enum exclusiveMaximum exclusiveMinimum format maxItems maxLength maxProperties maximum minItems
    minLength minProperties minimum multipleOf pattern required type uniqueItems`,
  note: `$comment $schema contentEncoding contentMediaType contentSchema default deprecated
    description discriminator example examples externalDocs readOnly title writeOnly xml`,
};

/** The keywords that the generator supports. */
export const KINDS: ReadonlyMap<string, KeywordKind> = new Map(
  Object.entries(BY_KIND).flatMap(([kind, names]) =>
    names.split(/\s+/).map((name) => [name, kind as KeywordKind]),
  ),
);

/** Returns the kind of a keyword, or undefined if the generator does not support it. */
export function kindOfKeyword(keyword: string): KeywordKind | undefined {
  return keyword.startsWith("x-") ? "note" : KINDS.get(keyword);
}

/** Returns pointers to the schemas directly inside a schema. Does not follow references. */
export function listContained(document: Json, pointer: string): string[] {
  return Object.entries(schemaAt(document, pointer)).flatMap(([keyword, value]) => {
    const [kind, here] = [kindOfKeyword(keyword), `${pointer}/${keyword}`];
    if (kind === "one") return here;
    if (kind !== "list" && kind !== "named") return [];
    return Object.keys(Object(value) as object).map((key) => here + toReferenceToken(key));
  });
}

/** Returns pointers to schemas, and to all schemas that they contain or reference, directly or indirectly. */
export function reachSchemas(document: Json, pointers: Iterable<string>): Set<string> {
  const reached = new Set<string>();
  const waiting = [...pointers];
  for (let pointer = waiting.pop(); pointer !== undefined; pointer = waiting.pop()) {
    if (reached.has(pointer)) continue;
    reached.add(pointer);
    const { $ref } = schemaAt(document, pointer);
    if (isLocalRef($ref)) waiting.push(refToPointer($ref));
    waiting.push(...listContained(document, pointer).toReversed());
  }
  return reached;
}
