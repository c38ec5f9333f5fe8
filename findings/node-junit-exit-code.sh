#!/usr/bin/env bash
# Node 26.10.0: the JUnit report of `node --test` contradicts the exit code.
#
# Behavior: a test that fails after its subtest has passed makes Node exit with 1, but the report has one passed test case
# and `failures="0"`. A `todo` test that fails lets Node exit with 0, but the report has a `failure`, next to `skipped`.
# Good guess: the report has a failure if and only if the exit code is 1: a test with subtests is a case of its own, or
# its suite has the failure, and a failed `todo` test is skipped.
# Why the guess is wrong: the reporter makes a test with subtests a suite, and writes only the results of the cases in it.
# It writes `failure` for each case with an error, and `todo` does not change that.
# Depends on it: nothing. The gate's report has a failure if and only if the exit code is 1, and at most one for each case.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund node@26.10.0 >&2 || exit 2
cat >parent.mjs <<'JS'
import test from "node:test";

test("parent", async (t) => {
  await t.test("child", () => {});
  throw new Error("the parent fails");
});
JS
cat >todo.mjs <<'JS'
import test from "node:test";

test("later", { todo: true }, () => {
  throw new Error("not yet");
});
JS
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

const seen = ["parent.mjs", "todo.mjs"].map((file) => {
  const command = ["--test", "--test-reporter=junit", file];
  const { status, stdout } = spawnSync(process.execPath, command, { encoding: "utf8" });
  const count = (element) => stdout.split(`<${element} `).length - 1;
  return { file, status, cases: count("testcase"), failures: count("failure"), skipped: count("skipped") };
});
console.log("Node 26.10.0:", seen);
assert.deepEqual(seen, [
  { file: "parent.mjs", status: 1, cases: 1, failures: 0, skipped: 0 },
  { file: "todo.mjs", status: 0, cases: 1, failures: 1, skipped: 1 },
]);
JS
node_modules/.bin/node finding.mjs
