import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packed } from "../support/package.js";
import { root } from "../support/paths.js";

/** An app with the package installed. It lies inside the project and so shares its other dependencies. */
export async function createApp(): Promise<{ folder: string; remove(): Promise<void> }> {
  const { installed } = await packed();
  const folder = await mkdtemp(join(root, ".tmp/guide-"));
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, ".bin"), { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
  await symlink(installed, join(modules, "media-catalogue"), "junction");
  await symlink(join(installed, "dist/bin.js"), join(modules, ".bin/media-catalogue"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
