#!/usr/bin/env bash
# cacheable 2.5.0: a wrapped function never rejects; its errors become undefined.
#
# Behavior: `wrap` and `getOrSet` around a function that throws resolve to undefined. The error is only an "error"
# event.
# Good guess: a cache is transparent for errors: the caller gets the function's error, and nothing is cached. The
# README says that the call "will return the error".
# Why the guess is wrong: rethrowing is an option of its own (`throwErrors: true`), apart from `cacheErrors`.
# Depends on it: nothing. A cache in front of the client must let errors pass through.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund cacheable@2.5.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { Cacheable } from "cacheable";

const cache = new Cacheable();
const failing = async () => {
  throw new Error("503");
};
const settle = (promise) => promise.then((value) => `resolves to ${value}`, ({ message }) => `rejects: ${message}`);
const seen = {
  wrap: await settle(cache.wrap(failing, { key: "wrapped", ttl: "1h" })()),
  getOrSet: await settle(cache.getOrSet("key", failing, { ttl: "1h" })),
  "getOrSet with throwErrors": await settle(cache.getOrSet("key", failing, { ttl: "1h", throwErrors: true })),
};
console.log("cacheable 2.5.0:", seen);
assert.deepEqual(Object.values(seen), ["resolves to undefined", "resolves to undefined", "rejects: 503"]);
JS
node finding.mjs
