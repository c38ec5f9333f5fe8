#!/usr/bin/env bash
# openapi-sampler 1.7.10, which writes the examples in Redoc: the sample of "null or a string" is an object.
#
# Behavior: the sample of `oneOf: [{ type: "null" }, { type: "string" }]` is {}, which neither branch allows. The
# sample of `type: ["null", "string"]` is null. For an integer with `minimum: 3` and `multipleOf: 5`, it is 3.
# Good guess: a sample is valid. A union gives the sample of its first branch (null), and a list of types gives the
# first type that is not null.
# Why the guess is wrong: null from a branch counts as "no sample", and an object is the fallback.
# Depends on it: the built documentation. Every response there has an example of its own, so Redoc shows no samples of
# schemas; test/docs.test.ts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund openapi-sampler@1.7.10 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { sample } from "openapi-sampler";

const seen = {
  "oneOf: null, string": sample({ oneOf: [{ type: "null" }, { type: "string" }] }),
  "oneOf: string, null": sample({ oneOf: [{ type: "string" }, { type: "null" }] }),
  "type: null, string": sample({ type: ["null", "string"] }),
  "minimum 3, multipleOf 5": sample({ type: "integer", minimum: 3, multipleOf: 5 }),
};
console.log("openapi-sampler 1.7.10:", seen);
assert.deepEqual(Object.values(seen), [{}, "string", null, 3]);
JS
node finding.mjs
