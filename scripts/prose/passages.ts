import { isScalar, LineCounter, parseDocument, visit } from "yaml";

/** A run of prose in a file. Code spans are replaced by numbers in backticks, which no rule matches. */
export interface Passage {
  /** From 1. */
  line: number;
  text: string;
}

/** Strings of fewer words are names, paths, and values rather than prose. */
const FEWEST_WORDS = 4;
/** Comments and strings of TypeScript and JavaScript. */
const IN_CODE = /\/\*[^]*?\*\/|(?:\/\/ .*\n *)+|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const PARAGRAPH = /(?:.+\n?)+/g;
/** Blocks of Markdown that are not prose. */
const FENCED = /^ *```[^]*?^ *```$|^<[^]*?\n$/gm;

/** The prose of a Markdown, YAML, TypeScript, or JavaScript file. Other files have none. */
export function passagesOf(file: string, text: string): Passage[] {
  if (/\.ya?ml$/.test(file)) return inYaml(text);
  if (/\.[mc]?[jt]s$/.test(file)) return matches(text, IN_CODE);
  return file.endsWith(".md") ? matches(withoutCode(text), PARAGRAPH) : [];
}

function matches(text: string, pattern: RegExp): Passage[] {
  return [...text.matchAll(pattern)].flatMap(({ 0: found, index }) => {
    const prose = plain(found);
    const line = text.slice(0, index).split("\n").length;
    return isProse(prose) ? [{ line, text: prose }] : [];
  });
}

function inYaml(text: string): Passage[] {
  const lines = new LineCounter();
  const passages: Passage[] = [];
  visit(parseDocument(text, { lineCounter: lines }), {
    Scalar(_, { value, range }) {
      const { line } = lines.linePos(range![0]);
      const found = matches(withoutCode(String(value)), PARAGRAPH);
      passages.push(...found.map((each) => ({ ...each, line: line + each.line - 1 })));
    },
    Pair(_, { key, value }) {
      // Recorded bodies are data, not prose, even if they contain sentences.
      const skipped = isScalar(key) && /^examples?$|^run$/.test(String(key.value));
      return skipped && value ? visit.SKIP : undefined;
    },
  });
  return passages;
}

/** Blanks blocks of code and HTML, and keeps the line numbers. */
function withoutCode(text: string): string {
  return text.replaceAll(FENCED, (block) => block.replaceAll(/[^\n]/g, ""));
}

function isProse(text: string): boolean {
  return (text.match(/[A-Za-z]{2,}(?=[\s,.;:]|$)/g) ?? []).length >= FEWEST_WORDS;
}

/** One line without comment markers, quotes, list and table markers, code spans, and link targets. */
function plain(text: string): string {
  let spans = 0;
  return text
    .replace(/^(["`])([^]*)\1$/, "$2")
    .replaceAll(/^\s*(?:\/\*+|\/\/|\*\/?|[-#>]+|\d+\.) |\*\/$/gm, "")
    .replaceAll(/`[^`]*`|\$\{[^}]*\}/g, () => `\`${(spans += 1)}\``)
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/\s+/g, " ")
    .trim();
}
