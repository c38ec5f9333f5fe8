import { parseTree, type Node, type ParseError } from "jsonc-parser";
import { parsePointer, toReferenceToken } from "../../openapi/pointer.js";
import type { Json } from "../../openapi/description.js";
import type { Position } from "../engine/types.js";

/** Input that cannot be read. The message is a sentence without its subject, the file. */
export class InputError extends Error {
  /** @param place an offset in UTF-16 units, or an RFC 6901 pointer, which the message names */
  constructor(
    problem: string,
    readonly place: number | string = "",
  ) {
    const name = typeof place === "string" ? parsePointer(place).join(".") : "";
    super(`${name} ${problem}`.trimStart());
  }
}

/** Deeper JSON could overflow the stack of a recursive function. */
const MAX_DEPTH = 256;

/** Parses JSON. The messages of `JSON.parse` quote the text, which may hold secrets. @throws {InputError} */
export function parseJson(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    checkDepth(value, MAX_DEPTH);
    return value;
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { offset, length } = findSyntaxError(text);
    const end = text.trimEnd().length;
    const isCut = offset >= end || (text[offset] === '"' && offset + length >= end);
    throw new InputError(isCut ? "is truncated JSON" : "is not valid JSON", offset);
  }
}

function checkDepth(value: Json, left: number): void {
  if (typeof value !== "object" || value === null) return;
  if (left === 0) throw new InputError(`is nested more than ${MAX_DEPTH} levels deep`);
  for (const each of Object.values(value)) checkDepth(each, left - 1);
}

function findSyntaxError(text: string): Pick<ParseError, "offset" | "length"> {
  const errors: ParseError[] = [];
  parseNodes(text, errors);
  return errors[0] ?? { offset: 0, length: 0 };
}

function parseNodes(text: string, errors: ParseError[] = []): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true });
  } catch {
    // Nested so deeply that the parser overflows the stack.
    return undefined;
  }
}

/** JSON text in a file: the whole file, a HAR entry, or the JSON in a string. */
export interface Source {
  text: string;
  /** The position of an offset. */
  positionOf(offset: number): Position;
  /** The offset of the value at an RFC 6901 pointer, or of the closest value around it. */
  offsetOf(pointer: string): number;
  /** RFC 6901 pointers to members with a repeated key in one object. */
  findRepeated(): string[];
}

function createSource(text: string, positionOf: Source["positionOf"]): Source {
  let parsed: Node | undefined;
  const root = () => (parsed ??= parseNodes(text));
  return {
    text,
    positionOf,
    offsetOf: (pointer) => findNode(root(), pointer)?.offset ?? 0,
    findRepeated: () => [...new Set(listRepeated(root(), ""))],
  };
}

/** The node at a pointer, or the closest one around it. */
function findNode(root: Node | undefined, pointer: string): Node | undefined {
  let node = root;
  for (const key of parsePointer(pointer)) {
    const children: readonly Node[] = node?.children ?? [];
    // For a repeated key, the last member counts, as in `JSON.parse`.
    const child =
      node?.type === "array"
        ? children[Number(key)]
        : children.findLast((each) => each.children?.[0]?.value === key)?.children?.[1];
    if (!child) return node;
    node = child;
  }
  return node;
}

function listRepeated({ type, children = [] }: Node = {} as Node, pointer: string): string[] {
  const keys = new Set<unknown>();
  return children.flatMap((child, index) => {
    const [name, value] = type === "array" ? [undefined, child] : (child.children ?? []);
    const key = name ? String(name.value) : String(index);
    const here = pointer + toReferenceToken(key);
    const isRepeated = keys.has(key);
    keys.add(key);
    return [...(isRepeated ? [here] : []), ...listRepeated(value, here)];
  });
}

/** The source for a whole file. */
export function fileSource(file: string, text: string): Source {
  let starts: number[] | undefined;
  return createSource(text, (offset) => {
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

/** The source for a value in another source, such as a HAR entry. */
export function innerSource(
  { text, positionOf, offsetOf, findRepeated }: Source,
  pointer: string,
): Source {
  return { text, positionOf, offsetOf: (inner) => offsetOf(pointer + inner), findRepeated };
}

/** The source for JSON in a string. @param pointer to the string @param text its value */
export function stringSource(outer: Source, pointer: string, text: string): Source {
  let offsets: Uint32Array | undefined;
  return createSource(text, (offset) => {
    offsets ??= mapOffsets(outer.text, outer.offsetOf(pointer), text.length);
    return outer.positionOf(offsets[offset]!);
  });
}

/** Where each character of a string, and its end, are in the enclosing JSON text. */
function mapOffsets(text: string, start: number, length: number): Uint32Array {
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
export function createLocator(
  source: Source,
  parts: Readonly<Record<string, string>>,
  body?: Source,
) {
  const pointers = new Map(Object.entries({ ...PARTS, ...parts }));
  return (place: string): Position => {
    const isInBody = place === "" || place.startsWith("/");
    const { positionOf, offsetOf } = (isInBody && body) || source;
    if (isInBody) return positionOf(offsetOf(body ? place : pointers.get("body")! + place));
    const around = place.startsWith("header:") ? pointers.get("headers") : undefined;
    return positionOf(offsetOf(pointers.get(place) ?? around ?? ""));
  };
}
