import type { Position } from "../types.js";

/** A JSON text, and where it stands: a whole file, or one entry of a HAR. */
export interface Source {
  /** As reports name it: relative to the working directory, with slashes. */
  file: string;
  text: string;
  /** Line and column of its first character, from 1; column in UTF-16 code units. */
  line: number;
  column: number;
}

/** Makes of a source a function from offsets, in UTF-16 code units from 0, to positions in the file. */
export function positionsIn({ file, text, line, column }: Source): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const within = offset - (starts[low] ?? 0);
    return { file, line: line + low, column: within + (low === 0 ? column : 1) };
  };
}

/**
 * Where a character of a decoded string stands in the JSON string that it was decoded from.
 * @param literal offset of the opening quote in the text
 * @param decoded offset in the decoded string
 */
export function offsetInLiteral(text: string, literal: number, decoded: number): number {
  let at = literal + 1;
  for (let done = 0; done < decoded; done++) {
    at += text[at] !== "\\" ? 1 : text[at + 1] === "u" ? 6 : 2;
  }
  return at;
}
