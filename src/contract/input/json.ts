import { createScanner, parseTree, printParseErrorCode, visit, type Node } from "jsonc-parser";
import { step, stepsOf } from "../engine/pointer.js";
import type { Json, Position } from "../engine/types.js";

/** The text is not JSON. */
export class JsonError extends Error {
  /** @param offset of the error, in UTF-16 code units */
  constructor(
    problem: string,
    readonly offset: number,
  ) {
    super(problem);
  }
}

/** The text nests so deeply that a recursive function could exhaust the stack. */
export class DepthError extends JsonError {}

const DEEPEST = 256;

export interface Parsed {
  value: Json;
  /** RFC 6901 pointers to the members whose name occurs twice in one object, of which `value` has the last. */
  repeated: string[];
}

/** A JSON text and its position in a file: the whole file, or one entry of a HAR. */
export interface Source extends Position {
  text: string;
}

/** Parses JSON. The messages of `JSON.parse` quote the text, which may hold secrets. @throws {JsonError} */
export function readJson(text: string): Parsed {
  const repeated = repeatedIn(text);
  try {
    return { value: JSON.parse(text) as Json, repeated };
  } catch {
    throw syntaxError(text);
  }
}

/** Reads the tokens without recursion, because nothing has limited the depth of the text yet. */
function repeatedIn(text: string): string[] {
  const scanner = createScanner(text, true);
  const open: { close: string; names?: Set<string>; key: string | number }[] = [];
  const repeated = new Set<string>();
  let name = "";
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const token = text[offset];
    const level = open.at(-1);
    if (token === undefined) return [...repeated];
    if (token === '"') name = scanner.getTokenValue();
    else if (token === "{") open.push({ close: "}", names: new Set(), key: "" });
    else if (token === "[") open.push({ close: "]", key: 0 });
    else if (token === "," && typeof level?.key === "number") level.key += 1;
    else if (token === ":" && level?.names) {
      level.key = name;
      if (level.names.has(name)) repeated.add(open.map(({ key }) => step(key)).join(""));
      level.names.add(name);
    } else if (token === "}" || token === "]") {
      if (level?.close !== token) throw unexpected(text, offset);
      open.pop();
    }
    if (open.length > DEEPEST)
      throw new DepthError(`is nested more than ${DEEPEST} levels deep`, offset);
  }
}

function syntaxError(text: string): JsonError {
  let first: JsonError | undefined;
  const onError = (code: number, offset: number, length: number) => {
    const isCut =
      printParseErrorCode(code).startsWith("UnexpectedEnd") && offset + length >= text.length;
    first ??= unexpected(text, isCut ? text.length : offset);
  };
  visit(text, { onError }, { disallowComments: true });
  return first ?? new JsonError("is not valid JSON", 0);
}

function unexpected(text: string, offset: number): JsonError {
  const found = text.codePointAt(offset);
  if (found === undefined) return new JsonError("is cut off: the JSON is incomplete", offset);
  const character = JSON.stringify(String.fromCodePoint(found));
  return new JsonError(`is not valid JSON: unexpected ${character}`, offset);
}

/** The text of each entry of a HAR, as a source of its own. */
export function entriesIn(source: Source): Source[] {
  const entries: Source[] = [];
  const positionOf = positionsIn(source);
  let [depth, start] = [0, -1];
  const enter = () => void (depth += 1);
  const leave = () => void (depth -= 1);
  visit(source.text, {
    onArrayBegin: enter,
    onArrayEnd: leave,
    onObjectBegin: (offset, _length, _line, _character, pathOf) => {
      enter();
      if (depth === 4 && /^log,entries,\d+$/.test(pathOf().join())) start = offset;
    },
    onObjectEnd: (offset, length) => {
      leave();
      if (depth !== 3 || start < 0) return;
      const text = source.text.slice(start, offset + length);
      entries.push({ ...positionOf(start), text });
      start = -1;
    },
  });
  return entries;
}

/** Makes a function from RFC 6901 pointers to the offset of the value, or of the closest one around it. */
export function offsetsIn(text: string): (pointer: string) => number {
  let root: Node | undefined;
  return (pointer) => {
    root ??= parseTree(text);
    let node = root;
    for (const key of stepsOf(pointer)) {
      const child = node && childOf(node, key);
      if (!child) break;
      node = child;
    }
    return node?.offset ?? 0;
  };
}

/** Of a repeated member the last, like `JSON.parse`. */
function childOf({ type, children = [] }: Node, key: string): Node | undefined {
  if (type === "array") return children[Number(key)];
  return children.findLast(({ children: [name] = [] }) => name?.value === key)?.children?.[1];
}

/** Where recordings and HAR entries hold the same parts, by the word that a finding uses for them. */
export const PARTS: readonly [word: string, pointer: string][] = [
  ["operation", "/operation"],
  ["request", "/request"],
  ["method", "/request/method"],
  ["status", "/response/status"],
  ["headers", "/response/headers"],
];

/** The JSON text of a body that is not a part of the recording itself. */
export interface Inner {
  text: string;
  /** The file of an attached body; otherwise the text is the string at the `body` pointer. */
  file?: string | undefined;
}

/**
 * Makes the `locate` function of an exchange.
 * @param parts RFC 6901 pointers to the parts of the exchange; a body that is encoded is located as a whole
 */
export function locator(source: Source, parts: ReadonlyMap<string, string>, inner?: Inner) {
  const positionOf = positionsIn(source);
  const offsetOf = offsetsIn(source.text);
  const body = parts.get("body") ?? "";
  const innerOffsetOf = offsetsIn(inner?.text ?? "");
  const attached =
    inner?.file === undefined ? undefined : positionsIn(startOf(inner.file, inner.text));
  let offsets: ReturnType<typeof offsetsInString> | undefined;
  return (place: string): Position => {
    if (place !== "" && !place.startsWith("/")) {
      const whole = place.startsWith("header:") ? parts.get("headers") : undefined;
      return positionOf(offsetOf(parts.get(place) ?? whole ?? ""));
    }
    if (!inner) return positionOf(offsetOf(body + place));
    const offset = innerOffsetOf(place);
    if (attached) return attached(offset);
    offsets ??= offsetsInString(source.text, offsetOf(body));
    return positionOf(offsets(offset));
  };
}

/** A whole file as a source. */
export function startOf(file: string, text: string): Source {
  return { file, text, line: 1, column: 1 };
}

/** Makes a function from offsets in the text of a source to positions in its file. */
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

/** Makes a function from characters of the JSON string at an offset to their offsets in the text. */
function offsetsInString(text: string, start: number): (character: number) => number {
  // Four bytes for each character: bodies may be long.
  const offsets = new Uint32Array(text.length - start);
  let [end, count] = [start + 1, 0];
  while (text[end] !== '"') {
    offsets[count++] = end;
    const escape = text[end + 1] === "u" ? 6 : 2;
    end += text[end] === "\\" ? escape : 1;
  }
  return (character) => (character < count ? offsets[character]! : end);
}
