import { readdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { redocly, type Output } from "../shared/redocly.js";
import { incompatibilities } from "./incompatibilities.js";
import { extract, lastRelease, readManifest, ReleaseError, run } from "./released.js";

/** A report in Markdown, and whether the version in package.json is ready to be released. */
export interface ReleaseReport {
  text: string;
  isReady: boolean;
}

const DESCRIPTION = "openapi/catalogue.yaml";

/** Published files and folders. Any change to them requires a new version. */
const PUBLISHED = ["openapi", "schemas", "src", "README.md", "package.json"];

/**
 * Compares the project with its last release.
 * @throws {ReleaseError} if the last release cannot be read or compared
 */
export async function checkRelease(project: string): Promise<ReleaseReport> {
  const released = await lastRelease(project);
  if (released === undefined) {
    return { text: "First release, nothing to compare: no tag vX.Y.Z exists.", isReady: true };
  }
  const folder = join(project, `.tmp/release-${process.pid}`);
  try {
    await extract(project, released, folder);
    const { version } = await readManifest(project);
    const { text, problems: versionProblems } = await diffDescription(project, folder);
    const isMajor = version.split(".")[0] !== released.split(".")[0];
    const problems = [
      ...versionProblems,
      ...(isMajor ? [] : await incompatibilities(project, folder)),
      ...(await listRemainingSteps(project, released, version)),
    ];
    const isReady = problems.length === 0;
    const parts = [
      `## Release check: ${version}, compared with v${released}`,
      text,
      problems.map((each) => `- ${each.replaceAll("\n", "\n  ")}`).join("\n"),
      `**${isReady ? "Ready" : "Not ready"} to release ${version}.**`,
    ];
    const report = parts.filter(Boolean).join("\n\n");
    return { text: report.replaceAll(/\S*\.tmp\/release-\d+\//g, `v${released}:`), isReady };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the changes of the description in Markdown, and the problems with its `info.version`. */
async function diffDescription(project: string, folder: string) {
  const before = relative(project, join(folder, DESCRIPTION));
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
    const changed = (await run(project, "git", ...args)).trim().replaceAll("\n", ", ");
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
