import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { operations } from "../../src/generated/operations.js";
import { bundle } from "./bundle.js";

/** Size limits of the minified and gzipped bundle: a fixed part, plus an allowance for each operation. */
const [MAX_KB, KB_PER_OPERATION] = [9.8, 0.02];

test("a browser bundle of the client stays within its size limit", async () => {
  const bytes = gzipSync((await bundle()).text, { level: 9 }).length;
  const { length } = Object.keys(operations);
  expect(bytes / 1000).toBeLessThanOrEqual(MAX_KB + length * KB_PER_OPERATION);
});

test("a browser bundle of the client contains every operation, and no dependency except openapi-fetch", async () => {
  const { text, metafile, warnings } = await bundle();
  expect(text.match(/"\/3\/[^"]+"/g)).toHaveLength(Object.keys(operations).length);
  const isClient = /^src\/(client\/)?[\w-]+\.ts$|^<stdin>$/;
  const others = Object.keys(metafile.inputs).filter((input) => !isClient.test(input));
  expect(others.toSorted()).toEqual([
    "node_modules/openapi-fetch/dist/index.mjs",
    "src/generated/operations.ts",
  ]);
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  expect(warnings).toEqual([]);
  // Hermes, React Native's engine, cannot parse `\p` in a regular expression.
  expect(text).not.toMatch(/node:|\brequire\(|\bBuffer\b|\\p\{/);
});
