import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { operations } from "../../src/generated/operations.js";
import { bundle } from "./bundle.js";

/** The limit for createCatalogue, paginate, and the errors, minified and gzipped, and for each operation. */
const [MAX_KB, KB_PER_OPERATION] = [9.74, 0.02];

test("the client stays small in a browser bundle", async () => {
  const bytes = gzipSync((await bundle()).text, { level: 9 }).length;
  const { length } = Object.keys(operations);
  expect(bytes / 1000).toBeLessThanOrEqual(MAX_KB + length * KB_PER_OPERATION);
});

test("the bundle contains only openapi-fetch and the client, with every operation", async () => {
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
