import { step, targetOf } from "../../../src/contract/engine/pointer.js";
import { schemaAt, type Schema } from "../../../src/contract/engine/schema.js";
import type { Json, Test } from "../../../src/contract/engine/types.js";
import { typeOf, unionsOf } from "../../../src/contract/engine/union.js";

type Values = { in?: readonly Json[]; notIn?: readonly Json[] };
interface Profile {
  types: readonly string[];
  required: Set<string>;
  values: Map<string, Values>;
}

const TYPES = ["null", "boolean", "number", "string", "array", "object"];

/** The tests of the unions in some schemas, by pointer of the union; none where no test tells its branches apart. */
export function unionTests(document: Json, schemas: Iterable<string>): Record<string, Test[]> {
  const unions: Record<string, Test[]> = {};
  for (const pointer of schemas) {
    for (const keyword of ["oneOf", "anyOf"] as const) {
      const tests = testsOf(document, pointer, keyword);
      if (tests) unions[`${pointer}/${keyword}`] = tests;
    }
  }
  return unions;
}

/** A test for each branch, such that no value passes two. */
function testsOf(document: Json, pointer: string, keyword: "oneOf" | "anyOf"): Test[] | undefined {
  const union = schemaAt(document, pointer);
  const branches = union[keyword];
  if (!branches) return undefined;
  const profiles = branches.map((_, index) =>
    profileOf(document, `${pointer}/${keyword}/${index}`),
  );
  named(union, branches, profiles);
  const objects = profiles.filter(({ types }) => types.includes("object"));
  const tag = objects.length > 1 ? tagOf(objects) : undefined;
  for (const type of TYPES) {
    const same = profiles.filter(({ types }) => types.includes(type)).length;
    if (same > 1 && !(type === "object" && tag)) return undefined;
  }
  return profiles.map(({ types, values }): Test => {
    if (tag === undefined || !types.includes("object")) return { types };
    return { types, tag: { name: tag, ...values.get(tag) } };
  });
}

/** A discriminator says which values select a branch, whether the branches say so or not. */
function named(union: Schema, branches: unknown[], profiles: Profile[]): void {
  if (!union.discriminator) return;
  const { propertyName, mapping = {} } = union.discriminator;
  profiles.forEach((profile, index) => {
    const reference = (branches[index] as Schema).$ref;
    if (!reference) return;
    const name = reference.slice(reference.lastIndexOf("/") + 1);
    const values = Object.keys(mapping).filter((key) =>
      [reference, name].includes(mapping[key] ?? ""),
    );
    profile.types = ["object"];
    profile.required.add(propertyName);
    profile.values.set(propertyName, { in: values.length > 0 ? values : [name] });
  });
}

/** The one property that every branch requires, with other values in each. */
function tagOf(profiles: Profile[]): string | undefined {
  return [...(profiles[0]?.required ?? [])].find((name) => {
    const values = profiles.map((each) =>
      each.required.has(name) ? each.values.get(name) : undefined,
    );
    return values.every(
      (one, index) =>
        one && values.slice(index + 1).every((other) => other && disjoint(one, other)),
    );
  });
}

function disjoint(one: Values, other: Values): boolean {
  const [closed, open] = one.in ? [one.in, other] : [other.in, one];
  if (!closed) return false;
  return open.in
    ? !closed.some((each) => open.in?.includes(each))
    : closed.every((each) => open.notIn?.includes(each));
}

function profileOf(document: Json, pointer: string, seen = new Set<string>()): Profile {
  const profile: Profile = { types: TYPES, required: new Set(), values: new Map() };
  if (seen.has(pointer)) return profile;
  seen.add(pointer);
  const schema = schemaAt(document, pointer);
  if (schema.type) {
    profile.types = [schema.type].flat().map((type) => (type === "integer" ? "number" : type));
  } else if ("const" in schema) profile.types = [typeOf(schema.const)];
  for (const name of schema.required ?? []) profile.required.add(name);
  for (const name of Object.keys(schema.properties ?? {})) {
    const values = valuesOf(document, `${pointer}/properties${step(name)}`);
    if (values) profile.values.set(name, values);
  }
  const pointers = (schema.allOf ?? []).map((_, index) => `${pointer}/allOf/${index}`);
  if (schema.$ref) pointers.push(targetOf(schema.$ref));
  const parts = pointers.map((part) => profileOf(document, part, seen));
  for (const { branches } of unionsOf({ pointer, schema }))
    parts.push(eitherOf(branches.map((each) => profileOf(document, each, new Set(seen)))));
  for (const { types, required, values } of parts) {
    profile.types = profile.types.filter((type) => types.includes(type));
    for (const name of required) profile.required.add(name);
    for (const [name, value] of values)
      if (!profile.values.get(name)?.in) profile.values.set(name, value);
  }
  return profile;
}

/** What is known of a value that is of one of some profiles. */
function eitherOf(profiles: readonly Profile[]): Profile {
  const [first, ...others] = profiles;
  const values = new Map<string, Values>();
  for (const name of first?.values.keys() ?? []) {
    const each = profiles.map((profile) => profile.values.get(name)?.in);
    if (!each.includes(undefined)) values.set(name, { in: each.flatMap((some) => some ?? []) });
  }
  const isEverywhere = (name: string) => others.every(({ required }) => required.has(name));
  return {
    types: TYPES.filter((type) => profiles.some(({ types }) => types.includes(type))),
    required: new Set([...(first?.required ?? [])].filter(isEverywhere)),
    values,
  };
}

function valuesOf(document: Json, pointer: string): Values | undefined {
  const schema = schemaAt(document, pointer);
  if (schema.$ref) return valuesOf(document, targetOf(schema.$ref));
  const own = scalarsOf(schema);
  if (own) return { in: own };
  const not = typeof schema.not === "object" && schema.not !== null ? (schema.not as Schema) : {};
  // `not` with more beside the values leaves some of them allowed.
  const excluded = Object.keys(not).length === 1 ? scalarsOf(not) : undefined;
  return excluded && { notIn: excluded };
}

function scalarsOf(schema: Schema): readonly Json[] | undefined {
  const values = "const" in schema ? [schema.const as Json] : schema.enum;
  return values?.every((each) => typeof each !== "object" || each === null) ? values : undefined;
}
