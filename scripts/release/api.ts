import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compileTypes } from "./compile-types.js";
import { readReleased } from "./released.js";
import { ReleaseError, type Context, type Outcome } from "./step.js";
import { missing, readPublished, surfaceOf, type Surface } from "./surface.js";
import { riseOf } from "./version.js";

/** Code that compiled with the last release compiles with this one. */
export async function api({ project, version }: Context): Promise<Outcome> {
  const released = await readReleased(project);
  const published = readPublished(project);
  const before = JSON.parse(await readFile(join(project, released.surface), "utf8")) as Surface;
  const gone = missing(before, surfaceOf(published)).map((each) => `${each} is gone`);
  const names = await readdir(join(project, released.types));
  if (names.length === 0) throw new ReleaseError(`${released.types} is empty; restore it`);
  const files = names.toSorted().map((name) => join(project, released.types, name));
  const errors = await compileTypes(project, published, files);
  const broken = [...gone, ...errors];
  const isMajor = riseOf(released.version, version) === "major";
  return {
    summary: `${names.length} files of ${released.version} compiled, ${broken.length} incompatible changes`,
    problems: isMajor
      ? []
      : broken.map(
          (each) =>
            `${each}; bring it back, or release a major version (${released.version} had it)`,
        ),
  };
}
