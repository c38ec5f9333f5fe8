import { rm } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { conclusion, resultOf } from "../../scripts/release/check.js";
import { listing, readOptions, type Options } from "../../scripts/release/options.js";
import { UsageError } from "../../scripts/command-line.js";
import { versionIn } from "../../scripts/release/released.js";
import { jsonReport, markdownReport, type Result } from "../../scripts/release/report.js";
import { raised } from "../../scripts/release/version.js";
import { useClone } from "./clone.js";

const clone = useClone();
const description = "openapi/catalogue.yaml";
const slow = 300_000;

const command = (...args: string[]) => clone.run("scripts/release-check.ts", args);
const released = () => versionIn(clone.folder, "released/version.json");

/** Looks at the clone without a process of its own, which takes longer to start than most steps. */
async function check(steps: string) {
  const version = await versionIn(clone.folder, "package.json");
  const results: Result[] = [];
  for (const step of (readOptions(["--only", steps]) as Options).steps) {
    results.push(await resultOf(step, { project: clone.folder, version }));
  }
  const failed = results.filter(({ problems }) => problems.length > 0);
  const says = stripVTControlCharacters(conclusion(version, results));
  return { version, results, failed: failed.map(({ step }) => step.name), says };
}

/** The version that package.json would have. */
async function setVersion(bump: "patch" | "minor" | "major"): Promise<string> {
  const version = raised(await released(), bump);
  await clone.edit("package.json", /"version": ".*"/, `"version": "${version}"`);
  return version;
}

const newOperation = `paths:
  /3/movie/random:
    get:
      operationId: movies.random
      tags: [MOVIES]
      summary: A movie of any kind
      x-source: Endpoints 10
      responses:
        "200":
          description: The movie.
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/MovieDetail"
`;

