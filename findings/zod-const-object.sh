#!/usr/bin/env bash
# zod 4.6.7: `z.fromJSONSchema` with an object in `const` or `enum` accepts no object.
#
# Behavior: a schema with `const: { kind: "movie" }` rejects { kind: "movie" }, and says that it expected "[object
# Object]". The same holds for `enum`.
# Good guess: `const` compares JSON values, as in ajv and in the specification, or the conversion throws, as it does
# for `unevaluatedProperties`.
# Why the guess is wrong: `const` becomes `z.literal`, which compares by identity, and no parsed object is identical.
# Depends on it: nothing. Both descriptions have only scalars in `const` and `enum`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund zod@4.6.7 ajv@8.20.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import Ajv2020 from "ajv/dist/2020.js";
import * as zod from "zod";

const value = () => ({ kind: "movie" });
const schemas = { const: { const: value() }, enum: { enum: [value(), "other"] } };
const seen = Object.entries(schemas).map(([keyword, schema]) => ({
  keyword,
  ajv: new Ajv2020.default().validate(schema, value()),
  zod: zod.fromJSONSchema(schema).safeParse(value()).success,
}));
console.log("zod 4.6.7:", seen);
assert.deepEqual(seen, [
  { keyword: "const", ajv: true, zod: false },
  { keyword: "enum", ajv: true, zod: false },
]);
JS
node finding.mjs
