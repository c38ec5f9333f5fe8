import { getAtPointer } from "../../openapi/pointer.js";
import { hasLiteral } from "../../openapi/route.js";
import type { Json } from "../../openapi/description.js";
import type { Position } from "../../types/exchange.js";
import { findBaseUrl, readEntry, type DocumentedPath } from "./har.js";
import type { InputBytes } from "./input-bytes.js";
import { advance, decodeText, parseJson, withPosition, textSource, type Source } from "./json.js";
import type { Item } from "./read.js";
import { splitHar } from "./split-har.js";
import { describeUnreadable } from "./unreadable.js";

/** Options for reading a HAR. */
export interface HarOptions {
  /** The operations of the description. */
  operations: readonly DocumentedPath[];
  /** The paths of all descriptions, which identify the API in a HAR. */
  apiPaths: readonly Pick<DocumentedPath, "path">[];
  /** The base URL of the deployment. HAR entries whose URLs do not start with this base URL are skipped. */
  baseUrl?: URL | undefined;
}

/** A file without the entries of a HAR, which need too much memory together. */
export interface Frame {
  /** The text of the file, with `"entry"` in place of each entry. */
  text: string;
  /** The number of entries that were replaced. */
  count: number;
  /** The base URLs of the API, which the entries show. */
  baseUrls: ReadonlySet<string>;
}

/** The value in place of an entry. */
export const ENTRY = "entry";
const PLACEHOLDER = JSON.stringify(ENTRY);

/** A part of a file: one entry of a HAR, or everything between two entries. */
interface Segment extends Source {
  isEntry: boolean;
}

async function* readSegments(file: string, bytes: InputBytes): AsyncGenerator<Segment> {
  let position: Position = { file, line: 1, column: 1 };
  for await (const piece of splitHar(bytes)) {
    const text = decodeText(piece.bytes);
    yield { ...textSource(text, position), isEntry: piece.isEntry };
    position = advance(position, text);
  }
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
  const texts: string[] = [];
  let count = 0;
  for await (const segment of readSegments(file, bytes)) {
    texts.push(segment.isEntry ? PLACEHOLDER : segment.text);
    if (!segment.isEntry) continue;
    count += 1;
    const entry = withPosition(segment, () => parseJson(segment.text));
    const found = findBaseUrl(getAtPointer(entry, "/request/url"), identifying);
    if (found !== undefined) baseUrls.add(found);
  }
  return { text: texts.join(""), count, baseUrls };
}

/** Converts an offset in a frame's text to a position in the file. */
export async function locateInFrame(
  file: string,
  bytes: InputBytes,
  offset: number,
): Promise<Position> {
  let position: Position = { file, line: 1, column: 1 };
  let left = offset;
  for await (const { text, isEntry } of readSegments(file, bytes)) {
    const { length } = isEntry ? PLACEHOLDER : text;
    if (left <= length) return isEntry ? position : advance(position, text.slice(0, left));
    position = advance(position, text);
    left -= length;
  }
  return position;
}

/** Reads the entries of a HAR one by one. @param listed the entries in the frame, whose indexes number them */
export async function* readEntries(
  file: string,
  bytes: InputBytes,
  listed: readonly Json[],
  baseUrls: ReadonlySet<string>,
  { operations }: HarOptions,
): AsyncGenerator<Item> {
  let number = 0;
  const attached: Position[] = [];
  for await (const segment of readSegments(file, bytes)) {
    if (!segment.isEntry) continue;
    do number += 1;
    while (number < listed.length && listed[number - 1] !== ENTRY);
    const name = `${file}#${number}`;
    try {
      const entry = withPosition(segment, () =>
        readEntry(name, segment, parseJson(segment.text), baseUrls, operations),
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
  const message = `keeps the bodies of ${count} in separate files; export the HAR with embedded bodies`;
  yield { unreadable: { ...first, message } };
}
