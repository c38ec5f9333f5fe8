#!/usr/bin/env bash
# openapi-to-postmanv2 6.3.3: the sample of a nullable string is the string "<string,null>", and that of a constant is
# "".
#
# Behavior: in the example response of a collection, `type: [string, "null"]` becomes "<string,null>", `const: movie`
# becomes "", and a tuple becomes "<array>".
# Good guess: "<string>" for the nullable string, as for `nullable: true` in OpenAPI 3.0, and "movie" for the
# constant, of which there is only one valid value.
# Why the guess is wrong: the converter accepts 3.1, and prints the `type` keyword, whatever it contains.
# Depends on it: nothing. The package's own mock server is the sandbox.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund openapi-to-postmanv2@6.3.3 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { convertV2 } from "openapi-to-postmanv2";

const properties = {
  title: { type: "string" },
  overview: { type: ["string", "null"] },
  kind: { const: "movie" },
  pair: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false },
};
const description = (openapi, schema) => ({
  openapi,
  info: { title: "Catalogue", version: "1.0.0" },
  paths: {
    "/movie": {
      get: { responses: { 200: { description: "OK", content: { "application/json": { schema } } } } },
    },
  },
});
const sample = (openapi, properties) =>
  new Promise((resolve, reject) => {
    const data = description(openapi, { type: "object", properties });
    convertV2({ type: "json", data }, {}, (error, { output }) => {
      if (error) return reject(error);
      const find = (item) => item.response ?? item.item.flatMap(find);
      resolve(JSON.parse(output[0].data.item.flatMap(find)[0].body));
    });
  });
const old = await sample("3.0.3", { overview: { type: "string", nullable: true } });
const seen = await sample("3.1.0", properties);
console.log("openapi-to-postmanv2 6.3.3:", seen, "from 3.0:", old);
assert.deepEqual(seen, { title: "<string>", overview: "<string,null>", kind: "", pair: "<array>" });
assert.deepEqual(old, { overview: "<string>" });
process.exit();
JS
node finding.mjs
