import type { Position } from "../engine/types.js";

/** Some lines of a file, around the one that is meant. */
export type Excerpt = { number: number; text: string }[];

/** Excerpts by `file:line:column`. */
export type Excerpts = Map<string, Excerpt>;

/** Lines before and after. */
const AROUND = 3;
/** Of a longer line only what is around the column is shown. */
const WIDEST = 200;

/** Makes a function that takes excerpts of a text which begins at a line and column of its file. */
export function excerptsOf(text: string, first: { line: number; column: number }) {
  let all: string[] | undefined;
  return ({ line, column }: Position): Excerpt => {
    all ??= text.split(/\r?\n/);
    const index = line - first.line;
    const from = Math.max(0, index - AROUND);
    const within = column - (index === 0 ? first.column - 1 : 0);
    const lines = all.slice(from, index + AROUND + 1).map((each, offset) => ({
      number: first.line + from + offset,
      text: cut(each, from + offset === index ? within : 1),
    }));
    // A slice of a text would keep all of it in memory.
    return structuredClone(lines);
  };
}

/** A token that is cut in two would not be known any more: no half of a string is left at the ends. */
function cut(line: string, column: number): string {
  if (line.length <= WIDEST) return line;
  const start = Math.max(0, column - 1 - WIDEST / 2);
  const end = start + WIDEST;
  let shown = line.slice(start, end);
  if (start > 0) shown = shown.replace(/^[^"]*/, "…");
  if (end < line.length) shown = shown.replace(/[^"]*$/, "…");
  return shown;
}
