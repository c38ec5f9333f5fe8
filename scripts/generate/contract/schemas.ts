import { at, step, stepsOf, targetOf } from "../../../src/contract/engine/pointer.js";
import { schemaAt, type Schema } from "../../../src/contract/engine/schema.js";
import type { Json } from "../../../src/contract/engine/types.js";

/** How each supported keyword holds schemas: one, a list, or by name. The others hold none; a note restricts nothing. */
const KEYWORDS: Readonly<Record<string, "one" | "list" | "named" | "value" | "note">> = {
  ...{ additionalProperties: "one", items: "one", not: "one", propertyNames: "one" },
  ...{ allOf: "list", anyOf: "list", oneOf: "list", properties: "named" },
  ...{ $ref: "value", const: "value", enum: "value", format: "value", pattern: "value" },
  ...{ required: "value", type: "value", uniqueItems: "value" },
  ...{ minItems: "value", minLength: "value", minimum: "value", maximum: "value" },
  ...{ default: "note", deprecated: "note", description: "note", discriminator: "note" },
  ...{ example: "note", examples: "note", title: "note" },
};

/** How a keyword holds schemas; undefined if it is not supported. */
export function kindOf(keyword: string) {
  return keyword.startsWith("x-") ? "note" : KEYWORDS[keyword];
}

/** The pointer that a chain of `$ref` without siblings leads to. */
export function resolved(document: Json, pointer: string): string {
  const { $ref, description: _, summary: __, ...others } = schemaAt(document, pointer);
  if ($ref === undefined || Object.keys(others).length > 0) return pointer;
  return resolved(document, targetOf($ref));
}

/** Pointers of the schemas directly under a schema, `$ref` not included. */
export function subschemas(schema: Schema, pointer: string): string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const [kind, here] = [kindOf(keyword), `${pointer}/${keyword}`];
    if (kind === "one") return typeof value === "object" ? here : [];
    if (kind !== "list" && kind !== "named") return [];
    return Object.keys(value as object).map((key) => here + step(key));
  });
}

/** Pointers of the schemas that some schemas reach, including themselves, each once. */
export function reachable(document: Json, pointers: Iterable<string>): Set<string> {
  const seen = new Set<string>();
  const visit = (pointer: string) => {
    if (seen.has(pointer)) return;
    seen.add(pointer);
    const schema = schemaAt(document, pointer);
    if (schema.$ref) visit(targetOf(schema.$ref));
    subschemas(schema, pointer).forEach(visit);
  };
  for (const pointer of pointers) visit(pointer);
  return seen;
}

/** The pointers of all keywords in some schemas that neither the engine nor the generator supports. */
export function unsupported(document: Json, schemas: Iterable<string>): string[] {
  return [...schemas].flatMap((pointer) =>
    Object.keys(schemaAt(document, pointer))
      .filter((keyword) => kindOf(keyword) === undefined)
      .map((keyword) => pointer + step(keyword)),
  );
}

/** Whether a pointer leads through `not`, whose schemas describe what a value must not be. */
export function isNegated(pointer: string): boolean {
  return stepsOf(pointer).includes("not");
}

/** The keys of the value at a pointer. */
export function keysAt(document: Json, pointer: string): string[] {
  return Object.keys(at(document, pointer) ?? {});
}
