import { step, stepsOf, targetOf } from "../../../src/contract/engine/pointer.js";
import { schemaAt, type Schema } from "../../../src/contract/engine/schema.js";
import type { Described, Json, Operation } from "../../../src/contract/engine/types.js";

/** How supported keywords contain schemas: one, a list, or by name. A `value` contains none; a `note` is an annotation. */
const KEYWORDS: Readonly<Record<string, "one" | "list" | "named" | "value" | "note">> = {
  ...{ additionalProperties: "one", items: "one", not: "one", propertyNames: "one" },
  ...{ allOf: "list", anyOf: "list", oneOf: "list", properties: "named" },
  ...{ $ref: "value", const: "value", enum: "value", format: "value", pattern: "value" },
  ...{ required: "value", type: "value", uniqueItems: "value" },
  ...{ minItems: "value", minLength: "value", minimum: "value", maximum: "value" },
  ...{ default: "note", deprecated: "note", description: "note", discriminator: "note" },
  ...{ example: "note", examples: "note", title: "note" },
};

/** How a keyword contains schemas; undefined if it is not supported. */
export function kindOf(keyword: string) {
  return keyword.startsWith("x-") ? "note" : KEYWORDS[keyword];
}

/** Pointers of the direct subschemas of a schema, not including `$ref`. */
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

/** The schemas of bodies or headers, if they have one. */
export function schemasIn(slots: readonly Described[]): string[] {
  return slots.flatMap(({ schema }) => schema ?? []);
}

/** Pointers of the schemas that the bodies of an operation reach. */
export function schemasOf(document: Json, { body, responses }: Operation): string[] {
  const bodies = [...body, ...responses.flatMap(({ media }) => media)];
  return [...reachable(document, schemasIn(bodies))].filter((each) => !isNegated(each));
}
