import { appendFile, access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { copyProject, pack } from "../support/package.js";
import { run } from "../support/run.js";
import { age } from "./pack.js";

test("source that does not compile is not packed, and neither is an older build of it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "media-catalogue-broken-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const clone = join(folder, "clone");
  await copyProject(clone);
  await age(clone);
  await appendFile(join(clone, "src/index.ts"), "export const wrong: string = 1;\n");
  await expect(pack(clone)).rejects.toThrow("src does not compile");
  await expect(access(join(clone, "dist"))).rejects.toThrow("ENOENT");
}, 300_000);

test.each([
  ["--help", 0, "stdout"],
  ["--watch", 2, "stderr"],
] as const)(
  "npm run build -- %s exits with %i and builds nothing",
  async (option, code, stream) => {
    const ran = await run("tsx/dist/cli.mjs", ["scripts/build.ts", option]);
    expect(ran.code).toBe(code);
    expect(ran[stream]).toContain("Usage: npm run build");
    expect(ran.stdout).not.toContain("wrote");
  },
);
