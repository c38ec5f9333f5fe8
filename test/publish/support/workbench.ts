import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { setUpNpm, type Npm } from "./npm.js";
import { startRegistry, type Registry } from "./registry.js";

/** What the tests of a file work with. */
interface Workbench {
  /** A folder that is removed after the tests. */
  folder: string;
  registry: Registry;
  /** npm with that registry, as the user who may publish. */
  npm: Npm;
}

/** Sets up a registry for the tests of a file. @returns an object that is filled before the first of them */
export function useWorkbench(): Workbench {
  const bench = {} as Workbench;
  beforeAll(async () => {
    bench.folder = await mkdtemp(join(tmpdir(), "publish-"));
    bench.registry = await startRegistry(join(bench.folder, "registry"));
    bench.npm = await setUpNpm(join(bench.folder, "npm"), bench.registry);
  });
  afterAll(async () => {
    await bench.registry?.stop();
    await rm(bench.folder, { recursive: true, force: true });
  });
  return bench;
}
