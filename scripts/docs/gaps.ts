import type { Gap } from "../generate/read-operations.js";
import type { Call } from "./calls.js";
import { readAsset } from "./page.js";

const HEADING = /^## (G\d\d) (.*)\n\n/gm;
/** The title of each gap by its id. */
const TITLES = new Map(
  [...readAsset("gaps.md").matchAll(HEADING)].map(([, id, title]) => [id!, title!]),
);

/**
 * Completes a document about gaps. Each section of the gaps page gets what is not specified and which operations that
 * affects. Each gap that the observed facts name becomes a link.
 */
export function fillGaps(text: string, gaps: readonly Gap[], calls: readonly Call[]): string {
  for (const { id } of gaps) gapUrl(id);
  const texts = new Map(gaps.map((gap) => [gap.id, gap.text]));
  const linked = text.replaceAll(/(?<=\bGap )G\d\d(?=\.)/g, (id) => `[${id}](${gapUrl(id)})`);
  return linked.replaceAll(HEADING, (heading, id: string) => {
    const affected = calls.filter(({ operation }) => operation.gaps.some((gap) => gap.id === id));
    const links = affected.map(({ operation, link }) => `[\`${operation.id}\`](${link})`);
    const isBroad = links.length === 0 || links.length > calls.length / 2;
    return [
      heading.trim(),
      `**Not specified:** ${texts.get(id)}.`,
      isBroad ? "" : `**Affects:** ${links.join(", ")}`,
      "**Client:** ",
    ].join("\n\n");
  });
}

/** Some gaps as Markdown links to their sections. */
export function linkGaps(ids: readonly string[]): string {
  return ids.map((id) => `[${id} ${TITLES.get(id)}](${gapUrl(id)})`).join(", ");
}

/** @throws {Error} the page has no section for the gap */
export function gapUrl(id: string): string {
  const title = TITLES.get(id);
  if (title === undefined) throw new Error(`docs/site/gaps.md has no heading for ${id}; add it`);
  return `gaps.html#${`${id} ${title}`.toLowerCase().replaceAll(" ", "-")}`;
}
