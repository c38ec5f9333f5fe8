#!/usr/bin/env bash
# undici 8.13.1: the `retry` interceptor turns a 503 response into "fetch failed", even if it retries nothing.
#
# Behavior: with the interceptor, `fetch` of a POST that gets a 503 response sends one request, and rejects with
# "TypeError: fetch failed". A GET rejects after the last retry. A 404 response is returned. `throwOnError: false`
# returns the last response in all cases.
# Good guess: the interceptor does not retry a POST, so its 503 response is returned with status and body, and a GET
# returns its last response. `fetch` rejects for network errors only.
# Why the guess is wrong: the interceptor throws for each status that it would retry, before it looks at the method.
# Depends on it: nothing. The client retries by itself, and an ApiError has the status and the body of the last response.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund undici@8.13.1 node@26.10.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { Agent, fetch, interceptors } from "undici";

let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  response.writeHead(Number(request.url.slice(1))).end("busy");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const outcome = async (method, status, options) => {
  requests = 0;
  const pauses = { minTimeout: 1, maxTimeout: 5, maxRetries: 2 };
  const dispatcher = new Agent().compose(interceptors.retry({ ...pauses, ...options }));
  const url = `http://127.0.0.1:${server.address().port}/${status}`;
  const result = await fetch(url, { method, dispatcher }).then(
    async (response) => `${response.status} ${await response.text()}`,
    ({ name, message }) => `${name}: ${message}`,
  );
  return `${result} after ${requests}`;
};
const seen = {
  "POST 503": await outcome("POST", 503),
  "GET 503": await outcome("GET", 503),
  "POST 404": await outcome("POST", 404),
  "POST 503, throwOnError: false": await outcome("POST", 503, { throwOnError: false }),
};
console.log("undici 8.13.1:", seen);
assert.deepEqual(Object.values(seen), [
  "TypeError: fetch failed after 1",
  "TypeError: fetch failed after 3",
  "404 busy after 1",
  "503 busy after 1",
]);
process.exit();
JS
node_modules/.bin/node finding.mjs
