import type { Position } from "../types.js";
import { descend, type Place } from "./places.js";
import { offsetInLiteral, positionsIn, type Source } from "./source.js";

/** Where the parts of an exchange stand in its source. */
export interface Layout {
  /** The whole exchange, for everything that stands nowhere. */
  whole: Place;
  /** Parts by the word that a finding names them with, such as `status`, `method` or `header: etag`. */
  parts: Readonly<Record<string, Place | undefined>>;
  /** The body, or the string that holds it. */
  body?: Place | undefined;
  /** The places within the text that `body` holds as a string, if every character of it can be found there. */
  inner?: Place | undefined;
}

/** Makes the function of an exchange that finds a pointer into the body, a header, or another part. */
export function locator(source: Source, layout: Layout): (place: string) => Position {
  const positionOf = positionsIn(source);
  return (place) => positionOf(offsetOf(source.text, layout, place));
}

function offsetOf(text: string, { whole, parts, body, inner }: Layout, place: string): number {
  if (place !== "" && !place.startsWith("/")) {
    const part = Object.hasOwn(parts, place) ? parts[place] : undefined;
    return (part ?? (place.startsWith("header:") ? parts.headers : undefined) ?? whole).start;
  }
  if (!body) return (parts.response ?? whole).start;
  if (!inner) return descend(body, place).start;
  return offsetInLiteral(text, body.start, descend(inner, place).start);
}
