import { existsSync, realpathSync, statSync } from "node:fs";

/**
 * Checks whether a file or a folder exists. Under the permission model of Node.js, `existsSync` throws for a path that
 * may not be read, which counts as missing.
 */
export function fileExists(path: string): boolean {
  return attempt(() => existsSync(path)) ?? false;
}

export function isFolder(path: string): boolean {
  return attempt(() => statSync(path).isDirectory()) ?? false;
}

/** Returns the real path of a file, or the path itself if it does not exist or may not be read. */
export function resolveLinks(path: string): string {
  return attempt(() => realpathSync(path)) ?? path;
}

function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
