import { readdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { parse } from "yaml";
import { redocly } from "../redocly.js";
import { incompatibilities } from "./incompatibilities.js";
import { extract, lastRelease, readManifest, ReleaseError, run } from "./released.js";

/** A report in Markdown, and whether the version in package.json is ready to be released. */
export interface ReleaseReport {
  text: string;
  ready: boolean;
}

/** Published files that a released version must not change. */
const PUBLISHED = ["openapi", "schemas", "src", "README.md", "package.json"];

/**
 * Compares the project with its last release.
 * @throws {ReleaseError} they cannot be compared
 */
export async function checkRelease(project: string): Promise<ReleaseReport> {
  const released = await lastRelease(project);
  if (released === undefined) {
    return { text: "First release, nothing to compare: no tag vX.Y.Z exists.", ready: true };
  }
  const folder = join(project, `.tmp/release-${process.pid}`);
  try {
    await extract(project, released, folder);
    const { version } = await readManifest(project);
    const { text, problem } = await diff(project, folder);
    const isMajor = version.split(".")[0] !== released.split(".")[0];
    const problems = [
      ...(problem === undefined
        ? []
        : [`${problem} Run npx changeset, then npm run release:version.`]),
      ...(isMajor ? [] : await incompatibilities(project, folder)),
      ...(await unprepared(project, released, version)),
    ];
    const ready = problems.length === 0;
    const parts = [
      `## Release check: ${version}, compared with v${released}`,
      text,
      problems.map((each) => `- ${each.replaceAll("\n", "\n  ")}`).join("\n"),
      `**${ready ? "Ready" : "Not ready"} to release ${version}.**`,
    ];
    const report = parts.filter(Boolean).join("\n\n");
    return { text: report.replaceAll(/\S*\.tmp\/release-\d+\//g, `v${released}:`), ready };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The changes of the description, and the problem if its version does not fit them. */
async function diff(project: string, folder: string) {
  const file = "openapi/catalogue.yaml";
  const { stdout, stderr } = await redocly(
    ...["diff", relative(project, join(folder, file)), file, "--config", "scripts/redocly.yaml"],
    ...["--format", "markdown", "--check-version", "--fail-on", "none"],
  ).catch((error: { stdout: string; stderr: string }) => {
    if (/info\.version/.test(error.stderr)) return error;
    throw new ReleaseError(`redocly diff failed: ${error.stderr.trim()}`);
  });
  const [problem] = /info\.version .*/.exec(stderr) ?? [];
  return { text: stdout.trim(), problem };
}

/** Lists the steps of a release that are still to be done. */
async function unprepared(project: string, released: string, version: string): Promise<string[]> {
  const pending = (await readdir(join(project, ".changeset"))).filter((name) =>
    name.endsWith(".md"),
  );
  const problems = pending.map(
    (name) => `.changeset/${name} is pending: run npm run release:version`,
  );
  const yaml = await readFile(join(project, "openapi/catalogue.yaml"), "utf8");
  const described = (parse(yaml) as { info: { version: string } }).info.version;
  if (described !== version) {
    problems.push(
      `openapi/catalogue.yaml has version ${described}, but package.json has ${version}: run npm run release:version`,
    );
  }
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
