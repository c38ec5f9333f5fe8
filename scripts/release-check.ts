/** `npm run release:check`: compares the project with its last release. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bumpBetween, bumpOf, highest, type Bump } from "./release/bump.js";
import { compareService, compareSpecification, DiffError } from "./release/compare-descriptions.js";
import { compareExports, type PublicNames } from "./release/compare-exports.js";
import { parseArguments, runMain } from "./shared/command-line.js";

const USAGE = `Usage: npm run release:check

Compares both descriptions and the published files with the last git tag vX.Y.Z, and says in Markdown whether the version
in package.json, or the version that the pending changesets ask for, is high enough. A removed method, parameter, or
property needs a major version. openapi/catalogue.yaml has its own version, info.version, which must change if and only if
that description changes. Without a tag, the comparison is with origin/main, or with the last commit, and every version is
high enough. Incompatible types appear in the reports in test/types/api, which pull requests show.

  -h, --help  print this help

Exit codes: 0 if the version is ready, 1 if the version is not ready, 2 if the arguments are invalid or the last release
cannot be read.`;

const project = fileURLToPath(new URL("..", import.meta.url));

/** Thrown if a release cannot be checked; the message explains the problem and the fix. */
class ReleaseError extends Error {}

interface Manifest {
  version: string;
  exports: Record<string, unknown>;
  bin?: Record<string, string>;
  repository?: unknown;
}

const SPECIFICATION = "openapi/catalogue.yaml";
const SERVICE = "openapi/full.yaml";
const REPORTS = "test/types/api";

/** Published files and folders. Any change to them requires a new version. */
const PUBLISHED = ["openapi", "schemas", "src", "README.md", "package.json"];

await runMain("npm run release:check", USAGE, async (args) => {
  parseArguments(args, {});
  try {
    const { text, isReady } = await checkRelease();
    console.log(text);
    return isReady ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ReleaseError || error instanceof DiffError)) throw error;
    console.error(`release:check: ${error.message}`);
    return 2;
  }
});

/**
 * Compares the project with its last release.
 * @returns a report in Markdown, and whether the version in package.json is ready to be released
 * @throws {ReleaseError} if the last release cannot be read
 * @throws {DiffError} if the descriptions cannot be compared
 */
async function checkRelease() {
  const manifest = await readFile(join(project, "package.json"), "utf8");
  const { version, repository } = JSON.parse(manifest) as Manifest;
  const released = await findLastRelease();
  const { ref, name, because } = await findBase(released);
  const { text, bump, problems } = await compareWith(ref, name);
  // Before the first release, every change is allowed.
  if (released === undefined) problems.length = 0;
  else problems.push(...(await listRemainingSteps(released, version, bump)));
  if (repository === undefined)
    problems.unshift(
      "package.json has no repository: set `repository`, `homepage`, and `bugs` to the GitHub repository",
    );
  const isReady = problems.length === 0;
  const parts = [
    `## Release check: ${version}, compared with ${name}`,
    because,
    text,
    problems.map((each) => `- ${each}`).join("\n"),
    `**${isReady ? "Ready" : "Not ready"} to release ${version}.**`,
  ];
  return { text: parts.filter(Boolean).join("\n\n"), isReady };
}

