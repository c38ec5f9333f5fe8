import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { closestAncestor, isWithin } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/openapi/description.js";
import { readYaml, type Yaml } from "../description/yaml.js";
import { addFullFiles, listSpecified, locateFullFiles, readFullFiles } from "./full-files.js";
import { parseOverlay, type Location } from "./overlay.js";

export const CATALOGUE = "openapi/catalogue.yaml";
export const OVERLAY = "openapi/full.overlay.yaml";

/** The full description, before it is written to `openapi/full.yaml`. */
export interface FullDescription {
  document: Json;
  /** Returns the location of a value in the file that a person edits. */
  locate(pointer: string): Location;
}

/**
 * Combines the specification's description, the overlay, and the files of all other operations.
 * @throws {DescriptionError} if the overlay or a file is invalid
 */
export async function readFullDescription(
  project: string,
  catalogue?: Yaml,
): Promise<FullDescription> {
  const specified = catalogue ?? (await readYaml(join(project, CATALOGUE)));
  const text = await readFile(join(project, OVERLAY), "utf8");
  const overlaid = parseOverlay(text, OVERLAY, specified.document);
  const files = readFullFiles(project);
  const document = addFullFiles(overlaid.document, files);
  const locations = locateFullFiles(files);
  const operations = listSpecified(overlaid.document).map(({ pointer }) => pointer);
  const locate = (pointer: string): Location => {
    const stated = overlaid.locate(pointer);
    if (stated) return stated;
    const isSpecified = operations.some((each) => isWithin(pointer, each));
    const own = isSpecified ? undefined : closestAncestor(pointer, locations);
    if (own) return locations.get(own)!;
    const { positions } = specified;
    const here = closestAncestor(pointer, { has: (each) => Object.hasOwn(positions, each) });
    return [CATALOGUE, ...(positions[here ?? ""] ?? ([1, 1] as const))];
  };
  return { document, locate };
}
