#!/usr/bin/env bash
# @stoplight/spectral-cli 6.16.3: `items: false` is an error, because "items" is missing.
#
# Behavior: in an OpenAPI 3.1 description, a tuple with `items: false` gets the error `array-items`: "Schemas with
# type: array, require a sibling items field". With `items: {}`, it gets none.
# Good guess: no error. `items` is there, and false is a schema in JSON Schema 2020-12, which Spectral's own
# validation of 3.1 descriptions accepts.
# Why the guess is wrong: the rule tests whether the value of `items` is truthy.
# Depends on it: nothing. `npm run lint` runs Redocly, and the descriptions have no tuples.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @stoplight/spectral-cli@6.16.3 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";

const tuple = (items) => ({ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items });
const $ref = "#/components/schemas/";
const properties = { closed: { $ref: `${$ref}Closed` }, open: { $ref: `${$ref}Open` } };
const content = { "application/json": { schema: { type: "object", properties } } };
const description = {
  openapi: "3.1.0",
  info: { title: "Catalogue", version: "1.0.0" },
  paths: { "/pairs": { get: { operationId: "pairs", responses: { 200: { description: "OK", content } } } } },
  components: { schemas: { Closed: tuple(false), Open: tuple({}) } },
};
writeFileSync("openapi.json", JSON.stringify(description));
writeFileSync(".spectral.yaml", "extends: [spectral:oas]\n");
const args = ["node_modules/.bin/spectral", "lint", "openapi.json", "--format", "json", "--quiet"];
const { stdout } = await promisify(execFile)(process.execPath, args).catch((error) => error);
const errors = JSON.parse(stdout.slice(0, stdout.lastIndexOf("]") + 1)).filter(({ severity }) => severity === 0);
const seen = errors.map(({ code, path }) => `${code} at ${path.join("/")}`);
console.log("@stoplight/spectral-cli 6.16.3:", seen);
assert.deepEqual(seen, ["array-items at components/schemas/Closed/items"]);
JS
node finding.mjs
