import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Unvalidated } from "../engine/check.js";
import { getAtPointer } from "../engine/pointer.js";
import type { Exchange, Operation, Position } from "../engine/types.js";
import { findBaseUrls, readEntry, type SkipReason } from "./har.js";
import { fileSource, innerSource, InputError, parseJson, type Source } from "./json.js";
import { readRecording } from "./recording.js";

/** An input that could not be read. */
export interface Unreadable extends Partial<Position> {
  file: string;
  /** A sentence whose subject is the file. */
  message: string;
}

/** An exchange, an exchange without a response, an entry that is not an exchange with the service, or a problem. */
export type Item =
  | { exchange: Exchange }
  | { name: string; unvalidated: Unvalidated }
  | { skipped: SkipReason }
  | { unreadable: Unreadable };

/** Which files to read, and how. */
export interface Inputs {
  /** Files, folders, and `-` for standard input. */
  paths: readonly string[];
  cwd: string;
  stdin: AsyncIterable<Uint8Array>;
  /** Formats the path of a file for reports. */
  displayPath: (path: string) => string;
  /** Paths that identify the service in a HAR. */
  operations: readonly Operation[];
  /** The service; HAR entries of other services are skipped. */
  baseUrl?: URL | undefined;
}

/** Larger files are refused, because they could exhaust the memory. */
const MAX_MEGABYTES = 64;
const LARGE = `exceeds ${MAX_MEGABYTES} MB; keep only the requests to the service, or split the file`;
const NOT_A_FILE = "is a pipe, a socket or a device; leave it out, or use - for standard input";

/** Reads exchanges file by file, each file once. Yields errors as items. */
export async function* readInputs(inputs: Inputs): AsyncGenerator<Item> {
  const { paths, cwd, stdin, displayPath } = inputs;
  const seen = new Set<string>();
  const found = paths.flatMap((each) =>
    each === "-" ? [{ file: "stdin" }] : listFiles(resolveFolder(resolve(cwd, each)), displayPath),
  );
  for (const { file, path, problem } of found) {
    let source = fileSource(file, "");
    try {
      if (problem !== undefined) throw new InputError(problem);
      if (seen.has(path ?? "-")) continue;
      seen.add(path ?? "-");
      const bytes = path === undefined ? await readAll(stdin) : readFile(path);
      source = fileSource(file, decode(bytes));
      yield* readItems(source, file, inputs);
    } catch (error) {
      yield { unreadable: describeUnreadable(error, source) };
    }
  }
}

/** @throws {InputError} */
function readFile(path: string): Buffer {
  const kind = attempt(() => statSync(path));
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

function decode(bytes: Buffer): string {
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
  if (entries === undefined) return yield { exchange: readRecording(file, source, raw) };
  if (!Array.isArray(entries)) throw new InputError("must be a list", "/log/entries");
  const baseUrls = findBaseUrls(entries, operations, baseUrl);
  for (const index of entries.keys()) {
    const each = innerSource(source, `/log/entries/${index}`);
    const name = `${file}#${index + 1}`;
    try {
      const entry = readEntry(name, each, entries[index], baseUrls);
      yield "unvalidated" in entry ? { name, ...entry } : entry;
    } catch (error) {
      const { message, ...place } = describeUnreadable(error, each);
      yield { unreadable: { ...place, message: `entry ${index + 1}: ${message}` } };
    }
  }
}

/** Describes an error with its position in a text. @throws any error that is not about the input */
export function describeUnreadable(
  error: unknown,
  { text, positionOf, offsetOf }: Source,
): Unreadable {
  if (!(error instanceof InputError)) throw error;
  const { place, message } = error;
  const { file, ...position } = positionOf(typeof place === "number" ? place : offsetOf(place));
  // Without a text, the problem is the file.
  return { file, ...(text !== "" && position), message };
}

/** A file with its real path, or the reason why it cannot be read. Standard input has no path. */
interface Found {
  file: string;
  path?: string;
  problem?: string;
}

/**
 * Lists a file, or every `.har` and `.json` file in and below a folder, sorted by path. Skips hidden files. Follows links
 * to files, but not to folders, which could form a loop.
 */
function listFiles(path: string, displayPath: Inputs["displayPath"]): Found[] {
  const file = displayPath(path);
  try {
    if (!attempt(() => statSync(path)).isDirectory()) return [{ file, path: realpathSync(path) }];
    const folder = realpathSync(path);
    const entries = attempt(() => readdirSync(folder, { recursive: true, withFileTypes: true }));
    const found = entries
      .map((entry) => ({
        path: join(entry.parentPath, entry.name),
        isLink: entry.isSymbolicLink(),
      }))
      .filter((each) => !/(^|[/\\])\./.test(relative(folder, each.path)))
      // A link comes last, so that a file is reported by its own name.
      .toSorted((a, b) => Number(a.isLink) - Number(b.isLink) || (a.path < b.path ? -1 : 1))
      .flatMap((each) => describeEntry(each.path, each.isLink, displayPath));
    if (found.length === 0) throw new InputError("contains no .json or .har file");
    return found;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [{ file, problem: error.message }];
  }
}

function describeEntry(path: string, isLink: boolean, displayPath: Inputs["displayPath"]): Found[] {
  const file = displayPath(path);
  try {
    const isFolder = attempt(() => statSync(path)).isDirectory();
    if (isFolder && isLink)
      throw new InputError("is a symbolic link to a folder; pass its target instead");
    const isWanted = !isFolder && /\.(json|har)$/i.test(path);
    return isWanted ? [{ file, path: realpathSync(path) }] : [];
  } catch (error) {
    return [{ file, problem: (error as Error).message }];
  }
}

/** Calls the file system. @throws {InputError} */
function attempt<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new InputError(describeFileError(error as Error));
  }
}

/** Describes why a file cannot be used, without its absolute path. */
export function describeFileError({ code, name }: NodeJS.ErrnoException): string {
  if (code === "ENOENT" || code === "ENOTDIR") return "does not exist; check the path";
  if (code === "EACCES" || code === "EPERM") return "cannot be accessed (permission denied)";
  return `cannot be read or written (${code ?? name})`;
}

/**
 * Creates the function that formats paths for reports: relative to the repository root, or absolute outside of it.
 * The root is GITHUB_WORKSPACE; if unset, the git root of the first path or of the working directory; otherwise the
 * working directory.
 */
export function createPathFormatter(paths: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const { GITHUB_WORKSPACE: workspace = "" } = env;
  const [first = ""] = paths;
  const isGiven = statSync(workspace, { throwIfNoEntry: false })?.isDirectory();
  const root = isGiven
    ? realpathSync(workspace)
    : (findGitRoot(resolveFolder(resolve(cwd, first))) ?? findGitRoot(cwd) ?? realpathSync(cwd));
  return (path: string): string => {
    const name = relative(root, path);
    const isOutside = name === ".." || name.startsWith(`..${sep}`);
    return (isOutside ? path : name || ".").replaceAll(sep, "/");
  };
}

function findGitRoot(path: string): string | undefined {
  if (existsSync(join(path, ".git"))) return path;
  const parent = dirname(path);
  return parent === path ? undefined : findGitRoot(parent);
}

/** Resolves links in the folder path only; a file that is itself a link keeps its name. */
function resolveFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : resolve(path);
}
