import { readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../package/page.js";
import { root } from "../support/paths.js";

const textsOf = (page: string) =>
  blocksOf(page, readFileSync(join(root, page), "utf8")).map(({ text }) => text);

/** Returns the file in a recipe whose first line is a comment with the file's name. */
export function recipe(name: string): string {
  return textsOf("docs/recipes.md").find((text) => text.startsWith(`// ${name}\n`))!;
}

/** The README's first call, which prints this line. */
export const firstCall = textsOf("README.md").find((text) => text.includes("createSandbox()"))!;
export const FIRST_LINE = "Night Ferry with Maren Solvik";

/** The README's first call, the recipe's proxy, and a call from the page through the proxy. */
export const shared = {
  "first-call.js": `${firstCall}\nexport { movie };\n`,
  "proxy.mjs": recipe("proxy.mjs"),
  "browser-call.js": `${recipe("in-the-browser.ts")}
    export const findTitle = async () => (await connect().movies.details(701)).title;`,
};
/** Returns the shared files in a folder. */
export const inFolder = (folder: string) =>
  Object.fromEntries(Object.entries(shared).map(([name, text]) => [`${folder}/${name}`, text]));
