#!/usr/bin/env bash
# Node 26.10.0: `assert.deepStrictEqual` accepts different responses, requests, and dates.
#
# Behavior: a 200 and a 500 response with different bodies are equal, and so are requests with different URLs, headers
# with different values, and two days of Temporal. In Node 22.19.0, the responses and requests differ, and the headers
# are equal. URLs differ in both versions.
# Good guess: the assertion fails for each of these pairs. It compares Map, Set, Date, URL, and RegExp by their values.
# Why the guess is wrong: it compares properties. The values of these objects are in private fields or internal slots,
# and the only exceptions are types that the comparison knows. Older versions of Node kept some of them in symbols.
# Depends on it: nothing. Our tests compare the status, the headers, and the text of a response.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund node@26.10.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";

const day = Temporal.PlainDate;
const pairs = {
  responses: [new Response("a"), new Response("b", { status: 500 })],
  requests: [new Request("http://a.example"), new Request("http://b.example")],
  headers: [new Headers({ a: "1" }), new Headers({ a: "2" })],
  days: [day.from("2026-01-01"), day.from("2026-12-31")],
  URLs: [new URL("http://a.example"), new URL("http://b.example")],
};
const isEqual = (left, right) => {
  try {
    assert.deepEqual(left, right);
    return true;
  } catch {
    return false;
  }
};
const equal = Object.keys(pairs).filter((name) => isEqual(...pairs[name]));
console.log(`Node ${process.versions.node}: equal ${equal.join(", ")}`);
assert.deepEqual(equal, ["responses", "requests", "headers", "days"]);
JS
node_modules/.bin/node finding.mjs
