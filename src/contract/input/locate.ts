import type { Position } from "../types.js";
import { offsetsIn } from "./json.js";

/** A JSON text, and where it stands: a whole file, or one entry of a HAR. */
export interface Source {
  /** As reports name it: relative to the working directory, with slashes. */
  file: string;
  text: string;
  /** Line and column of its first character, from 1; column in UTF-16 code units. */
  line: number;
  column: number;
}

/** Where recordings and entries of a HAR have the same parts, by the word that a finding uses. */
export const PARTS: readonly [word: string, pointer: string][] = [
  ["operation", "/operation"],
  ["request", "/request"],
  ["method", "/request/method"],
  ["status", "/response/status"],
  ["headers", "/response/headers"],
];

/** Where the parts of an exchange stand in its source. */
export interface Layout {
  /** RFC 6901 pointers by the word that a finding uses, such as `status` or `header: etag`. */
  parts: ReadonlyMap<string, string>;
  /** Pointer to the body, or to the string that holds it. */
  body: string;
  /** The JSON text in that string; undefined where it holds the body otherwise encoded, or is no string. */
  inner?: string | undefined;
}

/** Makes the function of an exchange that finds a pointer into the body, a header, or another part. */
export function locator(
  source: Source,
  { parts, body, inner }: Layout,
): (place: string) => Position {
  const positionOf = positionsIn(source);
  const offsetOf = offsetsIn(source.text);
  const innerOffsetOf = inner === undefined ? undefined : offsetsIn(inner);
  let escapedOffsetOf: ReturnType<typeof offsetsInString> | undefined;
  return (place) => {
    if (place !== "" && !place.startsWith("/")) {
      const whole = place.startsWith("header:") ? "headers" : "";
      return positionOf(offsetOf(parts.get(place) ?? parts.get(whole) ?? ""));
    }
    if (!innerOffsetOf) return positionOf(offsetOf(body + place));
    escapedOffsetOf ??= offsetsInString(source.text, offsetOf(body));
    return positionOf(escapedOffsetOf(innerOffsetOf(place)));
  };
}

/** Makes a function from offsets in the text of a source, in UTF-16 code units, to positions in its file. */
export function positionsIn({ file, text, line, column }: Source): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    const index = lastUpTo(starts, offset);
    const within = offset - starts[index]!;
    return { file, line: line + index, column: within + (index === 0 ? column : 1) };
  };
}

/** Makes a function that finds where a character of the string at an offset of a JSON text stands in that text. */
export function offsetsInString(text: string, start: number): (character: number) => number {
  // By pairs: a character that an escape comes before, and where it stands.
  const [characters, offsets] = [[0], [start + 1]];
  const token = /["\\]/g;
  token.lastIndex = start + 1;
  for (let stop = token.exec(text); stop?.[0] === "\\"; stop = token.exec(text)) {
    const length = text[stop.index + 1] === "u" ? 6 : 2;
    characters.push(characters.at(-1)! + stop.index - offsets.at(-1)! + 1);
    offsets.push((token.lastIndex = stop.index + length));
  }
  return (character) => {
    const index = lastUpTo(characters, character);
    return offsets[index]! + character - characters[index]!;
  };
}

/** The index of the last of some ascending numbers that is not above another. */
function lastUpTo(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (ascending[middle]! <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
