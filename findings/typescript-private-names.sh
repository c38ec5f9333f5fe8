#!/usr/bin/env bash
# TypeScript 6.0.3 and 7.0.2: declarations of a mixin with a `#private` field are an error.
#
# Behavior: `tsc --declaration` of a function that returns an anonymous class with `#count` fails with TS4094
# ("Property '#count' of exported anonymous class type may not be private or protected"). TypeScript 5.9.3 compiles
# it.
# Good guess: it compiles in all versions. TS4094 is for the modifiers `private` and `protected`, and declarations of
# named classes write `#private` for such fields; the list of breaking changes of 6.0 does not have it.
# Why the guess is wrong: 5.9 writes a property named "__#private@#count" to the declarations, and 6.0 made an error
# of it.
# Depends on it: nothing. The package exports no anonymous classes; the type tests compile it with 5.4, 5.9, and 7.0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund typescript-5@npm:typescript@5.9.3 typescript-6@npm:typescript@6.0.3 typescript-7@npm:typescript@7.0.2 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";

writeFileSync(
  "mixin.ts",
  `type Constructor = new (...values: any[]) => {};
export function Counted<Base extends Constructor>(base: Base) {
  return class extends base {
    #count = 0;
    next() { return ++this.#count; }
  };
}
`,
);
const flags = ["--declaration", "--strict", "--target", "es2022", "--skipLibCheck", "--outDir", "out", "mixin.ts"];
const compile = async (version) => {
  const tsc = `node_modules/typescript-${version}/bin/tsc`;
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...flags]).catch((error) => error);
  return stdout.match(/TS\d+: .*/)?.[0] ?? "compiles";
};
const seen = { "5.9.3": await compile(5), "6.0.3": await compile(6), "7.0.2": await compile(7) };
console.log("TypeScript:", seen);
const message = "Property '#count' of exported anonymous class type may not be private or protected.";
assert.deepEqual(Object.values(seen), ["compiles", `TS4094: ${message}`, `TS4094: ${message}`]);
JS
node finding.mjs
