import type { Dirent } from "node:fs";
import { createReadStream, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileExists, isFolder, resolveLinks } from "../shared/file-exists.js";

/** The names of files that a folder is searched for. mitmproxy compresses `.zhar` files. */
const LISTED = /\.(json(\.gz)?|z?har|har\.\w+)$/i;

/** Lists the real paths of all files to read, and `-` for standard input. */
export function listInputFiles(paths: readonly string[], cwd: string): Set<string> {
  return new Set(paths.flatMap((each) => (each === "-" ? "-" : listFiles(resolve(cwd, each)))));
}

/**
 * Returns the real path of a file, or the sorted real paths of all HAR and JSON files in a folder and its subfolders,
 * including packed files, such as `a.har.gz`. Skips hidden files and folders. Lists links to folders but does not follow
 * them, because links could form a loop. Also lists the subfolders that cannot be read, so that the caller reports them
 * as unreadable.
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
    return LISTED.test(entry.name) || isFolder(path) ? [path] : [];
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

/**
 * Creates a function that checks whether a file contains a body of a HAR in the same folder. Playwright can write bodies
 * to separate files.
 */
export function createAttachmentFinder(): (path: string) => Promise<boolean> {
  const folders = new Map<string, Promise<ReadonlySet<string>>>();
  return async (path) => {
    const folder = dirname(path);
    const names = folders.get(folder) ?? listAttachments(folder);
    folders.set(folder, names);
    return (await names).has(basename(path));
  };
}

/** Lists the files to which the HAR files in a folder refer. */
async function listAttachments(folder: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const files = (readFolder(folder) ?? []).filter(({ name }) => /\.har$/i.test(name));
  for (const { name } of files) {
    let rest = "";
    for await (const part of createReadStream(join(folder, name), "latin1")) {
      const text = rest + String(part);
      for (const [, found = ""] of text.matchAll(/"_file"\s*:\s*"([^"\\]{1,255})"/g))
        names.add(found);
      rest = text.slice(-512);
    }
  }
  return names;
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
