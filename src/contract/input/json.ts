import { stepsOf } from "../engine/pointer.js";
import type { Json } from "../engine/types.js";

/** A text is no JSON. */
export class JsonError extends Error {
  /** @param offset where reading had to stop, in UTF-16 code units */
  constructor(
    problem: string,
    readonly offset: number,
  ) {
    super(problem);
  }
}

/** A text is JSON, but nests so deeply that what walks it could run out of stack. */
export class DepthError extends JsonError {}

const DEEPEST = 256;

const SPACE = /[ \t\n\r]*/y;
const COLON = /[ \t\n\r]*:[ \t\n\r]*/y;
const COMMA = /[ \t\n\r]*,[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const QUOTE = /"/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
// oxlint-disable-next-line no-control-regex -- a string of JSON holds none of them
const STOP = /["\\\u0000-\u001f]/g;

/**
 * Parses what `JSON.parse` accepts, whose own errors differ between versions of Node, seldom tell where the text is
 * wrong, and quote it, which may hold secrets. @throws {JsonError} it is no JSON, or nests too deeply
 */
export function parseJson(text: string): Json {
  const end = after(SPACE, text, endOf(text, after(SPACE, text, 0), 1));
  if (end < text.length) throw unexpected(text, end);
  return JSON.parse(text) as Json;
}

/** Where the members or items of a value stand, by key; of a repeated key the last, as in `JSON.parse`. */
type Children = Map<string, { start: number; end: number }>;

/** The children of the value at an offset. */
export function childrenOf(text: string, start: number): Children {
  const children: Children = new Map();
  endOf(text, start, 1, children);
  return children;
}

/** Makes a function from RFC 6901 pointers into a JSON text to the offset of the value, or of the nearest around it. */
export function offsetsIn(text: string): (pointer: string) => number {
  // Only what is asked for is read, and once.
  const known = new Map<number, Children>();
  return (pointer) => {
    let offset = after(SPACE, text, 0);
    for (const key of stepsOf(pointer)) {
      const children = known.get(offset) ?? childrenOf(text, offset);
      known.set(offset, children);
      const child = children.get(key);
      if (!child) break;
      offset = child.start;
    }
    return offset;
  };
}

/** Where a value ends; its members or items are added to `children`. */
function endOf(text: string, start: number, depth: number, children?: Children): number {
  const open = text[start];
  if (open === '"') return endOfString(text, start);
  if (open !== "{" && open !== "[") return after(SCALAR, text, start);
  if (depth > DEEPEST) throw new DepthError(`nests deeper than ${DEEPEST} levels`, start);
  const close = open === "{" ? "}" : "]";
  let at = after(SPACE, text, start + 1);
  if (text[at] === close) return at + 1;
  for (let index = 0; ; index++) {
    let name = `${index}`;
    if (open === "{") {
      const end = endOfString(text, at);
      if (children) name = JSON.parse(text.slice(at, end)) as string;
      at = after(COLON, text, end);
    }
    const end = endOf(text, at, depth + 1);
    children?.set(name, { start: at, end });
    at = after(SPACE, text, end);
    if (text[at] === close) return at + 1;
    at = after(COMMA, text, at);
  }
}

function endOfString(text: string, start: number): number {
  STOP.lastIndex = after(QUOTE, text, start);
  for (let stop = STOP.exec(text); stop; stop = STOP.exec(text)) {
    if (stop[0] === '"') return STOP.lastIndex;
    STOP.lastIndex = after(ESCAPE, text, stop.index);
  }
  throw unexpected(text, text.length);
}

function after(token: RegExp, text: string, offset: number): number {
  token.lastIndex = offset;
  if (!token.test(text)) throw unexpected(text, offset);
  return token.lastIndex;
}

function unexpected(text: string, offset: number): JsonError {
  const found = text.codePointAt(offset);
  if (found === undefined) return new JsonError("ends in the middle", offset);
  const character = JSON.stringify(String.fromCodePoint(found));
  return new JsonError(`has an unexpected ${character}`, offset);
}
