#!/usr/bin/env bash
# nock 15.0.6: a request that no interceptor matches gets a 501 response.
#
# Behavior: with an interceptor for /movie, a request for /person on the same host resolves to status 501 and a JSON body
# with the code ERR_NOCK_NO_MATCH, by `fetch` and by `http.get`.
# Good guess: an unmatched request fails: `fetch` rejects with a TypeError, and `http.get` emits an error.
# Why the guess is wrong: nock now answers on the level of sockets, where a mistake in a test can only be a response.
# Code that retries 5xx responses, or maps them, treats the mistake as an answer of the service.
# Depends on it: nothing. A call of the client rejects with an ApiError whose status is 501, and is not retried.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund nock@15.0.6 node@26.10.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { get } from "node:http";
import nock from "nock";

nock("http://catalogue.example").get("/movie").reply(200, "the movie");
const url = "http://catalogue.example/person";
const byFetch = await fetch(url).then(
  async (response) => `${response.status} ${(await response.json()).code}`,
  (error) => error.name,
);
const byHttp = await new Promise((resolve) => {
  get(url, ({ statusCode }) => resolve(`${statusCode}`)).on("error", ({ code }) => resolve(code));
});
console.log(`nock 15.0.6, unmatched: fetch ${byFetch}; http.get ${byHttp}`);
assert.deepEqual([byFetch, byHttp], ["501 ERR_NOCK_NO_MATCH", "501"]);
JS
node_modules/.bin/node finding.mjs
