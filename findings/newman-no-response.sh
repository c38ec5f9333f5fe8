#!/usr/bin/env bash
# newman 6.2.2: a request without a response is no test case in the JUnit report.
#
# Behavior: if nothing listens, newman exits with 1. The report has a suite with `errors="1"` and text in `system-err`, but
# no `testcase`, no `error`, and no `failure`. A consumer that reads cases, such as a list of failed tests, shows nothing.
# Good guess: the report has a case with an `error` element, which is what JUnit has for such a failure.
# Why the guess is wrong: newman writes a case for each assertion, and a request without a script has none.
# Depends on it: nothing. In the gate's report, an exchange is a case, and unreadable input is a case with an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund newman@6.2.2 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";

// The port is free, because its server is closed.
const server = createServer();
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
await new Promise((resolve) => server.close(resolve));
const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
const collection = { info: { name: "Calls", schema }, item: [{ name: "Movie", request: { method: "GET", url } }] };
writeFileSync("collection.json", JSON.stringify(collection));
const command = ["node_modules/newman/bin/newman.js", "run", "collection.json", "--reporters", "junit"];
const { status } = spawnSync("node", [...command, "--reporter-junit-export", "report.xml"]);
const report = readFileSync("report.xml", "utf8");
const has = (text) => report.includes(text);
const seen = { status, suite: has('errors="1"'), case: has("<testcase"), error: has("<error"), failure: has("<failure") };
console.log("newman 6.2.2:", seen);
assert.deepEqual(seen, { status: 1, suite: true, case: false, error: false, failure: false });
JS
node finding.mjs
