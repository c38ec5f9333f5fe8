import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cloneProject, commit } from "../support/clone.js";
import { succeed } from "../support/run.js";
import { runStep } from "./workflow.js";

let temp = "";
let cwd = "";
beforeEach(async () => {
  temp = await mkdtemp(join(tmpdir(), "workflow-"));
  cwd = join(temp, "project");
});
afterEach(() => rm(temp, { recursive: true, force: true }));

const git = (...args: string[]) => succeed("git", args, { cwd });

/** Writes a script that replaces the GitHub CLI, which needs network access. */
const writeGh = (script: string) =>
  writeFile(join(temp, "gh"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
const path = () => ({ PATH: `${temp}:${process.env.PATH}`, GITHUB_RUN_ID: "1" });

describe("release.yml", () => {
  const compare = (env: NodeJS.ProcessEnv = {}) =>
    runStep("release.yml", "check", "Compare", {
      cwd,
      temp,
      env: { GITHUB_REF: "refs/heads/main", GITHUB_REPOSITORY: "owner/project", ...env },
    });
  const writeManifest = (repository?: unknown) =>
    writeFile(join(cwd, "package.json"), JSON.stringify({ version: "1.2.3", repository }));

  beforeEach(async () => {
    await mkdir(cwd);
    await writeManifest({ type: "git", url: "git+https://github.com/owner/project.git" });
    await git("init", "--quiet");
    const author = ["-c", "user.name=Maintainer", "-c", "user.email=maintainer@example.invalid"];
    await git(...author, "commit", "--quiet", "--allow-empty", "--message", "Start");
  });

  it("a release starts only on main, and only with a version that has no tag", async () => {
    expect(await compare()).toMatchObject({ code: 0, outputs: "version=1.2.3\n" });
    const edit = await compare({ GITHUB_REF: "refs/heads/edit" });
    expect([edit.code, edit.stdout]).toEqual([1, expect.stringContaining("is not main")]);
    await git("tag", "v1.2.3");
    const again = await compare();
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining("already released")]);
  });

  it.each([
    [undefined, "package.json has no repository: set it to https://github.com/owner/project"],
    ["https://github.com/owner/other", "names the repository https://github.com/owner/other"],
    ["https://github.com/owner/my-project", "set it to https://github.com/owner/project"],
  ])(
    "a release does not start if the repository in package.json is %s",
    async (repository, message) => {
      await writeManifest(repository);
      const { code, stdout } = await compare();
      expect([code, stdout]).toEqual([1, expect.stringContaining(message)]);
    },
  );

  it.each(["publish", "release"])(
    "the `%s` job accepts only the tarball that the `check` job packed",
    async (job) => {
      await writeGh(`mkdir package && cp "$RUNNER_TEMP/kept" package/package.tgz`);
      const sum = createHash("sha256").update("checked").digest("hex");
      const env = { ...path(), GITHUB_REPOSITORY: "owner/project", SUMS: `${sum}  package.tgz` };
      const download = async (kept: string) => {
        await writeFile(join(temp, "kept"), kept);
        await rm(join(cwd, "package"), { recursive: true, force: true });
        return runStep("release.yml", job, "Download the package", { cwd, temp, env });
      };
      expect(await download("checked")).toMatchObject({ code: 0 });
      expect(await download("other")).toMatchObject({ code: 1 });
    },
  );
});

describe("regenerate.yml", { timeout: 600_000 }, () => {
  /** A valid branch name that contains shell commands, which no script may run. */
  const branch = 'edit/"$(touch${IFS}pwned)`touch${IFS}pwned`';
  const proposal = `regenerate/${branch}`;

  it("the regenerate workflow proposes only the generated files, in a single pull request", async () => {
    const runner = join(temp, "runner");
    await mkdir(runner);
    await writeGh(
      `[ "$1 $2" = "run download" ] && exit
       printf '%s\\n' "$@" >> "$RUNNER_TEMP/asked"
       [ "$1 $2" = "pr list" ] && cat "$RUNNER_TEMP/number"; exit 0`,
    );
    await cloneProject(cwd);
    // This test replaces the generator, which has its own tests.
    const copy = "fs.copyFileSync('openapi/catalogue.yaml', 'src/generated/copy.yaml')";
    await succeed("npm", ["pkg", "set", `scripts.generate=node --eval "${copy}"`], { cwd });
    await succeed("npm", ["run", "generate"], { cwd });
    await commit(cwd, "Generate a copy of the description");
    await succeed("git", ["init", "--quiet", "--bare", "origin"], { cwd: temp });
    await git("remote", "set-url", "origin", join(temp, "origin"));
    await git("switch", "--quiet", "--create", branch);
    const step = (job: string, name: string) =>
      runStep("regenerate.yml", job, name, {
        cwd,
        temp: runner,
        env: { ...path(), GITHUB_REF_NAME: branch },
      });

    const fresh = await step("generate", "Generate");
    expect([fresh.code, fresh.outputs]).toEqual([0, ""]);
    await rm(join(runner, "change"), { recursive: true });

    await appendFile(join(cwd, "openapi/catalogue.yaml"), "# Edited\n");
    await commit(cwd, "Edit the description");
    await git("push", "--quiet", "origin", branch);
    const stale = await step("generate", "Generate");
    expect([stale.code, stale.outputs]).toEqual([0, "stale=true\n"]);
    const generated = await git("diff", "--cached", "--name-only");
    expect(generated).toBe("src/generated/copy.yaml\n");
    expect(await step("generate", "Report")).toMatchObject({ code: 0 });
    const report = await readFile(join(runner, "change/report.md"), "utf8");

    for (const [number, request] of [
      ["", `pr\ncreate\n--base\n${branch}\n--head\n${proposal}\n`],
      ["7\n", "pr\nedit\n7\n"],
    ] as const) {
      await git("checkout", "--quiet", "--force", "--detach", `origin/${branch}`);
      if (number) await git("branch", "--quiet", "--delete", "--force", proposal);
      await writeFile(join(runner, "number"), number);
      await rm(join(runner, "asked"), { force: true });
      const { code, stderr } = await step("propose", "Propose");
      expect([code, stderr]).toEqual([0, ""]);
      expect(await readFile(join(runner, "asked"), "utf8")).toContain(request);
    }
    expect(await readFile(join(runner, "change/text.md"), "utf8")).toContain(report);
    const range = `origin/${branch}..origin/${proposal}`;
    expect(await git("log", "--format=%s", range)).toBe("Regenerate from the description\n");
    expect(await git("diff", "--name-only", range)).toBe(generated);
    expect(existsSync(join(cwd, "pwned"))).toBe(false);
  });
});
