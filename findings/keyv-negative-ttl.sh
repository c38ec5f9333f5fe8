#!/usr/bin/env bash
# Keyv 6.1.0: a negative time to live means "forever".
#
# Behavior: `set(key, value, -5000)` stores the value without an expiry. lru-cache 11.5.3 treats the same entry as
# expired.
# Good guess: an entry whose time is over is expired at once, or `set` rejects the number. A cache of HTTP responses
# computes such numbers: `max-age` less `Age` is negative for a response that a proxy has kept too long.
# Why the guess is wrong: Keyv sets an expiry only if the number is greater than 0.
# Depends on it: nothing. A cache in front of the client must not store a response that is no longer fresh.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund keyv@6.1.0 lru-cache@11.5.3 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import Keyv from "keyv";
import { LRUCache } from "lru-cache";

const keyv = new Keyv();
await keyv.set("movie", "stale", -5000);
const lru = new LRUCache({ max: 10 });
lru.set("movie", "stale", { ttl: -5000 });
await sleep(50);
const seen = { "Keyv 6.1.0": await keyv.get("movie"), "lru-cache 11.5.3": lru.get("movie") };
console.log(seen);
assert.deepEqual(Object.values(seen), ["stale", undefined]);
JS
node finding.mjs
