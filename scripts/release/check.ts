import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { redocly, type Output } from "../shared/redocly.js";

/** Thrown if a release cannot be checked; the message explains the problem and the fix. */
export class ReleaseError extends Error {}

/** A report in Markdown, and whether the version in package.json is ready to be released. */
export interface ReleaseReport {
  text: string;
  isReady: boolean;
}

interface Manifest {
  version: string;
  repository?: unknown;
}

const DESCRIPTION = "openapi/catalogue.yaml";

/** Published files and folders. Any change to them requires a new version. */
const PUBLISHED = ["openapi", "schemas", "src", "README.md", "package.json"];

/**
 * Compares the project with its last release.
 * @throws {ReleaseError} if the last release cannot be read or compared
 */
export async function checkRelease(project: string): Promise<ReleaseReport> {
  const manifest = await readFile(join(project, "package.json"), "utf8");
  const { version, repository } = JSON.parse(manifest) as Manifest;
  const released = await findLastRelease(project);
  const { text, problems } =
    released === undefined
      ? { text: "First release, nothing to compare: no tag vX.Y.Z exists.", problems: [] }
      : await compare(project, released, version);
  if (repository === undefined)
    problems.unshift(
      "package.json has no repository: set `repository`, `homepage`, and `bugs` to the GitHub repository",
    );
  const isReady = problems.length === 0;
  const title = released === undefined ? version : `${version}, compared with v${released}`;
  const parts = [
    `## Release check: ${title}`,
    text,
    problems.map((each) => `- ${each}`).join("\n"),
    `**${isReady ? "Ready" : "Not ready"} to release ${version}.**`,
  ];
  return { text: parts.filter(Boolean).join("\n\n"), isReady };
}

/** Compares the description and the published files with those of the last release. */
async function compare(project: string, released: string, version: string) {
  const folder = await mkdtemp(join(tmpdir(), "release-"));
  try {
    const before = join(folder, "catalogue.yaml");
    await writeFile(before, await git(project, "show", `v${released}:${DESCRIPTION}`));
    const { text, problems } = await diffDescription(before);
    return {
      text: text.replaceAll(before, `v${released}:${DESCRIPTION}`),
      problems: [...problems, ...(await listRemainingSteps(project, released, version))],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the changes of the description in Markdown, and the problems with its `info.version`. */
async function diffDescription(before: string) {
  const diff = (...options: string[]) =>
    redocly(
      "diff",
      before,
      DESCRIPTION,
      "--config",
      "scripts/redocly.yaml",
      "--fail-on",
      "none",
      ...options,
    );
  const { stdout, stderr } = await diff("--format", "markdown", "--check-version").catch(
    (error: Output) => {
      if (/info\.version/.test(error.stderr)) return error;
      throw new ReleaseError(`redocly diff failed: ${error.stderr.trim()}`);
    },
  );
  const [tooLow] = /info\.version .*/.exec(stderr) ?? [];
  const problems = tooLow ? [`${tooLow} Set it in ${DESCRIPTION}, and run npm run generate.`] : [];
  // `bump` is undefined if nothing except info.version has changed.
  const { bump, infoVersions } = JSON.parse((await diff("--format", "json")).stdout) as {
    bump?: string;
    infoVersions: { base: string; revision: string };
  };
  const { base, revision } = infoVersions;
  if (bump === undefined && base !== revision) {
    problems.push(
      `info.version has changed from ${base} to ${revision}, but nothing else in ${DESCRIPTION} has. Set it back to ${base}.`,
    );
  }
  return { text: stdout.trim(), problems };
}

/** Lists the steps that remain before the release. */
async function listRemainingSteps(
  project: string,
  released: string,
  version: string,
): Promise<string[]> {
  const pending = (await readdir(join(project, ".changeset"))).filter((name) =>
    name.endsWith(".md"),
  );
  const problems = pending.map(
    (name) => `.changeset/${name} is pending: run npm run release:version`,
  );
  if (version === released) {
    const args = ["diff", "--name-only", `v${released}`, "--", ...PUBLISHED];
    const changed = (await git(project, ...args)).trim().replaceAll("\n", ", ");
    if (changed)
      problems.push(
        `v${released} is already released, but these files have changed since: ${changed}; run npx changeset`,
      );
    return problems;
  }
  const changelog = await readFile(join(project, "CHANGELOG.md"), "utf8");
  const entry = changelog.split(/^## /m).find((each) => each.startsWith(`${version}\n`)) ?? "";
  if (!/\n[^#\s]/.test(entry)) {
    problems.push(`CHANGELOG.md has no entry for ${version}: run npx changeset`);
  }
  return problems;
}

/**
 * Finds the last release: the highest tag vX.Y.Z in the history of the current commit.
 * @returns the version, or undefined before the first release
 */
async function findLastRelease(project: string): Promise<string | undefined> {
  const args = ["tag", "--list", "v*", "--merged", "HEAD", "--sort=-v:refname"];
  const tags = (await git(project, ...args)).split("\n");
  const tag = tags.find((each) => /^v\d+\.\d+\.\d+$/.test(each));
  if (tag) return tag.slice(1);
  const shallow = await git(project, "rev-parse", "--is-shallow-repository");
  if (shallow.trim() === "false") return undefined;
  throw new ReleaseError("no tag vX.Y.Z in a shallow clone; run git fetch --tags --unshallow");
}

/** Runs Git and returns its standard output. @throws {ReleaseError} if Git fails */
async function git(cwd: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)("git", args, { cwd, maxBuffer: 2 ** 27 })).stdout;
  } catch (error) {
    throw new ReleaseError((error as Error).message);
  }
}
