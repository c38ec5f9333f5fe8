#!/usr/bin/env bash
# ofetch 1.5.1: the timeout ends when the headers arrive.
#
# Behavior: with a time limit of one second, a response whose headers arrive at once, and whose body takes two seconds,
# resolves after two seconds to the parsed body. A response whose headers take two seconds rejects.
# Good guess: the call rejects after one second. It promises the parsed body, it implements the limit with an
# AbortController, and an abort also ends the body, as with `fetch(url, { signal: AbortSignal.timeout(1000) })`.
# Why the guess is wrong: ofetch clears its timer when `fetch` resolves, before it reads the body.
# Depends on it: nothing. The client's timeout covers all attempts and the body.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund ofetch@1.5.1 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { ofetch } from "ofetch";

const server = createServer(({ url }, response) => {
  const start = () => response.writeHead(200, { "content-type": "application/json" }).write('{"id":');
  if (url === "/body") start();
  setTimeout(() => {
    if (url === "/headers") start();
    response.end("701}");
  }, 2000);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const base = `http://127.0.0.1:${server.address().port}`;
const nameOf = ({ cause, name }) => cause?.name ?? name;
const signal = AbortSignal.timeout(1000);
const seen = await Promise.all([
  ofetch(`${base}/body`, { timeout: 1000, retry: 0 }).catch(nameOf),
  ofetch(`${base}/headers`, { timeout: 1000, retry: 0 }).catch(nameOf),
  fetch(`${base}/body`, { signal }).then((response) => response.json()).catch(nameOf),
]);
console.log("ofetch 1.5.1 with a slow body and with slow headers, and fetch with a slow body:", seen);
assert.deepEqual(seen, [{ id: 701 }, "TimeoutError", "TimeoutError"]);
process.exit();
JS
node finding.mjs
