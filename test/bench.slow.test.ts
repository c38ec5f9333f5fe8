import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { copyProject } from "./support/package.js";
import { root } from "./support/paths.js";
import { scratchFolder } from "./support/scratch.js";

interface Measured {
  rounds: number;
  cpu: { name: string }[];
  gate: { name: string; rate: { median: number }; ratio: { median: number } }[];
}

it("builds the package, measures client and gate, and prints every number as JSON", async () => {
  // Uses a copy, because other tests may be reading this build.
  const project = join(await scratchFolder(), "project");
  await copyProject(project);
  await cp(join(root, "test/types"), join(project, "test/types"), { recursive: true });
  const args = ["run", "--silent", "bench", "--", "--rounds", "4", "--json"];
  const { stdout } = await promisify(execFile)("npm", args, { cwd: project });
  const measured = JSON.parse(stdout) as Measured;
  expect(measured.rounds).toBe(4);
  expect(Object.keys(measured)).toEqual(
    expect.arrayContaining(["platform", "throughput", "sizes", "imports", "heap"]),
  );
  expect(measured.cpu.map(({ name }) => name)).toContain("media-catalogue");
  const whole = measured.gate.find(({ name }) => name === "the whole gate")!;
  expect(whole.rate.median).toBeGreaterThan(0);
  expect(whole.ratio.median).toBeLessThan(1);
  expect(measured.gate[0]!.ratio.median).toBe(1);
}, 300_000);
