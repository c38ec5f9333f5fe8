import { isUtf8 } from "node:buffer";
import type { Dirent } from "node:fs";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { UnvalidatedReason } from "../engine/check.js";
import { getAtPointer } from "../../openapi/pointer.js";
import type { Exchange, Position } from "../../types/exchange.js";
import { fileExists, isFolder, resolveLinks } from "../shared/file-exists.js";
import { findBaseUrls, readEntry, type DocumentedPath, type SkipReason } from "./har.js";
import { fileSource, innerSource, InputError, parseJson, type Source } from "./json.js";
import { readRecordings } from "./recording.js";

/** An input that could not be read. */
export interface Unreadable extends Partial<Position> {
  file: string;
  /** The problem, worded to follow the file name, such as "is empty". */
  message: string;
}

/** An exchange, an exchange without a response, a skipped entry, or an input that could not be read. */
export type Item =
  | { exchange: Exchange }
  | { name: string; unvalidated: UnvalidatedReason }
  | { skipped: SkipReason }
  | { unreadable: Unreadable };

/** The files to read, and options for reading them. */
export interface Inputs {
  /** Files, folders, and `-` for standard input. */
  paths: readonly string[];
  cwd: string;
  stdin: AsyncIterable<Uint8Array>;
  /** Formats a file path for reports. */
  displayPath: (path: string) => string;
  /** The documented operations, whose paths and methods identify the API in a HAR. */
  operations: readonly DocumentedPath[];
  /** The base URL of the deployment. HAR entries whose URLs do not start with this base URL are skipped. */
  baseUrl?: URL | undefined;
  /** Loads additional exchanges, which are not read from `paths`. */
  exchanges?: ((displayPath: Inputs["displayPath"]) => Promise<readonly Exchange[]>) | undefined;
}

/** The maximum size of a file. Larger files are rejected, because they could need too much memory. */
const MAX_MEGABYTES = 64;
const LARGE = `exceeds ${MAX_MEGABYTES} MB; keep only the requests to the service, or split the file`;
const NOT_A_FILE = "is a pipe, a socket, or a device; leave it out, or use - for standard input";
const NOT_LISTED = "has no readable .json or .har files; if it is a link, pass the target folder";

/** Reads exchanges file by file. Reads each file only once. Yields errors as items. */
export async function* readInputs(inputs: Inputs): AsyncGenerator<Item> {
  const { paths, cwd, stdin, displayPath } = inputs;
  for (const path of listInputFiles(paths, cwd)) {
    const file = path === "-" ? "stdin" : displayPath(path);
    let source = fileSource(file, "");
    try {
      const bytes = path === "-" ? await readAll(stdin) : readFile(path);
      source = fileSource(file, decodeText(bytes));
      yield* readItems(source, file, inputs);
    } catch (error) {
      yield { unreadable: describeUnreadable(error, source) };
    }
  }
  for (const exchange of (await inputs.exchanges?.(displayPath)) ?? []) yield { exchange };
}

/** Lists the real paths of all files to read, and `-` for standard input. */
export function listInputFiles(paths: readonly string[], cwd: string): Set<string> {
  return new Set(paths.flatMap((each) => (each === "-" ? "-" : listFiles(resolve(cwd, each)))));
}

/**
 * Returns the real path of a file, or the sorted real paths of all `.har` and `.json` files in a folder and its
 * subfolders. Skips hidden files and folders. Lists links to folders but does not follow them, because links could form
 * a loop. Also lists the subfolders that cannot be read, so that the caller reports them as unreadable.
 */
function listFiles(path: string): string[] {
  const target = resolveLinks(path);
  if (!isFolder(target)) return [target];
  const files = listFolder(target);
  return files.length === 0 ? [target] : files.map(resolveLinks).toSorted();
}

function listFolder(folder: string): string[] {
  const entries = readFolder(folder);
  if (!entries) return [folder];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return listFolder(path);
    return /\.(json|har)$/i.test(entry.name) || isFolder(path) ? [path] : [];
  });
}

/** Lists the entries of a folder. Returns undefined if the folder cannot be read. */
function readFolder(path: string): Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

