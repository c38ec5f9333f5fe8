import type { OpenApi, Schema } from "../generate/description.js";
import { resolve } from "../generate/references.js";
import { clientBehaviour } from "./client-behaviour.js";
import { MARK, marksOf, type Gap } from "./gaps.js";
import { gapLink } from "./links.js";

/** What of the description can hold a mark, or something that does. */
interface Marked {
  description?: string;
  content?: Record<string, { schema?: Schema }>;
  items?: Schema;
}

/**
 * Turns every mark into a readable part of the description that it stands beside, in place. A page does not show the
 * descriptions of all schemas: what is marked there is told once more at the field or the body that has such a value.
 */
export function showMarks(document: OpenApi): void {
  const shown = new Map<Marked, readonly Gap[]>();
  visit(document, (node) => {
    const gaps = [...marksOf(node), ...marksBeneath(document, node)];
    // The document as a whole has no description: its gaps are told in their section.
    if (gaps.length > 0 && node !== document) shown.set(node, gaps);
  });
  for (const [node, gaps] of shown) {
    const notes = [...new Map(gaps.map((gap) => [gap.id, gap])).values()].map(markOf);
    node.description = [node.description?.trim(), ...notes].filter(Boolean).join("\n\n");
  }
  visit(document, (node) => Reflect.deleteProperty(node, MARK));
}

function visit(node: unknown, see: (node: Marked) => void, key?: string): void {
  // The values of examples are no part of the description.
  if (typeof node !== "object" || node === null || key === "examples") return;
  // The keys of such a map are names of fields, which may be called as a keyword is.
  const isMap = Array.isArray(node) || key === "properties";
  if (!isMap) see(node);
  for (const [name, each] of Object.entries(node)) {
    visit(each, see, key === "properties" ? undefined : name);
  }
}

/** The marks of what is no field of its own: the schema of a body, the items of an array, the branches of a union. */
function marksBeneath(document: OpenApi, { content, items }: Marked): readonly Gap[] {
  const bodies = Object.values(content ?? {}).flatMap(({ schema }) => (schema ? [schema] : []));
  // The description of a schema without a type is shown in any case.
  const hidden = bodies.filter((schema) => resolve(document, schema).type !== undefined);
  return [...hidden, ...(items ? [items] : [])].flatMap((schema) => marksWithin(document, schema));
}

function marksWithin(document: OpenApi, reference: Schema): readonly Gap[] {
  const schema = resolve(document, reference);
  const { allOf = [], anyOf = [], oneOf = [] } = schema as Partial<Record<string, Schema[]>>;
  const branches = [...allOf, ...anyOf, ...oneOf];
  return [...marksOf(schema), ...branches.flatMap((branch) => marksWithin(document, branch))];
}

function markOf({ id, text }: Gap): string {
  return `> **Not specified** ([${id}](${gapLink(id)})): ${text}. ${clientBehaviour(id)}`;
}
