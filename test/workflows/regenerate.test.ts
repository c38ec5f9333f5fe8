import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addOperation } from "../publish/support/edit.js";
import { cloneProject, commit } from "../publish/support/project.js";
import { succeed } from "../publish/support/run.js";
import { runStep } from "./run-step.js";

/** A branch may be called so; no script may run it. */
const branch = 'edit/"$(touch${IFS}pwned)`touch${IFS}pwned`';
const proposal = `regenerate/${branch}`;

/** Stands for GitHub, which only gh reaches: notes what it is asked, and answers with a file. */
const gh = `#!/bin/sh
[ "$1 $2" = "run download" ] && exit
printf '%s\\n' "$@" >> "$RUNNER_TEMP/asked"
[ "$1 $2" = "pr list" ] && cat "$RUNNER_TEMP/number"
exit 0
`;

let folder = "";
let project = "";
let temp = "";
const git = (...args: string[]) => succeed("git", args, { cwd: project });
const step = (job: string, name: string) =>
  runStep("regenerate.yml", job, name, {
    cwd: project,
    temp,
    env: {
      GITHUB_REF_NAME: branch,
      GITHUB_RUN_ID: "1",
      PATH: `${folder}:${process.env.PATH}`,
    },
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "regenerate-"));
  project = join(folder, "project");
  temp = join(folder, "temp");
  await mkdir(temp);
  await writeFile(join(folder, "gh"), gh);
  await chmod(join(folder, "gh"), 0o755);
  await cloneProject(project);
  await succeed("git", ["init", "--quiet", "--bare", "origin"], { cwd: folder });
  await git("remote", "set-url", "origin", join(folder, "origin"));
  await git("switch", "--quiet", "--create", branch);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Of a step that generates. */
const timeout = 180_000;

it("proposes nothing when the generated files are fresh", { timeout }, async () => {
  const { code, stdout, outputs } = await step("generate", "Generate");
  expect([code, outputs]).toEqual([0, ""]);
  expect(stdout).toContain("nothing to propose");
  await rm(join(temp, "change"), { recursive: true });
});

it(
  "finds what an edit of the description leaves stale, and says what it changes",
  { timeout },
  async () => {
    await addOperation(project);
    await commit(project, "Describe the keywords of a movie");
    await git("push", "--quiet", "origin", branch);

    const { code, outputs } = await step("generate", "Generate");
    expect([code, outputs]).toEqual([0, "stale=true\n"]);
    expect(await step("generate", "Report")).toMatchObject({ code: 0 });
    expect(await readFile(join(temp, "change/report.md"), "utf8")).toContain("minor");
  },
);

it.each([
  ["a new pull request", "", `pr\ncreate\n--base\n${branch}\n--head\n${proposal}\n`],
  ["the pull request that is open", "7\n", "pr\nedit\n7\n"],
])("proposes the generated files, and nothing else, in %s", async (_, number, request) => {
  await git("checkout", "--quiet", "--force", "--detach", `origin/${branch}`);
  if (number) await git("branch", "--quiet", "--delete", "--force", proposal);
  await writeFile(join(temp, "number"), number);
  await rm(join(temp, "asked"), { force: true });

  const { code, stderr } = await step("propose", "Propose");
  expect([code, stderr]).toEqual([0, ""]);

  const range = `origin/${branch}..origin/${proposal}`;
  expect(await git("log", "--format=%s", range)).toBe("Regenerate from the description\n");
  const files = (await git("diff", "--name-only", range)).trim().split("\n");
  expect(files).toContain("src/generated/operations.ts");
  expect(files.filter((file) => !file.startsWith("src/generated/"))).toEqual([]);

  const asked = await readFile(join(temp, "asked"), "utf8");
  expect(asked).toContain(request);
  expect(asked.split("--body-file\n")[1]?.split("\n")[0]).toBe(join(temp, "change/text.md"));
  expect(await readFile(join(temp, "change/text.md"), "utf8")).toContain(
    await readFile(join(temp, "change/report.md"), "utf8"),
  );
  expect(existsSync(join(project, "pwned"))).toBe(false);
});
