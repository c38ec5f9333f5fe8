import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { it } from "vitest";

/**
 * The path of the source document, or of responses recorded from the service. They are not published; they may exist in a
 * folder `shared` beside the project.
 */
export function besideProject(name: string): string {
  return fileURLToPath(new URL(`../../../shared/${name}`, import.meta.url));
}

/** A test that needs one of these. Without it, the test is skipped, and its title says so. */
export function itWith(name: string, title: string, test: () => void | Promise<void>): void {
  const there = existsSync(besideProject(name));
  it.skipIf(!there)(there ? title : `${title} (skipped: ../shared/${name} is not published)`, test);
}
