import { at, stepsOf, targetOf } from "../../../src/contract/engine/pointer.js";
import { schemaAt, type Schema } from "../../../src/contract/engine/schema.js";
import type { Description, Json, Test } from "../../../src/contract/engine/types.js";
import { reachable, resolved, subschemas } from "./schemas.js";

/** A name that makes an object look like a promise. */
const THEN = "then";
/** Steps to schemas that speak about the same value. */
const IN_PLACE = /^\/(allOf|anyOf|oneOf|if|then|else|not|dependentSchemas)(\/|$)/;
/** Keywords that say nothing of a value. */
const SILENT = new Set(
  "$anchor $comment $dynamicAnchor contentEncoding contentMediaType contentSchema default deprecated description discriminator example examples externalDocs readOnly title writeOnly xml".split(
    " ",
  ),
);
/** Formats that tell generators how to hold a value, and restrict none. */
const SILENT_FORMATS = new Set(["binary", "byte", "double", "float", "int64", "password"]);

/** Schemas as ajv takes them, by name, and the name of each pointer. */
export interface Prepared {
  schemas: Map<string, unknown>;
  names: Map<string, string>;
}

/**
 * A copy of schemas, and of all that they refer to, for ajv: annotations are taken out, and unions are turned into a
 * choice, so that a wrong value is reported once and not again for each branch that was never meant.
 */
export function prepare(
  document: Json,
  pointers: Iterable<string>,
  unions: Description["unions"],
  formats: readonly string[],
): Prepared {
  const names = new Map<string, string>();
  const schemas = new Map<string, unknown>();
  // What is unevaluated is known only if every branch is looked at in the way that JSON Schema has it.
  const looking = [...reachable(document, pointers)].filter((pointer) =>
    Object.keys(schemaAt(document, pointer)).some((keyword) => keyword.startsWith("unevaluated")),
  );
  const plainUnions = reachable(document, looking, (step) => IN_PLACE.test(step));

  const nameOf = (pointer: string): string => {
    let name = names.get(pointer);
    if (name === undefined) {
      names.set(pointer, (name = `v${names.size}`));
      const value = at(document, pointer);
      if (value === undefined) throw new Error(`${pointer} leads nowhere`);
      schemas.set(name, copy(value, pointer));
    }
    return name;
  };
  const copy = (value: unknown, pointer: string): unknown => {
    if (typeof value === "boolean") return value;
    const schema = schemaAt(document, pointer);
    let made: Schema = {};
    for (const [keyword, each] of Object.entries(schema)) {
      if (SILENT.has(keyword) || keyword.startsWith("x-") || keyword === "$defs") continue;
      if (/^min(Length|Items|Properties)$/.test(keyword) && each === 0) continue;
      if (
        keyword === "format" &&
        !(formats.includes(String(each)) && !SILENT_FORMATS.has(String(each)))
      )
        continue;
      made[keyword] = each;
    }
    if (schema.$ref) made.$ref = nameOf(resolved(document, targetOf(schema.$ref)));
    for (const each of subschemas(schema, pointer)) {
      const [keyword = "", key] = stepsOf(each.slice(pointer.length));
      if (keyword === "$defs") continue;
      // Behind a reference, ajv no longer knows of which key it speaks.
      const place = keyword === "propertyNames" ? resolved(document, each) : each;
      const inner = copy(at(document, place), place);
      if (key === undefined) made[keyword] = inner;
      else {
        const holder = Array.isArray(schema[keyword])
          ? [...(made[keyword] as unknown[])]
          : { ...(made[keyword] as object) };
        Object.assign(holder, { [key]: inner });
        made[keyword] = holder;
      }
    }
    // ajv refuses an `if` that decides nothing, and what it would have decided.
    if (made.if === undefined || (made.then === undefined && made.else === undefined)) {
      for (const keyword of ["if", "then", "else"]) Reflect.deleteProperty(made, keyword);
    }
    // ajv refuses counts of nothing, and a `contains` that nothing can contradict.
    const { contains, minContains, maxContains, ...others } = made;
    const counted = { contains, minContains, maxContains };
    for (const keyword of ["minContains", "maxContains"] as const)
      if (counted[keyword] === undefined) Reflect.deleteProperty(counted, keyword);
    const says = contains !== undefined && (minContains !== 0 || maxContains !== undefined);
    // It comes first, so that the errors of its items stand beside its own.
    made = says ? { ...others, allOf: [counted, ...(others.allOf ?? [])] } : others;
    if (plainUnions.has(pointer)) return made;
    for (const keyword of ["oneOf", "anyOf"] as const) {
      const branches = made[keyword];
      if (!branches) continue;
      Reflect.deleteProperty(made, keyword);
      const tests = unions[`${pointer}/${keyword}`];
      // Twice negated, a union gives one error of its own instead of those of all branches.
      const chosen = tests ? choice(tests, branches) : { not: { not: { [keyword]: branches } } };
      made.allOf = [...(made.allOf ?? []), chosen];
    }
    return made;
  };
  for (const pointer of pointers) nameOf(pointer);
  return { schemas, names };
}

/** `if` this test `then` this branch, and at the end what every tag and type has to be one of. */
function choice(tests: readonly Test[], branches: unknown[]): Schema {
  const types = [...new Set(tests.flatMap((test) => test.types))];
  const tags = tests.flatMap(({ tag }) => tag ?? []);
  const name = tags[0]?.name;
  const known = tags.flatMap((tag) => tag.in ?? []);
  const refused = tags.flatMap((tag) => tag.notIn ?? []).filter((value) => !known.includes(value));
  const open = tags.some((tag) => tag.notIn);
  const tag = open ? { not: { enum: refused } } : { enum: known };
  const none: Schema = {
    ...(types.length > 0 ? { type: types } : { not: {} }),
    ...(name !== undefined && {
      required: [name],
      ...((!open || refused.length > 0) && { properties: { [name]: tag } }),
    }),
  };
  return tests.reduceRight<Schema>(
    (rest, test, index) => ({ if: condition(test), [THEN]: branches[index], else: rest }),
    none,
  );
}

function condition({ types, tag }: Test): Schema {
  // A branch whose parts contradict each other takes nothing.
  if (types.length === 0) return { not: {} };
  if (!tag) return { type: [...types] };
  const value = tag.in ? { enum: [...tag.in] } : { not: { enum: [...(tag.notIn ?? [])] } };
  return { type: [...types], required: [tag.name], properties: { [tag.name]: value } };
}
