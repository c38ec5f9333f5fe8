import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import type { ContractReport } from "../../../src/contract/report/create-report.js";
import { root } from "../../support/paths.js";
import { recording } from "../input/support.js";

it("a bundle of the gate works without the installed package, and otherwise shows its YAML file", async () => {
  // The folder is outside of the project, so no folder above it contains the package.
  const folder = await mkdtemp(join(tmpdir(), "bundled-gate-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const outfile = join(folder, "dist/gate.mjs");
  await build({
    entryPoints: [join(root, "src/bin.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    // The build of the package uses the same setting.
    mainFields: ["module", "main"],
    logLevel: "silent",
  });
  await writeFile(join(folder, "a.json"), JSON.stringify(recording({ body: { id: "701" } })));
  const runBundle = (...args: string[]) =>
    spawnSync(process.execPath, [outfile, ...args], { cwd: folder, encoding: "utf8" });
  const check = () => {
    const { status, stdout, stderr } = runBundle("contract", "a.json", "--format", "json");
    expect([status, stderr]).toEqual([1, ""]);
    return (JSON.parse(stdout) as ContractReport).findings[0]?.descriptionLocation.file;
  };
  expect(check()).toBe("openapi/catalogue.yaml");
  expect(runBundle("--version").stdout).toBe("unknown\n");
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules/media-catalogue"));
  expect(check()).toBe("node_modules/media-catalogue/openapi/catalogue.yaml");
  expect(runBundle("--version").stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
