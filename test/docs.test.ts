import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { operations as full } from "../src/generated/full-operations.js";
import { operations as specified } from "../src/generated/operations.js";
import { root } from "./support/paths.js";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

it("the README has at most 280 lines, and llms.txt has at most 12 kB", () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(280);
  expect(Buffer.byteLength(read("llms.txt"))).toBeLessThanOrEqual(12_000);
});

it("every count of operations in the guides is current", () => {
  const [all, some] = [full, specified].map((table) => Object.keys(table).length) as [
    number,
    number,
  ];
  const counts = new Set([all, some, all - some]);
  const guides = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const files = [
    "README.md",
    "CONTRIBUTING.md",
    "bench/README.md",
    ...guides.map((name) => `docs/${name}`),
  ];
  const lines = files.flatMap((file) =>
    read(file)
      .split("\n")
      .map((text, index) => ({ text, place: `${file}:${index + 1}` })),
  );
  const counted =
    /\b(\d+) (?:specified |other )?(?:operations|methods)\b|`media-catalogue(?:\/full)?`? *\| (?:all )?(\d+)/gi;
  const found = lines.flatMap(({ text, place }) =>
    [...text.matchAll(counted)].map(([, before, cell]) => ({
      place,
      count: Number(before ?? cell),
    })),
  );
  expect(found.length).toBeGreaterThan(4);
  const outdated = found.filter(({ count }) => !counts.has(count));
  expect(outdated, `the descriptions have ${all} and ${some} operations`).toEqual([]);
});
