import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { operations } from "../src/generated/full-operations.js";
import { packed } from "./support/package.js";
import { root } from "./support/paths.js";
import { runScript } from "./support/run.js";
import { scratchFolder } from "./support/scratch.js";

const { length } = Object.keys(operations);

it("npm start builds the package, shows a line for every operation, and takes a tour", () => {
  const { started } = packed();
  expect(started.match(/^  \w+ +\S.*$/gm)).toHaveLength(length);
  expect(started).toContain(`\n${length} operations: ${length} passed, 0 failed\n`);
  expect(started).toMatch(/^\[\s+'701 Night Ferry/m);
  expect(started, "no control sequences outside a terminal").not.toContain("\u001B");
});

it("npm start reports a response of the built package that does not match the description", async () => {
  // Runs in a copy of the project, because `npm start` rebuilds files that other tests read.
  const project = await scratchFolder();
  const files = "package.json tsconfig.json tsconfig.build.json".split(" ");
  for (const part of [...files, "docs", "examples", "openapi", "scripts", "src"])
    await cp(join(root, part), join(project, part), { recursive: true });
  await symlink(join(root, "node_modules"), join(project, "node_modules"), "junction");
  const file = join(project, "src/generated/example-responses.ts");
  const exampleResponses = await readFile(file, "utf8");
  const damaged = exampleResponses.replace('"BV","zones":', '"BV","zonez":');
  expect(damaged).not.toBe(exampleResponses);
  await writeFile(file, damaged);

  const { code, stdout, stderr } = await runScript("scripts/start.ts", [], { cwd: project });

  expect([code, stderr], stdout).toEqual([1, ""]);
  expect(stdout.match(/^  \w+ +failed$/gm)).toEqual([expect.stringMatching(/^  timezones /)]);
  expect(stdout).toMatch(/^configuration\.timezones: .*\/0\/zones is absent, expected/m);
  expect(stdout).toContain(`\n${length} operations: ${length - 1} passed, 1 failed\n`);
});
