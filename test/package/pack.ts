import { chmod, mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Makes a copy of the project look old: written long ago, owned by one user, and built before. */
export async function age(folder: string): Promise<void> {
  await mkdir(join(folder, "dist"));
  await writeFile(join(folder, "dist/index.js"), "throw new Error('stale');\n");
  await writeFile(join(folder, "dist/removed.js"), "export {};\n");
  for (const name of ["README.md", "LICENSE", "package.json", "openapi/catalogue.yaml"]) {
    await utimes(join(folder, name), 1e9, 1e9);
    await chmod(join(folder, name), 0o600);
  }
}
