import type { Position } from "../engine/types.js";
import { offsetsIn } from "./json.js";

/** A JSON text, and where its first character stands: a whole file, or one entry of a HAR. */
export interface Source extends Position {
  text: string;
}

/** Where recordings and entries of a HAR have the same parts, by the word that a finding uses. */
export const PARTS: readonly [word: string, pointer: string][] = [
  ["operation", "/operation"],
  ["request", "/request"],
  ["method", "/request/method"],
  ["status", "/response/status"],
  ["headers", "/response/headers"],
];

/**
 * Makes the function of an exchange that finds a pointer into the body, a header, or another part.
 * @param parts RFC 6901 pointers to the parts of an exchange; `body` may be the string that holds it
 * @param inner the JSON text in that string; undefined where it holds the body otherwise encoded, or is no string
 */
export function locator(source: Source, parts: ReadonlyMap<string, string>, inner?: string) {
  const positionOf = positionsIn(source);
  const offsetOf = offsetsIn(source.text);
  const body = parts.get("body") ?? "";
  const innerOffsetOf = inner === undefined ? undefined : offsetsIn(inner);
  let escapedOffsetOf: ReturnType<typeof offsetsInString> | undefined;
  return (place: string): Position => {
    if (place !== "" && !place.startsWith("/")) {
      const whole = place.startsWith("header:") ? parts.get("headers") : undefined;
      return positionOf(offsetOf(parts.get(place) ?? whole ?? ""));
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
    let [index, end] = [0, starts.length];
    while (end - index > 1) {
      const middle = (index + end) >> 1;
      if (starts[middle]! <= offset) index = middle;
      else end = middle;
    }
    const within = offset - starts[index]!;
    return { file, line: line + index, column: within + (index === 0 ? column : 1) };
  };
}

/** Makes a function that finds where a character of the string at an offset of a JSON text stands in that text. */
export function offsetsInString(text: string, start: number): (character: number) => number {
  // Four bytes for each character: a body may be long.
  const offsets = new Uint32Array(text.length - start);
  let [end, count] = [start + 1, 0];
  while (text[end] !== '"') {
    offsets[count++] = end;
    const escape = text[end + 1] === "u" ? 6 : 2;
    end += text[end] === "\\" ? escape : 1;
  }
  return (character) => (character < count ? offsets[character]! : end);
}
