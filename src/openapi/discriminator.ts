import type { Json } from "./description.js";

/** A discriminator of a branch: a property whose value must be in `in`, or must not be in `notIn`. */
export interface Discriminator {
  name: string;
  in?: readonly Json[];
  notIn?: readonly Json[];
  /** Whether the branch also accepts objects without the property. */
  isOptional?: true;
}

/** The properties by which a branch of a union can be distinguished from the other branches. */
export interface BranchTraits {
  discriminators: readonly Discriminator[];
  /** The declared property names, if they help to distinguish the branches. */
  names?: readonly string[];
}

/** A `oneOf` or `anyOf` keyword, with the traits of its branches. */
export interface UnionTraits {
  keyword: "oneOf" | "anyOf";
  branches: readonly BranchTraits[];
}

/** Finds the discriminators of a branch that an object does not match. A failed discriminator rules out the branch. */
export function findFailedDiscriminators(
  { discriminators }: BranchTraits,
  value: unknown,
): Discriminator[] {
  if (!isRecord(value)) return [];
  return discriminators.filter(({ name, in: allowed, notIn = [], isOptional = false }) => {
    const given = value[name] as Json | undefined;
    if (given === undefined) return !isOptional;
    return allowed ? !allowed.includes(given) : notIn.includes(given);
  });
}

/** Checks whether a value is an object. Generated validators contain a copy of this function. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
