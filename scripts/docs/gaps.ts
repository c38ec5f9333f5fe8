import type { Gap } from "../../src/openapi/gaps.js";
import type { Call } from "./calls.js";
import { anchorOf } from "./markdown.js";
import { readAsset } from "./page.js";

const HEADING = /^## (G\d\d) (.*)\n\n/gm;
/** The title of each gap, by gap ID. */
const TITLES = new Map(
  [...readAsset("gaps.md").matchAll(HEADING)].map(([, id, title]) => [id!, title!]),
);

/** Adds the text of the gap and the affected operations to each section of the gaps page. */
export function fillGaps(text: string, gaps: readonly Gap[], calls: readonly Call[]): string {
  for (const { id } of gaps) gapUrl(id);
  const texts = new Map(gaps.map((gap) => [gap.id, gap.text]));
  const specified = calls.flatMap((call) => call.specified ?? []);
  return text.replaceAll(HEADING, (heading, id: string) => {
    const affected = specified.filter((each) => each.gaps.some((gap) => gap.id === id));
    const isBroad = affected.length === 0 || affected.length > specified.length / 2;
    return [
      heading.trim(),
      `**Not specified:** ${texts.get(id)}.`,
      isBroad ? "" : `**Affects:** ${affected.map((each) => `\`${each.id}\``).join(", ")}`,
      "**Client:** ",
    ].join("\n\n");
  });
}

/** Returns a Markdown link to the section about a gap. */
export function linkGap(id: string): string {
  return `[${id} ${TITLES.get(id)}](${gapUrl(id)})`;
}

/** Returns the URL of the section about a gap. @throws {Error} if the page has no such section */
export function gapUrl(id: string): string {
  const title = TITLES.get(id);
  if (title === undefined) throw new Error(`docs/site/gaps.md has no heading for ${id}; add it`);
  return `gaps.html#${anchorOf(`${id} ${title}`)}`;
}
