import type { Call } from "./calls.js";
import { readAsset } from "./page.js";

const PAGE = readAsset("gaps.md");
const HEADING = /^## (G\d\d) (.*)$/gm;
/** The title of each gap by its id. */
const TITLES = new Map([...PAGE.matchAll(HEADING)].map(([, id, title]) => [id!, title!]));

/** The page about gaps as Markdown. Each section also says what is not specified, and which operations it affects. */
export function gapsPage(gaps: readonly { id: string; text: string }[], calls: readonly Call[]) {
  for (const { id } of gaps) gapUrl(id);
  const texts = new Map(gaps.map(({ id, text }) => [id, text]));
  return PAGE.replaceAll(HEADING, (heading, id: string) => {
    const affected = calls.filter(({ operation }) => operation.gaps.some((gap) => gap.id === id));
    const links = affected.map(({ operation, link }) => `[\`${operation.id}\`](${link})`);
    const isBroad = links.length === 0 || links.length > calls.length / 2;
    return [
      heading,
      `**Not specified:** ${texts.get(id)}.`,
      isBroad ? "" : `**Affects:** ${links.join(", ")}`,
      "**Client:**",
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
