import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { copyProject, pack } from "../package/pack.js";
import { tools } from "./tools.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The package, as npm would get it from the registry. */
    tarball: string;
  }
}

/** Packs the project once, from a copy: the dist of the clone is not touched. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(tools(".package-lock.json"))) {
    throw new Error("The compilers and bundlers are not installed: npm ci --prefix test/consumers");
  }
  const folder = await mkdtemp(join(tmpdir(), "media-catalogue-packed-"));
  await copyProject(join(folder, "clone"));
  provide("tarball", await pack(join(folder, "clone")));
  return () => rm(folder, { recursive: true, force: true });
}
