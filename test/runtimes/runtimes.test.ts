import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveHandler } from "../readme/serve.js";
import { expectedOutcome } from "../support/outcome.js";
import { packed } from "../support/package.js";
import { root } from "../support/paths.js";

const run = promisify(execFile);
const here = (path: string) => join(import.meta.dirname, path);
const binary = (path: string) => here(`node_modules/${path}`);

// CI installs all runtimes, so a missing one fails there.
const isInstalled = existsSync(binary(".package-lock.json")) || process.env["CI"] !== undefined;
const hint = isInstalled ? "" : " (skipped: npm ci --prefix test/runtimes)";
const testInstalled = test.skipIf(!isInstalled);

const nodes: [name: string, binary: string][] = [
  ["Node 22", binary("node-22/bin/node")],
  ["Node 24", binary("node-24/bin/node")],
];
const others: [name: string, binary: string, ...args: string[]][] = [
  [
    "Deno 2",
    binary("@deno/linux-x64-glibc/deno"),
    ...["run", "--allow-all", "--node-modules-dir=manual", "--no-lock"],
  ],
  ["Bun 1", binary("@oven/bun-linux-x64/bin/bun"), "run"],
];

/** An app with the packed package in its node_modules, and the tour. */
let app: string;
let installed: string;

beforeAll(async () => {
  ({ installed } = await packed());
  app = await mkdtemp(join(root, ".tmp/runtimes-"));
  await cp(here("app"), app, { recursive: true });
  await cp(here("../support/tour.mjs"), join(app, "tour.mjs"));
  // Without it, the name of the package would resolve to the project.
  await writeFile(join(app, "package.json"), '{ "type": "module" }');
  await mkdir(join(app, "node_modules"));
  await symlink(installed, join(app, "node_modules/media-catalogue"), "junction");
});
afterAll(() => rm(app, { recursive: true, force: true }));

testInstalled.each([...nodes, ...others])(
  `the tour runs in %s${hint}`,
  async (_, file, ...args) => {
    const { stdout } = await run(file, [...args, "tour-main.mjs", await serveHandler()], {
      cwd: app,
    });
    expect(JSON.parse(stdout)).toEqual(expectedOutcome());
  },
);

testInstalled(`the tour runs in workerd, bundled without Node APIs${hint}`, async () => {
  const url = await serveHandler();
  await build({
    entryPoints: [join(app, "worker.mjs")],
    outfile: join(app, "worker.js"),
    define: { SANDBOX_URL: JSON.stringify(url) },
    ...{ bundle: true, format: "esm", platform: "browser", logLevel: "error" },
  });
  const workerd = binary("@cloudflare/workerd-linux-64/bin/workerd");
  const { stdout } = await run(workerd, ["test", "worker.capnp"], { cwd: app });
  expect(JSON.parse(stdout)).toEqual(expectedOutcome());
});

const current: [name: string, binary: string] = [`Node ${process.version}`, process.execPath];
for (const [name, file] of [current, ...nodes]) {
  test.skipIf(!existsSync(file) && !isInstalled)(
    `deadlines, retries and secrets hold on ${name}${existsSync(file) ? "" : hint}`,
    async () => {
      const index = pathToFileURL(join(installed, "dist/index.js")).href;
      const { stdout } = await run(file, ["--expose-gc", here("scenario.mjs"), index]);
      const lines = stdout.trim().split("\n");
      const outcomes = lines.map((line) => JSON.parse(line) as { name: string; problem?: string });
      expect(outcomes.filter(({ problem }) => problem !== undefined)).toEqual([]);
      expect(outcomes.at(-1)?.name).toContain("no timer is left");
    },
  );
}
