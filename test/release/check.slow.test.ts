import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cloneProject, commit } from "../support/clone.js";
import { runScript, succeed } from "../support/run.js";
import { root } from "../support/paths.js";

const yaml = "openapi/catalogue.yaml";

describe("npm run release:check", { timeout: 600_000 }, () => {
  let folder = "";
  let cwd = "";

  const git = (...args: string[]) => succeed("git", args, { cwd });
  const npm = (...args: string[]) => succeed("npm", ["run", "--silent", ...args], { cwd });
  const check = () => runScript("scripts/release-check.ts", [], { cwd });
  async function release(bump: "minor" | "major") {
    await git("checkout", "-q", "--", "package.json", "package-lock.json", "CHANGELOG.md");
    const changeset = `---\n"media-catalogue": ${bump}\n---\n\nName genres otherwise.\n`;
    await writeFile(join(cwd, ".changeset/genre.md"), changeset);
    await npm("release:version");
    return check();
  }
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
    const url = "https://github.com/owner/project";
    await succeed("npm", ["pkg", "set", `repository=${url}`], { cwd });
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

  it("the release check has nothing to compare before the first release", async () => {
    await git("tag", "--delete", "v1.0.0");
    await git("tag", "v2.0.0-rc.1");
    const { code, stdout } = await check();
    expect([code, stdout]).toEqual([0, expect.stringContaining("nothing to compare: no tag")]);
  });

  it("the release check requires a repository in package.json", async () => {
    await succeed("npm", ["pkg", "delete", "repository"], { cwd });
    const { code, stdout } = await check();
    expect([code, stdout]).toEqual([1, expect.stringContaining("package.json has no repository")]);
  });

  it("the release check rejects a shallow clone without tags", async () => {
    await git("tag", "--delete", "v1.0.0");
    await git("clone", "-q", "--depth=1", "--no-tags", `file://${cwd}`, join(folder, "shallow"));
    await git("worktree", "prune");
    await appendFile(join(folder, "shallow/.git/info/exclude"), "node_modules\n");
    await succeed("ln", ["-s", join(root, "node_modules"), "node_modules"], {
      cwd: join(folder, "shallow"),
    });
    const { code, stderr } = await runScript("scripts/release-check.ts", [], {
      cwd: join(folder, "shallow"),
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining("git fetch --tags --unshallow")]);
  });

  it("the release check rejects changes to a released version, and names the required bump of `info.version`", async () => {
    await edit("README.md", "# media-catalogue", "# Media catalogue");
    const responses = '{ default: { $ref: "#/components/responses/Error" } }';
    const added = `get: { operationId: genres.undocumented, responses: ${responses} }`;
    await edit(yaml, "\npaths:\n", `\npaths:\n  /3/genre/undocumented:\n    ${added}\n`);
    const { code, stdout } = await check();
    expect(code).toBe(1);
    expect(stdout).toContain(
      "info.version stayed 1.0.0, but these changes require a minor bump (1.1.0)",
    );
    expect(stdout).toContain(
      "files have changed since: README.md, openapi/catalogue.yaml; run npx",
    );
    expect(stdout.match(/^- .*/gm)).toHaveLength(2);
  });

  it("the release check requires an unchanged `info.version` if the description has not changed", async () => {
    const { code, stdout } = await release("minor");
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("**Ready to release 1.1.0.**");
    expect(await git("diff", "--name-only")).not.toContain(yaml);

    await edit(yaml, "  version: 1.0.0", "  version: 1.1.0");
    const bumped = await check();
    expect(bumped.code).toBe(1);
    expect(bumped.stdout).toContain(
      "info.version has changed from 1.0.0 to 1.1.0, but nothing else in openapi/catalogue.yaml has",
    );
  });

  it("the release check allows the removal of a property only in a new major version", async () => {
    await edit(yaml, "required: [id, name]\n", "required: [id]\n");
    await edit(
      yaml,
      "        name:\n          description: The genre's name.\n          type: string\n",
      "",
    );
    const minor = await check();
    expect(minor.code).toBe(1);
    expect(minor.stdout).toContain(
      "info.version stayed 1.0.0, but these changes require a major bump (2.0.0)",
    );

    await edit(yaml, "  version: 1.0.0", "  version: 2.0.0");
    const major = await release("major");
    expect(major.code, major.stdout).toBe(0);
    expect(major.stdout).toContain("**Ready to release 2.0.0.**");
  });
});
