import { parseTree, printParseErrorCode, visit, type JSONPath, type Node } from "jsonc-parser";
import { step, stepsOf } from "../engine/pointer.js";
import type { Json, Position } from "../engine/types.js";

/** Input that cannot be read. The message is a sentence without its subject, the file. */
export class InputError extends Error {
  /** @param place an offset in UTF-16 units, or an RFC 6901 pointer, which the message names */
  constructor(
    problem: string,
    readonly place: number | string = "",
  ) {
    const name = typeof place === "string" ? stepsOf(place).join(".") : "";
    super(`${name} ${problem}`.trimStart());
  }
}

/** JSON nested so deeply that a recursive function could overflow the stack. */
export class DepthError extends InputError {}

const DEEPEST = 256;

export interface Parsed {
  value: Json;
  /** RFC 6901 pointers to members with a repeated key in one object; `value` contains the last one. */
  repeated: string[];
  /** Offsets of the entries if the text is a HAR. */
  entries: number[];
}

/** Parses JSON. The messages of `JSON.parse` quote the text, which may hold secrets. @throws {InputError} */
export function readJson(text: string): Parsed {
  const keys: Set<string>[] = [];
  const repeated = new Set<string>();
  const entries: number[] = [];
  let depth = 0;
  let failure: InputError | undefined;
  const noteEntry = (offset: number, pathOf: () => JSONPath) => {
    if (/^log,entries,\d+$/.test(pathOf().join())) entries.push(offset);
  };
  const enter = (offset: number, pathOf: () => JSONPath) => {
    if (depth === 3) noteEntry(offset, pathOf);
    depth += 1;
    if (depth > DEEPEST) throw new DepthError(`is nested more than ${DEEPEST} levels deep`, offset);
  };
  visit(
    text,
    {
      onArrayBegin: (offset, _length, _line, _column, pathOf) => enter(offset, pathOf),
      onArrayEnd: () => void (depth -= 1),
      onObjectBegin(offset, _length, _line, _column, pathOf) {
        enter(offset, pathOf);
        keys.push(new Set());
      },
      onObjectEnd() {
        depth -= 1;
        keys.pop();
      },
      onObjectProperty(key, _offset, _length, _line, _column, pathOf) {
        const known = keys.at(-1);
        if (known?.has(key)) repeated.add([...pathOf(), key].map(step).join(""));
        known?.add(key);
      },
      onLiteralValue(_value, offset, _length, _line, _column, pathOf) {
        if (depth === 3) noteEntry(offset, pathOf);
      },
      onError(code, offset, length) {
        const name = printParseErrorCode(code);
        const isCut = name.startsWith("UnexpectedEnd") && offset + length >= text.length;
        failure ??= unexpected(text, isCut ? text.length : offset);
      },
    },
    { disallowComments: true },
  );
  try {
    return { value: JSON.parse(text) as Json, repeated: [...repeated], entries };
  } catch {
    throw failure ?? new InputError("is not valid JSON", 0);
  }
}

function unexpected(text: string, offset: number): InputError {
  const found = text.codePointAt(offset);
  if (found === undefined) return new InputError("is truncated: the JSON is incomplete", offset);
  const character = JSON.stringify(String.fromCodePoint(found));
  return new InputError(`is not valid JSON: unexpected ${character}`, offset);
}

/** A JSON text in a file: the whole file, an entry of a HAR, or the JSON in a string. */
export interface Source {
  text: string;
  /** The position of an offset. */
  positionOf(offset: number): Position;
  /** The offset of the value at an RFC 6901 pointer, or of the closest value around it. */
  offsetOf(pointer: string): number;
}

function sourceOf(text: string, positionOf: Source["positionOf"]): Source {
  let root: Node | undefined;
  function offsetOf(pointer: string): number {
    root ??= parseTree(text);
    let node = root;
    for (const key of stepsOf(pointer)) {
      const child = node && childOf(node, key);
      if (!child) break;
      node = child;
    }
    return node?.offset ?? 0;
  }
  return { text, positionOf, offsetOf };
}

/** For a repeated key, uses the last member, like `JSON.parse`. */
function childOf({ type, children = [] }: Node, key: string): Node | undefined {
  if (type === "array") return children[Number(key)];
  return children.findLast(({ children: [name] = [] }) => name?.value === key)?.children?.[1];
}

/** The source for a whole file. */
export function fileSource(file: string, text: string): Source {
  let starts: number[] | undefined;
  return sourceOf(text, (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    let [line, end] = [0, starts.length];
    while (end - line > 1) {
      const middle = (line + end) >> 1;
      if (starts[middle]! <= offset) line = middle;
      else end = middle;
    }
    return { file, line: line + 1, column: offset - starts[line]! + 1 };
  });
}

/** One source per HAR entry, so locating a value does not require parsing the whole file. */
export function entrySources({ text, positionOf }: Source, entries: readonly number[]): Source[] {
  return entries.map((start, index) =>
    sourceOf(text.slice(start, entries[index + 1]), (offset) => positionOf(start + offset)),
  );
}

/** The source for JSON in a string. @param pointer to the string @param text its value */
export function stringSource(outer: Source, pointer: string, text: string): Source {
  let offsets: Uint32Array | undefined;
  return sourceOf(text, (offset) => {
    offsets ??= offsetsIn(outer.text, outer.offsetOf(pointer), text.length);
    return outer.positionOf(offsets[offset]!);
  });
}

/** Offsets of a string's characters, and of its end, in the enclosing JSON text. */
function offsetsIn(text: string, start: number, length: number): Uint32Array {
  const offsets = new Uint32Array(length + 1);
  let offset = start + 1;
  for (let index = 0; index <= length; index += 1) {
    offsets[index] = offset;
    const escape = text[offset + 1] === "u" ? 6 : 2;
    offset += text[offset] === "\\" ? escape : 1;
  }
  return offsets;
}

/** Pointers to the parts of a recording or HAR entry, keyed by the names that findings use. */
const PARTS = {
  operation: "/operation",
  request: "/request",
  method: "/request/method",
  status: "/response/status",
  headers: "/response/headers",
};

/**
 * Creates the `locate` function of an exchange.
 * @param parts pointers to its other parts
 * @param body the source for the response body, unless the body is JSON within the exchange
 */
export function locator(source: Source, parts: Readonly<Record<string, string>>, body?: Source) {
  const pointers = new Map(Object.entries({ ...PARTS, ...parts }));
  return (place: string): Position => {
    const isInBody = place === "" || place.startsWith("/");
    const { positionOf, offsetOf } = (isInBody && body) || source;
    if (isInBody) return positionOf(offsetOf(body ? place : (pointers.get("body") ?? "") + place));
    const around = place.startsWith("header:") ? pointers.get("headers") : undefined;
    return positionOf(offsetOf(pointers.get(place) ?? around ?? ""));
  };
}
