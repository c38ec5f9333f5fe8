import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { packed } from "../support/package.js";
import { execute, succeed, type Ran } from "../support/run.js";

/** A file in the node_modules of this folder. */
export function tools(path: string): string {
  return join(import.meta.dirname, "node_modules", path);
}

/**
 * Copies a folder outside the project, where it cannot use the project's node_modules, and installs the tarball there for
 * the tests of a file.
 */
export function useApp(name: string) {
  const app = {
    folder: "",
    run: (program: string, ...args: string[]): Promise<Ran> =>
      execute(program, args, { cwd: app.folder }),
  };
  beforeAll(async () => {
    const { tarball } = await packed();
    app.folder = await mkdtemp(join(tmpdir(), `media-catalogue-${name}-`));
    await cp(join(import.meta.dirname, name), app.folder, { recursive: true });
    await cp(join(import.meta.dirname, "../support/tour.mjs"), join(app.folder, "tour.mjs"));
    const options = ["--prefer-offline", "--no-audit", "--no-fund"];
    await succeed("npm", ["install", ...options, tarball], { cwd: app.folder });
  });
  afterAll(() => rm(app.folder, { recursive: true, force: true }));
  return app;
}
