#!/usr/bin/env bash
# undici 8.13.1: with the `deduplicate` interceptor, one caller's abort fails the other callers.
#
# Behavior: two equal GET requests share one request. If the first caller aborts, the second caller's `fetch` rejects,
# too, with "fetch failed" and the cause "Request was cancelled". The service has seen one request, and is not asked again.
# Good guess: an abort ends only the call of the caller that aborts; the shared request ends with its last caller. That
# is what TanStack Query and hand-written in-flight maps do.
# Why the guess is wrong: the first caller owns the connection's handler, and its abort is an error of the shared request.
# Depends on it: nothing. The package does not use the interceptor.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund undici@8.13.1 node@26.10.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { Agent, fetch, interceptors } from "undici";

let requests = 0;
const server = createServer((_, response) => {
  requests++;
  server.emit("asked");
  server.once("answer", () => response.end("the movie"));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
const dispatcher = new Agent().compose(interceptors.deduplicate());
const call = (signal) =>
  fetch(url, { signal, dispatcher }).then(
    (response) => response.text(),
    (error) => [error.message, error.cause?.message].filter(Boolean).join(": "),
  );

const first = new AbortController();
const calls = [call(first.signal), call(undefined)];
await once(server, "asked");
first.abort();
const results = [await calls[0]];
setTimeout(() => server.emit("answer"), 200);
results.push(await calls[1]);
console.log(`undici 8.13.1: ${requests} request; first: "${results[0]}"; second: "${results[1]}"`);
assert.deepEqual([requests, results], [1, ["This operation was aborted", "fetch failed: Request was cancelled."]]);
process.exit();
JS
node_modules/.bin/node finding.mjs
