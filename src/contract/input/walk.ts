import { readdir, realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import type { Unreadable } from "./problem.js";

/** A file to read, as reports name it, or why something is not read. */
type Found = { file: string; isStdin?: boolean } | { unreadable: Unreadable };

/** What of a folder is read. */
const READ = /\.(json|har)$/i;

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
      for await (const found of listFolder(file, await realpath(resolve(cwd, path)), cwd)) {
        isEmpty = false;
        yield found;
      }
      const problem = "holds no recording (.json) and no .har";
      if (isEmpty) yield { unreadable: { file, problem } };
    }
  }
}

async function* listFolder(folder: string, root: string, cwd: string): AsyncGenerator<Found> {
  const entries = await readdir(resolve(cwd, folder), { withFileTypes: true }).catch(problemOf);
  if (typeof entries === "string") {
    yield { unreadable: { file: folder, problem: entries } };
    return;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    const file = folder === "." ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* listFolder(file, root, cwd);
    else if (entry.isFile() && READ.test(entry.name)) yield { file };
    else if (entry.isSymbolicLink()) {
      const problem = await problemOfLink(resolve(cwd, file), root);
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
