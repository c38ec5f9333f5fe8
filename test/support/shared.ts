import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { it } from "vitest";

/**
 * The path to the source document, or to responses recorded from the service. They are not published, but might exist
 * in a `shared` folder beside the project.
 */
export function besideProject(name: string): string {
  return fileURLToPath(new URL(`../../../shared/${name}`, import.meta.url));
}

/** A test that needs one of these paths. If the path is missing, the test is skipped, and its title says so. */
export function itWith(name: string, title: string, test: () => void | Promise<void>): void {
  const there = existsSync(besideProject(name));
  it.skipIf(!there)(there ? title : `${title} (skipped: ../shared/${name} is not published)`, test);
}
