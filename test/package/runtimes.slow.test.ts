import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createApp, serveHandler } from "../support/app.js";
import { expectedOutcome } from "../support/outcome.js";
import { root } from "../support/paths.js";
import { execute, succeed } from "../support/run.js";
import { describeWithTools, toolFile } from "../tools/tools.js";

/** The oldest and the newest supported version. The nightly workflow runs `npm test` on the versions between them. */
const NODES = ["20.19", "26"];
const node = (version: string) => toolFile(`node-${version}/bin/node`);

let app: string;
beforeAll(async () => {
  // Outside the project, the package can import only its own dependencies.
  app = await createApp(tmpdir());
  await cp(join(import.meta.dirname, "apps"), app, { recursive: true });
});

describeWithTools.each(NODES)("on Node %s", (version) => {
  test.each(["node.mjs", "node.cjs"])("%s can use every entry point", async (file) => {
    const { code, stdout, stderr } = await execute(node(version), [file, await serveHandler()], {
      cwd: app,
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual({ ...expectedOutcome(), yaml: "openapi: 3.1.0" });
  });

  test("calls end at their deadlines during garbage collection", async () => {
    const printed = await succeed(node(version), ["--expose-gc", "deadlines.mjs"], { cwd: app });
    expect(printed.trim().split("\n").at(-1)).toBe("ok: no timer is left");
  });

  test("the contract command checks a recording", async () => {
    const recording = join(root, "test/example-responses/movies.deleteRating/typical.json");
    const args = ["node_modules/.bin/media-catalogue", "contract", recording];
    const checked = await execute(node(version), args, { cwd: app });
    expect(checked).toMatchObject({ code: 0, stderr: "" });
    expect(checked.stdout).toMatch(/^Passed: 1 exchange/);
  });
});
