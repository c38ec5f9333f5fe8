import { cp } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { createApp, describeInstalled, serveHandler } from "../support/app.js";
import { expectedOutcome } from "../support/outcome.js";
import { succeed } from "../support/run.js";

const here = (path: string) => join(import.meta.dirname, path);
const binary = (path: string) => here(`node_modules/${path}`);

const nodes: [name: string, binary: string, ...args: string[]][] = [
  ["Node 22", binary("node-22/bin/node")],
  ["Node 24", binary("node-24/bin/node")],
];
const deno = ["run", "--allow-all", "--node-modules-dir=manual", "--no-lock"];
const runtimes: typeof nodes = [
  ...nodes,
  ["Deno 2", binary("@deno/linux-x64-glibc/deno"), ...deno],
  ["Bun 1", binary("@oven/bun-linux-x64/bin/bun"), "run"],
];

let app: string;
beforeAll(async () => {
  const { folder, remove } = await createApp();
  app = folder;
  await cp(here("app"), app, { recursive: true });
  await cp(here("../support/tour.mjs"), join(app, "tour.mjs"));
  await cp(here("../consumers/node/esm.mjs"), join(app, "main.mjs"));
  return remove;
});

/** Runs the deadline scenarios of the built client. */
async function expectDeadlines(node: string): Promise<void> {
  const index = pathToFileURL(join(app, "node_modules/media-catalogue/dist/index.js")).href;
  const printed = await succeed(node, ["--expose-gc", here("scenario.mjs"), index]);
  expect(printed.trim().split("\n").at(-1)).toBe("ok: no timer is left");
}

test("deadlines hold on the current Node", () => expectDeadlines(process.execPath));

describeInstalled("test/runtimes", "with other runtimes", () => {
  test.each(nodes)("deadlines hold on %s", (_, node) => expectDeadlines(node));

  test.each(runtimes)("the tour runs in %s", async (_, file, ...args) => {
    const printed = await succeed(file, [...args, "main.mjs", await serveHandler()], { cwd: app });
    expect(JSON.parse(printed)).toEqual({ ...expectedOutcome(), yaml: "openapi: 3.1.0" });
  });

  test("the tour runs in workerd, bundled without Node APIs", async () => {
    await build({
      entryPoints: [join(app, "worker.mjs")],
      outfile: join(app, "worker.js"),
      define: { SANDBOX_URL: JSON.stringify(await serveHandler()) },
      ...{ bundle: true, format: "esm", platform: "browser", logLevel: "error" },
    });
    const workerd = binary("@cloudflare/workerd-linux-64/bin/workerd");
    const printed = await succeed(workerd, ["test", "worker.capnp"], { cwd: app });
    expect(JSON.parse(printed)).toEqual(expectedOutcome());
  });
});
