import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { greatest, ReleaseError, type Bump } from "./version.js";

/** Runs a program and returns its standard output. @throws {ReleaseError} the program fails */
export async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd, maxBuffer: 2 ** 27 });
    return stdout;
  } catch (error) {
    const { message, stdout = "" } = error as Error & { stdout?: string };
    throw new ReleaseError(`${message}\n${stdout}`.trim());
  }
}

/**
 * Finds the last release: the highest tag vX.Y.Z in the history of the current commit.
 * @returns the version, or undefined before the first release
 */
export async function lastRelease(project: string): Promise<string | undefined> {
  const args = ["tag", "--list", "v*", "--merged", "HEAD", "--sort=-v:refname"];
  const tags = (await run(project, "git", ...args)).split("\n");
  const tag = tags.find((each) => /^v\d+\.\d+\.\d+$/.test(each));
  if (tag) return tag.slice(1);
  const shallow = await run(project, "git", "rev-parse", "--is-shallow-repository");
  if (shallow.trim() === "false") return undefined;
  throw new ReleaseError("no tag vX.Y.Z in a shallow clone; run git fetch --tags --unshallow");
}

/** Reads the pending changesets: their files, and the greatest bump that they request. */
export async function pending(project: string): Promise<{ files: string[]; bump: Bump }> {
  const names = (await readdir(join(project, ".changeset"))).toSorted();
  const files = names.filter((name) => name.endsWith(".md") && name !== "README.md");
  const texts = await Promise.all(
    files.map((name) => readFile(join(project, ".changeset", name), "utf8")),
  );
  const headers = texts.map((text) => text.split(/^---$/m)[1] ?? "").join("\n");
  return { files, bump: greatest((headers.match(/\b(patch|minor|major)\b/g) ?? []) as Bump[]) };
}

/** Extracts a release into a folder of the project, with `src` replaced by the current one. */
export async function extract(project: string, version: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run(project, "git", "archive", "--output", join(folder, "release.tar"), `v${version}`);
  await run(folder, "tar", "-xf", "release.tar");
  await rename(join(folder, "src"), join(folder, "released"));
  await symlink(join(project, "src"), join(folder, "src"), "junction");
}
