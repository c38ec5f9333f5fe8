import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { copyProject } from "../package/pack.js";
import { root } from "../support/paths.js";

const exec = promisify(execFile);

/**
 * An app that has the package, built as it is published. It lies inside the project, whose dependencies are its own, too.
 */
export async function createApp(): Promise<{ folder: string; remove(): Promise<void> }> {
  await mkdir(join(root, ".tmp"), { recursive: true });
  const folder = await mkdtemp(join(root, ".tmp/guide-"));
  const installed = join(folder, "node_modules/media-catalogue");
  await copyProject(installed);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
  await exec("npm", ["run", "build"], { cwd: installed });
  await mkdir(join(folder, "node_modules/.bin"));
  await symlink(join(installed, "dist/bin.js"), join(folder, "node_modules/.bin/media-catalogue"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
