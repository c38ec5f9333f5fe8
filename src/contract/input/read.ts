import { isUtf8 } from "node:buffer";
import { createReadStream, type Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { at } from "../engine/pointer.js";
import type { Exchange, Json, Position } from "../engine/types.js";
import { attachmentOf, hostsOf, readEntry, type SkipReason } from "./har.js";
import {
  entriesIn,
  JsonError,
  locator,
  offsetsIn,
  readJson,
  positionsIn,
  startOf,
} from "./json.js";
import type { Source } from "./json.js";
import { createNamer } from "./paths.js";
import { FormError, readRecording, refuseRepeated } from "./recording.js";

/** The response that a bare body belongs to. */
export interface Asked extends Pick<Exchange["request"], "method" | "path"> {
  operation: string;
  status: number;
}

/** An input that could not be read: the sentence starts with the file. */
export interface Unreadable extends Partial<Position> {
  file: string;
  problem: string;
}

/** An exchange, or what is skipped or cannot be read; `raw` is everything that the file holds, once for each file. */
export type Item =
  | { exchange: Exchange; raw?: Json }
  | { file: string; skipped: SkipReason; raw?: Json }
  | { unreadable: Unreadable; raw?: Json };

/** What to read, and how. */
export interface Inputs {
  /** Files, folders, and `-` for standard input. */
  paths: readonly string[];
  cwd: string;
  stdin: AsyncIterable<Uint8Array>;
  /** The path of a file in reports. @default relative to the root of the repository */
  shown?: ((path: string) => string) | undefined;
  /** The service: only its entries of a HAR are read. */
  baseUrl?: URL | undefined;
  /** Each file is the bare body of this response. */
  asked?: Asked | undefined;
}

const OTHER =
  "is neither a recording (with request and response) nor a HAR; a bare response body needs --operation";

/** Longer files are refused, so that no file fills the memory. */
const MEGABYTES = 64;

/** Reads exchanges file by file, each file once. Errors become items. */
export async function* readInputs(inputs: Inputs): AsyncGenerator<Item> {
  const seen = new Set<string | undefined>();
  const attached = new Set<string | undefined>();
  for await (const found of listFiles(inputs)) {
    if ("unreadable" in found) yield found;
    if ("unreadable" in found) continue;
    const { file, path } = found;
    if (seen.has(path)) continue;
    seen.add(path);
    const read = await decode(path === undefined ? inputs.stdin : createReadStream(path));
    if ("text" in read) yield* readText({ file, path, text: read.text, attached }, inputs);
    else if (!attached.has(path)) yield { unreadable: { file, ...read } };
  }
}

async function decode(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ text: string } | { problem: string }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= MEGABYTES * 2 ** 20) continue;
      const advice = "keep only the requests to the service, or split it";
      return { problem: `is larger than ${MEGABYTES} MB; ${advice}` };
    }
  } catch (error) {
    return { problem: problemOf(error as Error) };
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.toString("latin1", 0, 4) === "PK\u0003\u0004") {
    return { problem: "is a ZIP archive; unpack it and pass the .har file" };
  }
  if (!isUtf8(bytes) || bytes.includes(0)) {
    return { problem: "is not UTF-8 text (binary, or another encoding); save it as UTF-8" };
  }
  // TextDecoder drops the byte order mark.
  const text = new TextDecoder().decode(bytes);
  return text.trim() === "" ? { problem: "is empty" } : { text };
}

/** The text of a file, and the paths of the bodies that belong to a HAR. */
interface Text {
  file: string;
  path: string | undefined;
  text: string;
  attached: Set<string | undefined>;
}

function* readText(input: Text, { asked, baseUrl }: Inputs): Generator<Item> {
  const source = startOf(input.file, input.text);
  try {
    const { value: raw, repeated } = readJson(input.text);
    const isRecording = at(raw, "/request") !== undefined || at(raw, "/response") !== undefined;
    if (asked) yield { exchange: bareBody(source, raw, repeated, asked), raw };
    else if (at(raw, "/log/entries") !== undefined) {
      refuseRepeated(repeated);
      yield* readEntries(input, raw, baseUrl);
    } else if (isRecording) yield { exchange: readRecording(source, raw, repeated), raw };
    else if (Array.isArray(raw)) throw new FormError("is a list; write one exchange per file");
    else throw new FormError(OTHER);
  } catch (error) {
    if (!input.attached.has(input.path))
      yield { unreadable: unreadableOf(error, source), raw: input.text };
  }
}

/** Headers and request of a bare body are unknown, and not checked. */
function bareBody(source: Source, body: Json, repeated: string[], asked: Asked): Exchange {
  const { operation, method, path, status } = asked;
  const headers = { "content-type": "application/json" };
  return {
    operation,
    bodyOnly: true,
    name: source.file,
    request: { method: method.toUpperCase(), path: path.replaceAll(/\{[^{}]+\}/g, "1") },
    response: { status, headers, body, repeated },
    locate: locator(source, new Map()),
  };
}

