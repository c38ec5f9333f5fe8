import gaps from "../../docs/gaps.json" with { type: "json" };
import { readAsset } from "./page.js";

/** The gaps that observed facts fill, read from the page that `npm run generate` writes. */
const FILLED = new Set(readAsset("observed.md").match(/(?<=\bGap )G\d\d(?=\.)/g));

export const gapIds = Object.keys(gaps);

/** The title of a gap and what the client does about it. */
export function aboutGap(id: string): { title: string; client: string } {
  const about = (gaps as Record<string, { title: string; client: string }>)[id];
  if (!about) throw new Error(`docs/gaps.json has no entry for ${id}; add its title and client`);
  return about;
}

/** A Markdown link to a gap on Redoc's page: the section "Gaps", then the slug of its heading. */
export function gapLink(id: string, page = ""): string {
  const heading = `${id} ${aboutGap(id).title}`;
  return `[${heading}](${page}${gapUrl(id)})`;
}

export function gapUrl(id: string): string {
  return `#/section/gaps/${slugOf(`${id} ${aboutGap(id).title}`)}`;
}

export function slugOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/** A text with one line that links to the gaps it leaves open, and one that links to the facts observed about them. */
export function withNotes(text: string, found: readonly { id: string }[]): string {
  const ids = found.map(({ id }) => id);
  const filled = ids.filter((id) => FILLED.has(id)).join(", ");
  const notes = [
    text,
    ids.length > 0 && `**Not specified:** ${ids.map((id) => gapLink(id)).join(", ")}`,
    filled && `**Observed:** [facts about ${filled}](observed.html)`,
  ];
  return notes.filter(Boolean).join("\n\n");
}
