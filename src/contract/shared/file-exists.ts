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

/**
 * Identifies a file by its device and inode, which all paths and links to the file share, or by its path if the file does
 * not exist or may not be read.
 */
export function identifyFile(path: string): string {
  const { dev, ino } = attempt(() => statSync(path, { bigint: true })) ?? {};
  return ino ? `${dev}:${ino}` : path;
}

function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
