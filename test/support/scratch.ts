import { mkdtemp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { root } from "./paths.js";

/** A folder of one test, inside the project so that its node_modules are found, and removed after the test. */
export async function scratchFolder(): Promise<string> {
  const parent = join(root, ".tmp");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
