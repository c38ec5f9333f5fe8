import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { root } from "./paths.js";

const exec = promisify(execFile);

/** Files that a fresh clone lacks, or that do not affect the package. */
const LEFT_OUT = new Set([".git", ".tmp", "coverage", "dist", "node_modules", "test"]);
const DAY = 24 * 60 * 60 * 1000;

/** The package as npm would publish it. */
export interface Packed {
  tarball: string;
  /** The unpacked package: `node_modules/media-catalogue`, with its dependencies beside it. */
  installed: string;
}

/**
 * The package, built and packed from a copy of the project. The result is kept under `.tmp` by a hash of its inputs, so
 * all tests of a run share it and the next run reuses it. The `dist` of the clone is not touched.
 */
export async function packed(): Promise<Packed> {
  const folder = join(root, `.tmp/package-${await inputHash()}`);
  if (!existsSync(folder)) await packInto(folder);
  const [name] = await readdir(join(folder, "packed"));
  return {
    tarball: join(folder, "packed", name!),
    installed: join(folder, "node_modules/media-catalogue"),
  };
}

/** The global setup of the test projects that need the package: packs it before the first test starts. */
export async function setup(): Promise<void> {
  await packed();
}

/** Copies the project to a folder: a fresh clone with its dependencies installed, without the tests. */
export async function copyProject(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(root)).filter((name) => !LEFT_OUT.has(name));
  await Promise.all(
    names.map((name) => cp(join(root, name), join(folder, name), { recursive: true })),
  );
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
}

/** Packs the project in a folder; npm builds it first. @returns the path of the tarball */
export async function pack(folder: string): Promise<string> {
  const destination = join(folder, "packed");
  await mkdir(destination);
  await exec("npm", ["pack", "--pack-destination", destination], { cwd: folder });
  const [name] = await readdir(destination);
  return join(destination, name!);
}

/** Two runs may pack at the same time: each works in a separate folder, and the first to finish renames its folder. */
async function packInto(folder: string): Promise<void> {
  await mkdir(join(root, ".tmp"), { recursive: true });
  await removeOld();
  const work = await mkdtemp(join(root, ".tmp/packing-"));
  try {
    const clone = join(work, "clone");
    await copyProject(clone);
    const tarball = await pack(clone);
    const modules = join(work, "node_modules");
    await mkdir(join(modules, "media-catalogue"), { recursive: true });
    const into = join(modules, "media-catalogue");
    await exec("tar", ["-xzf", tarball, "--strip-components", "1", "-C", into]);
    for (const name of ["openapi-fetch", "openapi-typescript-helpers"]) {
      await symlink(join(root, "node_modules", name), join(modules, name), "junction");
    }
    await rename(join(clone, "packed"), join(work, "packed"));
    await rm(clone, { recursive: true });
    await rename(work, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Removes packages from previous days. */
async function removeOld(): Promise<void> {
  const parent = join(root, ".tmp");
  for (const name of await readdir(parent)) {
    if (!/^pack(age|ing)-/.test(name)) continue;
    const { mtimeMs } = await stat(join(parent, name));
    if (Date.now() - mtimeMs > DAY) await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** A hash of the path and content of every file that {@link copyProject} copies. */
async function inputHash(): Promise<string> {
  const all = await readdir(root, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of all.filter(({ name }) => !LEFT_OUT.has(name))) {
    const recursive = { recursive: true, withFileTypes: true } as const;
    const inside = entry.isFile() ? [entry] : await readdir(join(root, entry.name), recursive);
    files.push(
      ...inside.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name)),
    );
  }
  const hash = createHash("sha256").update(process.version);
  for (const file of files.toSorted()) {
    hash.update(relative(root, file)).update(await readFile(file));
  }
  return hash.digest("hex").slice(0, 16);
}
