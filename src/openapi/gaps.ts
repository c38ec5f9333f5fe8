import type { Json } from "./description.js";
import { getAtPointer, refToPointer } from "./pointer.js";

/** Something that the specification leaves open, as `x-not-specified` marks it. */
export interface Gap {
  /** The id, such as `G04`. */
  id: string;
  text: string;
}

/** The gaps that a part of a description marks directly. */
export function gapsAt(part: unknown): Gap[] {
  return (part as { "x-not-specified"?: Gap[] } | null | undefined)?.["x-not-specified"] ?? [];
}

/** The gaps in some parts of a description, following references, by id. */
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
  return [...gaps.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
