import { isUtf8 } from "node:buffer";
import { createScanner, visit } from "jsonc-parser";
import { parsePointer } from "../../openapi/pointer.js";
import type { Json } from "../../openapi/description.js";
import { isTooDeep, MAX_DEPTH } from "../../openapi/depth.js";
import type { Position } from "../../types/exchange.js";

/** An error about input that cannot be read. The message continues a sentence that starts with the file name. */
export class InputError extends Error {
  /**
   * @param location an offset in UTF-16 code units, or an RFC 6901 pointer. If `location` is a pointer, the message
   * starts with the pointer in dot notation, such as `request.path`.
   * @param position the position of the location, if it is known
   */
  constructor(
    readonly problem: string,
    readonly location: number | string = "",
    readonly position?: Position,
  ) {
    const name = typeof location === "string" ? parsePointer(location).join(".") : "";
    super(`${name} ${problem}`.trimStart());
  }
}

/**
 * Decodes UTF-8 text, without a byte order mark.
 * @param start the position of the text
 * @throws {InputError} if the bytes are not UTF-8 text
 */
export function decodeText(bytes: Buffer, start: Position): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return new TextDecoder().decode(bytes);
  // An invalid byte does not survive a round trip, unless the text ends with the start of U+FFFD: then `end` is -1. The
  // decoder leaves out the start of a character.
  const copy = Buffer.from(bytes.toString());
  const end = bytes.findIndex((byte, index) => byte === 0 || byte !== copy[index]);
  const valid = new TextDecoder().decode(bytes.subarray(0, end), { stream: true });
  const position = advance(start, valid);
  throw new InputError("is not UTF-8 text; save it as UTF-8", valid.length, position);
}

/** Parses JSON. @throws {InputError} if the text is not valid JSON; the message does not quote the text */
export function parseJson(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    if (isTooDeep(value)) throw new InputError(`is nested more than ${MAX_DEPTH} levels deep`);
    return value;
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { offset, length } = findSyntaxError(text);
    const end = text.trimEnd().length;
    const isCut = offset >= end || (text[offset] === '"' && offset + length >= end);
    throw new InputError(isCut ? "is truncated JSON" : "is not valid JSON", offset);
  }
}

/** Finds the first syntax error in text. Returns offset 0 if the stack overflows before the parser finds an error. */
function findSyntaxError(text: string): { offset: number; length: number } {
  const errors: { offset: number; length: number }[] = [];
  const onError = (_: unknown, offset: number, length: number) => errors.push({ offset, length });
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch {
    // The stack overflowed, but errors that the parser found earlier are still valid.
  }
  return errors[0] ?? { offset: 0, length: 0 };
}

/**
 * Rejects JSON in which an object repeats a key, because parsers disagree about which of the values to use.
 * @param isAllowed returns whether the object at a path can repeat keys
 * @throws {InputError} if a key is repeated; the message does not contain the key, which might be secret
 */
export function assertUniqueKeys(
  text: string,
  isAllowed: (path: readonly (string | number)[]) => boolean = () => false,
): void {
  const open: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(key, offset, length, line, column, pathSupplier) {
      const keys = open.at(-1)!;
      if (keys.has(key) && !isAllowed(pathSupplier()))
        throw new InputError("repeats a key in the same object", offset);
      keys.add(key);
    },
  });
}

/** The JSON text of a file, or of one entry of a HAR, with functions to find positions in the file. */
export interface Source {
  text: string;
  /** Returns the file, line, and column of an offset in the text. */
  positionOf(offset: number): Position;
  /**
   * Returns the offset of the value at an RFC 6901 pointer or, if there is none, of the closest enclosing value.
   * Returns an offset unchanged.
   */
  offsetOf(location: string | number): number;
}

/** Creates the {@link Source} of a whole file. */
export function fileSource(file: string, text: string): Source {
  return textSource(text, { file, line: 1, column: 1 });
}

/** Creates the {@link Source} of text that starts at a position in a file. */
export function textSource(text: string, start: Position): Source {
  let starts: number[] | undefined;
  return {
    text,
    offsetOf: createFinder(text),
    positionOf(offset) {
      starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
      let [line, end] = [0, starts.length];
      while (end - line > 1) {
        const middle = (line + end) >> 1;
        if (starts[middle]! <= offset) line = middle;
        else end = middle;
      }
      const column = offset - starts[line]! + (line === 0 ? start.column : 1);
      return { file: start.file, line: start.line + line, column };
    },
  };
}

