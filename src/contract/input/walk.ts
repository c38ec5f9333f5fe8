import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import type { Unreadable } from "./problem.js";

/** A file to read, as reports name it, or why something is not read. */
export type Found = { file: string } | { unreadable: Unreadable };

/** What of a folder is read. */
const READ = /\.(json|har)$/i;

/**
 * Lists the files of some paths, each once: a file as it is, of a folder every `.json` and `.har` in it and below, in
 * the order of UTF-16 code units. Names that begin with a dot are passed over. `-` is the standard input.
 */
export async function* listFiles(paths: readonly string[], cwd: string): AsyncGenerator<Found> {
  const seen = new Set<string>();
  for (const path of paths) {
    for await (const found of path === "-" ? [{ file: "-" }] : listPath(resolve(cwd, path), cwd)) {
      const name = "file" in found ? found.file : found.unreadable.file;
      if (!seen.has(name)) yield found;
      seen.add(name);
    }
  }
}

async function* listPath(path: string, cwd: string): AsyncGenerator<Found> {
  const file = nameOf(path, cwd);
  const kind = await stat(path).catch(problemOf);
  if (typeof kind === "string") yield { unreadable: { file, problem: kind } };
  else if (!kind.isDirectory()) yield { file };
  else {
    let isEmpty = true;
    for await (const found of listFolder(path, await realpath(path), cwd)) {
      isEmpty = false;
      yield found;
    }
    const problem = "holds no recording (.json) and no .har";
    if (isEmpty) yield { unreadable: { file, problem } };
  }
}

async function* listFolder(folder: string, root: string, cwd: string): AsyncGenerator<Found> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(problemOf);
  if (typeof entries === "string") {
    yield { unreadable: { file: nameOf(folder, cwd), problem: entries } };
    return;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    const file = nameOf(path, cwd);
    if (entry.isDirectory()) yield* listFolder(path, root, cwd);
    else if (entry.isFile() && READ.test(entry.name)) yield { file };
    else if (entry.isSymbolicLink()) {
      const problem = await problemOfLink(path, root);
      if (problem !== undefined) yield { unreadable: { file, problem } };
    }
  }
}

/** What a link within the folder leads to is read there; what lies outside was not meant. */
async function problemOfLink(path: string, root: string): Promise<string | undefined> {
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined) return "is a symbolic link to nothing";
  if (target === root || target.startsWith(root + sep)) return undefined;
  return "is a symbolic link that leaves the folder; name its target instead";
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
