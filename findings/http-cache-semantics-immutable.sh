#!/usr/bin/env bash
# http-cache-semantics 4.3.0: `Cache-Control: immutable` keeps a response fresh for a thousand days.
#
# Behavior: for a response with `immutable` and no `max-age`, `timeToLive()` is 86,400,000,000 ms, and
# `satisfiesWithoutRevalidation` is true.
# Good guess: `immutable` without a lifetime has no effect (RFC 8246: "during its freshness lifetime"), or one day,
# which is what the library's option `immutableMinTimeToLive` says in milliseconds.
# Why the guess is wrong: the option's milliseconds are taken for seconds, and multiplied by 1,000.
# Depends on it: nothing. The package does not use this library.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund http-cache-semantics@4.3.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import CachePolicy from "http-cache-semantics";

const request = { method: "GET", url: "/movie", headers: {} };
const headers = { "cache-control": "immutable", date: new Date().toUTCString() };
const policy = new CachePolicy(request, { status: 200, headers });
const days = Math.round(policy.timeToLive() / 86_400_000);
console.log(`http-cache-semantics 4.3.0: immutable alone is fresh for ${days} days`);
assert.deepEqual([days, policy.satisfiesWithoutRevalidation(request)], [1000, true]);
JS
node finding.mjs
