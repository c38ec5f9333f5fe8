import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import type { SkipReason, Unreadable } from "./problem.js";

/** A file to read, as reports name it, or why something is not read. */
export type Found =
  { file: string } | { file: string; skipped: SkipReason } | { unreadable: Unreadable };

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
      if (seen.has(name)) continue;
      seen.add(name);
      yield found;
    }
  }
}

async function* listPath(path: string, cwd: string): AsyncGenerator<Found> {
  const file = nameOf(path, cwd);
  const kind = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (kind instanceof Error) {
    yield { unreadable: { file, problem: problemOf(kind) } };
  } else if (!kind.isDirectory()) {
    yield { file };
  } else {
    let empty = true;
    for await (const found of listFolder(path, await realpath(path), cwd)) {
      if (!("skipped" in found)) empty = false;
      yield found;
    }
    if (empty) yield { unreadable: { file, problem: "holds no recording (.json) and no .har" } };
  }
}

async function* listFolder(folder: string, root: string, cwd: string): AsyncGenerator<Found> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => error,
  );
  if (entries instanceof Error) {
    yield { unreadable: { file: nameOf(folder, cwd), problem: problemOf(entries) } };
    return;
  }
  for (const entry of entries.toSorted(byCodeUnits)) {
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    const file = nameOf(path, cwd);
    if (entry.isDirectory()) yield* listFolder(path, root, cwd);
    else if (entry.isSymbolicLink()) yield await judgeLink(path, file, root);
    else if (entry.isFile() && READ.test(entry.name)) yield { file };
    else yield { file, skipped: "other file" };
  }
}

/** What a link within the folder leads to is read there, once; what lies outside was not meant. */
async function judgeLink(path: string, file: string, root: string): Promise<Found> {
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined)
    return { unreadable: { file, problem: "is a symbolic link to nothing" } };
  if (target === root || target.startsWith(root + sep)) {
    return { file, skipped: "link within the folder" };
  }
  const problem = "is a symbolic link that leaves the folder; name its target instead";
  return { unreadable: { file, problem } };
}

function byCodeUnits(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
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
