import { existsSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { createApp, serveHandler } from "../support/app.js";
import { expectedOutcome } from "../support/outcome.js";
import { execute } from "../support/run.js";

const here = (path: string) => join(import.meta.dirname, path);
const binary = (path: string) => here(`node_modules/${path}`);

// CI installs all runtimes, so a missing one fails there.
const isInstalled = existsSync(binary(".package-lock.json")) || process.env.CI !== undefined;
const hint = isInstalled ? "" : " (skipped: npm ci --prefix test/runtimes)";
const testInstalled = test.skipIf(!isInstalled);

const nodes: [name: string, binary: string, ...args: string[]][] = [
  ["Node 22", binary("node-22/bin/node")],
  ["Node 24", binary("node-24/bin/node")],
];
const others: typeof nodes = [
  [
    "Deno 2",
    binary("@deno/linux-x64-glibc/deno"),
    ...["run", "--allow-all", "--node-modules-dir=manual", "--no-lock"],
  ],
  ["Bun 1", binary("@oven/bun-linux-x64/bin/bun"), "run"],
];

let app: string;
beforeAll(async () => {
  const { folder, remove } = await createApp();
  app = folder;
  await cp(here("app"), app, { recursive: true });
  await cp(here("../support/tour.mjs"), join(app, "tour.mjs"));
  await cp(here("../consumers/node/esm.mjs"), join(app, "main.mjs"));
  // The app must not use the project's package.json.
  await writeFile(join(app, "package.json"), '{ "type": "module" }');
  return remove;
});

async function output(program: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await execute(program, args, { cwd: app });
  expect(stdout, stderr).not.toBe("");
  return stdout;
}

testInstalled.each([...nodes, ...others])(
  `the tour runs in %s${hint}`,
  async (_, file, ...args) => {
    const printed = await output(file, ...args, "main.mjs", await serveHandler());
    expect(JSON.parse(printed)).toEqual({ ...expectedOutcome(), yaml: "openapi: 3.1.0" });
  },
);

testInstalled(`the tour runs in workerd, bundled without Node APIs${hint}`, async () => {
  await build({
    entryPoints: [join(app, "worker.mjs")],
    outfile: join(app, "worker.js"),
    define: { SANDBOX_URL: JSON.stringify(await serveHandler()) },
    ...{ bundle: true, format: "esm", platform: "browser", logLevel: "error" },
  });
  const workerd = binary("@cloudflare/workerd-linux-64/bin/workerd");
  expect(JSON.parse(await output(workerd, "test", "worker.capnp"))).toEqual(expectedOutcome());
});

const current: (typeof nodes)[number] = [`Node ${process.version}`, process.execPath];
for (const [name, file] of [current, ...nodes]) {
  const isMissing = !existsSync(file) && !isInstalled;
  test.skipIf(isMissing)(`deadlines hold on ${name}${isMissing ? hint : ""}`, async () => {
    const index = pathToFileURL(join(app, "node_modules/media-catalogue/dist/index.js")).href;
    const lines = (await output(file, "--expose-gc", here("scenario.mjs"), index)).trim();
    const outcomes = lines.split("\n").map((line) => JSON.parse(line) as Record<string, string>);
    expect(outcomes.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(outcomes.at(-1)!.name).toContain("no timer is left");
  });
}
