import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { succeed } from "../support/run.js";
import { scratchFolder } from "../support/scratch.js";
import { bundleFile } from "./bundle.js";

test("the heap does not grow over 100,000 calls with failures, retries, and a shared signal", async () => {
  const script = join(await scratchFolder(), "heap.mjs");
  await writeFile(script, (await bundleFile("heap.ts")).text);
  const { heaps, ...counts } = JSON.parse(
    await succeed(process.execPath, ["--expose-gc", script]),
  ) as { heaps: number[] };
  expect(counts).toEqual({ calls: 100_000, failed: 11_000, sent: 111_000 });
  // Ignores the first rounds, in which V8 compiles code and fills caches. In later rounds, the heap must not grow by
  // more than three bytes per call.
  const least = (from: number, to: number) => Math.min(...heaps.slice(from, to));
  expect(least(6, 10) - least(2, 6)).toBeLessThan(3 * 40_000);
});
