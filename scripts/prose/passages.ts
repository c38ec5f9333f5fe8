import { lexer, type Token } from "marked";
import ts from "typescript";
import { isScalar, LineCounter, parseDocument, visit } from "yaml";

/** A run of prose in a file. Code spans are replaced by numbers in backticks, which no rule matches. */
export interface Passage {
  /** From 1. */
  line: number;
  text: string;
}

/** Strings of fewer words are names, paths, and values rather than prose. */
const FEWEST_WORDS = 4;

/** The prose of a Markdown, YAML, TypeScript, or JavaScript file. Other files have none. */
export function passagesOf(file: string, text: string): Passage[] {
  const passages = file.endsWith(".md")
    ? inMarkdown(text)
    : /\.ya?ml$/.test(file)
      ? inYaml(text)
      : /\.[mc]?[jt]s$/.test(file)
        ? inCode(file, text)
        : [];
  return passages.map((each) => ({ ...each, text: plain(each.text) }));
}

function inMarkdown(text: string): Passage[] {
  const passages: Passage[] = [];
  let line = 1;
  for (const token of lexer(text)) {
    for (const each of proseIn(token)) passages.push({ line, text: each });
    line += token.raw.split("\n").length - 1;
  }
  return passages;
}

function proseIn(token: Token): string[] {
  switch (token.type) {
    case "code":
    case "html":
      return [];
    case "table":
      return [...token.header, ...token.rows.flat()].map((cell: { text: string }) => cell.text);
    case "list":
      return token.items.flatMap((item: { tokens: Token[] }) => item.tokens.flatMap(proseIn));
    default:
      return "text" in token && typeof token.text === "string" ? [token.text] : [];
  }
}

function inYaml(text: string): Passage[] {
  const lines = new LineCounter();
  const passages: Passage[] = [];
  visit(parseDocument(text, { lineCounter: lines }), {
    Scalar(_, { value, range }) {
      if (typeof value !== "string" || !isProse(value)) return;
      for (const each of inMarkdown(value)) {
        passages.push({ line: lines.linePos(range![0]).line + each.line - 1, text: each.text });
      }
    },
    Pair(_, { key, value }) {
      // Recorded bodies are data, not prose, even if they contain sentences.
      const skipped = isScalar(key) && /^examples?$|^run$/.test(String(key.value));
      return skipped && value ? visit.SKIP : undefined;
    },
  });
  return passages;
}

/** Comments, and the strings that people read: messages, help, and test titles. */
function inCode(file: string, text: string): Passage[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const seen = new Map<number, Passage>();
  const add = (at: number, prose: string) => {
    const { line } = source.getLineAndCharacterOfPosition(at);
    if (isProse(prose)) seen.set(at, { line: line + 1, text: prose });
  };
  const enter = (node: ts.Node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      add(pos, text.slice(pos, end).replace(/^\/\*+|^\/\/ ?|\*\/$|^ *\* ?/gm, ""));
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      add(node.getStart(), node.text);
    } else if (ts.isTemplateExpression(node)) {
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      add(node.getStart(), parts.join("`x`"));
    }
    ts.forEachChild(node, enter);
  };
  enter(source);
  return [...seen.values()];
}

function isProse(text: string): boolean {
  return (text.match(/[A-Za-z]{2,}(?=[\s,.;:]|$)/g) ?? []).length >= FEWEST_WORDS;
}

function plain(text: string): string {
  let spans = 0;
  return text
    .replaceAll(/`[^`]*`/g, () => `\`${(spans += 1)}\``)
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/\s+/g, " ")
    .trim();
}
