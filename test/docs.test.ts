import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./support/paths.js";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

it("the README has at most 280 lines, and llms.txt has at most 12 kB", () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(280);
  expect(Buffer.byteLength(read("llms.txt"))).toBeLessThanOrEqual(12_000);
});
