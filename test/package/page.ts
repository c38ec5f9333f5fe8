import { lexer, walkTokens, type Tokens } from "marked";

/** A fenced block of a page, with its language and first line. */
export interface Block {
  page: string;
  lang: string;
  text: string;
  line: number;
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  let line = 1;
  for (const token of lexer(markdown)) {
    if (token.type === "code") {
      const { lang = "", text } = token as Tokens.Code;
      blocks.push({ page, lang, text, line: line + 1 });
    }
    line += token.raw.split("\n").length - 1;
  }
  return blocks;
}

/** Every link and image of a page. */
export function linksOf(markdown: string): string[] {
  const links: string[] = [];
  void walkTokens(lexer(markdown), (token) => {
    if (token.type === "link" || token.type === "image") links.push((token as Tokens.Link).href);
  });
  return links;
}

/** The rows of the first table of a page, including the header. */
export function tableOf(markdown: string): string[][] {
  const table = lexer(markdown).find((token): token is Tokens.Table => token.type === "table")!;
  return [table.header, ...table.rows].map((row) => row.map(({ text }) => text));
}

/** The anchors that GitHub creates for the headings of a page. */
export function anchorsOf(markdown: string): string[] {
  const headings = lexer(markdown).filter(
    (token): token is Tokens.Heading => token.type === "heading",
  );
  const ofHeadings = headings.map(({ text }) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
  const ids = Array.from(markdown.matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id);
  return [...ofHeadings, ...ids];
}

/** The expected output of a block: its unindented comments, except directives and code, which ends with `;`. */
export function shownIn({ text }: Block): string {
  return [...text.matchAll(/^\/\/ (?!@)(.*[^;\n])$/gm)].map(([, line]) => `${line}\n`).join("");
}

/** Separates the output of two blocks. */
const MARK = "--- block ---";

/** Joins blocks into one program. Each block continues from the one before it. */
export function programOf(blocks: readonly Block[]): string {
  return `${blocks.map(({ text }) => `console.log("${MARK}");\n${text}\n`).join("")}process.exit();\n`;
}

/** The output of each block of a program. */
export function printedBy(stdout: string): string[] {
  return stdout.split(`${MARK}\n`).slice(1);
}
