#!/usr/bin/env bash
# undici 8.13.1: the `cache` interceptor forgets a response when the service confirms it with a 304.
#
# Behavior: five equal requests for a response with an ETag and `no-cache`: only the second and the fourth are
# conditional. After each 304 response, the next request has no If-None-Match header and downloads the body again.
# Good guess: RFC 9111, section 4.3.4: a 304 response refreshes the stored response, so the first request downloads the
# body, and the other four are conditional.
# Why the guess is wrong: the interceptor hands the stored body to the caller, and does not store it again.
# Depends on it: the recipe "Cache responses" in docs/recipes.md. Its cache saves half of the bodies that it could save.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund undici@8.13.1 node@26.10.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { Agent, fetch, interceptors } from "undici";

const requests = [];
const server = createServer((request, response) => {
  const isConditional = request.headers["if-none-match"] === '"a"';
  requests.push(isConditional ? "conditional" : "unconditional");
  response.writeHead(isConditional ? 304 : 200, { etag: '"a"', "cache-control": "no-cache" });
  response.end(isConditional ? undefined : "the movie");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const dispatcher = new Agent().compose(interceptors.cache());
for (let call = 1; call <= 5; call++) {
  const response = await fetch(`http://127.0.0.1:${server.address().port}/`, { dispatcher });
  assert.deepEqual([response.status, await response.text()], [200, "the movie"]);
}
console.log(`undici 8.13.1: ${requests.join(", ")}`);
const pair = ["unconditional", "conditional"];
assert.deepEqual(requests, [...pair, ...pair, "unconditional"]);
process.exit();
JS
node_modules/.bin/node finding.mjs
