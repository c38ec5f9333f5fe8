import { createHash } from "node:crypto";

/** Stands in the built page where the hashes of its scripts are to be, which are known only then. */
export const HASHES = "'hashes-of-the-scripts'";

/** Redoc's logo, the one thing that its page loads from elsewhere. */
const LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g;

const LOGO_HERE = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" width="44" height="16"><text x="1" y="12" fill="#2f7fd0" font-family="sans-serif" font-size="12" font-weight="bold">Redoc</text></svg>`,
)}`;

/**
 * Makes a page of Redoc stand alone: nothing is loaded from elsewhere, the links that are there before the script runs
 * lead into the page, and only the scripts that are in it may run.
 * @throws {Error} the page is not as Redoc has built it so far
 */
export function standAlone(page: string): string {
  // Redoc renders its links for a server that has these paths; the page itself routes by its fragment.
  const routed = replaced(page, / href="\/(?!\/)/g, ' href="#/', "links by path");
  const local = replaced(routed, LOGO, LOGO_HERE, "the logo");
  return replaced(local, new RegExp(HASHES), hashesOf(local).join(" "), "the place of the hashes");
}

function replaced(page: string, what: RegExp, by: string, name: string): string {
  if (page.search(what) < 0) throw new Error(`the page of Redoc has not ${name}; look at page.ts`);
  return page.replaceAll(new RegExp(what, "g"), () => by);
}

/** What a Content-Security-Policy names an inline script by. */
function hashesOf(page: string): string[] {
  const scripts = [...page.matchAll(/<script(?: [^>]*)?>([\s\S]*?)<\/script>/g)];
  return scripts.map(
    ([, text]) => `'sha256-${createHash("sha256").update(text!).digest("base64")}'`,
  );
}
