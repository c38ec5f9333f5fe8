#!/usr/bin/env bash
# zod 4.6.7: `z.fromJSONSchema` ignores the keywords beside `$ref`, and those of a schema without `type`.
#
# Behavior: `{ $ref, maxLength: 3 }` and `{ maxLength: 3 }` accept "Night Ferry". `{ type: "string", maxLength: 3 }`
# does not.
# Good guess: in JSON Schema 2020-12, which is the default here, keywords beside `$ref` apply, and `maxLength` needs
# no `type`; what zod cannot express is an error, as for `if` and `unevaluatedItems`.
# Why the guess is wrong: a `$ref` returns the target at once, and a schema without `type`, `const`, or `enum` becomes
# `z.any()`.
# Depends on it: nothing. docs/recipes.md converts no schema; the package validates with code that ajv compiles.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund zod@4.6.7 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import * as zod from "zod";

const $defs = { title: { type: "string" } };
const schemas = {
  "type and maxLength": { type: "string", maxLength: 3 },
  "maxLength beside $ref": { $defs, $ref: "#/$defs/title", maxLength: 3 },
  "maxLength without type": { maxLength: 3 },
};
const accepted = Object.entries(schemas).flatMap(([name, schema]) =>
  zod.fromJSONSchema(schema).safeParse("Night Ferry").success ? [name] : [],
);
console.log("zod 4.6.7 accepts a string that is too long:", accepted);
assert.deepEqual(accepted, ["maxLength beside $ref", "maxLength without type"]);
JS
node finding.mjs
