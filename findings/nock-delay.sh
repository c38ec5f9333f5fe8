#!/usr/bin/env bash
# nock 15.0.6: `delay()` delays the body, and not the response.
#
# Behavior: with `delay(2000)`, `fetch` resolves to the 200 response in less than a second, and `http.get` emits its
# response as early. Only the body takes two seconds.
# Good guess: nothing arrives before the delay is over, so an abort or a timeout after one second makes `fetch` reject.
# That is how `delay()` works in msw and in undici's MockAgent.
# Why the guess is wrong: nock sends the headers at once, and passes the delay to the stream of the body.
# Depends on it: nothing. A test that wants to see a timeout before the headers needs a real server, as the client's
# tests have.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund nock@15.0.6 node@26.10.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import nock from "nock";

const url = "http://catalogue.example/movie";
nock("http://catalogue.example").get("/movie").twice().delay(2000).reply(200, "the movie");
const tooLate = (ms) => sleep(ms, "nothing", { ref: false });
const first = await Promise.race([fetch(url).then(({ status }) => `status ${status}`), tooLate(1000)]);
const second = await Promise.race([
  new Promise((resolve) => get(url, ({ statusCode }) => resolve(`status ${statusCode}`))),
  tooLate(1000),
]);
console.log(`nock 15.0.6, one second into a delay of two: fetch has ${first}; http.get has ${second}`);
assert.deepEqual([first, second], ["status 200", "status 200"]);
process.exit();
JS
node_modules/.bin/node finding.mjs
