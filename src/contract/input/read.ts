import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import type { Dirent } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { at } from "../engine/pointer.js";
import type { Exchange, Json, Position } from "../engine/types.js";
import { hostsOf, readEntry, type Har, type SkipReason } from "./har.js";
import { entrySources, fileSource, InputError, readJson, type Source } from "./json.js";
import { readRecording, refuseRepeated } from "./recording.js";

/** An input that could not be read. */
export interface Unreadable extends Partial<Position> {
  file: string;
  /** A sentence whose subject is the file. */
  problem: string;
}

/** An exchange, possibly skipped or unreadable; `raw` is the whole content of a file, to learn its secrets. */
export type Item = { raw?: Json } & (
  | { exchange: Exchange }
  | { file: string; skipped: SkipReason }
  | { unreadable: Unreadable }
  | { raw: Json }
);

/** Which files to read, and how. */
export interface Inputs {
  /** Files, folders, and `-` for standard input. */
  paths: readonly string[];
  cwd: string;
  stdin: AsyncIterable<Uint8Array>;
  /** The path of a file in reports. */
  shown: (path: string) => string;
  /** The service; HAR entries of other services are skipped. */
  baseUrl?: URL | undefined;
}

/** Larger files are refused, because they could exhaust the memory. */
const MEGABYTES = 64;
const LARGE = `exceeds ${MEGABYTES} MB; keep only the requests to the service, or split the file`;
const NOT_A_FILE = "is a pipe, a socket or a device; leave it out, or use - for standard input";

/** Reads exchanges file by file, each file once. Yields errors as items. */
export async function* readInputs(inputs: Inputs): AsyncGenerator<Item> {
  const { paths, cwd, stdin, shown } = inputs;
  const seen = new Set<string>();
  const found = paths.flatMap((each) =>
    each === "-" ? [{ file: "stdin" }] : listFiles(real(resolve(cwd, each)), shown),
  );
  // A HAR lists the files that contain its bodies; they are not recordings.
  for (const { file, path, problem } of found.toSorted((a, b) => orderOf(a) - orderOf(b))) {
    let source = fileSource(file, "");
    try {
      if (problem !== undefined) throw new InputError(problem);
      if (seen.has(path ?? "-")) continue;
      seen.add(path ?? "-");
      const bytes = path === undefined ? await readAll(stdin) : readFile(path);
      source = fileSource(file, decode(bytes));
      yield* itemsIn(source, file, inputs, (name) => readAttachment(name, path, seen));
    } catch (error) {
      yield { unreadable: unreadableOf(error, source), raw: source.text };
    }
  }
}

function orderOf({ file }: Found): number {
  return /\.har$/i.test(file) ? 0 : 1;
}

/** @throws {InputError} */
function readFile(path: string): Buffer {
  const kind = attempt(() => statSync(path));
  if (kind.isDirectory()) throw new InputError("is a folder");
  if (!kind.isFile()) throw new InputError(NOT_A_FILE);
  if (kind.size > MEGABYTES * 2 ** 20) throw new InputError(LARGE);
  return attempt(() => readFileSync(path));
}

/** Reads a file next to a HAR, written by Playwright with `content: "attach"`. @throws {InputError} */
function readAttachment(name: string, path: string | undefined, seen: Set<string>): Buffer {
  const refuse = (problem: string) =>
    new InputError(`names a file that ${problem}`, "/response/content/_file");
  if (path === undefined)
    throw refuse("cannot be found; pass the HAR by its path, not on standard input");
  const folder = realpathSync(dirname(path));
  const target = resolve(folder, name);
  const file = existsSync(target) ? realpathSync(target) : target;
  if (!isBelow(file, folder)) throw refuse("is outside the folder of the HAR");
  seen.add(file);
  try {
    return readFile(file);
  } catch (error) {
    throw refuse((error as Error).message);
  }
}

function isBelow(path: string, folder: string): boolean {
  const name = relative(folder, path);
  return name !== ".." && !name.startsWith(`..${sep}`);
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MEGABYTES * 2 ** 20) throw new InputError(LARGE);
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

function* itemsIn(
  source: Source,
  file: string,
  { baseUrl }: Inputs,
  attachment: Har["attachment"],
): Generator<Item> {
  const parsed = readJson(source.text);
  const { value: raw } = parsed;
  const entries = at(raw, "/log/entries");
  if (entries === undefined) return yield { exchange: readRecording(file, source, parsed), raw };
  refuseRepeated(parsed.repeated);
  if (!Array.isArray(entries)) throw new InputError("must be a list", "/log/entries");
  yield { raw };
  const har = { file, attachment, ...hostsOf(entries, baseUrl) };
  for (const [index, each] of entrySources(source, parsed.entries).entries())
    yield entryItem(index + 1, each, entries[index], har);
}

