#!/usr/bin/env bash
# make-fetch-happen 16.0.1, npm's HTTP client: Retry-After is ignored.
#
# Behavior: a 503 response with `Retry-After: 3` is retried after about one second.
# Good guess: the client waits for three seconds. Its README says that it retries 408, 420, 429, and 5xx responses,
# and npm's registry answers with 429 and Retry-After.
# Why the guess is wrong: the pause comes from the `retry` options alone, with a `minTimeout` of one second.
# Depends on it: nothing. The client of this package waits as Retry-After says, up to 30 s; docs/promises.md.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund make-fetch-happen@16.0.1 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { createServer } from "node:http";
import fetch from "make-fetch-happen";

const times = [];
const server = createServer((_, response) => {
  times.push(performance.now());
  const [status, headers] = times.length === 1 ? [503, { "retry-after": "3" }] : [200, {}];
  response.writeHead(status, headers).end();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { status } = await fetch(`http://127.0.0.1:${server.address().port}/`, { retry: 1 });
const isEarly = times[1] - times[0] < 2900;
console.log(`make-fetch-happen 16.0.1: status ${status}, retried ${isEarly ? "before" : "after"} Retry-After`);
assert.deepEqual([status, isEarly], [200, true]);
process.exit();
JS
node finding.mjs
