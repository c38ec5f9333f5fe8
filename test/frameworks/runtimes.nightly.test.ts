import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectedOutcome } from "../support/outcome.js";
import { packed } from "../support/package.js";
import { root } from "../support/paths.js";
import { succeed } from "../support/run.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { frameworkFile, serveForFile } from "./frameworks.js";

let app: string;
let url: string;
beforeAll(async () => {
  // Outside the project, the package can import only its own dependencies.
  app = await mkdtemp(join(tmpdir(), "runtimes-"));
  afterAll(() => rm(app, { recursive: true, force: true }));
  await cp(packed().app, app, { recursive: true });
  await cp(join(root, "test/package/apps"), app, { recursive: true });
  url = await serveForFile(createSandbox().fetch);
});

test.each([
  ["Deno 2", "@deno/linux-x64-glibc/deno", "run --allow-all --node-modules-dir=manual --no-lock"],
  ["Bun 1", "@oven/bun-linux-x64/bin/bun", "run"],
])("node.mjs runs in %s", async (_, file, args) => {
  const printed = await succeed(frameworkFile(file), [...args.split(" "), "node.mjs", url], {
    cwd: app,
  });
  expect(JSON.parse(printed)).toEqual({ ...expectedOutcome(), yaml: "openapi: 3.1.0" });
});

test("tour.mjs runs in workerd after it is bundled without Node APIs", async () => {
  const { warnings } = await build({
    entryPoints: [join(app, "worker.mjs")],
    outfile: join(app, "worker.js"),
    define: { SANDBOX_URL: JSON.stringify(url) },
    bundle: true,
    format: "esm",
    platform: "browser",
    logLevel: "silent",
  });
  expect(warnings).toEqual([]);
  const workerd = frameworkFile("@cloudflare/workerd-linux-64/bin/workerd");
  const printed = await succeed(workerd, ["test", "worker.capnp"], { cwd: app });
  expect(JSON.parse(printed)).toEqual(expectedOutcome());
});
