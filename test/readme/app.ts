import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../support/paths.js";

const exec = promisify(execFile);

/**
 * An app that has installed the package: built as it is published, beside its one dependency. It lies inside the
 * project, so that the tools of the project are its development dependencies.
 */
export async function createApp(): Promise<{ folder: string; remove(): Promise<void> }> {
  await mkdir(join(root, ".tmp"), { recursive: true });
  const folder = await mkdtemp(join(root, ".tmp/guide-"));
  const installed = join(folder, "node_modules/media-catalogue");
  await mkdir(installed, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
  for (const each of ["package.json", "openapi", "schemas"]) {
    await cp(join(root, each), join(installed, each), { recursive: true });
  }
  for (const each of ["openapi-fetch", "openapi-typescript-helpers"]) {
    await symlink(join(root, "node_modules", each), join(folder, "node_modules", each), "junction");
  }
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const out = join(installed, "dist");
  await exec(process.execPath, [compiler, "-p", "tsconfig.build.json", "--outDir", out], {
    cwd: root,
  });
  await mkdir(join(folder, "node_modules/.bin"));
  await symlink(join(out, "bin.js"), join(folder, "node_modules/.bin/media-catalogue"));
  await chmod(join(out, "bin.js"), 0o755);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
