#!/usr/bin/env bash
# test-results-parser 0.4.6, which sends JUnit reports to chats: the cases of a nested suite are lost, and a skipped
# case passes.
#
# Behavior: a suite with one passing case, one skipped case, and a nested suite with one failed case gives a result
# with three cases in total, two passed, and one failed, but the list of cases has neither the nested suite nor its
# failure.
# Good guess: nested suites are read like the others. Jenkins' schema allows them, and junit2json and junit-to-ctrf
# keep them.
# Why the guess is wrong: totals come from the attributes of the root element, cases only from the first level, and
# "passed" is the rest after failures.
# Depends on it: the gate writes flat suites, with all counts on the root element; test/contract/report.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund test-results-parser@0.4.6 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import parser from "test-results-parser";

writeFileSync(
  "report.xml",
  `<testsuites name="contract" tests="3" failures="1" errors="0">
  <testsuite name="outer" tests="3" failures="1" errors="0" skipped="1">
    <testcase name="passes"/>
    <testcase name="is skipped"><skipped/></testcase>
    <testsuite name="inner" tests="1" failures="1"><testcase name="fails"><failure message="no"/></testcase></testsuite>
  </testsuite>
</testsuites>`,
);
const { result } = parser.parseV2({ type: "junit", files: ["report.xml"] });
const names = (suites) =>
  suites.flatMap(({ cases, suites = [] }) => [...cases.map(({ name }) => name), ...names(suites)]);
const { passed, failed, skipped } = result;
const seen = [`passed ${passed}`, `failed ${failed}`, `skipped ${skipped}`, ...names(result.suites)];
console.log("test-results-parser 0.4.6:", seen);
assert.deepEqual(seen, ["passed 2", "failed 1", "skipped 0", "passes", "is skipped"]);
JS
node finding.mjs
