import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { it } from "vitest";

/** A file or folder beside the project, which a clone elsewhere does not have. */
export function besideProject(name: string): string {
  return fileURLToPath(new URL(`../../../shared/${name}`, import.meta.url));
}

/** A test that needs something beside the project; where it is missing, the skipped test says so in its title. */
export function itWith(name: string, title: string, test: () => void | Promise<void>): void {
  const there = existsSync(besideProject(name));
  it.skipIf(!there)(there ? title : `${title} (skipped: ../shared/${name} is not there)`, test);
}
