import type { Dirent } from "node:fs";
import { readdirSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileExists, isFolder, resolveLinks } from "../shared/file-exists.js";

/** The names of files that a folder is searched for. mitmproxy compresses `.zhar` files, and browsers number copies. */
const LISTED = /\.(json(\.gz)?|z?har(\.[\w.]+)?)( \(\d+\))?$/i;

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
export function readFolder(path: string): Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return undefined;
  }
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
