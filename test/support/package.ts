import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { root } from "./paths.js";
import { succeed } from "./run.js";

/** Files that are not in a fresh clone, or that do not affect the package. */
const NOT_COPIED = new Set([".git", ".tmp", "coverage", "dist", "node_modules", "test"]);

/** The package as npm would publish it. */
export interface PackedPackage {
  tarball: string;
  /** A folder outside the project whose `node_modules` contains only the package and its dependencies. */
  app: string;
  /** A copy of the project with the build in `dist`. */
  clone: string;
  /** What `npm start` printed in the copy. */
  started: string;
}

declare module "vitest" {
  interface ProvidedContext {
    packed: PackedPackage;
  }
}

/** Returns the package, which the global setup packs and installs once for all tests. */
export const packed = (): PackedPackage => inject("packed");

/**
 * Global setup for the slow tests. Builds, calls, and packs a copy of the project with `npm start`, so that the project's
 * own `dist` does not change.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "media-catalogue-"));
  const [clone, app] = [join(folder, "clone"), join(folder, "app")];
  await copyProject(clone);
  const started = await succeed("npm", ["start"], { cwd: clone });
  await succeed("npm", ["pack", "--pack-destination", folder], { cwd: clone });
  const tarball = join(
    folder,
    (await readdir(folder)).find((name) => name.endsWith(".tgz"))!,
  );
  await mkdir(app);
  const options = ["--prefer-offline", "--no-audit", "--no-fund"];
  await succeed("npm", ["install", ...options, tarball], { cwd: app });
  provide("packed", { tarball, app, clone, started });
  return () => rm(folder, { recursive: true, force: true });
}

/** Copies the project to a folder, like a fresh clone with installed dependencies, but without the tests. */
async function copyProject(folder: string): Promise<void> {
  await mkdir(folder);
  const names = (await readdir(root)).filter((name) => !NOT_COPIED.has(name));
  await Promise.all(
    names.map((name) => cp(join(root, name), join(folder, name), { recursive: true })),
  );
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
}
