#!/usr/bin/env bash
# Keyv 6.1.0: whether `get` rejects depends on a listener for "error" events.
#
# Behavior: the store's `get` throws. Without a listener, `keyv.get` rejects with the store's error. With a listener,
# even one that does nothing, `keyv.get` resolves to undefined, as if the key did not exist; `set` resolves to false.
# Good guess: a listener observes errors and changes no result. In Keyv 5, `get` resolves to undefined in both cases.
# Why the guess is wrong: Keyv 6 throws what nobody listens for, as Node's EventEmitter does, but from within `get`.
# Depends on it: nothing. A cache in front of the client must treat a rejection and undefined as a miss.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund keyv@6.1.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import Keyv from "keyv";

const failing = () => {
  const store = new Map();
  store.get = store.set = () => {
    throw new Error("store is down");
  };
  return new Keyv({ store });
};
const settle = (promise) => promise.then((value) => `resolves to ${value}`, ({ message }) => `rejects: ${message}`);
const observed = failing();
observed.on("error", () => {});
const seen = {
  "get without a listener": await settle(failing().get("movie")),
  "get with a listener": await settle(observed.get("movie")),
  "set with a listener": await settle(observed.set("movie", 1)),
};
console.log("Keyv 6.1.0:", seen);
assert.deepEqual(Object.values(seen), ["rejects: store is down", "resolves to undefined", "resolves to false"]);
JS
node finding.mjs
