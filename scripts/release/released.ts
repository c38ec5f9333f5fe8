import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./command.js";
import { ReleaseError } from "./step.js";
import { riseOf } from "./version.js";

/**
 * What was last released. It is kept in the folder `released` and not read from the tag: a clone without tags, as CI
 * makes it, has it too, and a reviewer sees when it moves.
 */
export interface Released {
  version: string;
  /** Paths, relative to the project. */
  description: string;
  recordings: string;
  types: string;
  surface: string;
}

/** Where each thing is kept. */
export const kept = {
  version: "released/version.json",
  description: "released/catalogue.yaml",
  recordings: "released/recordings",
  types: "released/types",
  surface: "released/surface.json",
} as const;

/** What was last released. @throws {ReleaseError} it is not there, or a later version is tagged than is kept */
export async function readReleased(project: string): Promise<Released> {
  const version = await versionIn(project, kept.version);
  const tags = await versionTags(project);
  const later = tags.filter((tag) => (riseOf(version, tag.slice(1)) ?? "none") !== "none");
  if (later.length > 0) {
    throw new ReleaseError(
      `${later.at(-1)} is tagged, but released/ still holds ${version}; ` +
        `check ${later.at(-1)} out, run npm run release:version -- --record and commit it`,
    );
  }
  return { ...kept, version };
}

/** The tags of releases, such as `v1.2.0`, the latest one last; none where git knows none. */
export async function versionTags(project: string): Promise<string[]> {
  const { code, stdout } = await run(project, "git", "tag", "--list", "v*", "--sort=v:refname");
  return code === 0 ? stdout.split("\n").filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag)) : [];
}

/** The member `version` of a JSON file. */
export async function versionIn(project: string, file: string): Promise<string> {
  const text = await readFile(join(project, file), "utf8").catch(() => undefined);
  if (text === undefined) {
    throw new ReleaseError(
      `${file} is not there; git restore it, or make it with npm run release:version -- --record`,
    );
  }
  const { version } = JSON.parse(text) as { version?: unknown };
  if (typeof version !== "string") throw new ReleaseError(`${file} has no version; write it there`);
  return version;
}
