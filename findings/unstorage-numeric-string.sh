#!/usr/bin/env bash
# unstorage 1.17.6: a stored string comes back as a number, a boolean, or null.
#
# Behavior: after `setItem(key, "701")`, `getItem(key)` returns the number 701; "1e3" becomes 1000, and "true" becomes
# true. "0701" and "hello" stay strings. `getItemRaw` returns the string.
# Good guess: `getItem` returns what `setItem` got, so an ID or an ETag that is a string stays a string. Only objects go
# through JSON.
# Why the guess is wrong: `setItem` stores a string as it is, not as JSON, and `getItem` parses all that looks like JSON.
# Depends on it: nothing. The recipes keep responses in Keyv and lru-cache.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund unstorage@1.17.6 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { createStorage } from "unstorage";
import memory from "unstorage/drivers/memory";

const storage = createStorage({ driver: memory() });
const seen = {};
for (const value of ["701", "1e3", "true", "0701", "hello"]) {
  await storage.setItem("key", value);
  seen[JSON.stringify(value)] = [await storage.getItem("key"), await storage.getItemRaw("key")];
}
console.log("unstorage 1.17.6: getItem and getItemRaw after setItem", seen);
assert.deepEqual(seen, {
  '"701"': [701, "701"],
  '"1e3"': [1000, "1e3"],
  '"true"': [true, "true"],
  '"0701"': ["0701", "0701"],
  '"hello"': ["hello", "hello"],
});
JS
node finding.mjs
