import { mkdtemp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { root } from "./paths.js";

/** Creates a folder that is removed after the test. Files in the folder can import the project's dependencies. */
export async function scratchFolder(): Promise<string> {
  const parent = join(root, ".tmp");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
