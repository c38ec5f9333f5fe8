import { keyOf } from "../pointer.js";

/** Where a value of a JSON text stands, in UTF-16 code units from 0, with its members or items by key. */
export interface Place {
  start: number;
  /** After the last code unit. */
  end: number;
  children?: Map<string, Place>;
}

/** Deeper values are refused, so that nothing which walks a body can run out of stack. */
const DEEPEST = 256;

// oxlint-disable-next-line no-control-regex -- a string of JSON holds none of them
const STOP = /["\\\u0000-\u001f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

/** A text is no JSON, or is nested too deeply. */
export class JsonError extends Error {
  constructor(
    problem: string,
    /** Where reading had to stop. */
    readonly offset: number,
  ) {
    super(problem);
  }
}

/**
 * Finds every value of a JSON text; it accepts what `JSON.parse` accepts, up to 256 levels. Of a repeated key the last
 * one counts, as in `JSON.parse`.
 * @throws {JsonError} the text is no JSON
 */
export function placesOf(text: string): Place {
  const start = skipSpace(text, 0);
  const root = readValue(text, start, 1);
  const rest = skipSpace(text, root.end);
  if (rest < text.length) throw unexpected(text, rest);
  return root;
}

/** The place that some keys lead to; undefined where there is none. */
export function placeAt(place: Place | undefined, ...keys: string[]): Place | undefined {
  return keys.reduce((found, key) => found?.children?.get(key), place);
}

/** The place of an RFC 6901 pointer below another; where there is none, the nearest that holds it. */
export function descend(place: Place, pointer: string): Place {
  let found = place;
  for (const step of pointer.split("/").slice(1)) {
    const child = found.children?.get(keyOf(step));
    if (!child) break;
    found = child;
  }
  return found;
}

function readValue(text: string, start: number, depth: number): Place {
  if (depth > DEEPEST) throw new JsonError(`nests deeper than ${DEEPEST} levels`, start);
  const first = text[start];
  if (first === '"') return { start, end: endOfString(text, start) };
  if (first === "{" || first === "[") return readContainer(text, start, depth, first === "{");
  SCALAR.lastIndex = start;
  if (!SCALAR.test(text)) throw unexpected(text, start);
  return { start, end: SCALAR.lastIndex };
}

function readContainer(text: string, start: number, depth: number, isObject: boolean): Place {
  const children = new Map<string, Place>();
  const close = isObject ? "}" : "]";
  let at = skipSpace(text, start + 1);
  if (text[at] === close) return { start, end: at + 1, children };
  for (let index = 0; ; index++) {
    let key = String(index);
    if (isObject) {
      if (text[at] !== '"') throw unexpected(text, at);
      const end = endOfString(text, at);
      key = JSON.parse(text.slice(at, end)) as string;
      at = skipSpace(text, end);
      if (text[at] !== ":") throw unexpected(text, at);
      at = skipSpace(text, at + 1);
    }
    const child = readValue(text, at, depth + 1);
    children.set(key, child);
    at = skipSpace(text, child.end);
    if (text[at] === close) return { start, end: at + 1, children };
    if (text[at] !== ",") throw unexpected(text, at);
    at = skipSpace(text, at + 1);
  }
}

function endOfString(text: string, start: number): number {
  STOP.lastIndex = start + 1;
  for (let stop = STOP.exec(text); stop; stop = STOP.exec(text)) {
    if (stop[0] === '"') return STOP.lastIndex;
    ESCAPE.lastIndex = stop.index;
    if (!ESCAPE.test(text)) throw unexpected(text, stop.index);
    STOP.lastIndex = ESCAPE.lastIndex;
  }
  throw unexpected(text, text.length);
}

function skipSpace(text: string, start: number): number {
  SPACE.lastIndex = start;
  SPACE.test(text);
  return SPACE.lastIndex;
}

function unexpected(text: string, offset: number): JsonError {
  const found = text.codePointAt(offset);
  const problem =
    found === undefined
      ? "ends in the middle"
      : `has an unexpected ${JSON.stringify(String.fromCodePoint(found))}`;
  return new JsonError(problem, offset);
}
