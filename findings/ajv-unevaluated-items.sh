#!/usr/bin/env bash
# Ajv 8.20.0: `contains` switches `unevaluatedItems: false` off.
#
# Behavior: a list that `contains` a string, with `unevaluatedItems: false`, accepts ["a", 1]. Without `contains`, it
# rejects the number. `if` without `then` has the opposite effect: its properties count as unevaluated, and are rejected.
# Good guess: draft 2020-12: `contains` evaluates the items that match, so the number is rejected, and `if` evaluates
# properties with or without `then`. @hyperjump/json-schema does so.
# Why the guess is wrong: Ajv notes for a list only how many items are evaluated, and takes `contains` for all of them.
# It skips an `if` that has neither `then` nor `else`.
# Depends on it: the gate, whose validators come from Ajv 8.20.0. The generator rejects descriptions with these keywords.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund ajv@8.20.0 @hyperjump/json-schema@1.18.0 @hyperjump/browser@1.3.1 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { registerSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
import Ajv from "ajv/dist/2020.js";

const a = { properties: { a: { const: 1 } }, required: ["a"] };
const cases = [
  [{ contains: { type: "string" }, unevaluatedItems: false }, ["a", 1]],
  [{ unevaluatedItems: false }, [1]],
  [{ if: a, unevaluatedProperties: false }, { a: 1 }],
  [{ if: a, then: { required: ["a"] }, unevaluatedProperties: false }, { a: 1 }],
];
const ajv = new Ajv({ strict: false });
const seen = [];
for (const [index, [schema, value]] of cases.entries()) {
  const name = `https://a.example/${index}`;
  registerSchema({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema }, name);
  seen.push({ ajv: ajv.validate(schema, value), hyperjump: (await validate(name, value)).valid });
}
console.log("Ajv 8.20.0 and @hyperjump/json-schema 1.18.0:", seen);
assert.deepEqual(seen, [
  { ajv: true, hyperjump: false },
  { ajv: false, hyperjump: false },
  { ajv: false, hyperjump: true },
  { ajv: true, hyperjump: true },
]);
JS
node finding.mjs
