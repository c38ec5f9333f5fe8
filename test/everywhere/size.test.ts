import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { operations } from "../../src/generated/operations.js";
import { root } from "../support/paths.js";
import { bundle, ENTRY } from "./bundle.js";

test("the client in a bundle for browsers is within the limit of .size-limit.json", async () => {
  const [limit] = JSON.parse(readFileSync(join(root, ".size-limit.json"), "utf8"));
  expect(limit).toMatchObject({ path: "dist/index.js", gzip: true });
  expect(ENTRY).toContain(limit.import.slice(1, -1).trim());
  const bytes = gzipSync((await bundle()).text, { level: 9 }).length;
  expect(bytes).toBeLessThanOrEqual(Number.parseFloat(limit.limit) * 1000);
});

test("the bundle contains only openapi-fetch and the client with every operation", async () => {
  const { text, metafile, warnings } = await bundle();
  expect(text.match(/"\/3\/[^"]+"/g)).toHaveLength(Object.keys(operations).length);
  const isClient = /^src\/[\w-]+\.ts$|^<stdin>$/;
  const others = Object.keys(metafile.inputs).filter((input) => !isClient.test(input));
  expect(others.toSorted()).toEqual([
    "node_modules/openapi-fetch/dist/index.mjs",
    "src/generated/operations.ts",
  ]);
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  expect(warnings).toEqual([]);
  expect(text).not.toMatch(/node:|\brequire\(|\bBuffer\b/);
});
