#!/usr/bin/env bash
# Node 26.10.0: `JSON.stringify` writes a value of any depth, unless `toJSON`, a replacer, or an indentation is involved.
#
# Behavior: an array that is nested 100,000 times can be written, but throws a RangeError with an indentation of 2, with a
# replacer, or if an object's `toJSON` returns it. In Node 22.19.0, each of the four calls throws.
# Good guess: the four calls have the same limit, so a value that `JSON.stringify(value)` writes can also be a part of what
# `toJSON` returns.
# Why the guess is wrong: V8 has a second, faster implementation, which does not use the stack. It handles plain values
# only.
# Depends on it: `JSON.stringify(error)` in the client, which omits a body that is nested too deeply, and has to try the
# body as a result of `toJSON`. The test is in test/client/errors.test.ts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund node@26.10.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";

const value = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
const outcome = (...values) => {
  try {
    return `${JSON.stringify(...values).length} characters`;
  } catch ({ name }) {
    return name;
  }
};
const seen = {
  plain: outcome(value),
  indentation: outcome(value, null, 2),
  replacer: outcome(value, (key, item) => item),
  toJSON: outcome({ toJSON: () => value }),
};
console.log(`Node ${process.versions.node}:`, seen);
assert.deepEqual(Object.values(seen), ["200000 characters", "RangeError", "RangeError", "RangeError"]);
JS
node_modules/.bin/node finding.mjs
