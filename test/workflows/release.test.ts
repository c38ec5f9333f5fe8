import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { succeed } from "../publish/support/run.js";
import { runStep } from "./run-step.js";

let cwd = "";
let temp = "";
beforeEach(async () => {
  temp = await mkdtemp(join(tmpdir(), "release-"));
  cwd = join(temp, "project");
  await mkdir(cwd);
});
afterEach(() => rm(temp, { recursive: true, force: true }));

describe("release.yml starts", () => {
  const git = (...args: string[]) => succeed("git", args, { cwd });
  const compare = (env: NodeJS.ProcessEnv = {}) =>
    runStep("release.yml", "check", "Compare", {
      cwd,
      temp,
      env: { GITHUB_REF: "refs/heads/main", GITHUB_REPOSITORY: "owner/project", ...env },
    });
  const describePackage = (repository?: unknown) =>
    writeFile(join(cwd, "package.json"), JSON.stringify({ version: "1.2.3", repository }));

  beforeEach(async () => {
    await describePackage({ type: "git", url: "git+https://github.com/owner/project.git" });
    await git("init", "--quiet");
    const who = ["-c", "user.name=Maintainer", "-c", "user.email=maintainer@example.invalid"];
    await git(...who, "commit", "--quiet", "--allow-empty", "--message", "Start");
  });

  it("with the version of package.json", async () => {
    expect(await compare()).toMatchObject({ code: 0, outputs: "version=1.2.3\n" });
    await describePackage("https://github.com/owner/project");
    expect(await compare()).toMatchObject({ code: 0 });
    await git("tag", "v1.2.2");
    expect(await compare()).toMatchObject({ code: 0 });
  });

  it("from main alone", async () => {
    const { code, stdout } = await compare({ GITHUB_REF: "refs/heads/edit" });
    expect([code, stdout]).toEqual([1, expect.stringContaining("refs/heads/edit is not main")]);
  });

  it("for no version that is tagged", async () => {
    await git("tag", "v1.2.3");
    const { code, stdout } = await compare();
    expect([code, stdout]).toEqual([1, expect.stringContaining("v1.2.3 is released")]);
  });

  it.each([undefined, "https://github.com/owner/other", "https://github.com/owner/my-project"])(
    "for no package whose repository is %s, which the registry would not sign",
    async (repository) => {
      await describePackage(repository);
      const { code, stdout } = await compare();
      expect([code, stdout]).toEqual([1, expect.stringContaining("repository of package.json")]);
    },
  );
});

describe.each(["publish", "release"])("the job %s of release.yml", (job) => {
  const tarball = "what was checked";
  const sums = `${createHash("sha256").update(tarball).digest("hex")}  package.tgz`;

  /** Runs the step with a stand-in for gh, which fetches what GitHub keeps of a run. */
  async function fetchWhatWasChecked(kept: string) {
    await writeFile(join(temp, "kept"), kept);
    const gh = `#!/bin/sh\nmkdir package && cp "$RUNNER_TEMP/kept" package/package.tgz\n`;
    await writeFile(join(temp, "gh"), gh, { mode: 0o755 });
    const env = {
      PATH: `${temp}:${process.env.PATH}`,
      SUMS: sums,
      GITHUB_RUN_ID: "1",
      GITHUB_REPOSITORY: "owner/project",
    };
    return runStep("release.yml", job, "Fetch what was checked", { cwd, temp, env });
  }

  it("takes the tarball that was checked, and no other", async () => {
    expect(await fetchWhatWasChecked(tarball)).toMatchObject({ code: 0 });
    await rm(join(cwd, "package"), { recursive: true });
    expect(await fetchWhatWasChecked("something else")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("FAILED") as string,
    });
  });
});
