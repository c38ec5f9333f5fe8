#!/usr/bin/env bash
# msw 3.0.5: a request over a connection that was open before `listen()` reaches the real server.
#
# Behavior: the app calls its service once, and a test then starts msw with a handler for the same URL and with
# `onUnhandledFrame: "error"`. The next calls of the global fetch get the real response, without a warning.
# Good guess: once `listen()` has returned, the handler answers, as with msw 2, or the request is an error.
# Why the guess is wrong: msw 3 intercepts new sockets, and Node's fetch keeps its connection alive. msw 2 replaced
# fetch.
# Depends on it: test/client/msw.test.ts, whose real server closes its connection, and the line about msw in
# docs/recipes.md: start msw before the first request.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund msw@3.0.5 msw-2@npm:msw@2.15.0 node@26.10.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import * as msw3 from "msw";
import { setupServer as setup3 } from "msw/node";
import * as msw2 from "msw-2";
import { setupServer as setup2 } from "msw-2/node";

const server = createServer((_, response) => response.end("real"));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/movie`;
const call = async () => {
  const text = await (await fetch(url)).text();
  await sleep(100); // The connection is idle now, so that the next request uses it again.
  return text;
};
const mock = async ({ http, HttpResponse }, setupServer) => {
  await call();
  const mocked = setupServer(http.get(url, () => HttpResponse.text("mocked")));
  mocked.listen({ onUnhandledFrame: "error" });
  const texts = [await call(), await call()];
  mocked.close();
  return texts;
};
const seen = { "msw 3.0.5": await mock(msw3, setup3), "msw 2.15.0": await mock(msw2, setup2) };
console.log(seen);
assert.deepEqual(Object.values(seen), [["real", "real"], ["mocked", "mocked"]]);
process.exit();
JS
node_modules/.bin/node finding.mjs