/** Returns the position after some text. */
export function advance({ file, line, column }: Position, text: string): Position {
  const last = text.lastIndexOf("\n");
  if (last < 0) return { file, line, column: column + text.length };
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return { file, line: line + count, column: text.length - last };
}

/** Calls a function that reads a source. @throws {InputError} with its position in the file */
export function withPosition<T>(source: Source, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const position = source.positionOf(source.offsetOf(error.location));
    throw new InputError(error.problem, error.location, position);
  }
}

/** Creates the {@link Source} of one value in a file, such as an entry of a HAR. */
export function innerSource(outer: Source, pointer: string): Source {
  const offsetOf = (inner: string | number) =>
    outer.offsetOf(typeof inner === "string" ? pointer + inner : inner);
  return { ...outer, offsetOf };
}

/** Where an object or array ends, and where its values start, by key or index. */
interface Container {
  values: ReadonlyMap<string, number>;
  end: number;
}

/**
 * The minimum number of characters in an object or array whose offsets are cached. Reading a shorter object or array
 * again is quick, and caching all offsets would take a lot of memory.
 */
const MIN_CACHED_LENGTH = 4096;

/** Creates an `offsetOf` function for text. The function reads only the objects and arrays that lead to a value. */
function createFinder(text: string): Source["offsetOf"] {
  const cached = new Map<number, Container>();
  const readAt = (offset: number): Container => {
    const container = cached.get(offset) ?? readContainer(text, offset);
    if (container.end - offset >= MIN_CACHED_LENGTH) cached.set(offset, container);
    return container;
  };
  return (location) => {
    if (typeof location === "number") return location;
    let offset = Math.max(0, text.search(/\S/));
    for (const key of parsePointer(location)) {
      const inner = /[{[]/.test(text[offset] ?? "") ? readAt(offset).values.get(key) : undefined;
      if (inner === undefined) return offset;
      offset = inner;
    }
    return offset;
  };
}

/**
 * Reads the offsets of the values in an object or array. For a repeated key, uses the last value, as `JSON.parse` does.
 */
function readContainer(text: string, start: number): Container {
  const scanner = createScanner(text, true);
  scanner.setPosition(start);
  const isArray = text[start] === "[";
  const values = new Map<string, number>();
  let [depth, key, isValueNext] = [0, "", false];
  do {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const first = text[offset]!;
    if (isValueNext && first !== "]") values.set(isArray ? String(values.size) : key, offset);
    else if (depth === 1 && !isArray && first === '"') key = scanner.getTokenValue();
    if (first === "{" || first === "[") depth += 1;
    if (first === "}" || first === "]") depth -= 1;
    isValueNext = depth === 1 && (isArray ? offset === start || first === "," : first === ":");
  } while (depth > 0);
  return { values, end: scanner.getPosition() };
}

/** The prefix of a JSON pointer into the request body. */
const IN_REQUEST = "request: ";

/** Pointers to the parts of a recording or HAR entry, keyed by the names that findings use. */
const PARTS = {
  operation: "/operation",
  request: "/request",
  method: "/request/method",
  status: "/response/status",
  headers: "/response/headers",
};

/**
 * Creates the `locate` function of an exchange. If the body is stored as a string, all values in the body have the
 * position of that string.
 * @param parts pointers to the parts of the exchange that are not in `PARTS`, such as the bodies and the headers
 */
export function createLocator(
  { positionOf, offsetOf }: Source,
  parts: Readonly<Record<string, string>>,
) {
  return (location: string): Position => {
    // Most exchanges have no findings, and need no map.
    const pointers = new Map(Object.entries({ ...PARTS, ...parts }));
    if (location === "" || location.startsWith("/"))
      return positionOf(offsetOf(pointers.get("body")! + location));
    if (location.startsWith(IN_REQUEST))
      return positionOf(
        offsetOf(pointers.get("request body")! + location.slice(IN_REQUEST.length)),
      );
    const around = location.startsWith("header:") ? pointers.get("headers") : undefined;
    return positionOf(offsetOf(pointers.get(location) ?? around ?? ""));
  };
}
