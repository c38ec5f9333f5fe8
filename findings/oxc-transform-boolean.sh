#!/usr/bin/env bash
# oxc-transform 0.158.0: the declaration of `const isDone = true` is `boolean`.
#
# Behavior: `isolatedDeclaration` writes `size = 1` and `name = "a"` for exported constants, but `isDone: boolean` for
# true and false. `tsc` writes `isDone = true`. In an object with `as const`, both tools write true.
# Good guess: the declarations are those of `tsc`: a constant has the type of its literal, which a discriminated union or
# a condition in a type can need.
# Why the guess is wrong: oxc infers the literal types of numbers and strings, but not of booleans.
# Depends on it: nothing. `tsc` writes the declarations of this package.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund oxc-transform@0.158.0 typescript@5.9.3 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { isolatedDeclaration } from "oxc-transform";
import ts from "typescript";

const source = `export const size = 1;
export const isDone = true;
export const all = { isDone: true } as const;
`;
const compilerOptions = { declaration: true, isolatedDeclarations: true, strict: true, target: ts.ScriptTarget.ESNext };
const oxc = await isolatedDeclaration("a.ts", source);
const tsc = ts.transpileDeclaration(source, { compilerOptions });
console.log(`oxc-transform 0.158.0:\n${oxc.code}\ntypescript 5.9.3:\n${tsc.outputText}`);
assert.deepEqual([oxc.errors.length, tsc.diagnostics.length], [0, 0]);
assert.match(oxc.code, /size = 1;[^]*isDone: boolean;[^]*isDone: true/);
assert.match(tsc.outputText, /size = 1;[^]*isDone = true;[^]*isDone: true/);
JS
node finding.mjs
