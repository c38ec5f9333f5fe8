import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { description } from "../../src/generated/description.js";
import { operations as fullOperations } from "../../src/generated/full-operations.js";
import { operations } from "../../src/generated/operations.js";
import * as pick from "../../src/pick/index.js";
import { root } from "../support/paths.js";
import { appOf, bundle } from "./bundle.js";

/** Size limits of the minified and gzipped bundle: a fixed part, plus an allowance for each operation. */
const [MAX_KB, KB_PER_OPERATION] = [15.34, 0.016];

test.each([
  ["media-catalogue", "./src/index.ts", operations, 23],
  ["media-catalogue/full", "./src/full/index.ts", fullOperations, 152],
])("a browser bundle of %s stays within its size limit", async (_, path, table, known) => {
  const bytes = gzipSync((await bundle(appOf(path))).text, { level: 9 }).length;
  // A new operation can have more query parameters than the average.
  const { length } = Object.keys(table);
  const allowance = length * KB_PER_OPERATION + Math.max(0, length - known) * 0.134;
  expect(bytes / 1000).toBeLessThanOrEqual(MAX_KB + allowance);
});

test.each(Object.keys(pick))("%s adds less than 400 bytes (gzipped) to an app", async (name) => {
  const contents = `export { ${name} } from "./src/pick/index.ts";`;
  const { text } = await bundle({ stdin: { contents, resolveDir: root, loader: "ts" } });
  expect(gzipSync(text, { level: 9 }).length).toBeLessThan(400);
});

test("a browser bundle of the client contains every operation, and no dependency except openapi-fetch", async () => {
  const { text, metafile, warnings } = await bundle();
  expect(text.match(/"\/3\/[^"]+"/g)).toHaveLength(Object.keys(operations).length);
  const isClient = /^src\/((client|types)\/)?[\w-]+\.ts$|^<stdin>$/;
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

test("the proxy needs no Node API, and no dependency except openapi-fetch", async () => {
  const { metafile } = await bundle({ entryPoints: [join(root, "src/proxy/index.ts")] });
  const inputs = Object.keys(metafile.inputs).filter((input) => !input.startsWith("src/"));
  expect(inputs).toEqual(["node_modules/openapi-fetch/dist/index.mjs"]);
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
});

/** Size limits in kB of everything that validation adds to an app. */
const [SMALL, DETAILS, FIVE, ALL] = [6, 13.5, 28, 44];
const five = ["moviesDetails", "tvSeriesDetails", "peopleDetails", "searchMulti", "discoverMovies"];

test.each([
  ["one operation", "./src/full/validate.ts", ["genresMovieList"], SMALL],
  [
    "one operation of the specification",
    "./src/contract/validate-response.ts",
    ["genresTvList"],
    SMALL,
  ],
  ["`movies.details`, with its parts", "./src/full/validate.ts", ["moviesDetails"], DETAILS],
  ["five operations", "./src/full/validate.ts", five, FIVE],
  ["all operations", "./src/full/validate.ts", [], ALL],
])("a validator of %s stays within its size limit", async (_, path, names, limit) => {
  const imports = names.length > 0 ? ["createValidator", ...names] : ["validateResponse"];
  const use = names.length > 0 ? `createValidator([${names.join(", ")}])` : imports[0];
  const contents = `import { ${imports.join(", ")} } from "${path}"; export const validate = ${use};`;
  const { text } = await bundle({ stdin: { contents, resolveDir: root, loader: "ts" } });
  expect(gzipSync(text, { level: 9 }).length / 1000).toBeLessThanOrEqual(limit);
});

test("validateResponse adds at most 0.4 kB (gzipped) to an app, plus 0.7 kB per operation, and does not use eval", async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(root, "src/contract/validate-response.ts")],
    bundle: true,
    write: false,
    format: "esm",
    minify: true,
    metafile: true,
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((each) => /description|walk/.test(each))).toEqual([]);
  expect(outputFiles[0]!.text).not.toMatch(/\beval\b|new Function/);
  // An operation adds 0.63 kB on average, because its validator names every property and every type.
  const limit = 400 + 700 * description.operations.length;
  expect(gzipSync(outputFiles[0]!.text).length).toBeLessThanOrEqual(limit);
  const source = readFileSync(join(root, "src/generated/validators.js"), "utf8");
  expect(source).not.toMatch(/\b(eval|require|import|Function)\b/);
});
