import type { SchemaError } from "./description.js";
import {
  findFailedDiscriminators,
  isRecord,
  type BranchTraits,
  type Discriminator,
  type UnionTraits,
} from "./discriminator.js";
import { toReferenceToken } from "./pointer.js";
import { locationOf } from "./schema-errors.js";

/** A value that is invalid for a union: no branch accepts the value, or several `oneOf` branches accept the value. */
interface InvalidValue extends UnionTraits {
  /** Pointer to the union, in the format of ajv's `schemaPath`. */
  schemaPath: string;
  instancePath: string;
  value: unknown;
}

interface Candidate {
  index: number;
  errors: readonly SchemaError[];
  /**
   * The numbers by which branches are compared, most important first. The branch with the lowest numbers is the
   * closest.
   */
  rank: readonly number[];
  /** Whether the type of the value or a failed discriminator rules out the branch. */
  isRuledOut: boolean;
}

/**
 * Picks the branch that is closest to a value that no branch accepts, and returns the errors of this branch. Compares
 * the branches by four criteria, in this order: whether the value has the right type, how many discriminators fail, how
 * many locations are invalid, and how deep the errors are. If several branches are equally close and all of their
 * errors are at one location, merges the errors. If the value has the wrong type or discriminator for every branch,
 * returns errors but no branch.
 * @param failures the errors of each branch; ignored for branches with failed discriminators
 */
export function pickClosest(
  subject: InvalidValue,
  failures: readonly (readonly SchemaError[])[],
): { branch?: number; errors: readonly SchemaError[] } {
  const candidates = subject.branches
    .map((traits, index) => rank(subject, traits, index, failures[index] ?? []))
    .sort((a, b) => compare(a.rank, b.rank) || a.index - b.index);
  const [closest] = candidates as [Candidate];
  const equal = candidates.filter((each) => compare(each.rank, closest.rank) === 0);
  const locations = new Set(equal.flatMap(({ errors }) => errors.map(locationOf)));
  const alternatives = distinct(equal.flatMap(({ errors }) => errors));
  const isShared = equal.length > 1 && locations.size === 1 && alternatives.length > 1;
  const errors =
    isShared || (closest.isRuledOut && equal.length > 1 && locations.size === 1)
      ? [merge(subject, alternatives)]
      : closest.errors;
  return closest.isRuledOut ? { errors } : { branch: closest.index, errors };
}

/**
 * Replaces the errors of all branches with the errors of the closest branch. Generated validators call this function.
 */
export function keepClosest(
  errors: SchemaError[] | null,
  ends: readonly number[],
  subject: InvalidValue,
  key?: string,
): SchemaError[] {
  const [start = 0, ...rest] = ends;
  const all = errors ?? [];
  const failures = rest.map((end, index) => all.slice(ends[index], end));
  const accepted = failures.flatMap((each, index) =>
    each.length === 0 &&
    findFailedDiscriminators(subject.branches[index]!, subject.value).length === 0
      ? index
      : [],
  );
  all.length = start;
  const { instancePath, schemaPath, keyword } = subject;
  const params = { passingSchemas: accepted };
  const closest: readonly SchemaError[] =
    accepted.length > 0
      ? [{ instancePath, schemaPath, keyword, params }]
      : pickClosest(subject, failures).errors;
  // Adds to the array in place, because a copy for every item of a list would take quadratic time.
  for (const each of closest) {
    if (key !== undefined) each.propertyName ??= key;
    all.push(each);
  }
  return all;
}

function rank(
  subject: InvalidValue,
  traits: BranchTraits,
  index: number,
  failures: readonly SchemaError[],
): Candidate {
  const { instancePath, value } = subject;
  const failed = findFailedDiscriminators(traits, value);
  const errors =
    failed.length > 0
      ? failed.map((discriminator) => createDiscriminatorError(subject, discriminator))
      : failures;
  const isType = errors.some(
    (each) => each.keyword === "type" && each.instancePath === instancePath,
  );
  const { names } = traits;
  const unknown =
    names && isRecord(value) ? Object.keys(value).filter((key) => !names.includes(key)) : [];
  const locations = new Set(errors.map(locationOf));
  let depth = Infinity;
  // A list can have more locations than a function call can have arguments.
  for (const each of locations) depth = Math.min(depth, each.split("/").length);
  return {
    index,
    errors,
    rank: [Number(isType), failed.length, locations.size + unknown.length, -depth],
    isRuledOut: isType || failed.length > 0,
  };
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((each, position) => each !== b[position]);
  return index < 0 ? 0 : a[index]! - b[index]!;
}

function createDiscriminatorError(
  { schemaPath, instancePath, value }: InvalidValue,
  discriminator: Discriminator,
): SchemaError {
  const { name, in: allowedValues } = discriminator;
  if ((value as Record<string, unknown>)[name] === undefined)
    return {
      keyword: "required",
      instancePath,
      schemaPath: `${schemaPath}/required`,
      params: { missingProperty: name },
    };
  const keyword = allowedValues ? "enum" : "not";
  return {
    keyword,
    instancePath: instancePath + toReferenceToken(name),
    schemaPath: `${schemaPath}/${keyword}`,
    params: allowedValues ? { allowedValues } : {},
  };
}

/** Merges the errors of several branches at the same location into one error. */
function merge({ schemaPath, keyword }: InvalidValue, alternatives: SchemaError[]): SchemaError {
  const [first] = alternatives as [SchemaError];
  const own = (common: string, params: SchemaError["params"]) => ({
    ...first,
    keyword: common,
    schemaPath: `${schemaPath}/${common}`,
    params,
  });
  const areAll = (...keywords: string[]) =>
    alternatives.every((each) => keywords.includes(each.keyword));
  const collect = (read: (params: SchemaError["params"]) => unknown) => [
    ...new Set(alternatives.flatMap(({ params }) => read(params))),
  ];
  if (areAll("required")) return own("required", first.params);
  if (areAll("type")) return own("type", { type: collect(({ type }) => type) });
  if (areAll("const", "enum"))
    return own("enum", {
      allowedValues: collect((params) =>
        "allowedValue" in params ? [params.allowedValue] : params.allowedValues,
      ),
    });
  return { ...first, keyword, schemaPath, params: { alternatives } };
}

/** Returns the errors without duplicates. Errors with the same keyword and parameters are duplicates. */
function distinct(errors: readonly SchemaError[]): SchemaError[] {
  const byContent = errors.map(
    (each) => [`${each.keyword} ${JSON.stringify(each.params)}`, each] as const,
  );
  return [...new Map(byContent.reverse()).values()].reverse();
}
