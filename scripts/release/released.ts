import { execFile } from "node:child_process";
import { mkdir, readFile, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** Thrown if a release cannot be checked; the message explains the problem and the fix. */
export class ReleaseError extends Error {}

interface Manifest {
  version: string;
  exports: object;
  bin: object;
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

/**
 * Extracts a release into a folder of the project. Renames the release's `src` to `released`, and links `src` to the
 * project's current code.
 */
export async function extract(project: string, version: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run(project, "git", "archive", "--output", join(folder, "release.tar"), `v${version}`);
  await run(folder, "tar", "-xf", "release.tar");
  await rename(join(folder, "src"), join(folder, "released"));
  await symlink(join(project, "src"), join(folder, "src"), "junction");
}

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
}

/** Runs a program and returns its standard output. @throws {ReleaseError} if the program fails */
export async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd, maxBuffer: 2 ** 27 });
    return stdout;
  } catch (error) {
    const { message, stdout = "" } = error as Error & { stdout?: string };
    throw new ReleaseError(`${message}\n${stdout}`.trim());
  }
}
