import gaps from "../../docs/gaps.json" with { type: "json" };
import { observedLinks } from "./observed.js";

/** The title of a gap and what the client does about it. */
export function aboutGap(id: string): { title: string; client: string } {
  const about = (gaps as Record<string, { title: string; client: string }>)[id];
  if (!about) throw new Error(`docs/gaps.json has no entry for ${id}; add its title and client`);
  return about;
}

/** The URL fragment of a gap on Redoc's page: the section "Gaps", then the slug of its heading. */
export function gapLink(id: string): string {
  const heading = `${id} ${aboutGap(id).title}`;
  return `#/section/gaps/${heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
}

/** One line that links to the gaps; empty if there are none. */
export function noteOf(found: readonly { id: string }[]): string[] {
  const links = found.map(({ id }) => `[${id} ${aboutGap(id).title}](${gapLink(id)})`);
  const notes = links.length > 0 ? [`**Not specified:** ${links.join(", ")}`] : [];
  return [...notes, ...observedLinks(found)];
}
