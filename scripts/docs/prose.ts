import type { Description } from "../generate/description.js";
import { clientBehaviour } from "./client-behaviour.js";
import { reachOfGaps, type Reach } from "./gaps.js";
import { gapLink, operationLink } from "./links.js";

const HEADING = "## What this description does not know";
const ITEM = /^\d+\. \*\*(G\d\d)\*\* (.*)$/;

/**
 * The description's own text with each gap of its list completed by where it applies and what the client does about
 * it, with every id of a gap as a link to its place in the list, and every operation that is named as a link to it.
 */
export function withLinks(text: string, description: Description): string {
  const [before = "", list = ""] = text.split(HEADING);
  const reaches = reachOfGaps(description);
  const linked = withOperationLinks(before, description).replaceAll(
    /\bG\d\d\b/g,
    (id) => `[${id}](${gapLink(id)})`,
  );
  const items = list.split("\n").map((line) => {
    const [, id, words] = ITEM.exec(line) ?? [];
    if (id === undefined) return line;
    const reach = reaches.get(id);
    return [
      `<h3 id="${id.toLowerCase()}">${id}</h3>`,
      "",
      words,
      "",
      `- Applies to ${reach ? placesOf(reach, description) : "nothing that is described"}.`,
      `- ${clientBehaviour(id)}`,
    ].join("\n");
  });
  return linked + HEADING + items.join("\n");
}

/** Links each operation that is named in code, as `group.method` or by its method and path. */
function withOperationLinks(text: string, { document, operations }: Description): string {
  const links = new Map(
    operations.flatMap(({ id, method, path }) => {
      const link = operationLink(document.paths[path]![method]!);
      return [id, `${method.toUpperCase()} ${path}`].map((name) => [name, link] as const);
    }),
  );
  return text.replaceAll(/`([^`\n]+)`/g, (code, name: string) => {
    const link = links.get(name);
    return link === undefined ? code : `[${code}](${link})`;
  });
}

/** Where a gap applies, as links; of nearly every operation, those are named that it leaves out. */
function placesOf({ operations: reached }: Reach, { document, operations }: Description): string {
  if (reached === "description") return "the description as a whole";
  const link = ({ id, method, path }: Description["operations"][number]) =>
    `[${id}](${operationLink(document.paths[path]![method]!)})`;
  const spared = operations.filter(({ id }) => !reached.has(id));
  if (spared.length === 0) return "every operation";
  if (spared.length < operations.length / 4) {
    return `every operation but ${spared.map(link).join(", ")}`;
  }
  return operations
    .filter(({ id }) => reached.has(id))
    .map(link)
    .join(", ");
}
