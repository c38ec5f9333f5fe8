#!/usr/bin/env bash
# @usebruno/converters 0.23.0: an unquoted date in an OpenAPI description becomes "[object Object]".
#
# Behavior: the imported request sends `since=[object Object]` for a query parameter with `example: 2024-05-01`, and
# the imported response has {} for such a date. With quotes, both are "2024-05-01".
# Good guess: the date stays "2024-05-01". In OpenAPI 3.1, YAML follows the JSON schema of YAML 1.2, in which an
# unquoted date is a string, and `format: date` says that a string is meant.
# Why the guess is wrong: the converter parses YAML 1.1 dates to Date objects, and copies them as plain objects.
# Depends on it: every date in `openapi/` is in quotes; a test reads the descriptions with a parser of YAML 1.1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @usebruno/converters@0.23.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { openApiToBruno } from "@usebruno/converters";

const describe = (date) => `
openapi: 3.1.0
info: { title: Catalogue, version: 1.0.0 }
servers: [{ url: "https://catalogue.example" }]
paths:
  /changes:
    get:
      operationId: changes
      parameters: [{ name: since, in: query, required: true, schema: { type: string, format: date }, example: ${date} }]
      responses:
        "200":
          description: OK
          content: { application/json: { schema: { type: object }, example: { since: ${date} } } }
`;
const convert = (date) => {
  const [{ request, examples }] = openApiToBruno(describe(date)).items;
  return [request.params[0].value, JSON.parse(examples[0].response.body.content).since];
};
const seen = { unquoted: convert("2024-05-01"), quoted: convert('"2024-05-01"') };
console.log("@usebruno/converters 0.23.0:", seen);
assert.deepEqual(seen, { unquoted: ["[object Object]", {}], quoted: ["2024-05-01", "2024-05-01"] });
process.exit();
JS
node finding.mjs
