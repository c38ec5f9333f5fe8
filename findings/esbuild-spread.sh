#!/usr/bin/env bash
# esbuild 0.28.2 and rolldown 1.3.3: a constant that spreads another constant is never removed.
#
# Behavior: both bundlers remove an unused `const all = { a: 1 }`, but keep an unused `const more = { ...all }` and
# `const list = [...names]`, and everything that they spread. Rollup 4.68.8 removes them.
# Good guess: nothing can happen when a literal is spread, so an unused constant disappears, with or without
# `"sideEffects": false`.
# Why the guess is wrong: a spread can call a getter or an iterator, and neither bundler follows the name to the literal.
# Depends on it: nothing. Apps import the client whole, and `media-catalogue/pick` exports functions.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund esbuild@0.28.2 rolldown@1.3.3 rollup@4.68.8 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { rollup } from "rollup";

const library = `const names = ["first"];
const all = { key: "second" };
export const plain = { key: "third" };
export const list = [...names];
export const more = { ...all };
export const used = "used";
`;
writeFileSync("library.js", library);
writeFileSync("main.js", 'import { used } from "./library.js";\nconsole.log(used);\n');
const chunk = async (bundle) => (await (await bundle).generate({ format: "es" })).output[0].code;
const esbuilt = await build({ entryPoints: ["main.js"], bundle: true, format: "esm", write: false });
const bundles = {
  "esbuild 0.28.2": esbuilt.outputFiles[0].text,
  "rolldown 1.3.3": await chunk(rolldown({ input: "main.js" })),
  "rollup 4.68.8": await chunk(rollup({ input: "main.js" })),
};
const seen = Object.entries(bundles).map(([name, code]) => {
  const kept = ["first", "second", "third"].filter((each) => code.includes(each));
  console.log(`${name} keeps: ${kept.join(", ") || "nothing"}`);
  return kept;
});
assert.deepEqual(seen, [["first", "second"], ["first", "second"], []]);
JS
node finding.mjs
