import { InputError } from "./json.js";
import type { InputBytes } from "./input-bytes.js";

/** A part of a file: one entry of a HAR, or everything between two entries. */
export interface Piece {
  bytes: Buffer;
  isEntry: boolean;
}

/** The maximum size of an entry, the rest of a HAR, a file that is not a HAR, or a recorded response body. */
export const MAX_MEGABYTES = 64;

/** The depth of the objects in `log.entries`. */
const ENTRY_DEPTH = 3;

const [QUOTE, BACKSLASH, COLON] = [34, 92, 58] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [91, 93, 123, 125] as const;

/**
 * Splits a HAR into its entries and the text around them, by brackets and strings, so that a HAR of any size needs
 * little memory. The pieces together are the whole file. A file that is not a HAR is one piece.
 * @throws {InputError} if a piece is too large
 */
export async function* splitHar(bytes: InputBytes): AsyncGenerator<Piece> {
  const findBoundaries = createScanner();
  let pending: Buffer[] = [];
  let isEntry = false;
  let around = 0;
  const take = () => {
    const piece = { bytes: Buffer.concat(pending), isEntry };
    pending = [];
    return piece;
  };
  for await (const part of bytes()) {
    let start = 0;
    for (const end of findBoundaries(part)) {
      pending.push(part.subarray(start, end));
      if (!isEntry) around += end - start;
      yield take();
      isEntry = !isEntry;
      start = end;
    }
    // The next part can replace the bytes of this part.
    const rest = Buffer.from(part.subarray(start));
    pending.push(rest);
    if (!isEntry) around += rest.length;
    assertSize(isEntry ? pending.reduce((sum, { length }) => sum + length, 0) : around, isEntry);
  }
  // An entry without an end is not an entry.
  yield { ...take(), isEntry: false };
}

/** @throws {InputError} if a part of a file that has to fit into memory is too large */
function assertSize(size: number, isEntry: boolean): void {
  if (size <= MAX_MEGABYTES * 2 ** 20) return;
  const problem = isEntry
    ? `contains a HAR entry of more than ${MAX_MEGABYTES} MB; remove the entry`
    : `contains more than ${MAX_MEGABYTES} MB outside of HAR entries; leave it out, or split it`;
  throw new InputError(problem);
}

/**
 * Creates a function that finds the start and the end of each entry, one after the other, in the next part of a file.
 */
function createScanner(): (part: Buffer) => Generator<number> {
  let [depth, isInString, isInEntries] = [0, false, false];
  // The last string above the entries, and the names of the properties that lead to the current value.
  let string = "";
  const names: string[] = [];
  // The number of bytes at the start of the next part that belong to an escape sequence.
  let escaped = 0;
  return function* (part) {
    if (depth < ENTRY_DEPTH) string += part.toString("latin1", 0, escaped);
    let at = escaped;
    for (; at < part.length; at += 1) {
      const byte = part[at]!;
      if (isInString) {
        const end = findStringEnd(part, at);
        if (depth < ENTRY_DEPTH) string += part.toString("latin1", at, end);
        isInString = end >= part.length;
        at = isInString ? end - 1 : end;
      } else if (byte === QUOTE) {
        isInString = true;
        string = "";
      } else if (byte === COLON && depth < ENTRY_DEPTH) {
        names[depth] = decodeEscapes(string);
      } else if (byte === OPEN || byte === OPEN_LIST) {
        if (byte === OPEN && isInEntries && depth === ENTRY_DEPTH) yield at;
        depth += 1;
        if (depth === ENTRY_DEPTH)
          isInEntries = byte === OPEN_LIST && names[1] === "log" && names[2] === "entries";
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        depth -= 1;
        if (byte === CLOSE && isInEntries && depth === ENTRY_DEPTH) yield at + 1;
      }
    }
    escaped = at - part.length;
  };
}

/**
 * Returns the offset of the quotation mark that ends a string. If the string continues in the next part, returns the
 * number of bytes, and one more if the first byte of the next part is escaped.
 */
function findStringEnd(part: Buffer, start: number): number {
  let at = start;
  while (at < part.length && part[at] !== QUOTE) at += part[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Decodes the escape sequences of ASCII characters, which a name can contain. */
function decodeEscapes(string: string): string {
  return string.replace(/\\u00([\da-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
}
