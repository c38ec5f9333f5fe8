import { execFile } from "node:child_process";
import { chmod, cp, mkdir, readdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../support/paths.js";

/** What a clone does not have, or what the package is not made of. */
const LEFT_OUT = new Set([".git", ".tmp", "coverage", "dist", "node_modules", "test"]);

/** Copies the project to a folder, as a new clone with its dependencies installed, but for the tests. */
export async function copyProject(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(root)).filter((name) => !LEFT_OUT.has(name));
  await Promise.all(
    names.map((name) => cp(join(root, name), join(folder, name), { recursive: true })),
  );
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
}

/** Packs the project that is in a folder, which builds it there. @returns the path of the tarball */
export async function pack(folder: string): Promise<string> {
  const destination = join(folder, "packed");
  await mkdir(destination);
  await promisify(execFile)("npm", ["pack", "--pack-destination", destination], { cwd: folder });
  const [name] = await readdir(destination);
  return join(destination, name!);
}

/** Makes a copy of the project look as one made long ago, by someone whose files are their own, and built before. */
export async function age(folder: string): Promise<void> {
  await mkdir(join(folder, "dist"));
  await writeFile(join(folder, "dist/index.js"), "throw new Error('stale');\n");
  await writeFile(join(folder, "dist/removed.js"), "export {};\n");
  for (const name of ["README.md", "LICENSE", "package.json", "openapi/catalogue.yaml"]) {
    await utimes(join(folder, name), 1e9, 1e9);
    await chmod(join(folder, name), 0o600);
  }
}
