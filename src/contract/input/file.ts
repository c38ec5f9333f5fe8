import { at } from "../engine/pointer.js";
import type { Exchange, Json } from "../engine/types.js";
import { FormError } from "./form.js";
import { readEntry } from "./har.js";
import { childrenOf, JsonError, offsetsIn, parseJson } from "./json.js";
import { locator, positionsIn, type Source } from "./locate.js";
import type { SkipReason, Unreadable } from "./problem.js";
import { readRecording } from "./recording.js";

const LIST = "is a list; put each exchange in a file of its own";
const OTHER =
  "is neither a recording (no request and response) nor a HAR; with --operation it is read as a body";

/** Which answer a bare body is. */
export interface Asked extends Pick<Exchange["request"], "method" | "path"> {
  operation: string;
  status: number;
}

/** As what a file is read. */
export interface Reading {
  /** Where the service is called: of a HAR only its entries are read. */
  target: { baseUrl?: URL | undefined };
  /** Which answer it is the bare body of; undefined where the file itself says what it holds. */
  asked?: Asked | undefined;
}

/** What a file holds: exchanges, and what is left out or cannot be read; with the first of them all its data. */
export type Item =
  | { exchange: Exchange; source?: Source; raw?: Json }
  | { file: string; skipped: SkipReason; raw?: Json }
  | { unreadable: Unreadable; raw?: Json };

/** Reads the text of one file; what is wrong with it becomes an item. */
export function* readText(file: string, text: string, reading: Reading): Generator<Item> {
  const { asked } = reading;
  const source = { file, text, line: 1, column: 1 };
  try {
    const raw = parseJson(text);
    const isRecording = at(raw, "/request") !== undefined || at(raw, "/response") !== undefined;
    if (asked) yield { exchange: exchangeOf(source, raw, asked), source, raw };
    else if (at(raw, "/log/entries") !== undefined) yield* readEntries(source, raw, reading);
    else if (isRecording) yield { exchange: readRecording(source, raw), source, raw };
    else throw new FormError(Array.isArray(raw) ? LIST : OTHER);
  } catch (error) {
    yield { unreadable: unreadableOf(error, source), raw: text };
  }
}

/** Of a bare body nothing is known of the headers: they are not judged. */
function exchangeOf(source: Source, body: Json, asked: Asked): Exchange {
  const { operation, method, path, status } = asked;
  return {
    operation,
    bodyOnly: true,
    name: source.file,
    request: { method: method.toUpperCase(), path: path.replaceAll(/\{[^{}]+\}/g, "1") },
    response: { status, headers: { "content-type": "application/json" }, body },
    locate: locator(source, new Map()),
  };
}

/** Each entry is a source of its own, so that finding a place in one takes no look at the others. */
function* readEntries(source: Source, raw: Json, { target }: Reading): Generator<Item> {
  const { file, text } = source;
  const entries = at(raw, "/log/entries");
  if (!Array.isArray(entries) || entries.length === 0) {
    throw new FormError("holds no entry", "/log/entries");
  }
  const positionOf = positionsIn(source);
  for (const [index, { start, end }] of childrenOf(text, offsetsIn(text)("/log/entries"))) {
    const entry = { text: text.slice(start, end), ...positionOf(start) };
    const value = entries[Number(index)]!;
    const number = Number(index) + 1;
    // Once: beside the entries stand the titles of pages, which may be addresses with a token.
    const whole = number === 1 ? { raw } : {};
    try {
      const read = readEntry(entry, value, target.baseUrl);
      if (typeof read === "string") yield { file, skipped: read, ...whole };
      else yield { exchange: { ...read, name: `${file}#${number}` }, source: entry, ...whole };
    } catch (error) {
      const { problem, ...place } = unreadableOf(error, entry);
      yield { unreadable: { ...place, problem: `entry ${number}: ${problem}` }, ...whole };
    }
  }
}

/** What is wrong with a text, and where. */
function unreadableOf(error: unknown, source: Source): Unreadable {
  const isForm = error instanceof FormError;
  if (!isForm && !(error instanceof JsonError)) throw error;
  const offset = isForm ? offsetsIn(source.text)(error.pointer) : error.offset;
  return { ...positionsIn(source)(offset), problem: error.message };
}
