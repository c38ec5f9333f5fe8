import type { Json } from "./description.js";

/** The maximum nesting depth of JSON. Deeper JSON could overflow the stack of a recursive function. */
export const MAX_DEPTH = 256;

/** Checks whether JSON is nested more than {@link MAX_DEPTH} levels deep. */
export function isTooDeep(value: Json | undefined, left = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((each) => isTooDeep(each, left - 1));
}
