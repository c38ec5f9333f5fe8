import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { succeed } from "../support/run.js";
import { scratchFolder } from "../support/scratch.js";
import { bundleFile } from "./bundle.js";

test("100,000 calls with failures, retries, and a shared signal leave the heap flat", async () => {
  const script = join(await scratchFolder(), "heap.mjs");
  await writeFile(script, (await bundleFile("heap.ts")).text);
  const { heaps, ...counts } = JSON.parse(
    await succeed(process.execPath, ["--expose-gc", script]),
  ) as { heaps: number[] };
  expect(counts).toEqual({ calls: 100_000, failed: 2_000, sent: 101_000 });
  // The first rounds compile code and fill caches, and code compiled for an error is released some rounds later.
  // After these rounds, each call may leak at most three bytes.
  const least = (from: number, to: number) => Math.min(...heaps.slice(from, to));
  expect(least(6, 10) - least(2, 6)).toBeLessThan(3 * 40_000);
});
