import { cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./paths.js";
import { succeed } from "./run.js";

const git = (cwd: string, ...args: string[]) => succeed("git", args, { cwd });
const list = (text: string) => text.split("\0").filter(Boolean);

/** Clones the project with its uncommitted edits, and links the packages that the project has installed into the clone. */
export async function cloneProject(folder: string): Promise<void> {
  await git(root, "clone", "--quiet", ".", folder);
  const changed = list(await git(root, "diff", "--name-only", "-z", "HEAD"));
  const added = list(await git(root, "ls-files", "--others", "--exclude-standard", "-z"));
  for (const file of [...changed, ...added]) {
    await rm(join(folder, file), { force: true });
    if (!existsSync(join(root, file))) continue;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
  for (const packages of ["node_modules", "test/tools/node_modules"])
    await symlink(join(root, packages), join(folder, packages));
  // `.gitignore` ignores only a `node_modules` folder, but Git treats a symbolic link as a file.
  await writeFile(join(folder, ".git/info/exclude"), "node_modules\n");
  await git(folder, "config", "user.name", "Maintainer");
  await git(folder, "config", "user.email", "maintainer@example.invalid");
  await commit(folder, "The project as it is");
}

/** Commits all edits in a repository. */
export async function commit(folder: string, message: string): Promise<void> {
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--allow-empty", "--message", message);
}
