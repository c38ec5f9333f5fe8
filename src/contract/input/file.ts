import { at } from "../pointer.js";
import type { Exchange, Json } from "../types.js";
import { readBody, type Asked } from "./body.js";
import { FormError } from "./form.js";
import { readEntry } from "./har.js";
import { childrenOf, JsonError, offsetsIn, parseJson } from "./json.js";
import { positionsIn, type Source } from "./locate.js";
import type { SkipReason, Unreadable } from "./problem.js";
import { readRecording } from "./recording.js";
import type { Target } from "./target.js";

const LIST = "is a list; put each exchange in a file of its own";
const OTHER =
  "is neither a recording (no request and response) nor a HAR; with --operation it is read as a body";

/** What a file holds: exchanges with what they were made of, and what is left out or cannot be read. */
export type Item =
  | { exchange: Exchange; source?: Source; raw?: Json }
  | { file: string; skipped: SkipReason; raw?: Json }
  | { unreadable: Unreadable; raw?: Json };

/**
 * Reads the text of one file; what is wrong with it becomes an item.
 * @param asked which answer it is the bare body of; undefined where the file itself says what it holds
 */
export function* readText(
  file: string,
  text: string,
  target: Target,
  asked?: Asked,
): Generator<Item> {
  const { origin } = target;
  const source = { file, text, line: 1, column: 1 };
  try {
    const raw = parseJson(text);
    const isRecording = at(raw, "/request") !== undefined || at(raw, "/response") !== undefined;
    if (asked) yield { exchange: readBody(source, raw, asked, origin), source, raw };
    else if (at(raw, "/log/entries") !== undefined) yield* readEntries(source, raw, target);
    else if (isRecording) yield { exchange: readRecording(source, raw, origin), source, raw };
    else throw new FormError(Array.isArray(raw) ? LIST : OTHER);
  } catch (error) {
    yield { unreadable: unreadableOf(error, source) };
  }
}

/** Each entry is a source of its own, so that finding a place in one takes no look at the others. */
function* readEntries(source: Source, raw: Json, target: Target): Generator<Item> {
  const { file, text } = source;
  const entries = at(raw, "/log/entries");
  if (!Array.isArray(entries) || entries.length === 0) {
    throw new FormError("holds no entry", "/log/entries");
  }
  const positionOf = positionsIn(source);
  for (const [index, { start, end }] of childrenOf(text, offsetsIn(text)("/log/entries"))) {
    const number = Number(index) + 1;
    const entry = { text: text.slice(start, end), ...positionOf(start) };
    const value = entries[Number(index)]!;
    try {
      const read = readEntry(entry, value, target);
      if (typeof read === "string") yield { file, skipped: read, raw: value };
      else yield { exchange: { ...read, name: `${file}#${number}` }, source: entry, raw: value };
    } catch (error) {
      const { problem, ...place } = unreadableOf(error, entry);
      yield { unreadable: { ...place, problem: `entry ${number}: ${problem}` }, raw: value };
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
