import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileExists } from "./file-exists.js";

/** The installed package. */
interface Package {
  folder: string;
  version: string;
}

/**
 * Finds the package by its `package.json`: in a folder above this module, or in the `node_modules` of such a folder.
 * Looks for files instead of resolving the package's name, because an app can bundle this module.
 * @returns undefined if a bundle runs where the package is not installed
 */
export function findPackage(start = import.meta.dirname): Package | undefined {
  for (const folder of [start, join(start, "node_modules/media-catalogue")]) {
    const file = join(folder, "package.json");
    if (!fileExists(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
    if (name === "media-catalogue") return { folder, version: version ?? "" };
  }
  const parent = dirname(start);
  return parent === start ? undefined : findPackage(parent);
}
