import { getAtPointer } from "../../openapi/pointer.js";
import { hasLiteral } from "../../openapi/route.js";
import { isObject } from "../../openapi/schema.js";
import type { Json, Operation } from "../../openapi/description.js";
import type { Position } from "../../types/exchange.js";
import { findBaseUrl, readEntry } from "./har.js";
import type { InputBytes } from "./input-bytes.js";
import { advance, decodeText, parseJson, withPosition, textSource, type Source } from "./json.js";
import type { Item } from "./read.js";
import { splitHar } from "./split-har.js";
import { describeUnreadable } from "./unreadable.js";

/** Options for reading a HAR. */
export interface HarOptions {
  /** The operations of the description. */
  operations: readonly Operation[];
  /** The paths of all descriptions, which identify the API in a HAR. */
  apiPaths: readonly Pick<Operation, "path">[];
  /** The base URL of the deployment. HAR entries whose URLs do not start with this base URL are skipped. */
  baseUrl?: URL | undefined;
}

/** A file without the entries of a HAR, which need too much memory together. */
export interface Frame {
  /**
   * The text of the file, with `{"entries":2}` in place of two entries that only a comma separates. The list of entries
   * has no other objects, because every object in it is an entry.
   */
  text: string;
  /** The number of entries that were replaced. */
  count: number;
  /** The base URLs of the API, which the entries show. */
  baseUrls: ReadonlySet<string>;
}

/** A part of a file: one entry of a HAR, or everything between two entries. */
interface Segment extends Source {
  isEntry: boolean;
  end: Position;
}

async function* readSegments(file: string, bytes: InputBytes): AsyncGenerator<Segment> {
  let start: Position = { file, line: 1, column: 1 };
  for await (const piece of splitHar(bytes)) {
    const text = decodeText(piece.bytes, start);
    const end = advance(start, text);
    yield { ...textSource(text, start), isEntry: piece.isEntry, end };
    start = end;
  }
}

const SEPARATOR = /^[ \t\r\n]*,[ \t\r\n]*$/;

/**
 * Reads the parts of a frame, which are text of the file or placeholders of entries.
 * @param visit receives each entry
 */
async function* readFrameParts(
  file: string,
  bytes: InputBytes,
  visit: (entry: Segment) => void,
): AsyncGenerator<Pick<Source, "text" | "positionOf">> {
  let run: { entries: number; end: Position } | undefined;
  let separator: Segment | undefined;
  const listHeld = () => {
    if (!run) return [];
    const { entries, end } = run;
    // An error after the last entry is located at its end.
    const placeholder = { text: JSON.stringify({ entries }), positionOf: () => end };
    return [placeholder, separator ?? []].flat();
  };
  for await (const segment of readSegments(file, bytes)) {
    if (segment.isEntry) {
      visit(segment);
      run = { entries: (run?.entries ?? 0) + 1, end: segment.end };
      separator = undefined;
    } else if (run && !separator && SEPARATOR.test(segment.text)) {
      separator = segment;
    } else {
      yield* listHeld();
      yield segment;
      run = undefined;
      separator = undefined;
    }
  }
  yield* listHeld();
}

/**
 * Reads a file for the first time. The base URLs must be known before an entry can be read, so a HAR is read twice.
 * @throws {InputError} if an entry is not valid JSON, or if a part of the file is too large
 */
export async function readFrame(
  file: string,
  bytes: InputBytes,
  { apiPaths, baseUrl }: HarOptions,
): Promise<Frame> {
  const baseUrls = new Set<string>();
  if (baseUrl) baseUrls.add(baseUrl.origin + baseUrl.pathname.replace(/\/+$/, ""));
  // A path such as `/` or `/{id}` matches on any host.
  const identifying = baseUrl ? [] : apiPaths.filter(hasLiteral);
  let [text, count] = ["", 0];
  const visit = (segment: Segment) => {
    count += 1;
    const entry = withPosition(segment, () => parseJson(segment.text));
    const found = findBaseUrl(getAtPointer(entry, "/request/url"), identifying);
    if (found !== undefined) baseUrls.add(found);
  };
  for await (const part of readFrameParts(file, bytes, visit)) text += part.text;
  return { text, count, baseUrls };
}

/** Numbers the entries in a frame. Returns pointers to the values that are not objects, by number. */
export function numberEntries(listed: readonly Json[]): {
  count: number;
  invalid: Map<number, string>;
} {
  const invalid = new Map<number, string>();
  let number = 0;
  for (const [index, each] of listed.entries()) {
    number += isObject(each) ? Number(each["entries"]) : 1;
    if (!isObject(each)) invalid.set(number, `/log/entries/${index}`);
  }
  return { count: number - invalid.size, invalid };
}

/**
 * Converts offsets in a frame's text to positions in the file, which is read once.
 * @param offsets in ascending order
 */
export async function locateInFrame(
  file: string,
  bytes: InputBytes,
  offsets: readonly number[],
): Promise<Position[]> {
  const positions: Position[] = [];
  let start = 0;
  for await (const { text, positionOf } of readFrameParts(file, bytes, () => {})) {
    const end = start + text.length;
    while (offsets[positions.length]! <= end)
      positions.push(positionOf(offsets[positions.length]! - start));
    if (positions.length === offsets.length) break;
    start = end;
  }
  return positions;
}

/**
 * Reads the entries of a HAR one by one.
 * @param path the path to the HAR
 * @param invalid the numbers of the values that are not objects
 */
export async function* readEntries(
  path: string,
  file: string,
  bytes: InputBytes,
  invalid: Pick<ReadonlyMap<number, string>, "has">,
  baseUrls: ReadonlySet<string>,
  { operations }: HarOptions,
): AsyncGenerator<Item> {
  let number = 0;
  const attached: Position[] = [];
  for await (const segment of readSegments(file, bytes)) {
    if (!segment.isEntry) continue;
    do number += 1;
    while (invalid.has(number));
    const name = `${file}#${number}`;
    try {
      const entry = withPosition(segment, () =>
        readEntry(name, segment, parseJson(segment.text), baseUrls, operations, path),
      );
      if ("attached" in entry) attached.push(segment.positionOf(segment.offsetOf(entry.attached)));
      else yield "unvalidated" in entry ? { name, ...entry } : entry;
    } catch (error) {
      const { message, ...position } = describeUnreadable(error, file);
      yield { unreadable: { ...position, message: `entry ${number}: ${message}` } };
    }
  }
  const [first] = attached;
  if (!first) return;
  const count = attached.length === 1 ? "1 entry" : `${attached.length} entries`;
  const advice =
    "keep these files in the folder of the HAR, or export the HAR with embedded bodies";
  const message = `keeps the bodies of ${count} in files that are missing; ${advice}`;
  yield { unreadable: { ...first, message } };
}
