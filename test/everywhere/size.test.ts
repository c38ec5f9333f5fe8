import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../src/generated/operations.js";
import { root } from "../support/paths.js";
import { bundle, ENTRY } from "./bundle.js";

interface Limit {
  path: string;
  import: string;
  limit: string;
  gzip: boolean;
}

describe("the client in a bundle for browsers", () => {
  let made: Awaited<ReturnType<typeof bundle>>;
  beforeAll(async () => {
    made = await bundle();
  });

  test("is within the limit of .size-limit.json", () => {
    const file = join(root, ".size-limit.json");
    const [limit] = JSON.parse(readFileSync(file, "utf8")) as [Limit];
    expect(limit).toMatchObject({ path: "dist/index.js", gzip: true });
    expect(ENTRY).toContain(limit.import.slice(1, -1).trim());
    const [, kilobytes] = /^([\d.]+) kB$/.exec(limit.limit)!;
    expect(gzipSync(made.text, { level: 9 }).length).toBeLessThanOrEqual(Number(kilobytes) * 1000);
  });

  test("contains every operation", () => {
    expect(made.text.match(/"\/3\/[^"]+"/g)).toHaveLength(Object.keys(operations).length);
  });

  test("contains only the client and openapi-fetch: no sandbox, no recordings, no validators", () => {
    const inputs = Object.keys(made.metafile.inputs).filter((input) => input !== "<stdin>");
    const others = inputs.filter((input) => !/^src\/[\w-]+\.ts$/.test(input));
    expect(others.toSorted()).toEqual([
      "node_modules/openapi-fetch/dist/index.mjs",
      "src/generated/operations.ts",
    ]);
  });

  test("imports nothing, and no Node APIs in particular", () => {
    const imports = Object.values(made.metafile.inputs).flatMap((input) => input.imports);
    expect(imports.filter(({ external }) => external)).toEqual([]);
    expect(Object.values(made.metafile.outputs).flatMap((output) => output.imports)).toEqual([]);
    expect(made.warnings).toEqual([]);
    expect(made.text).not.toMatch(/node:|\brequire\(|\bBuffer\b/);
  });
});
