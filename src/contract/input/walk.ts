import type { Dirent, Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { posix, relative, resolve, sep } from "node:path";
import type { Unreadable } from "./problem.js";

/** A file to read, as reports name it, or why something is not read. The standard input has no path. */
type Found = { file: string; path?: string } | { unreadable: Unreadable };

/** What of a folder is read. */
const READ = /\.(json|har)$/i;
const NO_FILE = "is no file, but a pipe, a socket or a device; leave it out, or name it itself";

/**
 * Lists the files of some paths: a file as it is, of a folder every `.json` and `.har` in it and below, in the order of
 * UTF-16 code units. Names that begin with a dot are passed over. `-` is the standard input; `./-` is a file.
 */
export async function* listFiles(paths: readonly string[], cwd: string): AsyncGenerator<Found> {
  for (const each of paths) {
    const path = resolve(cwd, each);
    // No report tells where a project lies.
    const file = relative(cwd, path).replaceAll(sep, "/") || ".";
    const kind = each === "-" ? undefined : await stat(path).catch(problemOf);
    if (kind === undefined) yield { file: "stdin" };
    else if (typeof kind === "string") yield { unreadable: { file, problem: kind } };
    else if (kind.isDirectory()) yield* await listFolder(file, cwd);
    else yield { file, path };
  }
}

async function listFolder(folder: string, cwd: string): Promise<Found[]> {
  const found: Found[] = [];
  const refuse = (file: string, problem: string) => found.push({ unreadable: { file, problem } });
  // Real paths: each is read once, and loops end.
  const met = new Set<string>();
  // Followed last, so that what they lead to is named by its own name where it is read by it.
  const links: string[] = [];

  async function add(file: string, path: string, kind: Dirent | Stats): Promise<void> {
    const isFolder = kind.isDirectory();
    if (met.has(path) || !(isFolder || READ.test(file))) return;
    met.add(path);
    if (kind.isFile()) found.push({ file, path: resolve(cwd, file) });
    else if (isFolder) await addEntries(file, path);
    else refuse(file, NO_FILE);
  }
  async function addEntries(file: string, path: string): Promise<void> {
    const entries = await readdir(path, { withFileTypes: true }).catch(problemOf);
    if (typeof entries === "string") return void refuse(file, entries);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const name = posix.join(file, entry.name);
      if (entry.isSymbolicLink()) links.push(name);
      else await add(name, resolve(path, entry.name), entry);
    }
  }

  const root = await realpath(resolve(cwd, folder));
  await add(folder, root, await stat(root));
  // What they lead to may hold more of them.
  for (const link of links) {
    const path = await realpath(resolve(cwd, link)).catch(() => undefined);
    // What lies outside the folder was not meant.
    const isInside = `${path}${sep}`.startsWith(root + sep);
    if (path === undefined) refuse(link, "is a symbolic link to nothing");
    else if (isInside) await add(link, path, await stat(path));
    else refuse(link, "is a symbolic link that leaves the folder; name its target instead");
  }
  if (found.length === 0) refuse(folder, "holds no recording (.json) and no .har");
  return found;
}

/** What the file system says of a file, without its absolute path. */
export function problemOf({ code, name }: NodeJS.ErrnoException): string {
  if (code === "ENOENT" || code === "ENOTDIR") return "does not exist";
  if (code === "EACCES" || code === "EPERM") return "may not be read or written";
  return `cannot be read or written (${code ?? name})`;
}
