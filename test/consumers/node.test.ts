import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { root } from "../support/paths.js";
import { installApp, type App } from "./install.js";
import { expectedOutcome } from "../support/outcome.js";
import { startSandbox } from "./sandbox.js";
import { describeInstalled, runIn, tools } from "./tools.js";

describeInstalled("an app on Node", () => {
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

  const nodes = [
    { name: `Node ${process.versions.node}`, node: process.execPath },
    { name: "Node 20.19, the oldest supported", node: tools("node-20.19/bin/node") },
  ];

  describe.each(nodes)("on $name", ({ node }) => {
    test.each(["esm.mjs", "commonjs.cjs"])("%s uses every entry point", async (file) => {
      const { code, stdout, stderr } = await runIn(app.folder, node, file, sandbox.url);
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toEqual({ ...expectedOutcome(), yaml: "openapi: 3.1.0" });
    });

    test("the command checks a recording", async () => {
      const command = join(app.folder, "node_modules/.bin/media-catalogue");
      const recording = join(root, "test/recordings/movies.deleteRating/typical.json");
      await cp(recording, join(app.folder, "recording.json"));
      const checked = await runIn(app.folder, node, command, "contract", "recording.json");
      expect(checked).toMatchObject({ code: 0, stderr: "" });
      expect(checked.stdout).toContain("1 passed");
    });
  });

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
});
