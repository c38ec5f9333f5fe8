#!/usr/bin/env bash
# zod 4.6.7: the JSON Schema of a string loses the flags of its pattern, and can have a format that does not exist.
#
# Behavior: `z.toJSONSchema(z.string().regex(/^a$/i))` has the pattern "^a$", so the schema rejects "A", which zod accepts.
# arktype 2.2.10 does the same, and valibot throws an error. `z.string().startsWith("a")` has `format: "starts_with"`, at
# which Ajv throws by default.
# Good guess: zod throws an error for what JSON Schema cannot express, as it does for dates and transforms, and `startsWith`
# becomes a pattern alone.
# Why the guess is wrong: the converter takes the source of the expression, and the name of a check that it does not know
# as a format.
# Depends on it: nothing. The descriptions of this package are written by hand.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund zod@4.6.7 ajv@8.20.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import Ajv from "ajv/dist/2020.js";
import * as z from "zod";

const ignoringCase = z.string().regex(/^a$/i);
const { pattern } = z.toJSONSchema(ignoringCase);
const { format } = z.toJSONSchema(z.string().startsWith("a"));
const accepted = {
  zod: ignoringCase.safeParse("A").success,
  ajv: new Ajv().validate(z.toJSONSchema(ignoringCase), "A"),
};
console.log("zod 4.6.7:", { pattern, format, accepted });
assert.deepEqual({ pattern, format }, { pattern: "^a$", format: "starts_with" });
assert.deepEqual(accepted, { zod: true, ajv: false });
assert.throws(() => new Ajv().compile({ type: "string", format }), /unknown format "starts_with"/);
assert.throws(() => z.toJSONSchema(z.date()), /cannot be represented/);
JS
node finding.mjs
