import { lexer, walkTokens, type Tokens } from "marked";

/** A fenced block of a page, with its language and the line that it begins at. */
export interface Block {
  lang: string;
  text: string;
  line: number;
}

/** The fenced blocks of a page, in order. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let line = 1;
  for (const token of lexer(markdown)) {
    if (token.type === "code") {
      const { lang = "", text } = token as Tokens.Code;
      blocks.push({ lang, text, line: line + 1 });
    }
    line += token.raw.split("\n").length - 1;
  }
  return blocks;
}

/** Every link and picture of a page. */
export function linksOf(markdown: string): string[] {
  const links: string[] = [];
  void walkTokens(lexer(markdown), (token) => {
    if (token.type === "link" || token.type === "image") links.push((token as Tokens.Link).href);
  });
  return links;
}

/** Every table of a page as rows of cells, the header first. */
export function tablesOf(markdown: string): string[][][] {
  return lexer(markdown)
    .filter((token): token is Tokens.Table => token.type === "table")
    .map(({ header, rows }) => [header, ...rows].map((row) => row.map(({ text }) => text)));
}

/** Anchors of the headings of a page, as GitHub makes them. */
export function anchorsOf(markdown: string): string[] {
  return lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === "heading")
    .map(({ text }) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    );
}
