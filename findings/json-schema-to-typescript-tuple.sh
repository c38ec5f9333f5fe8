#!/usr/bin/env bash
# json-schema-to-typescript 16.0.0: a closed tuple becomes `never[]`, and a closed object stays open.
#
# Behavior: `prefixItems: [string, integer]` with `items: false` becomes `never[]`, to which no valid value can be
# assigned. `unevaluatedProperties: false` leaves `[k: string]: unknown` in the interface.
# Good guess: `[string, number]`, and an interface without an index signature. The keywords are six years old, and
# tuples in the old spelling (`items: [...]`) work.
# Why the guess is wrong: the tool reads draft 4. It ignores what it does not know, and then reads `items: false`
# alone.
# Depends on it: nothing. openapi-typescript writes the types of this package.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund json-schema-to-typescript@16.0.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { compile } from "json-schema-to-typescript";

const typeOf = async (schema) => (await compile(schema, "X", { bannerComment: "" })).replace(/\s+/g, " ").trim();
const pair = [{ type: "string" }, { type: "integer" }];
const properties = { title: { type: "string" } };
const seen = {
  prefixItems: await typeOf({ type: "array", prefixItems: pair, items: false }),
  "old tuple": await typeOf({ type: "array", items: pair, additionalItems: false, minItems: 2, maxItems: 2 }),
  unevaluatedProperties: await typeOf({ type: "object", properties, unevaluatedProperties: false }),
};
console.log("json-schema-to-typescript 16.0.0:", seen);
assert.equal(seen.prefixItems, "export type X = never[];");
assert.match(seen["old tuple"], /\[string, number\]/);
assert.match(seen.unevaluatedProperties, /\[k: string\]: unknown/);
JS
node finding.mjs
