import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding, Position } from "../engine/types.js";

/** Where the lines of a generated description come from. */
interface Sources {
  files: string[];
  /** The index of the file, the line, and the column, by line of the generated description. */
  lines: (readonly [file: number, line: number, column: number] | null)[];
}

/** Returns the path to the list of the files from which a description was generated. */
export function sourcesFile(description: string): string {
  return description.replace(/\.yaml$/, ".sources.json");
}

/**
 * Creates a function that returns where to edit a statement of the description. In a checkout of the repository, this
 * location is in a file from which the description was generated. The package contains only the generated description,
 * so its users get the location unchanged.
 * @param folder the folder that contains the package
 * @param description the path to the description in this folder
 */
export function createEditedLocator(
  folder: string,
  description: string,
  displayPath: (path: string) => string,
): (location: Finding["descriptionLocation"]) => Finding["descriptionLocation"] {
  const list = join(folder, sourcesFile(description));
  if (!existsSync(list)) return (location) => location;
  const { files, lines } = JSON.parse(readFileSync(list, "utf8")) as Sources;
  return (location) => {
    const [index = 0, line = 0, column = 0] = lines[location.line] ?? [];
    const file = join(folder, files[index] ?? "");
    if (line === 0 || !existsSync(file)) return location;
    const edited: Position = { file: displayPath(file), line, column };
    return { ...location, ...edited };
  };
}
