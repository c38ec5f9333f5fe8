#!/usr/bin/env bash
# lru-cache 11.5.3: one caller's abort rejects every caller of the same `fetch`.
#
# Behavior: two callers fetch the same key, and share one call of `fetchMethod`. The first caller's signal aborts.
# Both promises reject with an AbortError, although the second caller passed no signal.
# Good guess: each caller's signal ends only that caller's promise; `fetchMethod` is aborted when nobody waits any
# more.
# Why the guess is wrong: the signal belongs to the entry that is being fetched. The cache takes the first caller's
# signal, and ignores the signals of callers that join later.
# Depends on it: nothing. An lru-cache is only a store for this package; callers never share its `fetch`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund lru-cache@11.5.3 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";

let calls = 0;
const cache = new LRUCache({
  max: 10,
  fetchMethod: async (key, _, { signal }) => {
    calls++;
    await sleep(500, undefined, { signal });
    return key;
  },
});
const settle = (promise) => promise.then((value) => `resolves to ${value}`, ({ name }) => `rejects: ${name}`);
const controller = new AbortController();
const promises = [settle(cache.fetch("movie", { signal: controller.signal })), settle(cache.fetch("movie"))];
controller.abort();
const results = await Promise.all(promises);
console.log(`lru-cache 11.5.3, ${calls} call: ${results.join("; ")}`);
assert.deepEqual([calls, results], [1, ["rejects: AbortError", "rejects: AbortError"]]);
JS
node finding.mjs
