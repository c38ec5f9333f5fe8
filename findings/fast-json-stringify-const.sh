#!/usr/bin/env bash
# fast-json-stringify 7.3.10: a property with `const` is written as the constant, whatever its value is.
#
# Behavior: with the schema `{ "const": "movie" }`, the value "tv" is written as "movie". With
# `{ "type": "string", "enum": ["movie"] }`, it is written as "tv". A required property that is missing is an error.
# Good guess: the serializer of Fastify writes the value, or throws. A schema can drop undeclared properties and convert
# types, but a mismatch between data and schema stays visible.
# Why the guess is wrong: the generated code contains the constant as text, and tests only whether the property exists.
# Depends on it: nothing. A mock server with this serializer would hide a wrong discriminator from the gate.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund fast-json-stringify@7.3.10 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import build from "fast-json-stringify";

const write = (kind, value) => {
  const stringify = build({ type: "object", properties: { kind }, required: ["kind"] });
  try {
    return stringify(value);
  } catch ({ message }) {
    return message;
  }
};
const seen = {
  const: write({ const: "movie" }, { kind: "tv" }),
  enum: write({ type: "string", enum: ["movie"] }, { kind: "tv" }),
  missing: write({ const: "movie" }, {}),
};
console.log("fast-json-stringify 7.3.10 writes kind: tv as", seen);
assert.deepEqual(seen, { const: '{"kind":"movie"}', enum: '{"kind":"tv"}', missing: '"kind" is required!' });
JS
node finding.mjs
