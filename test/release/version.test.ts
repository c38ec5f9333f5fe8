import { describe, expect, it } from "vitest";
import { needed, raised, riseOf } from "../../scripts/release/version.js";
import { useClone } from "./clone.js";

/** The tools take long to start on a busy machine. */
const slow = 300_000;

describe("a version", () => {
  it.each([
    ["1.2.3", "1.2.3", "none"],
    ["1.2.3", "1.2.4", "patch"],
    ["1.2.3", "1.3.0", "minor"],
    ["1.2.3", "2.0.0", "major"],
    ["1.2.3", "2.0.0-next.1", "major"],
    ["1.2.3", "1.2.2", undefined],
    ["1.10.0", "1.9.0", undefined],
    ["0.1.0", "1.0.0", "major"],
  ])("%s to %s rises by %s", (from, to, rise) => expect(riseOf(from, to)).toBe(rise));

  it("below 1.0.0 breaks with its second number", () => {
    expect([needed("0.3.1", "major"), raised("0.3.1", "major")]).toEqual(["minor", "0.4.0"]);
    expect([needed("1.3.1", "major"), raised("1.3.1", "major")]).toEqual(["major", "2.0.0"]);
  });

  it("of another form is refused", () =>
    expect(() => riseOf("1.0.0", "1.0")).toThrow("1.0 is no version; write it as 1.2.3"));
});

describe("npm run release:version", { timeout: slow }, () => {
  const clone = useClone();
  const versionOf = async (file: string) =>
    (JSON.parse(await clone.read(file)) as { version: string }).version;
  const release = (...args: string[]) => clone.run("scripts/release-version.ts", args);
  const changeset = (bump: string) =>
    clone.write(
      ".changeset/a-b-c.md",
      `---\n"media-catalogue": ${bump}\n---\n\nMovies of any kind.\n`,
    );
  const commit = (message: string) => {
    clone.git("add", "-A");
    clone.git("commit", "-qm", message);
  };
  const describeNewOperation = () =>
    clone.edit(
      "openapi/catalogue.yaml",
      "paths:\n",
      `paths:
  /3/movie/random:
    get:
      operationId: movies.popular
      tags: [MOVIES]
      summary: A movie of any kind
      responses:
        "200":
          description: The movie.
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/MovieDetail"
`,
    );

  it("raises package.json, package-lock.json and CHANGELOG.md, so that the release is ready", async () => {
    await describeNewOperation();
    const generated = await clone.run("scripts/generate.ts", []);
    expect(generated.code, generated.stderr).toBe(0);
    await changeset("minor");
    commit("Add an operation");
    const before = await versionOf("package.json");
    const early = await clone.run("scripts/release-check.ts", ["--only", "diff,changelog"]);
    expect(early.stdout).toContain("asks for a minor bump");
    expect(early.stdout).toContain("changelog: .changeset/a-b-c.md waits to be released");

    const due = raised(before, "minor");
    expect(await release()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${before} is now ${due}`),
    });
    expect([await versionOf("package.json"), await versionOf("package-lock.json")]).toEqual([
      due,
      due,
    ]);
    expect(await clone.read("CHANGELOG.md")).toMatch(
      /^# media-catalogue\n\n## \S+\n\n### Minor Changes\n\n- .*Movies of any kind\.\n/,
    );
    commit("Release");
    // A new operation breaks no code of the last release, whose tests say that there is none of that name.
    const steps = "clean,generated,diff,recordings,api,changelog";
    const ready = await clone.run("scripts/release-check.ts", ["--only", steps]);
    expect(ready.code, ready.stdout).toBe(0);
  });

  it("refuses changesets that ask for less than the description, and changes nothing", async () => {
    await describeNewOperation();
    await changeset("patch");
    commit("Add an operation");
    const { code, stderr } = await release();
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        "ask for a patch bump, and the changes of the description for a minor one",
      ),
    ]);
    expect(clone.git("status", "--porcelain")).toBe("");
  });

  it("refuses where no changeset waits, and arguments that there are not", async () => {
    expect(await release()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no changeset waits; make one with npx changeset"),
    });
    expect(await release("--recrod")).toMatchObject({ code: 2, stdout: "" });
    expect(await release("--help")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("--record"),
    });
  });

  describe("--record", () => {
    it("keeps what is tagged as released, and it alone", async () => {
      const version = await versionOf("package.json");
      await clone.write("notes.txt", "not committed");
      const dirty = await release("--record");
      expect([dirty.code, dirty.stderr]).toEqual([1, expect.stringContaining("notes.txt")]);
      clone.git("clean", "-fdq");

      clone.git("tag", "v0.0.1");
      expect((await release("--record")).stderr).toContain(
        `v${version} is not tagged; publish it first`,
      );

      clone.git("tag", `v${version}`);
      await clone.edit("openapi/catalogue.yaml", "The newest movie", "The last movie");
      commit("Say it otherwise");
      const later = await release("--record");
      expect([later.code, later.stderr]).toEqual([
        1,
        expect.stringContaining(`git switch --detach v${version} and record there`),
      ]);

      clone.git("tag", "-f", `v${version}`);
      const recorded = await release("--record");
      expect([recorded.code, recorded.stdout]).toEqual([
        0,
        `released/ holds ${version}; commit it\n`,
      ]);
      expect(await clone.read("released/catalogue.yaml")).toBe(
        await clone.read("openapi/catalogue.yaml"),
      );
      const changed = clone.git("status", "--porcelain").split("\n").filter(Boolean);
      expect(changed).toEqual([" M released/catalogue.yaml"]);
    });
  });
});
