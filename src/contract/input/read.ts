import { getAtPointer } from "../../openapi/pointer.js";
import type { Json } from "../../openapi/description.js";
import type { Exchange } from "../../types/exchange.js";
import type { UnvalidatedReason } from "../engine/check-response.js";
import type { RoutedExchange, SkipReason } from "./har.js";
import { openFile, openStream, type InputBytes } from "./input-bytes.js";
import { fileSource, InputError, parseJson, type Source } from "./json.js";
import { createAttachmentFinder } from "./attachments.js";
import { listInputFiles } from "./list-files.js";
import {
  locateInFrame,
  numberEntries,
  readEntries,
  readFrame,
  type HarOptions,
} from "./read-har.js";
import { readRecordings } from "./recording.js";
import { describeUnreadable, type Unreadable } from "./unreadable.js";

/**
 * An exchange, an exchange without a response, a skipped entry, or an input that could not be read. The path of an
 * exchange can be matched already.
 */
export type Item =
  | ({ exchange: Exchange } & Partial<RoutedExchange>)
  | { name: string; unvalidated: UnvalidatedReason }
  | { skipped: SkipReason }
  | { unreadable: Unreadable };

/** The files to read, and options for reading them. */
export interface Inputs extends HarOptions {
  /** Files, folders, and `-` for standard input. */
  paths: readonly string[];
  cwd: string;
  stdin: AsyncIterable<Uint8Array>;
  /** Formats a file path for reports. */
  displayPath: (path: string) => string;
  /** Loads additional exchanges, which are not read from `paths`. */
  exchanges?: (() => Promise<readonly Exchange[]>) | undefined;
}

/** Reads exchanges file by file, and the entries of a HAR one by one. Yields errors as items. */
export async function* readInputs(inputs: Inputs): AsyncGenerator<Item> {
  const { paths, cwd, stdin, displayPath } = inputs;
  const isAttachment = createAttachmentFinder();
  for (const path of listInputFiles(paths, cwd)) {
    const file = path === "-" ? "stdin" : displayPath(path);
    try {
      const bytes = path === "-" ? await openStream(stdin) : await openFile(path);
      yield* readFile(path, file, bytes, inputs);
    } catch (error) {
      const unreadable = describeUnreadable(error, file);
      if (!(await isAttachment(path))) yield { unreadable };
    }
  }
  for (const exchange of (await inputs.exchanges?.()) ?? []) yield { exchange };
}

/** Reads a HAR or a file with recordings. @throws {InputError} if the file cannot be read */
async function* readFile(
  path: string,
  file: string,
  bytes: InputBytes,
  inputs: Inputs,
): AsyncGenerator<Item> {
  const { text, count, baseUrls } = await readFrame(file, bytes, inputs);
  if (text.trim() === "") throw new InputError("is empty");
  const source = fileSource(file, text);
  let content: Content;
  try {
    content = readContent(file, source, count);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [position] = await locateInFrame(file, bytes, [source.offsetOf(error.location)]);
    throw new InputError(error.problem, error.location, position);
  }
  const { exchanges = [], invalid = new Map<number, string>() } = content;
  for (const exchange of exchanges) yield { exchange };
  if (count > 0) yield* readEntries(path, file, bytes, invalid, baseUrls, inputs);
  if (invalid.size === 0) return;
  const offsets = [...invalid.values()].map((each) => source.offsetOf(each));
  const positions = await locateInFrame(file, bytes, offsets);
  for (const [index, number] of [...invalid.keys()].entries()) {
    const message = `entry ${number}: must be an object`;
    yield { unreadable: { file, ...positions[index], message } };
  }
}

/** The exchanges in a file with recordings, or the values in a HAR that are not entries. */
interface Content {
  exchanges?: Exchange[];
  /** Pointers to the values, by number. */
  invalid?: ReadonlyMap<number, string>;
}

/** @param count the number of entries in the file, which is not 0 only if the file is a HAR */
function readContent(file: string, source: Source, count: number): Content {
  const raw = parseJson(source.text);
  const listed = getAtPointer(raw, "/log/entries");
  if (listed === undefined && count === 0) return { exchanges: readRecordings(file, source, raw) };
  if (!Array.isArray(listed)) throw new InputError("must be an array", "/log/entries");
  const entries = numberEntries(listed as Json[]);
  if (entries.count !== count)
    throw new InputError("repeats a key in the same object", "/log/entries");
  return entries;
}
