import type { Block } from "./blocks.js";

/** Stands in what a program prints between the output of two blocks. */
const MARK = "--- block ---";

/** What the pages of the project take as given. */
const PRELUDE = `
const baseUrl: string = process.env.CATALOGUE_BASE_URL!;
const token: string = process.env.CATALOGUE_TOKEN!;
const tokens = { current: async () => token };
void [baseUrl, token, tokens];
`;

/**
 * The TypeScript blocks of a page as one program. A block reads on where the one before it ends: it sees the names
 * of all before, and may take them for itself.
 * @param url stands for `https://catalogue.example`
 */
export function programOf(blocks: readonly Block[], url: string): string {
  const imports = new Set<string>();
  const bodies = blocks.map(({ text, line }) => {
    const body = text.replaceAll(/^import .*;\n/gm, (each) => (imports.add(each), ""));
    const code = body.replaceAll(/^(?!\s*\/\/).*$/gm, (each) =>
      each.replaceAll("https://catalogue.example", url),
    );
    return `{ // line ${line}\nconsole.log("${MARK}");\n${code}\n`;
  });
  return `${[...imports].join("")}${PRELUDE}${bodies.join("")}${"}".repeat(bodies.length)}\nprocess.exit();\n`;
}

/** What each block of a program printed. */
export function printedBy(stdout: string): string[] {
  return stdout.split(`${MARK}\n`).slice(1);
}

/** What a block says that it prints: the lines that are nothing but a comment. */
export function shownIn({ text }: Block): string {
  const lines = [...text.matchAll(/^\s*\/\/ ?(.*)$/gm)].map(([, line]) => `${line}\n`);
  return lines.join("");
}
