import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { scratchFolder } from "../support/scratch.js";
import { bundleFile } from "./bundle.js";

interface Measured {
  heaps: number[];
  calls: number;
  failed: number;
  sent: number;
}

test("100,000 calls leave the heap flat, with failures and retries among them and one signal for all", async () => {
  const script = join(await scratchFolder(), "heap.mjs");
  await writeFile(script, (await bundleFile("heap.ts")).text);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--expose-gc", script]);
  const { heaps, calls, failed, sent } = JSON.parse(stdout) as Measured;
  expect(stderr).toBe("");
  expect(calls).toBe(100_000);
  expect(failed).toBe(2_000);
  expect(sent).toBe(101_000);
  // The first rounds compile and fill caches, and code compiled for an error is released some rounds later.
  // After that, a call keeps less than three bytes.
  const least = (from: number, to: number) => Math.min(...heaps.slice(from, to));
  expect(least(6, 10) - least(2, 6)).toBeLessThan(3 * 40_000);
  // A busy machine makes this slow, but must not make it fail.
}, 600_000);
