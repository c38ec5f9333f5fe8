import { at, step, targetOf } from "../../../src/contract/engine/pointer.js";
import { schemaAt, type Schema } from "../../../src/contract/engine/schema.js";
import type { Json } from "../../../src/contract/engine/types.js";

/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const ONE = [
  "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then",
  "unevaluatedItems", "unevaluatedProperties",
] as const; // prettier-ignore
const MANY = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;
const NAMED = ["dependentSchemas", "patternProperties", "properties", "$defs"] as const;

/** The pointer of what a chain of `$ref` without siblings leads to. */
export function resolved(document: Json, pointer: string): string {
  const seen = new Set<string>();
  let here = pointer;
  while (!seen.has(here)) {
    seen.add(here);
    const value = at(document, here) as Schema | undefined;
    const alone = Object.keys(value ?? {}).every((key) =>
      ["$ref", "description", "summary"].includes(key),
    );
    if (typeof value?.$ref !== "string" || !alone) return here;
    here = targetOf(value.$ref);
  }
  return here;
}

/** Pointers of the schemas directly under a schema, `$ref` not among them. */
export function subschemas(schema: Schema, pointer: string): string[] {
  const one = ONE.filter((keyword) => typeof schema[keyword] === "object");
  const named = [...MANY, ...NAMED].flatMap((keyword) =>
    Object.keys(schema[keyword] ?? {}).map((key) => `${pointer}/${keyword}${step(key)}`),
  );
  return [...one.map((keyword) => `${pointer}/${keyword}`), ...named];
}

/**
 * Pointers of the schemas that some reach, themselves first, each once.
 * @param isMeant whether the schema behind a step, such as `/allOf/0`, counts
 */
export function reachable(
  document: Json,
  pointers: Iterable<string>,
  isMeant = (_step: string) => true,
): Set<string> {
  const seen = new Set<string>();
  const visit = (pointer: string) => {
    if (seen.has(pointer)) return;
    seen.add(pointer);
    const schema = schemaAt(document, pointer);
    if (schema.$ref) visit(targetOf(schema.$ref));
    for (const each of subschemas(schema, pointer))
      if (isMeant(each.slice(pointer.length))) visit(each);
  };
  for (const pointer of pointers) visit(pointer);
  return seen;
}