/** Compares the descriptions and the exports with those of a commit. @param name how the report calls the commit */
async function compareWith(ref: string, name: string) {
  const folder = await mkdtemp(join(tmpdir(), "release-"));
  const restore = async (file: string) => {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await git("show", `${ref}:${file}`));
    return path;
  };
  try {
    const specification = await compareSpecification(await restore(SPECIFICATION), SPECIFICATION);
    const service = await compareService(await restore(SERVICE), SERVICE);
    const exported = compareExports(await releasedNames(ref), await currentNames());
    const comparisons = [specification, service, exported];
    const text = comparisons.map((each) => each.text).filter(Boolean);
    return {
      // Redocly prints paths relative to the current folder.
      text: text.join("\n\n").replaceAll(new RegExp(`[^ |]*${basename(folder)}/`, "g"), `${name}:`),
      bump: highest(comparisons.map((each) => each.bump)),
      problems: specification.problems,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function currentNames(): Promise<PublicNames> {
  const read = (file: string) => readFile(join(project, file), "utf8");
  return publicNames(read, await readdir(join(project, REPORTS)));
}

async function releasedNames(ref: string): Promise<PublicNames> {
  const files = (await git("ls-tree", "--name-only", `${ref}:${REPORTS}`)).trim().split("\n");
  return publicNames((file) => git("show", `${ref}:${file}`), files);
}

async function publicNames(read: (file: string) => Promise<string>, files: readonly string[]) {
  const manifest = JSON.parse(await read("package.json")) as Manifest;
  const reports = await Promise.all(
    files.map(async (file) => [file, await read(`${REPORTS}/${file}`)] as const),
  );
  const { exports, bin = {} } = manifest;
  const entryPoints = [...Object.keys(exports), ...Object.keys(bin)];
  return { entryPoints, reports: Object.fromEntries(reports) };
}

/** Lists the steps that remain before the release. @param bump the smallest bump that the comparison allows */
async function listRemainingSteps(
  released: string,
  version: string,
  bump: Bump,
): Promise<string[]> {
  const pending = (await readdir(join(project, ".changeset"))).filter((name) =>
    name.endsWith(".md"),
  );
  const problems = pending.map(
    (name) => `.changeset/${name} is pending: run npm run release:version`,
  );
  const changesets = pending.map((name) => readFile(join(project, ".changeset", name), "utf8"));
  const planned = highest([bumpBetween(released, version), bumpOf(await Promise.all(changesets))]);
  if (version.localeCompare(released, "en", { numeric: true }) < 0)
    problems.push(`${version} is lower than v${released}: run npm run release:version`);
  else if (planned !== "none" && highest([planned, bump]) !== planned)
    problems.push(
      `these changes require a ${bump} version, not a ${planned} version: run npm run changeset, and choose ${bump}`,
    );
  if (version === released) {
    const args = ["diff", "--name-only", `v${released}`, "--", ...PUBLISHED];
    const changed = (await git(...args)).trim().replaceAll("\n", ", ");
    if (changed && planned === "none")
      problems.push(
        `v${released} is already released, but these files have changed since: ${changed}; run npm run changeset, and choose ${bump === "none" ? "patch" : bump} or higher`,
      );
    return problems;
  }
  const changelog = await readFile(join(project, "CHANGELOG.md"), "utf8");
  const entry = changelog.split(/^## /m).find((each) => each.startsWith(`${version}\n`)) ?? "";
  if (!/\n[^#\s]/.test(entry)) {
    problems.push(`CHANGELOG.md has no entry for ${version}: run npm run changeset`);
  }
  return problems;
}

/** Finds the commit to compare with. @returns the commit, its name, and why it was chosen if there is no release */
async function findBase(released: string | undefined) {
  if (released !== undefined) return { ref: `v${released}`, name: `v${released}`, because: "" };
  const because =
    "No tag vX.Y.Z exists, so this is the first release, and every change is allowed.";
  const ref = await git("merge-base", "HEAD", "origin/main").catch(() => undefined);
  return ref === undefined
    ? { ref: "HEAD", name: "the last commit", because }
    : { ref: ref.trim(), name: `origin/main (${ref.slice(0, 8)})`, because };
}

/**
 * Finds the last release: the highest tag vX.Y.Z in the history of the current commit.
 * @returns the version, or undefined before the first release
 */
async function findLastRelease(): Promise<string | undefined> {
  const args = ["tag", "--list", "v*", "--merged", "HEAD", "--sort=-v:refname"];
  const tags = (await git(...args)).split("\n");
  const tag = tags.find((each) => /^v\d+\.\d+\.\d+$/.test(each));
  if (tag) return tag.slice(1);
  const shallow = await git("rev-parse", "--is-shallow-repository");
  if (shallow.trim() === "false") return undefined;
  throw new ReleaseError("no tag vX.Y.Z in a shallow clone; run git fetch --tags --unshallow");
}

/** Runs Git and returns its standard output. @throws {ReleaseError} if Git fails */
async function git(...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)("git", args, { cwd: project, maxBuffer: 2 ** 27 })).stdout;
  } catch (error) {
    throw new ReleaseError((error as Error).message);
  }
}
