import type { Description, OpenApi } from "../generate/description.js";
import { resolve } from "../generate/references.js";

/** What the source leaves open, as the description marks it. */
export interface Gap {
  id: string;
  text: string;
}

/** The key of a mark. */
export const MARK = "x-not-specified";

/** A gap, and where it applies. */
export interface Reach {
  gap: Gap;
  /** The operationIds that reach a mark of it; "description" where the description as a whole is marked. */
  operations: Set<string> | "description";
}

interface Secured {
  security?: Record<string, unknown>[];
  components?: { securitySchemes?: Record<string, object> };
}

/** Every gap by its id, found by following each operation to the marks that it reaches. */
export function reachOfGaps({ document, operations }: Description): Map<string, Reach> {
  const reaches = new Map<string, Reach>();
  for (const gap of marksOf(document)) reaches.set(gap.id, { gap, operations: "description" });
  const { security = [], components } = document as OpenApi & Secured;
  const schemes = security
    .flatMap((each) => Object.keys(each))
    .map((name) => components?.securitySchemes?.[name]);
  for (const { id: operationId, method, path } of operations) {
    const item = document.paths[path]!;
    const gaps = new Map<string, Gap>();
    collect(document, [item[method], item["parameters"], schemes], gaps, new Set());
    for (const [id, gap] of gaps) {
      const reach = reaches.get(id) ?? { gap, operations: new Set() };
      if (reach.operations !== "description") reach.operations.add(operationId);
      reaches.set(id, reach);
    }
  }
  return reaches;
}

/** The marks that a node of the description carries itself. */
export function marksOf(node: object): readonly Gap[] {
  return (node as { [MARK]?: Gap[] })[MARK] ?? [];
}

function collect(
  document: OpenApi,
  node: unknown,
  gaps: Map<string, Gap>,
  seen: Set<object>,
): void {
  if (typeof node !== "object" || node === null || seen.has(node)) return;
  seen.add(node);
  for (const gap of marksOf(node)) gaps.set(gap.id, gap);
  const target = resolve(document, node as { $ref?: string });
  if (target !== node) collect(document, target, gaps, seen);
  for (const each of Object.values(node)) collect(document, each, gaps, seen);
}
