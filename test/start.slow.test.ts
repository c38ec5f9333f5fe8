import { cp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { operations } from "../src/generated/full-operations.js";
import { packed } from "./support/package.js";
import { root } from "./support/paths.js";
import { runScript } from "./support/run.js";
import { scratchFolder } from "./support/scratch.js";

const { length } = Object.keys(operations);
const { clone, started } = packed();

it("npm start builds the package, calls every operation through it, and shows a tour", () => {
  expect(started).toContain(`\n${length} operations: ${length} passed, 0 failed\n`);
  expect(started).toMatch(/^\[\s+'701 Night Ferry/m);
});

it("npm start reports a response of the built package that does not match the description", async () => {
  const project = await scratchFolder();
  for (const name of ["package.json", "tsconfig.json", "dist", "examples", "scripts", "src"])
    await cp(join(clone, name), join(project, name), { recursive: true });
  await symlink(join(root, "node_modules"), join(project, "node_modules"), "junction");
  let damaged = 0;
  for (const name of await readdir(join(project, "dist/chunks"))) {
    const file = join(project, "dist/chunks", name);
    const text = await readFile(file, "utf8");
    await writeFile(
      file,
      text.replaceAll(/("BV",)zones:/g, (_, start: string) => {
        damaged++;
        return `${start}zonez:`;
      }),
    );
  }
  expect(damaged).toBe(1);
  const { code, stdout, stderr } = await runScript("scripts/start.ts", [], { cwd: project });
  expect([code, stderr], stdout).toEqual([1, ""]);
  expect(stdout).toMatch(/^configuration\.timezones: .*\/0\/zones is absent, expected/m);
  expect(stdout).toContain(`\n${length} operations: ${length - 1} passed, 1 failed\n`);
});
