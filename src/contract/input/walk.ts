import type { Dirent, Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import type { Unreadable } from "./problem.js";

/** A file to read, as reports name it, or why something is not read. */
type Found = { file: string; isStdin?: boolean } | { unreadable: Unreadable };

/** What of a folder is read. */
const READ = /\.(json|har)$/i;

/** One folder with all below it. */
interface Walk {
  cwd: string;
  /** Real path of the folder. */
  root: string;
  /** Real paths of what was met: each is read once, and loops end. */
  met: Set<string>;
  /** They are followed last, so that what they lead to is named by its own name where it is read by it. */
  links: string[];
}

/**
 * Lists the files of some paths: a file as it is, of a folder every `.json` and `.har` in it and below, in the order of
 * UTF-16 code units. Names that begin with a dot are passed over. `-` is the standard input; `./-` is a file.
 */
export async function* listFiles(paths: readonly string[], cwd: string): AsyncGenerator<Found> {
  for (const path of paths) {
    if (path === "-") {
      yield { file: "stdin", isStdin: true };
      continue;
    }
    const file = nameOf(resolve(cwd, path), cwd);
    const kind = await stat(resolve(cwd, path)).catch(problemOf);
    if (typeof kind === "string") yield { unreadable: { file, problem: kind } };
    else if (!kind.isDirectory()) yield { file };
    else {
      let isEmpty = true;
      for await (const found of walkFolder(file, cwd)) {
        isEmpty = false;
        yield found;
      }
      const problem = "holds no recording (.json) and no .har";
      if (isEmpty) yield { unreadable: { file, problem } };
    }
  }
}

async function* walkFolder(folder: string, cwd: string): AsyncGenerator<Found> {
  const root = await realpath(resolve(cwd, folder));
  const walk: Walk = { cwd, root, met: new Set([root]), links: [] };
  yield* listFolder(folder, root, walk);
  // What they lead to may hold more of them.
  for (const link of walk.links) yield* followLink(link, walk);
}

async function* listFolder(folder: string, path: string, walk: Walk): AsyncGenerator<Found> {
  const entries = await readdir(path, { withFileTypes: true }).catch(problemOf);
  if (typeof entries === "string") {
    yield { unreadable: { file: folder, problem: entries } };
    return;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    const file = folder === "." ? entry.name : `${folder}/${entry.name}`;
    if (entry.isSymbolicLink()) walk.links.push(file);
    else yield* listEntry(file, resolve(path, entry.name), entry, walk);
  }
}

async function* listEntry(
  file: string,
  path: string,
  kind: Dirent | Stats,
  walk: Walk,
): AsyncGenerator<Found> {
  const isFolder = kind.isDirectory();
  if (walk.met.has(path) || !(isFolder || READ.test(file))) return;
  walk.met.add(path);
  const problem = "is no file, but a pipe, a socket or a device; leave it out, or name it itself";
  if (isFolder) yield* listFolder(file, path, walk);
  else yield kind.isFile() ? { file } : { unreadable: { file, problem } };
}

/** What lies outside the folder was not meant. */
async function* followLink(file: string, walk: Walk): AsyncGenerator<Found> {
  const path = await realpath(resolve(walk.cwd, file)).catch(() => undefined);
  if (path !== undefined && `${path}${sep}`.startsWith(walk.root + sep)) {
    yield* listEntry(file, path, await stat(path), walk);
    return;
  }
  const where =
    path === undefined ? "to nothing" : "that leaves the folder; name its target instead";
  yield { unreadable: { file, problem: `is a symbolic link ${where}` } };
}

/** Relative to the working directory, with slashes: no report tells where a project lies. */
function nameOf(path: string, cwd: string): string {
  return relative(cwd, path).replaceAll(sep, "/") || ".";
}

/** What the file system says of a file, without its absolute path. */
export function problemOf(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case "ENOENT":
    case "ENOTDIR":
      return "does not exist";
    case "EACCES":
    case "EPERM":
      return "may not be read or written";
    default:
      return `cannot be read or written (${error.code ?? error.name})`;
  }
}
