import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { raised } from "../../scripts/release/version.js";
import { useClone } from "./clone.js";

const clone = useClone();
const description = "openapi/catalogue.yaml";
const slow = 240_000;

const check = (...args: string[]) => clone.run("scripts/release-check.ts", args);
const released = async () =>
  (JSON.parse(await clone.read("released/version.json")) as { version: string }).version;

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

describe("npm run release:check", () => {
  it("says that what is committed is ready", { timeout: slow }, async () => {
    const steps = "clean,generated,diff,recordings,api,changelog";
    const { code, stdout } = await check("--only", steps);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\nready to release \d+\.\d+\.\d+/)]);
    for (const step of steps.split(","))
      expect(stdout).toMatch(new RegExp(`^${step} +passed`, "m"));
    expect(clone.git("status", "--porcelain")).toBe("");
  });

  it("names what is not committed and what is stale, and goes on after a failure", async () => {
    await clone.write("notes.txt", "not committed");
    await clone.edit("src/generated/operations.ts", "movies.latest", "movies.newest");
    const { code, stdout } = await check("--only", "clean,generated,changelog");
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

    const first = await check("--only", "diff,changelog");
    expect(first.code).toBe(1);
    expect(first.stdout).toContain(`asks for a major bump, to ${due} or later`);
    expect(first.stdout).toMatch(
      /catalogue\.yaml:\d+ removed Schema #\/components\/schemas\/Genre\/properties\/name: /,
    );

    await setVersion("minor");
    expect((await check("--only", "diff")).code).toBe(1);

    await setVersion("major");
    const second = await check("--only", "diff,changelog");
    expect(second.code).toBe(1);
    expect(second.stdout).toMatch(/^diff +passed/m);
    expect(second.stdout).toContain(`changelog: CHANGELOG.md has no entry for ${due}`);

    await clone.edit("CHANGELOG.md", "\n## ", `\n## ${due}\n\n### Major Changes\n\n## `);
    const third = await check("--only", "diff,changelog");
    expect(third.stdout).toContain(`changelog: the entry for ${due} in CHANGELOG.md is empty`);

    await clone.edit("CHANGELOG.md", "Major Changes\n", "Major Changes\n\n- No identifier.\n");
    expect((await check("--only", "diff,changelog")).code).toBe(0);
  });

  it(
    "lets code that compiled with the last release keep its names and types",
    { timeout: slow },
    async () => {
      await clone.edit("src/index.ts", "paginate, type Page,", "paginate,");
      await clone.edit("src/options.ts", "  retries?: number;", "  retries: number;");
      const { code, stdout } = await check("--only", "api");
      expect(code).toBe(1);
      expect(stdout).toContain("api: Page of media-catalogue is gone; bring it back");
      expect(stdout).toMatch(/api: released\/types\/options\.ts:\d+: .*'retries' is missing/);

      await setVersion("major");
      const major = await check("--only", "api");
      expect(major.code).toBe(0);
      expect(major.stdout).toMatch(/^api +passed .* [1-9]\d* incompatible changes/m);
    },
  );

  it("fails a tightening that old recordings contradict, and names the place", async () => {
    await clone.edit(
      description,
      "description: Name of the genre.",
      "description: Name of the genre.\n          pattern: ^[a-z]",
    );
    await setVersion("minor");
    const { code, stdout } = await check("--only", "diff,recordings");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^diff +passed/m);
    expect(stdout).toMatch(
      /recordings: released\/recordings\/genres\.tvList\/\S+\.json:\d+ genres\.tvList \/genres\/0\/name: .*\/components\/schemas\/Genre\/properties\/name\/pattern/,
    );
  });

  it("gives the same bytes of Markdown and of JSON, with every change", async () => {
    await clone.edit(description, "paths:\n", newOperation);
    await clone.edit(description, "Name of the genre.", "Name | of @a <genre>.");
    for (const format of ["markdown", "json"]) {
      const [one, other] = [
        await check("--only", "diff", "--format", format),
        await check("--only", "diff", "--format", format),
      ];
      expect(one).toEqual(other);
      expect(one.code).toBe(1);
      expect(one.stdout).toContain("asks for a minor bump");
      expect(one.stdout).toMatch(
        format === "json" ? /"impact": "patch"/ : /\n\| patch \| modified Schema/,
      );
    }
  });

  it("says where the description is no YAML, or refers to nothing", async () => {
    await clone.edit(description, "tags: [SEARCH]", "tags: [SEARCH");
    const broken = await check("--only", "diff");
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(
      /^diff: openapi\/catalogue\.yaml:\d+:\d+: Flow sequence .*; mend the YAML$/m,
    );
    clone.git("checkout", "-q", ".");
    await clone.edit(description, "operationId: search.multi", "operationId: movies.latest");
    const twice = await check("--only", "diff");
    expect(twice.stdout).toMatch(
      /catalogue\.yaml:\d+:\d+: operationId movies\.latest is used twice/,
    );
  });

  it("says what to do where the last release is not kept, or a later one is tagged", async () => {
    clone.git("tag", `v${raised(await released(), "minor")}`);
    const later = await check("--only", "diff");
    expect(later.stdout).toMatch(
      /diff: v\S+ is tagged, but released\/ still holds .*release:version -- --record/,
    );
    await rm(join(clone.folder, "released"), { recursive: true });
    const { code, stdout } = await check("--only", "diff,recordings,api");
    expect(code).toBe(1);
    for (const step of ["diff", "recordings", "api"]) {
      expect(stdout).toContain(`${step}: released/version.json is not there; git restore it`);
    }
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
    expect(await check("--help")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("--only STEP"),
    });
    const { code, stdout } = await check("--list");
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^ {2}clean +nothing is uncommitted\n/),
    ]);
  });

  it.each([
    [["--onyl", "diff"], "'--onyl'"],
    [["--only", "dif"], "--only dif is no step; the steps are clean, "],
    [["--only", ""], "--only (nothing) is no step"],
    [["--only", "diff", "--skip", "api"], "give one of them"],
    [["--format", "html"], "--format html is none of pretty, markdown, json"],
    [["diff"], "'diff'"],
  ])("refuses %j", async (args, says) => {
    const { code, stdout, stderr } = await check(...args);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(says)]);
    expect(stderr).toContain("--help lists the options");
  });
});