describe("npm run release:check", { timeout: slow }, () => {
  it("says that what is committed is ready", async () => {
    const steps = "clean,generated,diff,recordings,api,changelog";
    const { code, stdout } = await command("--only", steps);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\nready to release \d+\.\d+\.\d+/)]);
    for (const step of steps.split(","))
      expect(stdout).toMatch(new RegExp(`^${step} +passed`, "m"));
    expect(clone.git("status", "--porcelain")).toBe("");
  });

  it("names what is not committed and what is stale, and goes on after a failure", async () => {
    await clone.write("notes.txt", "not committed");
    await clone.edit("src/generated/operations.ts", "movies.latest", "movies.newest");
    const { code, stdout } = await command("--only", "clean,generated,changelog");
    expect(code).toBe(1);
    expect(stdout).toContain("clean: notes.txt is not committed; commit or remove it");
    expect(stdout).toContain("src/generated/operations.ts is stale: run npm run generate");
    expect(stdout).toMatch(/^changelog +passed/m);
    expect(stdout).toMatch(/\nnot ready to release /);
  });

  it("asks for a major bump and an entry in CHANGELOG.md where a property is removed", async () => {
    await clone.edit(
      description,
      "A genre.\n      type: object\n      required: [id, name]",
      "A genre.\n      type: object\n      required: [id]",
    );
    await clone.edit(
      description,
      "        name:\n          description: Name of the genre.\n          type: string\n",
      "",
    );
    const due = raised(await released(), "major");

    const first = await check("diff,changelog");
    expect(first.failed).toEqual(["diff"]);
    expect(first.says).toContain(`asks for a major bump, to ${due} or later`);
    expect(first.says).toMatch(
      /catalogue\.yaml:\d+ removed Schema #\/components\/schemas\/Genre\/properties\/name: /,
    );

    await setVersion("minor");
    expect((await check("diff")).failed).toEqual(["diff"]);

    await setVersion("major");
    const second = await check("diff,changelog");
    expect(second.failed).toEqual(["changelog"]);
    expect(second.says).toContain(`changelog: CHANGELOG.md has no entry for ${due}`);

    await clone.edit("CHANGELOG.md", "\n## ", `\n## ${due}\n\n### Major Changes\n\n## `);
    const third = await check("changelog");
    expect(third.says).toContain(`changelog: the entry for ${due} in CHANGELOG.md is empty`);

    await clone.edit("CHANGELOG.md", "Major Changes\n", "Major Changes\n\n- No identifier.\n");
    expect((await check("changelog")).failed).toEqual([]);
  });

  it("lets code that compiled with the last release keep its names and types", async () => {
    await clone.edit("src/index.ts", "paginate, type Page,", "paginate,");
    await clone.edit("src/options.ts", "  retries?: number | undefined;", "  retries: number;");
    const { failed, says } = await check("api");
    expect(failed).toEqual(["api"]);
    expect(says).toContain("api: Page of media-catalogue is gone; bring it back");
    expect(says).toMatch(/api: released\/types\/twenty-calls\.ts:\d+: .*'retries' is missing/);

    await setVersion("major");
    const major = await check("api");
    expect(major.failed).toEqual([]);
    expect(major.results[0]?.summary).toMatch(/ [1-9]\d* incompatible changes/);
  });

  it("fails a tightening that old recordings contradict, and names the place", async () => {
    await clone.edit(
      description,
      "description: Name of the genre.",
      "description: Name of the genre.\n          pattern: ^[a-z]",
    );
    await setVersion("minor");
    const { failed, says } = await check("diff,recordings");
    expect(failed).toEqual(["recordings"]);
    expect(says).toMatch(
      /recordings: released\/recordings\/genres\.tvList\/\S+\.json:\d+ genres\.tvList \/genres\/0\/name: .*\/components\/schemas\/Genre\/properties\/name\/pattern/,
    );
  });

  it("gives the same bytes of Markdown and of JSON, with every change", async () => {
    await clone.edit(description, "paths:\n", newOperation);
    await clone.edit(description, "Name of the genre.", "Name | of @a <genre>.");
    const one = await check("diff");
    const other = await check("diff");
    for (const report of [markdownReport, jsonReport]) {
      const text = report(one.version, one.results);
      expect(report(other.version, other.results)).toBe(text);
      expect(text).toContain("asks for a minor bump");
    }
    expect(JSON.parse(jsonReport(one.version, one.results))).toMatchObject({
      verdict: `not ready to release ${one.version}`,
      steps: [{ name: "diff", passed: false, changes: [{ impact: "minor" }, { impact: "patch" }] }],
    });
    expect(markdownReport(one.version, one.results)).toMatch(
      /\n\| minor \| .*\n\| patch \| modified Schema /,
    );
  });

  it("says where the description is no YAML, or refers to nothing", async () => {
    await clone.edit(description, "tags: [SEARCH]", "tags: [SEARCH");
    const broken = await check("diff,recordings");
    expect(broken.failed).toEqual(["diff", "recordings"]);
    expect(broken.says).toMatch(
      /^recordings: openapi\/catalogue\.yaml:\d+:\d+: Flow sequence .*; mend the YAML$/m,
    );
    clone.git("checkout", "-q", ".");
    await clone.edit(description, "operationId: search.multi", "operationId: movies.latest");
    const twice = await check("diff");
    expect(twice.says).toMatch(/catalogue\.yaml:\d+:\d+: operationId movies\.latest is used twice/);
  });

  it("says what to do where the last release is not kept, or a later one is tagged", async () => {
    clone.git("tag", `v${raised(await released(), "minor")}`);
    const later = await check("diff");
    expect(later.says).toMatch(
      /diff: v\S+ is tagged, but released\/ still holds .*release:version -- --record/,
    );
    await rm(join(clone.folder, "released"), { recursive: true });
    const { says } = await check("diff,recordings,api");
    for (const step of ["diff", "recordings", "api"]) {
      expect(says).toContain(`${step}: released/version.json is not there; git restore it`);
    }
  });

  it("refuses a version that is tagged on another state", async () => {
    clone.git("tag", `v${await versionIn(clone.folder, "package.json")}`);
    expect((await check("changelog")).failed).toEqual([]);
    await clone.edit("src/index.ts", "paginate, type Page,", "paginate,");
    clone.git("commit", "-qam", "Change the package");
    expect((await check("changelog")).says).toMatch(/changelog: v\S+ is tagged on another state/);
  });

  it("says so where there is no git", async () => {
    const env = { PATH: clone.folder };
    const { code, stdout } = await clone.run("scripts/release-check.ts", ["--only", "clean"], env);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/clean: git does not start .*install it/),
    ]);
  });

  it("prints its usage and its steps", async () => {
    const { code, stdout } = await command("--help");
    expect([code, stdout]).toEqual([0, expect.stringContaining("--only STEP")]);
    expect(readOptions(["--list"])).toBe("list");
    expect(listing()).toMatch(/^ {2}clean +nothing is uncommitted\n/);
  });

  it("ends with 2 where it is used in a wrong way", async () => {
    const { code, stdout, stderr } = await command("--only", "dif");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^release:check: --only dif is no step; [^]*--help lists the options/);
  });

  it.each([
    [["--onyl", "diff"], "'--onyl'"],
    [["--only", "dif"], "--only dif is no step; the steps are clean, "],
    [["--only", ""], "--only (nothing) is no step"],
    [["--only", "diff", "--skip", "api"], "give one of them"],
    [["--format", "html"], "--format html is none of pretty, markdown, json"],
    [["diff"], "'diff'"],
  ])("refuses %j", (args, says) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(says);
  });
});