/** Reads a file of up to 64 MB. @throws {InputError} if the file cannot be read */
function readFile(path: string): Buffer {
  const kind = attempt(() => statSync(path));
  if (kind.isDirectory()) {
    attempt(() => readdirSync(path));
    throw new InputError(NOT_LISTED);
  }
  if (!kind.isFile()) throw new InputError(NOT_A_FILE);
  if (kind.size > MAX_MEGABYTES * 2 ** 20) throw new InputError(LARGE);
  return attempt(() => readFileSync(path));
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_MEGABYTES * 2 ** 20) throw new InputError(LARGE);
  }
  return Buffer.concat(chunks);
}

/** Decodes UTF-8 text. @throws {InputError} if the text is empty or not UTF-8 */
export function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes) || bytes.includes(0))
    throw new InputError("is not UTF-8 text; save it as UTF-8");
  // TextDecoder strips the byte order mark.
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") throw new InputError("is empty");
  return text;
}

function* readItems(
  source: Source,
  file: string,
  { baseUrl, operations }: Inputs,
): Generator<Item> {
  const raw = parseJson(source.text);
  const entries = getAtPointer(raw, "/log/entries");
  if (entries === undefined) {
    for (const exchange of readRecordings(file, source, raw)) yield { exchange };
    return;
  }
  if (!Array.isArray(entries)) throw new InputError("must be an array", "/log/entries");
  const baseUrls = findBaseUrls(entries, operations, baseUrl);
  for (const index of entries.keys()) {
    const each = innerSource(source, `/log/entries/${index}`);
    const name = `${file}#${index + 1}`;
    try {
      const entry = readEntry(name, each, entries[index], baseUrls, operations);
      yield "unvalidated" in entry ? { name, ...entry } : entry;
    } catch (error) {
      const { message, ...location } = describeUnreadable(error, each);
      yield { unreadable: { ...location, message: `entry ${index + 1}: ${message}` } };
    }
  }
}

/** Converts an InputError to a problem with its position in the text. Rethrows any other error. */
export function describeUnreadable(
  error: unknown,
  { text, positionOf, offsetOf }: Source,
): Unreadable {
  if (!(error instanceof InputError)) throw error;
  const { location, message } = error;
  const { file, ...position } = positionOf(
    typeof location === "number" ? location : offsetOf(location),
  );
  // If the file is empty or cannot be read, the problem has no position.
  return { file, ...(text !== "" && position), message };
}

/** Calls a function that accesses the file system. @throws {InputError} if the call fails */
function attempt<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new InputError(describeFileError(error as Error));
  }
}

/** Explains why a file cannot be used, without quoting the absolute path. */
export function describeFileError({ code, name }: NodeJS.ErrnoException): string {
  if (code === "ENOENT" || code === "ENOTDIR") return "does not exist; check the path";
  if (code === "EACCES" || code === "EPERM" || code === "ERR_ACCESS_DENIED")
    return "cannot be accessed (permission denied)";
  return `cannot be read or written (${code ?? name})`;
}

/**
 * Creates a function that formats paths for reports: relative to the repository root, or absolute outside of it. The
 * root is the first of these folders that exists: GITHUB_WORKSPACE, the git root of the first path, the git root of the
 * working directory, or the working directory itself.
 */
export function createPathFormatter(paths: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const { GITHUB_WORKSPACE: workspace = "" } = env;
  const [first = ""] = paths;
  const root = isFolder(workspace)
    ? resolveLinks(workspace)
    : (findGitRoot(resolveLinks(resolve(cwd, first))) ?? findGitRoot(cwd) ?? resolveLinks(cwd));
  return (path: string): string => {
    const name = relative(root, path);
    const isOutside = name.split(sep, 1)[0] === "..";
    return (isOutside ? path : name || ".").replaceAll(sep, "/");
  };
}

function findGitRoot(path: string): string | undefined {
  if (fileExists(join(path, ".git"))) return path;
  const parent = dirname(path);
  return parent === path ? undefined : findGitRoot(parent);
}
