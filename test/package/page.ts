import { lexer, walkTokens, type Tokens } from "marked";

/** A fenced code block on a page, with its language and the line number of its first line. */
export interface Block {
  page: string;
  lang: string;
  text: string;
  line: number;
}

/** Returns the fenced code blocks on a page, in order. */
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

/** Returns the URLs of all links and images on a page. */
export function linksOf(markdown: string): string[] {
  const links: string[] = [];
  void walkTokens(lexer(markdown), (token) => {
    if (token.type === "link" || token.type === "image") links.push((token as Tokens.Link).href);
  });
  return links;
}

/** Returns the rows of each table on a page, including the header rows. */
export function tablesOf(markdown: string): string[][][] {
  const tables = lexer(markdown).filter((token): token is Tokens.Table => token.type === "table");
  return tables.map(({ header, rows }) =>
    [header, ...rows].map((row) => row.map(({ text }) => text)),
  );
}

/** Returns the anchors on a page: the anchors that GitHub creates for headings, and HTML ids. */
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

/**
 * Returns the output that a block shows in its unindented comments. Skips TypeScript directives and commented-out
 * statements.
 */
export function shownIn({ text }: Block): string {
  return [...text.matchAll(/^\/\/ (?!@)(.*[^;\n])$/gm)].map(([, line]) => `${line}\n`).join("");
}

/** The line that a program prints before the output of each block. */
const MARK = "--- block ---";

/** Joins blocks into one program, in which a block can use the variables of earlier blocks. */
export function programOf(blocks: readonly Block[]): string {
  return `${blocks.map(({ text }) => `console.log("${MARK}");\n${text}\n`).join("")}process.exit();\n`;
}

/** Splits a program's output into the outputs of its blocks. */
export function printedBy(stdout: string): string[] {
  return stdout.split(`${MARK}\n`).slice(1);
}
