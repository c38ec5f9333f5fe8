#!/usr/bin/env bash
# @redocly/cli 2.77.0: `diff` calls a parameter removed if it moves from the operation to its path item.
#
# Behavior: `page` moves from the parameters of `get` to those of its path, which has no other operation. The
# operation takes the same parameters as before. `diff` reports `parameter-removed` and requires a major version.
# Good guess: no change. OpenAPI says that parameters of a path item apply to all its operations, and `diff` follows
# such rules elsewhere: it resolves `$ref`, and finds no change if a schema moves from components to its place of use.
# Why the guess is wrong: `diff` compares the trees of the two files. Path items and operations have separate lists.
# Depends on it: `npm run release:check`. docs/maintaining.md says that moving a parameter needs no new version.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @redocly/cli@2.77.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";

const page = { name: "page", in: "query", schema: { type: "integer" } };
const responses = { 200: { description: "OK" } };
const describe = (shared, own) => ({
  openapi: "3.1.0",
  info: { title: "Catalogue", version: "1.0.0" },
  paths: { "/movies": { parameters: shared, get: { operationId: "movies", parameters: own, responses } } },
});
writeFileSync("before.json", JSON.stringify(describe([], [page])));
writeFileSync("after.json", JSON.stringify(describe([page], [])));
writeFileSync("redocly.yaml", "telemetry: off\nextends: [spec, diff-recommended]\n");
const files = ["before.json", "after.json"];
const args = ["node_modules/.bin/redocly", "diff", ...files, "--format", "json", "--fail-on", "none"];
const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
const { stdout } = await promisify(execFile)(process.execPath, args, { env });
const { bump, changes } = JSON.parse(stdout);
const rules = changes.flatMap(({ verdicts }) => verdicts.map(({ ruleId }) => ruleId));
console.log(`@redocly/cli 2.77.0: ${bump}, because of ${rules}`);
assert.deepEqual([bump, rules], ["major", ["parameter-removed"]]);
JS
node finding.mjs
