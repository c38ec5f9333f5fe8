import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { root } from "../support/paths.js";
import { installApp, type App } from "./install.js";
import { expectedOutcome } from "../support/outcome.js";
import { startSandbox } from "./sandbox.js";
import { runIn, tools } from "./tools.js";

let app: App;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;

beforeAll(async () => {
  app = await installApp("node");
  sandbox = await startSandbox(app);
});
afterAll(async () => {
  await sandbox?.stop();
  await app?.remove();
});

const others = (name: string) => join(root, `test/runtimes/node_modules/${name}/bin/node`);
const nodes = [
  { name: `Node ${process.versions.node}, which runs this`, node: process.execPath },
  { name: "Node 20.19", node: tools("node-20.19/bin/node") },
  { name: "Node 22", node: others("node-22") },
  { name: "Node 24", node: others("node-24") },
];

for (const { name, node } of nodes) {
  // CI has all of them: there, a missing one fails.
  const there = existsSync(node) || process.env.CI !== undefined;
  const hint = there ? "" : " (skipped: npm ci --prefix test/runtimes)";

  describe.skipIf(!there)(`on ${name}${hint}`, () => {
    test.each(["esm.mjs", "commonjs.cjs"])("%s uses every entry point", async (file) => {
      const { code, stdout, stderr } = await runIn(app.folder, node, file, sandbox.url);
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toEqual({ ...expectedOutcome(), yaml: "openapi: 3.1.0" });
    });

    test("the command judges a recording", async () => {
      const command = join(app.folder, "node_modules/.bin/media-catalogue");
      const recording = join(root, "test/recordings/movies.deleteRating/typical.json");
      await cp(recording, join(app.folder, "recording.json"));
      const judged = await runIn(app.folder, node, command, "contract", "recording.json");
      expect(judged).toMatchObject({ code: 0, stderr: "" });
      expect(judged.stdout).toContain("1 passed");
    });
  });
}

test("npx runs the command", async () => {
  const { code, stdout } = await runIn(
    app.folder,
    "npx",
    "--offline",
    "media-catalogue",
    "--version",
  );
  expect({ code, version: stdout.trim() }).toEqual({ code: 0, version: manifest.version });
});

test("two packages are installed with it, and no others", async () => {
  const { stdout } = await runIn(app.folder, "npm", "ls", "--all", "--parseable");
  const installed = stdout
    .trim()
    .split("\n")
    .slice(1)
    .map((path) => path.replace(/^.*node_modules\//, ""));
  expect(installed.toSorted()).toEqual([
    "media-catalogue",
    "openapi-fetch",
    "openapi-typescript-helpers",
  ]);
});
