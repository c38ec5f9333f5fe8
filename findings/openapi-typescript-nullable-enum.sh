#!/usr/bin/env bash
# openapi-typescript 7.13.0: null in `type` is in the TypeScript type, even if `enum` excludes it.
#
# Behavior: `type: [string, "null"]` with `enum: [a, b]` becomes `"a" | "b" | null`. Ajv rejects null.
# `type: [string, integer]` with the same `enum` becomes `"a" | "b"`. A schema that is only `const: null` becomes
# `unknown`.
# Good guess: in OpenAPI 3.1, each keyword narrows the schema, so the types are `"a" | "b"` and `null`.
# Why the guess is wrong: for null alone, the tool keeps the rule of OpenAPI 3.0, in which `nullable` extends an enum, and
# it takes a constant of null for a missing one.
# Depends on it: nothing; the types of schemas are our own, and the generator rejects such enums.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund openapi-typescript@7.13.0 typescript@5.9.3 ajv@8.20.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import Ajv from "ajv/dist/2020.js";
import openapiTypescript, { astToString } from "openapi-typescript";

const schemas = {
  Nullable: { type: ["string", "null"], enum: ["a", "b"] },
  Mixed: { type: ["string", "integer"], enum: ["a", "b"] },
  Null: { const: null },
};
const info = { title: "A", version: "1" };
const code = astToString(await openapiTypescript({ openapi: "3.1.0", info, paths: {}, components: { schemas } }));
const types = Object.keys(schemas).map((name) => new RegExp(`\\b${name}: (.*);`).exec(code)?.[1]);
const accepted = Object.values(schemas).map((schema) => new Ajv({ strict: false }).validate(schema, null));
console.log("openapi-typescript 7.13.0:", types, "accepted as null by Ajv:", accepted);
assert.deepEqual(types, ['"a" | "b" | null', '"a" | "b"', "unknown"]);
assert.deepEqual(accepted, [false, false, true]);
JS
node finding.mjs
