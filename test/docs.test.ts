import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { operations } from "../src/generated/full-operations.js";
import { root } from "./support/paths.js";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** The size limit of llms.txt: a fixed part, plus an allowance for each operation. */
const [MAX_BYTES, BYTES_PER_OPERATION] = [8_960, 20];

it("the README has at most 280 lines, and llms.txt has at most 12 kB for 152 operations", () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(280);
  const { length } = Object.keys(operations);
  const limit = MAX_BYTES + length * BYTES_PER_OPERATION;
  expect(Buffer.byteLength(read("llms.txt"))).toBeLessThanOrEqual(limit);
});

it("no guide counts the operations, because each new endpoint would make the number wrong", () => {
  // The generator writes docs/methods.md, and therefore its numbers.
  const guides = readdirSync(join(root, "docs")).filter(
    (name) => name.endsWith(".md") && name !== "methods.md",
  );
  const files = [
    "README.md",
    "CONTRIBUTING.md",
    "bench/README.md",
    ...guides.map((name) => `docs/${name}`),
  ];
  const lines = files.flatMap((file) =>
    read(file)
      .split("\n")
      .map((text, index) => `${file}:${index + 1}: ${text}`),
  );
  const counted =
    /\b\d+ (?:specified |other )?(?:operations|methods)\b|`media-catalogue(?:\/full)?`? *\| (?:all )?\d+/i;
  expect(lines.length).toBeGreaterThan(1_000);
  expect(lines.filter((line) => counted.test(line))).toEqual([]);
});
