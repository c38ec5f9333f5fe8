import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cloneProject, commit } from "../publish/support/project.js";
import { execute, succeed } from "../support/run.js";
import { root } from "../support/paths.js";

const yaml = "openapi/catalogue.yaml";

describe("npm run release:check", () => {
  let folder = "";
  let cwd = "";

  const git = (...args: string[]) => succeed("git", args, { cwd });
  const npm = (...args: string[]) => succeed("npm", ["run", "--silent", ...args], { cwd });
  const check = () => execute("npm", ["run", "--silent", "release:check"], { cwd });
  async function edit(file: string, from: string, to: string) {
    const text = await readFile(join(cwd, file), "utf8");
    expect(text).toContain(from);
    await writeFile(
      join(cwd, file),
      text.replace(from, () => to),
    );
  }

  beforeAll(async () => {
    await mkdir(join(root, ".tmp"), { recursive: true });
    folder = await mkdtemp(join(root, ".tmp/release-check-"));
    cwd = join(folder, "project");
    await cloneProject(cwd);
    await git("rm", "-q", "--ignore-unmatch", "--", ".changeset/*.md");
    await writeFile(join(cwd, "CHANGELOG.md"), "# media-catalogue\n\n## 1.0.0\n\n- The first.\n");
    await edit("package.json", /"version": ".*"/.exec(await manifest())![0], '"version": "1.0.0"');
    await commit(cwd, "Release 1.0.0");
    await git("branch", "released");
  });
  const manifest = () => readFile(join(cwd, "package.json"), "utf8");
  beforeEach(async () => {
    await git("checkout", "-q", "--force", "-B", "main", "released");
    await git("clean", "-fdq");
    await git("tag", "--force", "v1.0.0", "released");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("has nothing to compare before the first release", async () => {
    await git("tag", "--delete", "v1.0.0");
    await git("tag", "v2.0.0-rc.1");
    const { code, stdout } = await check();
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^First release, nothing to compare/),
    ]);
  });

  it("refuses a shallow clone without tags", async () => {
    await git("tag", "--delete", "v1.0.0");
    await git("clone", "-q", "--depth=1", "--no-tags", `file://${cwd}`, join(folder, "shallow"));
    await git("worktree", "prune");
    const args = [join(cwd, "node_modules/tsx/dist/cli.mjs"), "scripts/release-check.ts"];
    await appendFile(join(folder, "shallow/.git/info/exclude"), "node_modules\n");
    await succeed("ln", ["-s", join(root, "node_modules"), "node_modules"], {
      cwd: join(folder, "shallow"),
    });
    const { code, stderr } = await execute(process.execPath, args, {
      cwd: join(folder, "shallow"),
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining("git fetch --tags --unshallow")]);
  });

  it("refuses to add to a released version", async () => {
    await edit("README.md", "# media-catalogue", "# Media catalogue");
    const { code, stdout } = await check();
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("v1.0.0 is released without README.md"),
    ]);
    expect(stdout).toContain("has 0 changes");
    expect(stdout.match(/^- .*/gm)).toHaveLength(1);
  });

  it("names the bump and the broken types if a property is removed", async () => {
    await edit(yaml, "required: [id, name]\n", "required: [id]\n");
    const property =
      "        name:\n          description: Name of the genre.\n          type: string\n";
    await edit(yaml, property, "");
    await npm("generate");
    const { code, stdout } = await check();
    expect(code).toBe(1);
    expect(stdout).toContain("The bump that it needs: **major**");
    expect(stdout).toMatch(
      /\*\*major\*\* removed Schema \(the released description:\d+ #\/components\/schemas\/Genre/,
    );
    expect(stdout).toContain("the description needs a major bump, to 2.0.0");
    expect(stdout).toMatch(/test\/types\/\S+\.ts\(\d+,\d+\): error .*'name'/);
  });

  it("fails a minor version that breaks types or contradicts old recordings", async () => {
    await edit(
      yaml,
      "description: Name of the genre.",
      'description: A name.\n          pattern: "^.$"',
    );
    await npm("generate");
    await edit("src/index.ts", "paginate", "paginate as pages");
    await edit("package.json", '"version": "1.0.0"', '"version": "1.1.0"');
    await edit("package.json", '"./openapi.yaml"', '"./catalogue.yaml"');
    const { code, stdout } = await check();
    expect(code).toBe(1);
    expect(stdout).toContain("its recordings contradict the description");
    expect(stdout).toContain("v1.0.0:test/recordings/genres.tvList/typical.json");
    expect(stdout).toContain("has no exported member named 'paginate'");
    expect(stdout).toContain("package.json no longer exports ./openapi.yaml");
    expect(stdout).toContain("CHANGELOG.md says nothing about 1.1.0");
    expect(stdout).not.toContain("needs a");
  });
});