/** Each entry is a source of its own, so that locating a value reads no other entry. */
function* readEntries(
  { file, path, text, attached }: Text,
  raw: Json,
  baseUrl?: URL,
): Generator<Item> {
  const entries = at(raw, "/log/entries");
  if (!Array.isArray(entries)) throw new FormError("must be a list", "/log/entries");
  const sources = entriesIn(startOf(file, text));
  if (sources.length < entries.length) {
    throw new FormError("has an entry that is not an object", "/log/entries");
  }
  const hosts = hostsOf(entries, baseUrl);
  for (const [index, entry] of entries.entries()) {
    const source = sources[index]!;
    const name = `${file}#${index + 1}`;
    // Pages and cookies outside the entries may hold tokens, too.
    const whole = index === 0 ? { raw } : {};
    const attachment = attachmentOf(entry);
    if (path !== undefined && attachment !== undefined)
      attached.add(resolve(dirname(path), attachment));
    try {
      const read = readEntry(source, entry, hosts, { file, path });
      if (typeof read === "string") yield { file, skipped: read, ...whole };
      else yield { exchange: { ...read, name }, ...whole };
    } catch (error) {
      const { problem, ...place } = unreadableOf(error, source);
      yield { unreadable: { ...place, problem: `entry ${index + 1}: ${problem}` }, ...whole };
    }
  }
}

function unreadableOf(error: unknown, source: Source): Unreadable {
  const isForm = error instanceof FormError;
  if (!isForm && !(error instanceof JsonError)) throw error;
  const offset = isForm ? offsetsIn(source.text)(error.pointer) : error.offset;
  return { ...positionsIn(source)(offset), problem: error.message };
}

/** A file to read by its real path, and its name in reports; or why it is not read. Standard input has no path. */
type Found = { file: string; path?: string } | { unreadable: Unreadable };

/** The files that are read from a folder. */
const READ = /\.(json|har)$/i;
const NOT_A_FILE = "is a pipe, a socket or a device; leave it out, or use - for standard input";

/**
 * Lists files: those that are named, and every `.har` and `.json` in and below a folder that is named, in the order of
 * UTF-16 code units, but each `.har` first. Hidden files are skipped. `-` is standard input, `./-` is a file.
 */
async function* listFiles(inputs: Inputs): AsyncGenerator<Found> {
  const { paths, cwd, shown = createNamer(paths, cwd, {}) } = inputs;
  for (const each of paths) {
    const path = resolve(cwd, each);
    const file = shown(path);
    const kind = each === "-" ? undefined : await stat(path).catch(problemOf);
    if (kind === undefined) yield { file: "stdin" };
    else if (typeof kind === "string") yield { unreadable: { file, problem: kind } };
    else if (kind.isFile()) yield { file, path: await realpath(path) };
    else if (!kind.isDirectory()) yield { unreadable: { file, problem: NOT_A_FILE } };
    else {
      const found = await listFolder(await realpath(path), shown);
      if (found.length === 0) yield { unreadable: { file, problem: "has no .json or .har file" } };
      // A HAR names the .json files that are its attachments.
      const isHar = (one: Found) => "file" in one && /\.har$/i.test(one.file);
      yield* [...found.filter(isHar), ...found.filter((one) => !isHar(one))];
    }
  }
}

/** Follows links to files but not to folders, so that no loop is entered. */
async function listFolder(folder: string, shown: (path: string) => string): Promise<Found[]> {
  const found: Found[] = [];
  const refuse = (path: string, problem: string) =>
    found.push({ unreadable: { file: shown(path), problem } });
  const entries = await readdir(folder, { withFileTypes: true }).catch(problemOf);
  if (typeof entries === "string") {
    refuse(folder, entries);
    return found;
  }
  // Links last, so that a file is reported by its own name.
  const nameOf = (each: Dirent) => `${each.isSymbolicLink() ? 1 : 0}${each.name}`;
  for (const entry of entries.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    const isLink = entry.isSymbolicLink();
    const kind = isLink ? await stat(path).catch(problemOf) : entry;
    if (typeof kind === "string") refuse(path, "is a broken symbolic link");
    else if (!kind.isDirectory()) {
      if (!READ.test(path)) continue;
      if (kind.isFile())
        found.push({ file: shown(path), path: isLink ? await realpath(path) : path });
      else refuse(path, NOT_A_FILE);
    } else if (isLink) refuse(path, "is a symbolic link to a folder; name its target instead");
    else found.push(...(await listFolder(path, shown)));
  }
  return found;
}

/** What the file system says about a file, without its absolute path. */
export function problemOf({ code, name }: NodeJS.ErrnoException): string {
  if (code === "ENOENT" || code === "ENOTDIR") return "does not exist";
  if (code === "EACCES" || code === "EPERM") return "cannot be accessed (permission denied)";
  return `cannot be read or written (${code ?? name})`;
}
