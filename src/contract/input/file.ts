import type { Exchange, Json, Origin } from "../types.js";
import { readBody, type Asked } from "./body.js";
import { LONGEST_ENTRY, splitEntries, type Entry } from "./entries.js";
import { isHar, readEntry } from "./har.js";
import { descend, JsonError, placesOf } from "./places.js";
import { FormError, type SkipReason, type Unreadable } from "./problem.js";
import { isRecording, readRecording } from "./recording.js";
import { positionsIn, type Source } from "./source.js";
import type { Target } from "./target.js";

/** What a file holds: exchanges with what they were made of, and what is left out or cannot be read. */
export type Item =
  | { exchange: Exchange; source?: Source; raw?: Json }
  | { file: string; skipped: SkipReason }
  | { unreadable: Unreadable };

/** How a file is to be read. */
export interface Reading {
  origin: Origin;
  target: Target;
  /** Which answer a file is the bare body of; undefined where files say themselves what they hold. */
  asked?: Asked | undefined;
}

/** A longer text, in UTF-16 code units, can only be a HAR, which is read entry by entry. */
const LONGEST_TEXT = LONGEST_ENTRY;
const MEGABYTES = LONGEST_TEXT / 2 ** 20;

/** Reads the text of one file; what is wrong with it becomes an item. */
export async function* readText(
  file: string,
  chunks: AsyncGenerator<string>,
  reading: Reading,
): AsyncGenerator<Item> {
  let text = "";
  for (;;) {
    const next = await chunks.next();
    if (next.done) return yield* readWhole({ file, text, line: 1, column: 1 }, reading);
    text += next.value;
    if (text.length > LONGEST_TEXT) break;
  }
  const problem = `is longer than ${MEGABYTES} MB and no HAR`;
  if (reading.asked) yield { unreadable: { file, problem } };
  else yield* readEntries(file, follow(text, chunks), reading, problem);
}

async function* follow(head: string, chunks: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head;
  yield* chunks;
}

async function* readWhole(source: Source, reading: Reading): AsyncGenerator<Item> {
  const { file, text } = source;
  const { origin, asked } = reading;
  if (text.trim() === "") {
    yield { unreadable: { file, problem: "is empty" } };
    return;
  }
  try {
    const raw = JSON.parse(text) as Json;
    if (!asked && isHar(raw)) {
      yield* readEntries(file, [text], reading, "holds no entry under log.entries");
      return;
    }
    const places = placesOf(text);
    if (asked) yield { exchange: readBody(source, raw, places, asked, origin), source, raw };
    else if (isRecording(raw)) {
      yield { exchange: readRecording(source, raw, places, origin), source, raw };
    } else throw new FormError(formOf(raw), "");
  } catch (error) {
    const unreadable = unreadableOf(error, source);
    // The whole entries of a HAR that breaks off are still worth judging.
    if (error instanceof SyntaxError && !asked && /^\s*\{\s*"log"\s*:/.test(text)) {
      yield* readEntries(file, [text], reading, unreadable.problem);
    } else yield { unreadable };
  }
}

async function* readEntries(
  file: string,
  chunks: AsyncIterable<string> | Iterable<string>,
  { target }: Reading,
  problem: string,
): AsyncGenerator<Item> {
  let empty = true;
  for await (const entry of splitEntries(chunks)) {
    // Of what holds no entry at all, the end of its brackets says little.
    if ("problem" in entry && empty) break;
    empty = false;
    yield "problem" in entry ? { unreadable: { file, ...entry } } : itemOf(file, entry, target);
  }
  if (empty) yield { unreadable: { file, problem } };
}

function itemOf(file: string, { number, text, line, column }: Entry, target: Target): Item {
  if (text === undefined) {
    const problem = `has an entry ${number} that is longer than ${MEGABYTES} MB`;
    return { unreadable: { file, line, column, problem } };
  }
  const source = { file, text, line, column };
  try {
    const raw = JSON.parse(text) as Json;
    const read = readEntry(source, raw, () => placesOf(text), target);
    if (typeof read === "string") return { file, skipped: read };
    return { exchange: { ...read, name: `${file}#${number}` }, source, raw };
  } catch (error) {
    const { problem, ...place } = unreadableOf(error, source);
    return { unreadable: { ...place, problem: `entry ${number}: ${problem}` } };
  }
}

function formOf(value: Json): string {
  if (Array.isArray(value)) return "is a list; put each exchange in a file of its own";
  return "is neither a recording (no request and response) nor a HAR; with --operation it is read as a body";
}

/** What is wrong with a text, and where. Our own scanner says the same in every version of Node. */
function unreadableOf(error: unknown, source: Source): Unreadable {
  const positionOf = positionsIn(source);
  if (error instanceof FormError) {
    const { start } = descend(placesOf(source.text), error.pointer);
    return { ...positionOf(start), problem: error.message };
  }
  if (error instanceof JsonError) {
    return { ...positionOf(error.offset), problem: error.message };
  }
  if (!(error instanceof SyntaxError)) throw error;
  try {
    placesOf(source.text);
  } catch (cause) {
    return unreadableOf(cause, source);
  }
  throw error;
}
