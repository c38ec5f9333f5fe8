import { marked } from "marked";
import { readAsset } from "./page.js";

/** The gaps that observed facts fill, read from the page that `npm run generate` writes. */
const FILLED = new Set(readAsset("observed.md").match(/(?<=\bGap )G\d\d(?=\.)/g));

/** Links to the observed facts that fill a gap; empty if there are none. */
export function observedLinks(gaps: readonly { id: string }[]): string[] {
  const filled = gaps.filter(({ id }) => FILLED.has(id)).map(({ id }) => id);
  return filled.length > 0
    ? [`**Observed:** [facts about ${filled.join(", ")}](observed.html)`]
    : [];
}

/** The page of observed facts, with the header and footer of another page. */
export function observedPage(landing: string): string {
  const [head] = landing.split("<main>");
  const text = marked.parse(readAsset("observed.md"), { async: false });
  const main = text.replaceAll(/<h3>(Fact (\d+))/g, '<h3 id="fact-$2">$1');
  return `${head}<main>${main}</main></body></html>`;
}
