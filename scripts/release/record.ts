import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { uncommitted } from "./clean.js";
import { run } from "./command.js";
import { compileTypes } from "./compile-types.js";
import { kept, versionIn, versionTags } from "./released.js";
import { ReleaseError } from "./step.js";
import { readPublished, surfaceOf, type Published } from "./surface.js";

/** A TypeScript app that uses every entry point. */
const consumer = "test/release/consumer.ts";

/**
 * Keeps what has been released in the folder `released`: the description, its recordings, the surface and the files
 * that use it. Only what is tagged as released can be kept; before the first tag, what is committed.
 * @returns the version
 * @throws {ReleaseError} this is not what was released
 */
export async function record(project: string): Promise<string> {
  const version = await versionIn(project, "package.json");
  await refuseOthers(project, version);
  await rm(join(project, "released"), { recursive: true, force: true });
  await mkdir(join(project, kept.types), { recursive: true });
  await cp(join(project, "openapi/catalogue.yaml"), join(project, kept.description));
  await cp(join(project, "test/recordings"), join(project, kept.recordings), { recursive: true });
  const published = readPublished(project);
  const types = await copyTypes(project, published);
  // What does not compile now would be taken for a break of the next version.
  const wrong = await compileTypes(project, published, types);
  if (wrong.length > 0)
    throw new ReleaseError(`these do not compile; git restore released\n${wrong.join("\n")}`);
  await write(project, kept.surface, JSON.stringify(surfaceOf(published)));
  await write(project, kept.version, JSON.stringify({ version }));
  return version;
}

async function refuseOthers(project: string, version: string): Promise<void> {
  const changed = (await uncommitted(project)).filter((file) => !file.startsWith("released/"));
  if (changed.length > 0) {
    throw new ReleaseError(
      `not everything is committed; commit or remove it first:\n${changed.join("\n")}`,
    );
  }
  const tags = await versionTags(project);
  if (tags.length === 0) return;
  const tag = `v${version}`;
  if (!tags.includes(tag)) {
    throw new ReleaseError(
      `${tag} is not tagged; publish it first (the last one is ${tags.at(-1)})`,
    );
  }
  const published = ["openapi", "src", "test/recordings", "test/types", consumer, "package.json"];
  const { code } = await run(project, "git", "diff", "--quiet", tag, "--", ...published);
  if (code !== 0) {
    throw new ReleaseError(
      `this is not what ${tag} released; git switch --detach ${tag} and record there`,
    );
  }
}

/** Copies that import the package as an app does. */
async function copyTypes(project: string, { entries }: Published): Promise<string[]> {
  const tests = (await readdir(join(project, "test/types"))).filter((name) =>
    name.endsWith(".test-d.ts"),
  );
  const sources = [...tests.map((name) => `test/types/${name}`), consumer];
  return Promise.all(
    sources.map(async (source) => {
      const text = await readFile(join(project, source), "utf8");
      const name = source.slice(source.lastIndexOf("/") + 1).replace(".test-d.ts", ".ts");
      const imported = Object.entries(entries).reduce(
        (code, [specifier, file]) =>
          code.replaceAll(
            `"../..${file.slice(project.length).replace(/\.ts$/, ".js")}"`,
            JSON.stringify(specifier),
          ),
        text,
      );
      const file = join(kept.types, name);
      await write(project, file, imported);
      return join(project, file);
    }),
  );
}

async function write(project: string, file: string, text: string): Promise<void> {
  const path = join(project, file);
  const style = await resolveConfig(path);
  await writeFile(path, await format(text, { ...style, filepath: path }));
}
