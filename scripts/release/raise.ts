import { pendingChangesets } from "./changesets.js";
import { run, runTool } from "./command.js";
import { changesSince } from "./diff.js";
import { ratingOf } from "./rate.js";
import { readReleased, versionIn } from "./released.js";
import { ReleaseError } from "./step.js";
import { greatest, isLess, needed, raised, riseOf } from "./version.js";

/**
 * Raises the version by the changesets that wait, and writes their texts to CHANGELOG.md.
 * @returns what was done, in a line
 * @throws {ReleaseError} they ask for less than the description does; nothing was changed
 */
export async function raiseVersion(project: string): Promise<string> {
  const released = await readReleased(project);
  const before = await versionIn(project, "package.json");
  const bump = greatest((await pendingChangesets(project)).map((each) => each.bump));
  if (bump === "none") throw new ReleaseError("no changeset waits; make one with npx changeset");
  const due = needed(released.version, ratingOf(await changesSince(project)));
  if (isLess(riseOf(released.version, raised(before, bump)) ?? "none", due)) {
    throw new ReleaseError(
      `the changesets ask for a ${bump} bump, and the changes of the description for a ${due} one ` +
        `(npm run release:check -- --only diff lists them); write ${due} in a file of .changeset`,
    );
  }
  const { code, stdout, stderr } = await runTool(project, "@changesets/cli/bin.js", "version");
  if (code !== 0) throw new ReleaseError(`changeset version failed:\n${stdout}${stderr}`);
  const version = await versionIn(project, "package.json");
  await writeLock(project, version);
  await runTool(project, "prettier/bin/prettier.cjs", "--write", "package.json", "CHANGELOG.md");
  return `${before} is now ${version}; read CHANGELOG.md, commit, and run npm run release:check`;
}

/** Changesets leave the version in package-lock.json as it was. */
async function writeLock(project: string, version: string): Promise<void> {
  const options = ["--allow-same-version", "--no-git-tag-version", "--ignore-scripts"];
  const { code, stderr } = await run(project, "npm", "version", version, ...options);
  if (code !== 0) throw new ReleaseError(`package-lock.json was not changed:\n${stderr}`);
}
