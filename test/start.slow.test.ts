import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { description } from "../src/contract/index.js";
import { root } from "./support/paths.js";
import { runScript } from "./support/run.js";

/** A copy of the project, because the script rebuilds files that other tests read. */
let project: string;
beforeAll(async () => {
  await mkdir(join(root, ".tmp"), { recursive: true });
  project = await mkdtemp(join(root, ".tmp/start-"));
  const files = "package.json tsconfig.json tsconfig.build.json .prettierrc.json".split(" ");
  for (const part of [...files, "docs", "openapi", "schemas", "scripts", "src", "test/recordings"])
    await cp(join(root, part), join(project, part), { recursive: true });
  await symlink(join(root, "node_modules"), join(project, "node_modules"), "dir");
});
afterAll(() => rm(project, { recursive: true, force: true }));

async function start(...args: string[]) {
  const { FORCE_COLOR: _, ...env } = process.env;
  const command = ["--import", "tsx", "scripts/start.ts", ...args];
  const child = spawn(process.execPath, command, { cwd: project, env });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: code as number | null, stdout, stderr };
}

it("calls every operation through the built package, and checks each response", async () => {
  const { code, stdout, stderr } = await start();
  expect([stderr, code], stdout).toEqual(["", 0]);
  const passed = [...stdout.matchAll(/^(\S+) +2\d\d +\d+\.\d ms +passed$/gm)].map(([, id]) => id);
  expect(passed).toEqual(description.operations.map(({ id }) => id));
  expect(stdout).toMatch(/^\d+ operations: \d+ passed, 0 failed$/m);
  expect(stdout, "no control sequences outside a terminal").not.toContain("\u001B");
});

it("refuses an unknown option with 2, and prints its usage when asked", async () => {
  const wrong = await start("--base-url", "http://127.0.0.1:9");
  expect([wrong.code, wrong.stdout]).toEqual([2, ""]);
  expect(wrong.stderr).toContain("npm start -- --help");
  const help = await start("--help");
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining("Usage: npm start")]);
});

it("reports a response that does not match the description", async () => {
  const file = join(project, "test/recordings/configuration.languages/typical.json");
  const recording = JSON.parse(await readFile(file, "utf8")) as { response: { body: unknown } };
  recording.response.body = [{ iso_639_1: 7 }];
  await writeFile(file, JSON.stringify(recording));
  await runScript("scripts/generate.ts", ["--root", project]);
  const { code, stdout } = await start();
  expect(code, stdout).toBe(1);
  expect(stdout).toMatch(/^configuration\.languages +\S+ .* failed$/m);
  expect(stdout).toMatch(/^configuration\.languages: .*\/0\/english_name is absent, expected/m);
});
