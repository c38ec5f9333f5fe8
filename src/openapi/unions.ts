import type { BranchTraits, Discriminator, UnionTraits } from "./discriminator.js";
import { cached } from "./cached.js";
import type { Json } from "./description.js";
import { resolveRef } from "./document.js";
import { parentPointer, refToPointer, toReferenceToken } from "./pointer.js";
import { listUnions, schemaAt, type Schema, type Union } from "./schema.js";

/** The property names and discriminators of a branch. */
interface Branch {
  required: Set<string>;
  /** The property names that the branch declares, or undefined if the branch allows arbitrary names. */
  names: Set<string> | undefined;
  discriminators: Map<string, Pick<Discriminator, "in" | "notIn">>;
}

/**
 * Finds the discriminators of a union: the declared discriminator, and every property that at least two branches
 * restrict with `const`, `enum`, or `not`. Discriminators rule out branches without validation, and help to find the
 * closest branch. The values come from the schemas of the branches, so a discriminator never rejects a value that a
 * branch accepts.
 */
export function describeUnion(document: Json, union: Union): UnionTraits {
  return describeCached(document, union.pointer, union);
}

const describeCached = /* @__PURE__ */ cached((document, _, union: Union): UnionTraits => {
  return { keyword: union.keyword, branches: describeBranches(document, union) };
});

function describeBranches(document: Json, { pointer, branches: pointers }: Union) {
  const { discriminator } = schemaAt(document, parentPointer(pointer));
  const branches = pointers.map((each) => describeBranch(document, each, new Set()));
  const counts = new Map<string, number>();
  for (const name of branches.flatMap(({ discriminators }) => [...discriminators.keys()]))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const traits = branches.map(({ discriminators, required }) =>
    [...discriminators].flatMap(([name, values]): Discriminator[] => {
      const isDeclared = name === discriminator?.propertyName;
      if (counts.get(name)! < 2 && !isDeclared) return [];
      return [{ name, ...values, ...(!required.has(name) && { isOptional: true }) }];
    }),
  );
  // Property names are needed only to compare branches without discriminators.
  const needsNames = traits.filter((discriminators) => discriminators.length === 0).length > 1;
  return branches.map(({ names }, index): BranchTraits => ({
    discriminators: traits[index]!,
    ...(needsNames && names && names.size > 0 && { names: [...names] }),
  }));
}

function describeBranch(document: Json, pointer: string, seen: Set<string>): Branch {
  const branch: Branch = { required: new Set(), names: new Set(), discriminators: new Map() };
  collect(document, pointer, branch, seen);
  return branch;
}

/** Collects the property names and discriminators of a schema. Follows `$ref`, `allOf`, and unions. */
function collect(document: Json, pointer: string, branch: Branch, seen: Set<string>): void {
  if (seen.has(pointer)) return;
  seen.add(pointer);
  const schema = schemaAt(document, pointer);
  for (const name of schema.required ?? []) branch.required.add(name);
  const names = Object.keys(schema.properties ?? {});
  for (const name of names) {
    const values = valuesOf(document, `${pointer}/properties${toReferenceToken(name)}`);
    if (values && !branch.discriminators.has(name)) branch.discriminators.set(name, values);
  }
  const { additionalProperties, patternProperties, oneOf, anyOf } = schema;
  const isOpen = (additionalProperties ?? patternProperties ?? oneOf ?? anyOf) !== undefined;
  if (isOpen && additionalProperties !== false) branch.names = undefined;
  for (const name of [...names, ...(schema.required ?? [])]) branch.names?.add(name);
  for (const index of (schema.allOf ?? []).keys())
    collect(document, `${pointer}/allOf/${index}`, branch, seen);
  if (schema.$ref) collect(document, refToPointer(schema.$ref), branch, seen);
  for (const { branches } of listUnions({ pointer, schema }))
    addCommon(
      branch,
      branches.map((each) => describeBranch(document, each, new Set(seen))),
    );
}

/** Adds the discriminators that all branches of an inner union have, and the properties that all of them require. */
function addCommon(branch: Branch, [first, ...others]: readonly Branch[]): void {
  for (const [name, { in: values }] of first?.discriminators ?? []) {
    const more = others.map((each) => each.discriminators.get(name)?.in);
    if (branch.discriminators.has(name) || !values || more.includes(undefined)) continue;
    branch.discriminators.set(name, {
      in: [...new Set([values, ...more].flatMap((each) => each!))],
    });
  }
  for (const name of first?.required ?? [])
    if (others.every(({ required }) => required.has(name))) branch.required.add(name);
}

/** Returns the scalars to which a schema restricts a value. Follows `$ref`, `allOf`, and unions. */
function valuesOf(
  document: Json,
  pointer: string,
  seen: ReadonlySet<string> = new Set(),
): Pick<Discriminator, "in" | "notIn"> | undefined {
  const here = resolveRef(document, pointer);
  if (seen.has(here)) return undefined;
  const schema = schemaAt(document, here);
  const values = constantsOf(schema);
  if (values) return { in: values };
  const excluded =
    Object.keys(Object(schema.not)).length === 1 && constantsOf(schema.not as Schema);
  if (excluded) return { notIn: excluded };
  const inside = (each: string) => valuesOf(document, each, new Set([...seen, here]));
  const parts = [
    ...(schema.$ref ? [refToPointer(schema.$ref)] : []),
    ...(schema.allOf ?? []).map((_, index) => `${here}/allOf/${index}`),
  ];
  const part = parts.map(inside).find((each) => each !== undefined);
  if (part) return part;
  const unions = listUnions({ pointer: here, schema }).map(({ branches }) => branches.map(inside));
  const union = unions.find((each) => each.every((branch) => branch?.in !== undefined));
  return union && { in: union.flatMap((each) => each!.in!) };
}

/** Returns the values of a schema's `const` or `enum` if all of these values are scalars. */
function constantsOf(schema: Schema): readonly Json[] | undefined {
  const values = "const" in schema ? [schema.const as Json] : schema.enum;
  return values?.every((each) => typeof each !== "object" || each === null) ? values : undefined;
}

/** Returns pointers to the branches that accept objects with any value of the declared discriminator of a union. */
export function branchesWithoutValues(document: Json, union: Union): string[] {
  const name = schemaAt(document, parentPointer(union.pointer)).discriminator?.propertyName;
  if (name === undefined) return [];
  const { branches } = describeUnion(document, union);
  return union.branches.filter((branch, index) => {
    const { type = "object" } = schemaAt(document, resolveRef(document, branch));
    const isRestricted = branches[index]!.discriminators.some((each) => each.name === name);
    return !isRestricted && [type].flat().includes("object");
  });
}
