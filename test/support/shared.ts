import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { it } from "vitest";

/**
 * The source document, or the responses that were recorded of the service. They are not published with the project:
 * who has them keeps them in a folder `shared` beside it.
 */
export function besideProject(name: string): string {
  return fileURLToPath(new URL(`../../../shared/${name}`, import.meta.url));
}

/** A test that needs one of them; without it the test is skipped, and says so in its title. */
export function itWith(name: string, title: string, test: () => void | Promise<void>): void {
  const there = existsSync(besideProject(name));
  it.skipIf(!there)(there ? title : `${title} (skipped: ../shared/${name} is not published)`, test);
}
