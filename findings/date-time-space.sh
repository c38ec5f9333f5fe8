#!/usr/bin/env bash
# ajv-formats 3.0.1, @cfworker/json-schema 4.1.6, jsonschema 1.5.0, and @exodus/schemasafe 1.3.0: a space is a valid
# separator in `format: date-time`.
#
# Behavior: these four accept "2024-05-01 10:00:00Z". @hyperjump/json-schema 1.18.0 and zod 4.6.7 reject it.
# Good guess: `date-time` in JSON Schema is the `date-time` production of RFC 3339, which has a "T", so all validators
# reject the space, which is what databases print.
# Why the guess is wrong: a note in RFC 3339 lets applications use a space "for the sake of readability", and most
# validators copied it into their regular expressions.
# Depends on it: the gate uses ajv-formats. docs/findings.md says that the gate accepts a space.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund ajv@8.20.0 ajv-formats@3.0.1 @cfworker/json-schema@4.1.6 jsonschema@1.5.0 @exodus/schemasafe@1.3.0 @hyperjump/json-schema@1.18.0 @hyperjump/browser@1.3.1 zod@4.6.7 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { Validator as Cfworker } from "@cfworker/json-schema";
import schemasafe from "@exodus/schemasafe";
import * as hyperjump from "@hyperjump/json-schema/draft-2020-12";
import "@hyperjump/json-schema/formats";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import jsonschema from "jsonschema";
import * as zod from "zod";

const schema = { type: "string", format: "date-time" };
hyperjump.setShouldValidateFormat(true);
const dialect = "https://json-schema.org/draft/2020-12/schema";
hyperjump.registerSchema({ ...schema }, "https://schema.example/date-time", dialect);
const isHyperjumpValid = await hyperjump.validate("https://schema.example/date-time");
const validators = {
  "ajv-formats 3.0.1": addFormats(new Ajv()).compile(schema),
  "@cfworker/json-schema 4.1.6": (value) => new Cfworker(schema, "2020-12").validate(value).valid,
  "jsonschema 1.5.0": (value) => new jsonschema.Validator().validate(value, schema).valid,
  "@exodus/schemasafe 1.3.0": schemasafe.validator(schema),
  "@hyperjump/json-schema 1.18.0": (value) => isHyperjumpValid(value).valid,
  "zod 4.6.7": (value) => zod.fromJSONSchema(schema).safeParse(value).success,
};
const accepts = (value) => Object.entries(validators).flatMap(([name, isValid]) => (isValid(value) ? [name] : []));
const names = Object.keys(validators);
assert.deepEqual([accepts("2024-05-01T10:00:00Z"), accepts("2024-05-01")], [names, []]);
console.log("accept a space:", accepts("2024-05-01 10:00:00Z"));
assert.deepEqual(accepts("2024-05-01 10:00:00Z"), names.slice(0, 4));
JS
node finding.mjs
