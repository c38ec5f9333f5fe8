import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { execute } from "../support/run.js";
import { scratchFolder } from "../support/scratch.js";
import { describeWithTools } from "../tools/tools.js";

describeWithTools("npm run licenses", () => {
  test("npm run licenses fails if a dependency has a license that is not allowed", async () => {
    const folder = await scratchFolder();
    await mkdir(join(folder, "node_modules/copyleft"), { recursive: true });
    const copyleft = { name: "copyleft", version: "1.0.0", license: "GPL-3.0-only" };
    const project = { name: "project", dependencies: { copyleft: "1.0.0" } };
    await writeFile(join(folder, "package.json"), JSON.stringify(project));
    await writeFile(join(folder, "node_modules/copyleft/package.json"), JSON.stringify(copyleft));
    const { code, stderr } = await execute("npm", ["run", "licenses", "--", "--start", folder]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("copyleft@1.0.0")]);
  });
});
