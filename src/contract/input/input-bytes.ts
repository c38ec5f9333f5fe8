import { randomUUID } from "node:crypto";
import {
  closeSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createUnzip } from "node:zlib";
import { InputError } from "./json.js";

/**
 * Reads the bytes of an input in parts. They can be read several times, because a large input does not fit into memory.
 * A part can change when the next part is read.
 */
export type InputBytes = () => AsyncIterable<Buffer>;

/** The size of the parts in which an input is read. */
const PART_SIZE = 256 * 1024;
/** The maximum size of standard input that is kept in memory instead of in a temporary file. */
const MAX_IN_MEMORY = 4 * 2 ** 20;

const NOT_A_FILE = "is a pipe, a socket, or a device; leave it out, or use - for standard input";
const YAML = "is YAML; convert it to JSON, for example with yq -o=json";
const TAR = "is a tar archive; unpack it with tar -xf into a new folder, and pass this folder";
const NO_TEMPORARY_FILE =
  "is larger than 4 MB, but the temporary folder cannot be written; pass a file, or set TMPDIR to a writable folder";
const NOT_LISTED = "has no readable .json or .har files; if it is a link, pass the target folder";

/** Opens a file. Decompresses gzip and zlib. @throws {InputError} if the file cannot be read, or is an archive */
export function openFile(path: string): Promise<InputBytes> {
  const kind = attempt(() => statSync(path));
  if (kind.isDirectory()) {
    attempt(() => readdirSync(path));
    throw new InputError(NOT_LISTED);
  }
  if (!kind.isFile()) throw new InputError(NOT_A_FILE);
  if (/\.har\.ya?ml$/i.test(path)) throw new InputError(YAML);
  if (/\.(tar(\.\w+)?|tgz)$/i.test(path)) throw new InputError(TAR);
  return unpack(() => readParts(path));
}

/**
 * Opens a stream. Its parts are copied while they are read for the first time: up to 4 MB to memory, and more to a
 * temporary file that only this user can read. The file has no name while it is in use, so it disappears even if the
 * process is killed.
 */
export function openStream(stream: AsyncIterable<Uint8Array>): Promise<InputBytes> {
  const unread = stream[Symbol.asyncIterator]();
  const parts: Buffer[] = [];
  let [size, file] = [0, -1];
  const copy = (part: Buffer) => {
    parts.push(part);
    size += part.length;
    if (size <= MAX_IN_MEMORY) return;
    if (file < 0) file = createUnnamedFile();
    for (const each of parts.splice(0)) attempt(() => writeFileSync(file, each));
  };
  return unpack(async function* () {
    yield* file < 0 ? parts : readParts(file);
    for (;;) {
      const next = await unread.next();
      if (next.done) return;
      const part = Buffer.from(next.value);
      copy(part);
      yield part;
    }
  });
}

/** Reads a file into one buffer again and again, because new buffers would need memory until they are collected. */
async function* readParts(given: string | number): AsyncGenerator<Buffer> {
  const file = typeof given === "number" ? given : attempt(() => openSync(given, "r"));
  const buffer = Buffer.allocUnsafe(PART_SIZE);
  let position = 0;
  try {
    for (;;) {
      const length = attempt(() => readSync(file, buffer, 0, PART_SIZE, position));
      if (length === 0) return;
      position += length;
      yield buffer.subarray(0, length);
    }
  } finally {
    if (typeof given === "string") closeSync(file);
  }
}

/** @throws {InputError} if the temporary folder may not be used */
function createUnnamedFile(): number {
  const path = join(tmpdir(), `media-catalogue-${randomUUID()}.tmp`);
  const file = attempt(() => openSync(path, "wx+", 0o600), NO_TEMPORARY_FILE);
  try {
    unlinkSync(path);
  } catch {
    // On some file systems, an open file cannot be deleted.
    process.once("exit", () => rmSync(path, { force: true }));
  }
  return file;
}

/** The first bytes of files in other formats, and how to convert these files. */
const FORMATS: readonly (readonly [start: string, problem: string])[] = [
  ["PK\x03\x04", "is a ZIP archive; unpack it with unzip into a new folder, and pass this folder"],
  ["\x28\xB5\x2F\xFD", "is compressed with Zstandard; decompress it with zstd -d"],
  ["BZh", "is compressed with bzip2; decompress it with bunzip2"],
  ["\xFD7zXZ", "is compressed with xz; decompress it with unxz"],
  ["7z\xBC\xAF", "is a 7z archive; unpack it, and pass the file that it contains"],
];

/** Decompresses gzip and zlib, which mitmproxy writes. @throws {InputError} if the input is in another packed format */
async function unpack(read: InputBytes): Promise<InputBytes> {
  const first = await readStart(read);
  const other = FORMATS.find(([start]) => first.startsWith(start));
  if (other) throw new InputError(other[1]);
  const [a = 0, b = 0] = [first.charCodeAt(0), first.charCodeAt(1)];
  const isZlib = a === 0x78 && (a * 256 + b) % 31 === 0;
  if (!first.startsWith("\x1F\x8B") && !isZlib) return read;
  return () => decompress(read);
}

/** Reads at least the first eight bytes of an input that has as many. */
async function readStart(read: InputBytes): Promise<string> {
  let start = "";
  for await (const part of read()) {
    start += part.toString("latin1", 0, 8);
    if (start.length >= 8) break;
  }
  return start;
}

async function* copyParts(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of parts) yield Buffer.from(part);
}

async function* decompress(read: InputBytes): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(
      copyParts(read()),
      createUnzip({ chunkSize: PART_SIZE }),
      () => {},
    ) as AsyncIterable<Buffer>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!code?.startsWith("Z_")) throw error;
    const isCut = code === "Z_BUF_ERROR";
    throw new InputError(isCut ? "is a truncated gzip file" : "is a damaged gzip file");
  }
}

/**
 * Calls a function that accesses the file system.
 * @param problem what to say about a failure
 * @throws {InputError} if the call fails
 */
function attempt<T>(call: () => T, problem?: string): T {
  try {
    return call();
  } catch (error) {
    throw new InputError(problem ?? describeFileError(error as Error));
  }
}

/** Explains why a file cannot be used, without quoting the absolute path. */
export function describeFileError({ code, name }: NodeJS.ErrnoException): string {
  if (code === "ENOENT" || code === "ENOTDIR") return "does not exist; check the path";
  if (code === "EACCES" || code === "EPERM" || code === "ERR_ACCESS_DENIED")
    return "cannot be accessed (permission denied)";
  return `cannot be read or written (${code ?? name})`;
}
