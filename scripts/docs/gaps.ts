import titles from "../../docs/gaps.json" with { type: "json" };
import type { Description, Operation } from "./operations.js";

/** Something that the source leaves open, as the description marks it with `x-not-specified`. */
export interface Gap {
  id: string;
  text: string;
}

const MARK = "x-not-specified";

/** The title of a gap and what the client does about it. */
export function aboutGap(id: string): { title: string; client: string } {
  const about = (titles as Record<string, { title: string; client: string }>)[id];
  if (!about) throw new Error(`docs/gaps.json has no entry for ${id}; add its title and client`);
  return about;
}

/** A Markdown link to the section of a gap on the service page. */
export function gapLink(id: string): string {
  const title = `${id} ${aboutGap(id).title}`;
  return `[${title}](${gapFragment(id)})`;
}

/** Redoc's address of a heading below the heading "Gaps". */
export function gapFragment(id: string): string {
  const slug = `${id} ${aboutGap(id).title}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `#/section/gaps/${slug}`;
}

/** Every gap by its id, in order of id, with the operations it affects; none if it concerns the whole description. */
export function gapsOf(description: Description, operations: readonly Operation[]) {
  const found = new Map<string, Gap & { operations: Operation[] }>();
  for (const gap of marksWithin(description, description))
    found.set(gap.id, { ...gap, operations: [] });
  for (const operation of operations) {
    const described = description.paths[operation.path]![operation.method.toLowerCase()]!;
    for (const { id } of marksWithin(description, described))
      found.get(id)!.operations.push(operation);
  }
  return [...found.values()].toSorted((a, b) => a.id.localeCompare(b.id));
}

/** The gaps that a part of the description reaches, also through references. */
export function marksWithin(description: Description, node: unknown): Gap[] {
  const gaps = new Map<string, Gap>();
  const seen = new Set<unknown>();
  const visit = (each: unknown): void => {
    if (typeof each !== "object" || each === null || seen.has(each)) return;
    seen.add(each);
    for (const gap of (each as { [MARK]?: Gap[] })[MARK] ?? []) gaps.set(gap.id, gap);
    if ("$ref" in each) visit(resolve(description, String(each.$ref)));
    Object.values(each).forEach(visit);
  };
  visit(node);
  return [...gaps.values()];
}

function resolve(description: Description, reference: string): unknown {
  const steps = reference.slice(2).split("/");
  return steps.reduce<unknown>(
    (node, step) => (node as Record<string, unknown>)[step],
    description,
  );
}
