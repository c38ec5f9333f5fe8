/** `npm run release:check`: compares the project with its last release. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, promisify } from "node:util";
import { parse } from "yaml";
import { parseArguments, runMain } from "./shared/command-line.js";
import { redocly, type Output } from "./shared/redocly.js";

const USAGE = `Usage: npm run release:check

Compares the description and the published files with the last git tag vX.Y.Z, and says in Markdown whether the version
in package.json is ready to be released. The description has its own version, info.version, which must change if and only
if the description changes. Without a tag, there is nothing to compare. Incompatible types appear in the reports in
test/types/api, which pull requests show.

  -h, --help  print this help

Exit codes: 0 if the version is ready, 1 if the version is not ready, 2 if the arguments are invalid or the last release
cannot be read.`;

const project = fileURLToPath(new URL("..", import.meta.url));

/** Thrown if a release cannot be checked; the message explains the problem and the fix. */
class ReleaseError extends Error {}

interface Manifest {
  version: string;
  repository?: unknown;
}

const DESCRIPTION = "openapi/catalogue.yaml";

/** Published files and folders. Any change to them requires a new version. */
const PUBLISHED = ["openapi", "schemas", "src", "README.md", "package.json"];

await runMain("npm run release:check", USAGE, async (args) => {
  parseArguments(args, {});
  try {
    const { text, isReady } = await checkRelease();
    console.log(text);
    return isReady ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    console.error(`release:check: ${error.message}`);
    return 2;
  }
});

/**
 * Compares the project with its last release.
 * @returns a report in Markdown, and whether the version in package.json is ready to be released
 * @throws {ReleaseError} if the last release cannot be read or compared
 */
async function checkRelease() {
  const manifest = await readFile(join(project, "package.json"), "utf8");
  const { version, repository } = JSON.parse(manifest) as Manifest;
  const released = await findLastRelease();
  const { text, problems } =
    released === undefined
      ? { text: "First release, nothing to compare: no tag vX.Y.Z exists.", problems: [] }
      : await compare(released, version);
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
async function compare(released: string, version: string) {
  const folder = await mkdtemp(join(tmpdir(), "release-"));
  try {
    const before = join(folder, "catalogue.yaml");
    await writeFile(before, await git("show", `v${released}:${DESCRIPTION}`));
    const { text, problems } = await diffDescription(before);
    return {
      text: text.replaceAll(before, `v${released}:${DESCRIPTION}`),
      problems: [...problems, ...(await listRemainingSteps(released, version))],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the changes of the description in Markdown, and the problems with its `info.version`. */
async function diffDescription(before: string) {
  const options = ["--config", "scripts/redocly.yaml", "--fail-on", "none", "--check-version"];
  const compared = ["diff", before, DESCRIPTION, "--format", "markdown"];
  const { stdout, stderr } = await redocly(...compared, ...options).catch((error: Output) => {
    if (/info\.version/.test(error.stderr)) return error;
    throw new ReleaseError(`redocly diff failed: ${error.stderr.trim()}`);
  });
  const [tooLow] = /info\.version .*/.exec(stderr) ?? [];
  const problems = tooLow ? [`${tooLow} Set it in ${DESCRIPTION}, and run npm run generate.`] : [];
  const [old, now] = await Promise.all([before, join(project, DESCRIPTION)].map(splitVersion));
  if (old!.version !== now!.version && isDeepStrictEqual(old!.others, now!.others))
    problems.push(
      `info.version has changed from ${old!.version} to ${now!.version}, but nothing else in ${DESCRIPTION} has. Set it back to ${old!.version}.`,
    );
  return { text: stdout.trim(), problems };
}

/** Reads the `info.version` of a description, and everything else in it. */
async function splitVersion(file: string) {
  const { info, ...others } = parse(await readFile(file, "utf8")) as { info: { version: string } };
  const { version, ...rest } = info;
  return { version, others: { ...others, info: rest } };
}

/** Lists the steps that remain before the release. */
async function listRemainingSteps(released: string, version: string): Promise<string[]> {
  const pending = (await readdir(join(project, ".changeset"))).filter((name) =>
    name.endsWith(".md"),
  );
  const problems = pending.map(
    (name) => `.changeset/${name} is pending: run npm run release:version`,
  );
  if (version === released) {
    const args = ["diff", "--name-only", `v${released}`, "--", ...PUBLISHED];
    const changed = (await git(...args)).trim().replaceAll("\n", ", ");
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