function entryItem(number: number, source: Source, entry: Json, har: Har): Item {
  const { file } = har;
  try {
    const read = readEntry(`${file}#${number}`, source, entry, har);
    return typeof read === "string" ? { file, skipped: read } : { exchange: read };
  } catch (error) {
    const { problem, ...place } = unreadableOf(error, source);
    return { unreadable: { ...place, problem: `entry ${number}: ${problem}` } };
  }
}

/** Describes an error with its position in a text. @throws any error that is not about the input */
export function unreadableOf(error: unknown, { text, positionOf, offsetOf }: Source): Unreadable {
  if (!(error instanceof InputError)) throw error;
  const { place, message: problem } = error;
  const { file, ...position } = positionOf(typeof place === "number" ? place : offsetOf(place));
  // Without a text, the problem is the file.
  return { file, ...(text !== "" && position), problem };
}

/** A file with its real path, or the reason why it cannot be read. Standard input has no path. */
interface Found {
  file: string;
  path?: string;
  problem?: string;
}

/**
 * Lists a file, or every `.har` and `.json` file in and below a folder, in the order of UTF-16 code units. Skips hidden
 * files, and follows links to files but not to folders, which could form a loop.
 * @param entry in the parent folder; undefined for a path from the command line
 */
function listFiles(path: string, shown: Inputs["shown"], entry?: Dirent): Found[] {
  const file = shown(path);
  const isLink = entry?.isSymbolicLink() ?? false;
  const broken = isLink ? "is a broken symbolic link" : undefined;
  try {
    const kind = entry && !isLink ? entry : attempt(() => statSync(path), broken);
    if (!kind.isDirectory()) {
      const isWanted = !entry || /\.(json|har)$/i.test(path);
      return isWanted ? [{ file, path: kind === entry ? path : realpathSync(path) }] : [];
    }
    if (isLink) throw new InputError("is a symbolic link to a folder; pass its target instead");
    const folder = entry ? path : realpathSync(path);
    const found = attempt(() => readdirSync(path, { withFileTypes: true }))
      .filter(({ name }) => !name.startsWith("."))
      .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
      .flatMap((each) => listFiles(join(folder, each.name), shown, each));
    if (!entry && found.length === 0) throw new InputError("contains no .json or .har file");
    return found;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [{ file, problem: error.message }];
  }
}

/** Sorts links last, so that a file is reported by its own name. */
function nameOf(each: Dirent): string {
  return `${each.isSymbolicLink() ? 1 : 0}${each.name}`;
}

/** Calls the file system. @throws {InputError} */
function attempt<T>(call: () => T, problem?: string): T {
  try {
    return call();
  } catch (error) {
    throw new InputError(problem ?? problemOf(error as Error));
  }
}

/** Describes why a file cannot be used, without its absolute path. */
export function problemOf({ code, name }: NodeJS.ErrnoException): string {
  if (code === "ENOENT" || code === "ENOTDIR") return "does not exist; check the path";
  if (code === "EACCES" || code === "EPERM") return "cannot be accessed (permission denied)";
  return `cannot be read or written (${code ?? name})`;
}

/**
 * Creates the function that formats paths for reports: relative to the repository root, or absolute outside of it.
 * The root is GITHUB_WORKSPACE; if unset, the git root of the first path or of the working directory; otherwise the
 * working directory.
 */
export function createNamer(paths: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const { GITHUB_WORKSPACE: workspace = "" } = env;
  const [first = ""] = paths;
  const isGiven = statSync(workspace, { throwIfNoEntry: false })?.isDirectory();
  const root = isGiven
    ? realpathSync(workspace)
    : (gitRoot(real(resolve(cwd, first))) ?? gitRoot(cwd) ?? realpathSync(cwd));
  return (path: string): string =>
    (isBelow(path, root) ? relative(root, path) || "." : path).replaceAll(sep, "/");
}

function gitRoot(path: string): string | undefined {
  if (existsSync(join(path, ".git"))) return path;
  const parent = dirname(path);
  return parent === path ? undefined : gitRoot(parent);
}

/** Resolves links in the folder path only; a file that is itself a link keeps its name. */
function real(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : resolve(path);
}
