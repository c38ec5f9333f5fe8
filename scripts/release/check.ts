import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compare } from "./rate.js";
import { extract, lastRelease, pending, run } from "./released.js";
import { greatest, isLess, raised, riseOf } from "./version.js";

/** A report in Markdown, and whether the version in package.json is ready to be released. */
export interface Report {
  text: string;
  ready: boolean;
}

/**
 * Compares the project with its last release.
 * @throws {ReleaseError} they cannot be compared
 */
export async function check(project: string): Promise<Report> {
  const released = await lastRelease(project);
  if (released === undefined) {
    return { text: "First release, nothing to compare: no tag vX.Y.Z exists.", ready: true };
  }
  const { version } = JSON.parse(await readFile(join(project, "package.json"), "utf8")) as {
    version: string;
  };
  const { files, bump } = await pending(project);
  const rise = riseOf(released, raised(version, bump));
  const before = await run(project, "git", "show", `v${released}:openapi/catalogue.yaml`);
  const after = await readFile(join(project, "openapi/catalogue.yaml"), "utf8");
  const changes = await compare(before, after);
  const due = greatest(changes.map(({ impact }) => impact));
  const problems = files.map(
    (file) => `.changeset/${file} is pending: run npm run release:version`,
  );
  if (isLess(rise, due)) {
    const least = raised(released, due);
    problems.push(`the description needs a ${due} bump, to ${least}: add it with npx changeset`);
  }
  if (rise !== "major") problems.push(...(await broken(project, released)));
  if (bump === "none") problems.push(...(await unexplained(project, released, version)));
  const ready = problems.length === 0;
  const text = [
    `## Release check: ${version}, compared with v${released}`,
    `The description has ${changes.length} changes. The bump that it needs: **${due}**.`,
    changes
      .map(({ impact, what, place, why }) => `- **${impact}** ${what} (${place}): ${escaped(why)}`)
      .join("\n"),
    ready ? "" : "### Problems",
    problems.map((problem) => `- ${escaped(problem).replaceAll("\n", "\n  ")}`).join("\n"),
    `**${ready ? "Ready" : "Not ready"} to release ${version}.**`,
  ];
  return { text: text.filter(Boolean).join("\n\n"), ready };
}

/** Lists regressions since the last release: its recordings, type tests, and entry points. */
async function broken(project: string, released: string): Promise<string[]> {
  const folder = join(project, `.tmp/release-${process.pid}`);
  try {
    await extract(project, released, folder);
    const recordings = ["run", "--silent", "contract", "--", join(folder, "test/recordings")];
    const failures = await run(project, "npm", ...recordings).then(
      () => [],
      ({ message }: Error) => [`its recordings contradict the description:\n${message}`],
    );
    const problems = [...failures, ...(await typeErrors(project, folder))];
    const entries = await entryPoints(project);
    const gone = (await entryPoints(folder)).filter((name) => !entries.includes(name));
    problems.push(...gone.map((name) => `package.json no longer exports ${name}`));
    const remedy = "restore it, or release a major version";
    return problems.map((problem) => {
      const text = problem.replaceAll(/\S*\.tmp\/release-\d+\//g, `v${released}:`);
      return `v${released} no longer works (${remedy}): ${text}`;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Compiles the type tests of a release against the current sources. */
async function typeErrors(project: string, folder: string): Promise<string[]> {
  const paths = { vitest: [join(project, "scripts/release/vitest.d.ts")] };
  const config = {
    extends: join(project, "tsconfig.json"),
    compilerOptions: { paths },
    include: ["test/types/*.test-d.ts"],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(project, "node_modules/typescript/bin/tsc");
  const output = await run(folder, process.execPath, tsc, "--pretty", "false", "-p", ".").catch(
    ({ message }: Error) => message,
  );
  // TS2578 is an unused @ts-expect-error: invalid code now compiles, which is not a breaking change.
  return output.match(/^test\/types\/.*error TS(?!2578).*$/gm) ?? [];
}

async function entryPoints(folder: string): Promise<string[]> {
  const { exports, bin } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    exports: object;
    bin: object;
  };
  return [...Object.keys(exports), ...Object.keys(bin)];
}

/** Every version must have an entry in CHANGELOG.md, and a released version must not change. */
async function unexplained(project: string, released: string, version: string): Promise<string[]> {
  if (version === released) {
    const published = ["openapi", "schemas", "src", "README.md", "package.json"];
    const args = ["diff", "--name-only", `v${released}`, "--", ...published];
    const changed = (await run(project, "git", ...args)).trim().replaceAll("\n", ", ");
    return changed
      ? [`v${released} is released without ${changed}: add it with npx changeset`]
      : [];
  }
  const changelog = await readFile(join(project, "CHANGELOG.md"), "utf8");
  const entry = changelog.split(/^## /m).find((each) => each.startsWith(`${version}\n`)) ?? "";
  if (entry.split("\n").some((each, index) => index > 0 && /^[^#\s]/.test(each))) return [];
  return [`CHANGELOG.md says nothing about ${version}: add it with npx changeset`];
}

/** Text from a description must not become a mention or a tag in a pull request. */
function escaped(text: string): string {
  return text.replaceAll("@", "&#64;").replaceAll("<", "&lt;");
}
