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
}

declare module "vitest" {
  interface ProvidedContext {
    packed: PackedPackage;
  }
}

/** Returns the package, which the global setup packs and installs once for all tests. */
export const packed = (): PackedPackage => inject("packed");

/** Global setup for the slow tests. Packs a copy of the project, so that the project's own `dist` does not change. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "media-catalogue-"));
  const [clone, app] = [join(folder, "clone"), join(folder, "app")];
  await copyProject(clone);
  const tarball = await pack(clone);
  await mkdir(app);
  const options = ["--prefer-offline", "--no-audit", "--no-fund"];
  await succeed("npm", ["install", ...options, tarball], { cwd: app });
  provide("packed", { tarball, app });
  return () => rm(folder, { recursive: true, force: true });
}

/** Copies the project to a folder, like a fresh clone with installed dependencies, but without the tests. */
export async function copyProject(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(root)).filter((name) => !NOT_COPIED.has(name));
  await Promise.all(
    names.map((name) => cp(join(root, name), join(folder, name), { recursive: true })),
  );
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
}

/** Builds and packs the project. @returns the path to the tarball */
export async function pack(folder: string): Promise<string> {
  const destination = join(folder, "packed");
  await mkdir(destination);
  await succeed("npm", ["run", "build"], { cwd: folder });
  await succeed("npm", ["pack", "--pack-destination", destination], { cwd: folder });
  const [name] = await readdir(destination);
  return join(destination, name!);
}
