import { toReferenceToken } from "./pointer.js";
import type { Json, SchemaError } from "./description.js";

/** The values that a branch allows for a discriminator: any of `in`, or any except `notIn`. */
export interface Tag {
  name: string;
  in?: readonly Json[];
  notIn?: readonly Json[];
  /** Whether the branch also accepts objects without the property. */
  isOptional?: true;
}

/** The properties of a union's branch that are known without validating a value. */
export interface BranchTraits {
  tags: readonly Tag[];
  /** The declared property names, if they help to tell branches apart. */
  names?: readonly string[];
}

/** A `oneOf` or `anyOf`. */
export interface UnionTraits {
  keyword: "oneOf" | "anyOf";
  branches: readonly BranchTraits[];
}

/** The union and the value that no branch, or more than one, accepts. */
interface Subject extends UnionTraits {
  /** Pointer to the union, as in the errors of its branches. */
  schemaPath: string;
  instancePath: string;
  value: unknown;
}

interface Candidate {
  index: number;
  errors: readonly SchemaError[];
  /** A lower rank is closer. */
  rank: readonly number[];
  /** Whether only the value's type, or its discriminator, is invalid. */
  isOther: boolean;
}

/**
 * The discriminators of a branch that an object contradicts. The branch rejects such an object, whatever else is in it.
 */
export function failedTags({ tags }: BranchTraits, value: unknown): Tag[] {
  if (!isRecord(value)) return [];
  return tags.filter(({ name, in: allowed, notIn = [], isOptional = false }) => {
    const given = value[name] as Json | undefined;
    if (given === undefined) return !isOptional;
    return allowed ? !allowed.includes(given) : notIn.includes(given);
  });
}

/**
 * The closest branch to a value that no branch accepts, and its errors: the one with the right type and discriminators,
 * then the one with the fewest invalid locations, then the deepest ones, then the first. Branches that fail equally at
 * one location share one error. If no branch has the right type and discriminators, none is the closest.
 * @param failures the errors of each branch; empty for a branch with failed discriminators
 */
export function pickClosest(
  subject: Subject,
  failures: readonly (readonly SchemaError[])[],
): { branch?: number; errors: readonly SchemaError[] } {
  const candidates = subject.branches
    .map((traits, index) => rank(subject, traits, index, failures[index] ?? []))
    .toSorted((a, b) => compare(a.rank, b.rank) || a.index - b.index);
  const [closest] = candidates as [Candidate];
  const equal = candidates.filter((each) => compare(each.rank, closest.rank) === 0);
  const locations = new Set(equal.flatMap(({ errors }) => errors.map(locationOf)));
  const alternatives = distinct(equal.flatMap(({ errors }) => errors));
  const isShared = equal.length > 1 && locations.size === 1 && alternatives.length > 1;
  const errors =
    isShared || (closest.isOther && equal.length > 1 && locations.size === 1)
      ? [merge(subject, alternatives)]
      : closest.errors;
  return closest.isOther ? { errors } : { branch: closest.index, errors };
}

/** Replaces the errors of all branches with those of the closest one. Generated validators call this function. */
export function keepClosest(
  errors: SchemaError[] | null,
  ends: readonly number[],
  subject: Subject,
  key?: string,
): SchemaError[] {
  const [start = 0, ...rest] = ends;
  const all = errors ?? [];
  const failures = rest.map((end, index) => all.slice(ends[index], end));
  const accepted = failures.flatMap((each, index) =>
    each.length === 0 && failedTags(subject.branches[index]!, subject.value).length === 0
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
  // A copy for each of many items would take quadratic time.
  for (const each of closest) {
    if (key !== undefined) each.propertyName ??= key;
    all.push(each);
  }
  return all;
}

/**
 * Completes the errors of a validator that another one calls: generated validators know only their own part of the
 * description.
 * @param base the pointer of that part; starts with `#` if another validator calls the caller, too
 * @param before earlier errors of the caller, which then come first
 * @param key the key that the validator was called for, if any
 */
export function completeErrors(
  errors: readonly SchemaError[] | null,
  base: string,
  before: SchemaError[] | null = null,
  key?: string,
): SchemaError[] {
  const all = before ?? [];
  for (const error of errors ?? []) {
    if (error.schemaPath.startsWith("#")) {
      const path = error.schemaPath.slice(1);
      // ajv percent-encodes keys.
      error.schemaPath =
        base + (base.startsWith("#") ? path : decodeURIComponent(path.replaceAll("%2F", "~1")));
    }
    if (key !== undefined) error.propertyName ??= key;
    all.push(error);
  }
  return all;
}

/** The location of an error: the value, or the property that is missing, undeclared, or has an invalid name. */
export function locationOf({ instancePath, params, propertyName }: SchemaError): string {
  const name =
    params.missingProperty ??
    params.additionalProperty ??
    params.unevaluatedProperty ??
    propertyName;
  return name === undefined ? instancePath : instancePath + toReferenceToken(String(name));
}

function rank(
  subject: Subject,
  traits: BranchTraits,
  index: number,
  failures: readonly SchemaError[],
): Candidate {
  const { instancePath, value } = subject;
  const failed = failedTags(traits, value);
  const errors = failed.length > 0 ? failed.map((tag) => tagError(subject, tag)) : failures;
  const isType = errors.some(
    (each) => each.keyword === "type" && each.instancePath === instancePath,
  );
  const { names } = traits;
  const unknown =
    names && isRecord(value) ? Object.keys(value).filter((key) => !names.includes(key)) : [];
  const locations = new Set(errors.map(locationOf));
  const depth = Math.min(...Array.from(locations, (each) => each.split("/").length));
  return {
    index,
    errors,
    rank: [Number(isType), failed.length, locations.size + unknown.length, -depth],
    isOther: isType || failed.length > 0,
  };
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((each, position) => each !== b[position]);
  return index < 0 ? 0 : a[index]! - b[index]!;
}

function tagError({ schemaPath, instancePath, value }: Subject, tag: Tag): SchemaError {
  const { name, in: allowedValues } = tag;
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

/** One error for several alternatives at the same location. */
function merge({ schemaPath, keyword }: Subject, alternatives: SchemaError[]): SchemaError {
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

/** Errors that differ in what they expect. */
function distinct(errors: readonly SchemaError[]): SchemaError[] {
  const byContent = errors.map(
    (each) => [`${each.keyword} ${JSON.stringify(each.params)}`, each] as const,
  );
  return [...new Map(byContent.toReversed()).values()].toReversed();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
