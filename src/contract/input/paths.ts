import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of an OpenAPI description, which the package ships with its code. */
export function descriptionPath(file: string): string {
  return fileURLToPath(new URL(`../../../${file}`, import.meta.url));
}

/**
 * Makes the function that names files in reports: below the root of the repository by their relative path, with
 * slashes, and elsewhere by their absolute path. The root is GITHUB_WORKSPACE, else the git root of the first path or
 * of the working directory, else the working directory.
 */
export function createNamer(paths: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const { GITHUB_WORKSPACE: workspace = "" } = env;
  const [first = ""] = paths;
  const root = isFolder(workspace)
    ? realpathSync(workspace)
    : (gitRoot(real(resolve(cwd, first))) ?? gitRoot(cwd) ?? realpathSync(cwd));
  const folders = new Map<string, string>();
  return (path: string): string => {
    const folder = folders.get(dirname(path)) ?? dirname(real(path));
    folders.set(dirname(path), folder);
    const name = relative(root, join(folder, basename(path))) || ".";
    const isInside = name !== ".." && !name.startsWith(`..${sep}`);
    return (isInside ? name : resolve(path)).replaceAll(sep, "/");
  };
}

function gitRoot(path: string): string | undefined {
  if (existsSync(join(path, ".git"))) return path;
  const parent = dirname(path);
  return parent === path ? undefined : gitRoot(parent);
}

function isFolder(path: string): boolean {
  return path !== "" && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The path with the links of its folder resolved; a link that is named itself keeps its name. */
function real(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : resolve(path);
}
