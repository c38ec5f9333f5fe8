/** One entry of a HAR as text, and where it begins. */
export interface Entry {
  /** From 1. */
  number: number;
  /** Undefined where it is longer than an entry may be. */
  text: string | undefined;
  line: number;
  column: number;
}

/** Where a HAR ends before it should. */
export interface Break {
  problem: string;
  line: number;
  column: number;
}

/** An entry that is longer, in UTF-16 code units, is not kept: no answer of a catalogue is. */
export const LONGEST_ENTRY = 32 * 2 ** 20;

const OUTSIDE = /["{}[\]\n]/g;
const INSIDE = /["\\\n]/g;

/**
 * Splits a HAR into the entries of `log.entries` while it arrives, so that its size does not matter. It looks at
 * brackets and strings alone: an entry may still be no JSON. Whatever follows a break is not read.
 */
export async function* splitEntries(
  chunks: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<Entry | Break> {
  const keys = ["", "", ""];
  let [inString, skip, depth, offset, lineStart, line, number] = [false, 0, 0, 0, 0, 1, 0];
  let entry: Entry | undefined;

  for await (const chunk of chunks) {
    let [at, kept, keyFrom] = [skip, 0, 0];
    skip = 0;
    const keep = (end: number) => {
      if (entry?.text === undefined) return;
      const text = entry.text + chunk.slice(kept, end);
      entry.text = text.length > LONGEST_ENTRY ? undefined : text;
    };
    for (;;) {
      const pattern = inString ? INSIDE : OUTSIDE;
      pattern.lastIndex = at;
      const found = pattern.exec(chunk);
      if (!found) break;
      const here = found.index;
      at = here + 1;
      switch (found[0]) {
        case "\n":
          line += 1;
          lineStart = offset + at;
          break;
        case "\\":
          // The escaped character may be the first of the next chunk.
          if (at === chunk.length) skip = 1;
          at += 1;
          break;
        case '"':
          // Only the keys down to `entries` matter.
          if (depth < 3) keys[depth] = inString ? keys[depth] + chunk.slice(keyFrom, here) : "";
          inString = !inString;
          keyFrom = at;
          break;
        case "{":
        case "[":
          depth += 1;
          if (depth === 4 && keys[1] === "log" && keys[2] === "entries") {
            const column = offset + here - lineStart + 1;
            entry = { number: (number += 1), text: "", line, column };
            kept = here;
          }
          if (depth < 3) keys[depth] = "";
          break;
        default:
          depth -= 1;
          if (depth < 0) {
            yield {
              problem: `has an unexpected ${found[0]}`,
              line,
              column: offset + at - lineStart,
            };
            return;
          }
          if (depth === 3 && entry) {
            keep(at);
            yield entry;
            entry = undefined;
          }
      }
    }
    keep(chunk.length);
    if (inString && depth < 3) keys[depth] += chunk.slice(keyFrom);
    offset += chunk.length;
  }
  if (depth > 0 || inString) {
    yield { problem: "ends in the middle", line, column: offset - lineStart + 1 };
  }
}
