import type { Json } from "./description.js";
import { getAtPointer, refToPointer } from "./pointer.js";

/** A question that the specification leaves open, from an `x-not-specified` list in the description. */
export interface Gap {
  /** The id, such as `G04`. */
  id: string;
  text: string;
}

/** Returns the gaps in the `x-not-specified` list of an object in a description. */
export function gapsAt(part: unknown): Gap[] {
  return (part as { "x-not-specified"?: Gap[] } | null | undefined)?.["x-not-specified"] ?? [];
}

/** Lists the gaps in parts of a description and in all parts that these reference, sorted by id. */
export function listGaps(document: Json, pointers: readonly string[]): Gap[] {
  const gaps = new Map<string, Gap>();
  const seen = new Set<unknown>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    for (const gap of gapsAt(node)) gaps.set(gap.id, gap);
    const { $ref } = node as { $ref?: unknown };
    if (typeof $ref === "string") visit(getAtPointer(document, refToPointer($ref)));
    for (const each of Object.values(node)) visit(each);
  };
  for (const pointer of pointers) visit(getAtPointer(document, pointer));
  return [...gaps.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
