import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { describeInstalled, serveHandler } from "../support/app.js";
import { expectedOutcome } from "../support/outcome.js";
import { root } from "../support/paths.js";
import { tools, useApp } from "./app.js";

describeInstalled("test/consumers", "an app on Node", () => {
  const app = useApp("node");
  const nodes = [
    { name: `Node ${process.versions.node}`, node: process.execPath },
    { name: "Node 20.19, the oldest supported", node: tools("node-20.19/bin/node") },
  ];

  describe.each(nodes)("on $name", ({ node }) => {
    test.each(["esm.mjs", "commonjs.cjs"])("%s uses every entry point", async (file) => {
      const { code, stdout, stderr } = await app.run(node, file, await serveHandler());
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toEqual({ ...expectedOutcome(), yaml: "openapi: 3.1.0" });
    });

    test("the command checks a recording", async () => {
      const recording = join(root, "test/recordings/movies.deleteRating/typical.json");
      await cp(recording, join(app.folder, "recording.json"));
      const command = "node_modules/.bin/media-catalogue";
      const checked = await app.run(node, command, "contract", "recording.json");
      expect(checked).toMatchObject({ code: 0, stderr: "" });
      expect(checked.stdout).toMatch(/^Passed: 1 exchange/);
    });
  });

  test("npx runs the command", async () => {
    const { code, stdout } = await app.run("npx", "--offline", "media-catalogue", "--version");
    expect([code, stdout.trim()]).toEqual([0, manifest.version]);
  });

  test("installs exactly two packages with it", async () => {
    const { stdout } = await app.run("npm", "ls", "--all", "--parseable");
    const [, ...paths] = stdout.trim().split("\n");
    expect(paths.map((path) => path.replace(/^.*node_modules\//, "")).toSorted()).toEqual([
      "media-catalogue",
      "openapi-fetch",
      "openapi-typescript-helpers",
    ]);
  });
});
