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

/** Every link and image of a page. */
export function linksOf(markdown: string): string[] {
  const links: string[] = [];
  void walkTokens(lexer(markdown), (token) => {
    if (token.type === "link" || token.type === "image") links.push((token as Tokens.Link).href);
  });
  return links;
}

/** The rows of the first table of a page, the header first. */
export function tableOf(markdown: string): string[][] {
  const table = lexer(markdown).find((token): token is Tokens.Table => token.type === "table")!;
  return [table.header, ...table.rows].map((row) => row.map(({ text }) => text));
}

/** Anchors of the headings of a page, as GitHub makes them. */
export function anchorsOf(markdown: string): string[] {
  const headings = lexer(markdown).filter(
    (token): token is Tokens.Heading => token.type === "heading",
  );
  return headings.map(({ text }) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

/** The expected output of a block: its comment-only lines, except commented-out code, which ends with `;`. */
export function shownIn({ text }: Block): string {
  return [...text.matchAll(/^\s*\/\/ ?(.*[^;\n])$/gm)].map(([, line]) => `${line}\n`).join("");
}

/** Separates the output of two blocks. */
const MARK = "--- block ---";

/** Names that the examples assume to exist. */
const PRELUDE = `
const baseUrl: string = process.env.CATALOGUE_BASE_URL!;
const token: string = process.env.CATALOGUE_TOKEN!;
const tokens = { current: async () => token };
void [baseUrl, token, tokens];
`;

/**
 * Joins the blocks of a page to one program. Each block continues from the one before it: it sees all earlier names,
 * and may declare them again.
 * @returns the program and, for each of its lines, the block that it belongs to
 */
export function programOf(blocks: readonly Block[]): {
  text: string;
  owners: (Block | undefined)[];
} {
  const imports = blocks.flatMap((block) =>
    [...block.text.matchAll(/^import .*;\n/gm)].map(([line]) => [line, block] as const),
  );
  const parts: (readonly [text: string, owner?: Block])[] = [
    ...new Map(imports),
    [PRELUDE],
    ...blocks.map((block) => {
      const body = block.text.replaceAll(/^import .*;\n/gm, "");
      return [`{ console.log("${MARK}");\n${body}\n`, block] as const;
    }),
    [`${"}".repeat(blocks.length)}\nprocess.exit();\n`],
  ];
  return {
    text: parts.map(([text]) => text).join(""),
    owners: parts.flatMap(([text, owner]) => text.match(/\n/g)!.map(() => owner)),
  };
}

/** The output of each block of a program. */
export function printedBy(stdout: string): string[] {
  return stdout.split(`${MARK}\n`).slice(1);
}
