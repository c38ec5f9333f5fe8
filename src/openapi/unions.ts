import type { BranchTraits, Discriminator, UnionTraits } from "./closest-branch.js";
import type { Json } from "./description.js";
import { resolveRef } from "./document.js";
import { parentPointer, refToPointer, toReferenceToken } from "./pointer.js";
import { schemaAt, type Schema, type Union } from "./schema.js";

/** The property names and discriminators of a branch. */
interface Branch {
  required: Set<string>;
  /** The property names that the branch declares, or undefined if the branch allows arbitrary names. */
  names: Set<string> | undefined;
  discriminators: Map<string, Pick<Discriminator, "in" | "notIn">>;
}

const caches = new WeakMap<object, Map<string, UnionTraits>>();

/**
 * Finds the discriminators of a union: the declared discriminator, and every property that at least two branches
 * restrict with `const`, `enum`, or `not`. Discriminators rule out branches without validation, and help to find the
 * closest branch. Only a declared discriminator can reject a value that matches a branch's schema.
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
    const branch: Branch = { required: new Set(), names: new Set(), discriminators: new Map() };
    collect(document, each, branch, new Set());
    return branch;
  });
  if (discriminator) addDeclared(branches, schemas as Schema[], discriminator);
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

/**
 * Adds the declared discriminator to the branches. A branch allows the keys that `mapping` assigns to its schema, or
 * the schema's name if `mapping` has no such key.
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
    const { discriminators, required } = branches[index]!;
    // Values that the branch itself declares take precedence, because the branch can allow more values than the
    // mapping.
    if (!discriminators.has(propertyName))
      discriminators.set(propertyName, { in: mapped.length > 0 ? mapped : [name] });
    required.add(propertyName);
  }
}

/** Collects the property names and discriminators of a schema. Follows `$ref` and `allOf`. */
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
}

function valuesOf(
  document: Json,
  pointer: string,
): Pick<Discriminator, "in" | "notIn"> | undefined {
  const schema = schemaAt(document, resolveRef(document, pointer));
  const values = constantsOf(schema);
  if (values) return { in: values };
  const excluded =
    Object.keys(Object(schema.not)).length === 1 && constantsOf(schema.not as Schema);
  return excluded ? { notIn: excluded } : undefined;
}

/** Returns the values of a schema's `const` or `enum` if all of these values are scalars. */
function constantsOf(schema: Schema): readonly Json[] | undefined {
  const values = "const" in schema ? [schema.const as Json] : schema.enum;
  return values?.every((each) => typeof each !== "object" || each === null) ? values : undefined;
}
