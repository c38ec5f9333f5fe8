import { schemaAt, type Schema } from "./schema.js";
import { step, targetOf } from "./pointer.js";
import { passes, typeOf, unionTests, type Test } from "./union.js";
import type { Description, Json } from "./types.js";

/** One schema that speaks about a value, and where it stands in the description. */
export interface Part {
  pointer: string;
  schema: Schema;
}

/** A value of an instance with everything that the description says of it. */
export interface Place {
  /** RFC 6901 pointer into the instance. */
  pointer: string;
  /** The pointer with `*` for indexes and for keys of maps: the same for all items of a list. */
  shape: string;
  value: Json;
  parts: Part[];
}

const choices = new WeakMap<object, Map<string, Test[] | undefined>>();

/** The schema at a pointer with all that it refers to and combines, as far as it is about this value. */
export function partsOf(
  description: Description,
  pointers: readonly string[],
  value: Json,
): Part[] {
  const parts = new Map<string, Part>();
  const visit = (pointer: string) => {
    if (parts.has(pointer)) return;
    const schema = schemaAt(description.document, pointer);
    parts.set(pointer, { pointer, schema });
    if (schema.$ref) visit(targetOf(schema.$ref));
    schema.allOf?.forEach((_, index) => visit(`${pointer}/allOf/${index}`));
    for (const branch of branchesOf(description, pointer, schema, value)) visit(branch);
    if (schema.if !== undefined) {
      const holds = description.validators[`${pointer}/if`]?.(value).length === 0;
      if (holds) visit(`${pointer}/if`);
      visit(`${pointer}/${holds ? "then" : "else"}`);
    }
    for (const key of Object.keys(schema.dependentSchemas ?? {})) {
      if (isObject(value) && Object.hasOwn(value, key))
        visit(`${pointer}/dependentSchemas${step(key)}`);
    }
  };
  for (const pointer of pointers) visit(pointer);
  return [...parts.values()];
}

/** The branches of a union that are meant: by tag or type, else those that the value satisfies, else all of them. */
export function branchesOf(
  description: Description,
  pointer: string,
  schema: Schema,
  value: Json,
): string[] {
  return (["oneOf", "anyOf"] as const).flatMap((keyword) => {
    const branches = schema[keyword]?.map((_, index) => `${pointer}/${keyword}/${index}`);
    if (!branches) return [];
    const tests = testsOf(description, pointer, keyword);
    if (tests) return branches.filter((_, index) => passes(tests[index] as Test, value));
    const satisfied = branches.filter(
      (branch) => description.validators[branch]?.(value).length === 0,
    );
    return satisfied.length > 0 ? satisfied : branches;
  });
}

/** The tests of a union, worked out once a description. */
export function testsOf(
  { document }: Description,
  pointer: string,
  keyword: "oneOf" | "anyOf",
): Test[] | undefined {
  let known = choices.get(document as object);
  if (!known) choices.set(document as object, (known = new Map()));
  const key = `${pointer}/${keyword}`;
  if (!known.has(key)) known.set(key, unionTests(document, pointer, keyword));
  return known.get(key);
}

/** Pointers of the schemas that speak about a member of an object, and whether one names it, not only its kind. */
export function memberOf(
  parts: readonly Part[],
  key: string,
): { pointers: string[]; named: boolean } {
  const pointers: string[] = [];
  let named = false;
  for (const { pointer, schema } of parts) {
    const before = pointers.length;
    if (Object.hasOwn(schema.properties ?? {}, key)) {
      pointers.push(`${pointer}/properties${step(key)}`);
      named = true;
    }
    for (const pattern of Object.keys(schema.patternProperties ?? {})) {
      if (new RegExp(pattern, "u").test(key))
        pointers.push(`${pointer}/patternProperties${step(pattern)}`);
    }
    if (pointers.length === before && schema.additionalProperties !== undefined) {
      pointers.push(`${pointer}/additionalProperties`);
    }
  }
  return {
    pointers: pointers.length > 0 ? pointers : elsewhere(parts, "unevaluatedProperties"),
    named,
  };
}

/** Pointers of the schemas that speak about an item of an array. */
export function itemOf(parts: readonly Part[], index: number): string[] {
  const pointers = parts.flatMap(({ pointer, schema }) => {
    if (schema.prefixItems && index < schema.prefixItems.length)
      return `${pointer}/prefixItems/${index}`;
    return schema.items === undefined ? [] : `${pointer}/items`;
  });
  return pointers.length > 0 ? pointers : elsewhere(parts, "unevaluatedItems");
}

function elsewhere(parts: readonly Part[], keyword: string): string[] {
  return parts.flatMap(({ pointer, schema }) =>
    schema[keyword] === undefined ? [] : `${pointer}/${keyword}`,
  );
}

/** Visits every value of an instance, from the outside in; where `visit` gives false, what is inside is left out. */
export function walk(
  description: Description,
  schema: string,
  body: Json,
  visit: (place: Place) => boolean | void,
): void {
  const enter = (pointers: readonly string[], value: Json, pointer: string, shape: string) => {
    const parts = partsOf(description, pointers, value);
    if (visit({ pointer, shape, value, parts }) === false) return;
    if (Array.isArray(value)) {
      value.forEach((item, index) =>
        enter(itemOf(parts, index), item, `${pointer}/${index}`, `${shape}/*`),
      );
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) {
        const { pointers: members, named } = memberOf(parts, key);
        const inner = named || members.length === 0 ? step(key) : "/*";
        enter(members, value[key] as Json, pointer + step(key), shape + inner);
      }
    }
  };
  enter([schema], body, "", "");
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeOf(value) === "object" && value !== undefined;
}
