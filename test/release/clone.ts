import { execFile, execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { pendingChangesets } from "../../scripts/release/changesets.js";
import { record } from "../../scripts/release/record.js";
import { root } from "../support/paths.js";

/** A clone of the project as it is now, committed and as if it were just released; each test begins with it untouched. */
export interface Clone {
  readonly folder: string;
  git(...args: string[]): string;
  /** Runs a script of the clone. */
  run(script: string, args: string[], env?: NodeJS.ProcessEnv): Promise<Ran>;
  read(file: string): Promise<string>;
  /** Replaces a text of a file, which has to be there. */
  edit(file: string, from: string | RegExp, to: string): Promise<void>;
  write(file: string, text: string): Promise<void>;
}

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Makes a clone for the tests of a file. */
export function useClone(): Clone {
  let folder = "";
  const at = (file: string) => join(folder, file);
  const git = (...args: string[]) => {
    const author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    return execFileSync("git", [...author, ...args], { cwd: folder, encoding: "utf8" });
  };
  const clone: Clone = {
    get folder() {
      return folder;
    },
    git,
    run: (script, args, env = {}) =>
      new Promise((resolve) => {
        const options = { cwd: folder, env: { ...process.env, NO_COLOR: "1", ...env } };
        execFile(
          process.execPath,
          ["node_modules/tsx/dist/cli.mjs", script, ...args],
          options,
          (error, stdout, stderr) =>
            resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
        );
      }),
    read: (file) => readFile(at(file), "utf8"),
    edit: async (file, from, to) => {
      const text = await clone.read(file);
      const edited = text.replace(from, () => to);
      if (edited === text) throw new Error(`${file} does not say ${from}`);
      await clone.write(file, edited);
    },
    write: (file, text) => writeFile(at(file), text),
  };

  beforeAll(async () => {
    await mkdir(join(root, ".tmp"), { recursive: true });
    folder = await mkdtemp(join(root, ".tmp/clone-"));
    const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
    const files = execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0");
    for (const file of files.filter(Boolean)) {
      await cp(join(root, file), at(file)).catch((error: NodeJS.ErrnoException) => {
        // A file that has been removed and not yet committed.
        if (error.code !== "ENOENT") throw error;
      });
    }
    git("init", "-q", "-b", "main");
    await symlink(join(root, "node_modules"), at("node_modules"), "junction");
    await writeFile(at(".git/info/exclude"), "node_modules\n");
    git("add", "-A");
    // As after a release: what waits for the next one is nothing that these tests are about.
    for (const { file } of await pendingChangesets(folder)) git("rm", "-qf", file);
    git("commit", "-qm", "All of it");
    await record(folder);
    git("add", "-A");
    git("commit", "-qm", "Record the release", "--allow-empty");
    git("branch", "untouched");
  }, 300_000);
  beforeEach(() => {
    git("reset", "-q", "--hard", "untouched");
    git("clean", "-fdq");
    for (const tag of git("tag").split("\n").filter(Boolean)) git("tag", "-d", tag);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return clone;
}
