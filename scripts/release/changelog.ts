import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pendingChangesets } from "./changesets.js";
import { run } from "./command.js";
import { versionTags } from "./released.js";
import type { Step } from "./step.js";

/** Users can read what the version brings. */
export const changelog: Step = {
  name: "changelog",
  asks: "CHANGELOG.md tells what the version brings, and no changeset waits",
  async run({ project, version }) {
    const problems: string[] = [];
    const text = await readFile(join(project, "CHANGELOG.md"), "utf8").catch(() => undefined);
    const entry = text === undefined ? undefined : entryOf(text, version);
    if (text === undefined)
      problems.push("CHANGELOG.md is not there; npm run release:version makes it");
    else if (entry === undefined) {
      problems.push(
        `CHANGELOG.md has no entry for ${version}; add a changeset (npx changeset) and run npm run release:version`,
      );
    } else if (entry === "") {
      problems.push(`the entry for ${version} in CHANGELOG.md is empty; say what it brings`);
    }
    for (const { file } of await pendingChangesets(project)) {
      problems.push(`${file} waits to be released; run npm run release:version`);
    }
    problems.push(...(await takenBy(project, version)));
    const lines = entry?.split("\n").filter(Boolean).length ?? 0;
    return { summary: `${lines} lines about ${version}`, problems };
  },
};

/** What users get; the folder `released` is written after a release. */
const published = ["openapi", "schemas", "src", "README.md", "package.json"];

/** A version is one commit: what came after its tag is not in it. */
async function takenBy(project: string, version: string): Promise<string[]> {
  const tag = `v${version}`;
  if (!(await versionTags(project)).includes(tag)) return [];
  const { code } = await run(project, "git", "diff", "--quiet", tag, "HEAD", "--", ...published);
  if (code === 0) return [];
  return [
    `${tag} is tagged on another state; add a changeset (npx changeset) and run npm run release:version`,
  ];
}

/** What stands between the heading of a version and the next one, without headings; undefined where there is none. */
function entryOf(text: string, version: string): string | undefined {
  const sections = text.split(/^## /m).slice(1);
  const section = sections.find((each) => /^\[?([^\s\]]+)/.exec(each)?.[1] === version);
  return section
    ?.replace(/^.*\n?/, "")
    .replaceAll(/^#.*$/gm, "")
    .trim();
}
