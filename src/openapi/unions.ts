import type { BranchTraits, Tag, UnionTraits } from "./closest-branch.js";
import type { Json } from "./description.js";
import { resolveRef } from "./document.js";
import { parentPointer, refToPointer, toReferenceToken } from "./pointer.js";
import { schemaAt, type Schema, type Union } from "./schema.js";

/** The properties that all objects matching a branch share. */
interface Branch {
  required: Set<string>;
  /** The names that the branch declares; undefined if it declares any. */
  names: Set<string> | undefined;
  tags: Map<string, Pick<Tag, "in" | "notIn">>;
}

const caches = new WeakMap<object, Map<string, UnionTraits>>();

/**
 * The discriminators of a union: the declared one, and every property that at least two branches
 * restrict to some values. This only saves time and ranks branches; it rejects nothing that the branches accept, except
 * for a declared discriminator.
 */
export function describeUnion(document: Json, union: Union): UnionTraits {
  const cache = caches.get(document as object) ?? new Map<string, UnionTraits>();
  caches.set(document as object, cache);
  const { keyword, pointer } = union;
  const known = cache.get(pointer) ?? { keyword, branches: describeBranches(document, union) };
  cache.set(pointer, known);
  return known;
}

function describeBranches(document: Json, { keyword, pointer, branches: pointers }: Union) {
  const { [keyword]: schemas = [], discriminator } = schemaAt(document, parentPointer(pointer));
  const branches = pointers.map((each) => {
    const branch: Branch = { required: new Set(), names: new Set(), tags: new Map() };
    collect(document, each, branch, new Set());
    return branch;
  });
  if (discriminator) addDeclared(branches, schemas as Schema[], discriminator);
  const counts = new Map<string, number>();
  for (const name of branches.flatMap(({ tags }) => [...tags.keys()]))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const traits = branches.map(({ tags, required }) =>
    [...tags].flatMap(([name, values]): Tag[] => {
      const isDeclared = name === discriminator?.propertyName;
      if (counts.get(name)! < 2 && !isDeclared) return [];
      return [{ name, ...values, ...(!required.has(name) && { isOptional: true }) }];
    }),
  );
  // If all branches have discriminators, these are enough.
  const needsNames = traits.filter((tags) => tags.length === 0).length > 1;
  return branches.map(({ names }, index): BranchTraits => ({
    tags: traits[index]!,
    ...(needsNames && names && names.size > 0 && { names: [...names] }),
  }));
}

/**
 * Adds the declared discriminator, which selects a branch by its mapping or, without one, by the name of its schema.
 */
function addDeclared(
  branches: readonly Branch[],
  schemas: readonly Schema[],
  { propertyName, mapping = {} }: NonNullable<Schema["discriminator"]>,
): void {
  for (const [index, { $ref }] of schemas.entries()) {
    if ($ref === undefined) continue;
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    const mapped = Object.keys(mapping).filter((key) => [$ref, name].includes(mapping[key]!));
    const { tags, required } = branches[index]!;
    // The branch itself may name more values.
    if (!tags.has(propertyName))
      tags.set(propertyName, { in: mapped.length > 0 ? mapped : [name] });
    required.add(propertyName);
  }
}

/** Collects what a schema requires of an object, following `$ref` and `allOf`. */
function collect(document: Json, pointer: string, branch: Branch, seen: Set<string>): void {
  if (seen.has(pointer)) return;
  seen.add(pointer);
  const schema = schemaAt(document, pointer);
  for (const name of schema.required ?? []) branch.required.add(name);
  const names = Object.keys(schema.properties ?? {});
  for (const name of names) {
    const values = valuesOf(document, `${pointer}/properties${toReferenceToken(name)}`);
    if (values && !branch.tags.has(name)) branch.tags.set(name, values);
  }
  const { additionalProperties, patternProperties, oneOf, anyOf } = schema;
  const isOpen = (additionalProperties ?? patternProperties ?? oneOf ?? anyOf) !== undefined;
  if (isOpen && additionalProperties !== false) branch.names = undefined;
  for (const name of [...names, ...(schema.required ?? [])]) branch.names?.add(name);
  for (const index of (schema.allOf ?? []).keys())
    collect(document, `${pointer}/allOf/${index}`, branch, seen);
  if (schema.$ref) collect(document, refToPointer(schema.$ref), branch, seen);
}

function valuesOf(document: Json, pointer: string): Pick<Tag, "in" | "notIn"> | undefined {
  const schema = schemaAt(document, resolveRef(document, pointer));
  const values = constantsOf(schema);
  if (values) return { in: values };
  const excluded =
    Object.keys(Object(schema.not)).length === 1 && constantsOf(schema.not as Schema);
  return excluded ? { notIn: excluded } : undefined;
}

/** The constants of a schema; undefined if it has none, or one that is not a scalar. */
function constantsOf(schema: Schema): readonly Json[] | undefined {
  const values = "const" in schema ? [schema.const as Json] : schema.enum;
  return values?.every((each) => typeof each !== "object" || each === null) ? values : undefined;
}
