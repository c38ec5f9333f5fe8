import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** What npm keeps of a package in a lock file. */
export interface Locked {
  version?: string;
  license?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  hasInstallScript?: boolean;
}

/** A folder that npm installs into, with its lock file. */
export interface Lock {
  /** Relative to the project; `.` is the project itself. */
  folder: string;
  manifest: Record<string, Record<string, string>>;
  lockfileVersion: number;
  /** What the lock was made from. */
  from: Record<string, Record<string, string>>;
  /** By the path of the package, such as `node_modules/a/node_modules/b`. */
  packages: Record<string, Locked>;
}

/** Every lock file of the project: its own, and those of tools that are not wanted in every clone. */
export function readLocks(): Lock[] {
  const tools = readdirSync(join(root, "test")).map((name) => `test/${name}`);
  return [".", ...tools]
    .filter((folder) => existsSync(join(root, folder, "package-lock.json")))
    .map((folder) => {
      const { lockfileVersion, packages } = readJson(folder, "package-lock.json");
      const { "": from, ...others } = packages;
      return {
        ...{ folder, lockfileVersion, from, packages: others },
        manifest: readJson(folder, "package.json"),
      };
    });
}

/** `a` of `node_modules/b/node_modules/a`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

function readJson(folder: string, name: string) {
  return JSON.parse(readFileSync(join(root, folder, name), "utf8"));
}
