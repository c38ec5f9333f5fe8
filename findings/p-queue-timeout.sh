#!/usr/bin/env bash
# p-queue 10.0.0: with a timeout, more jobs run than `concurrency` allows.
#
# Behavior: a queue with `concurrency: 1` and `timeout: 100` gets three jobs of a second each. All three run at the
# same time for most of that second.
# Good guess: a timeout rejects the promise, but the job keeps its place until it ends, because only the job knows
# when its request is over. The cap holds.
# Why the guess is wrong: a timeout frees the place. A service that becomes slow gets more parallel requests, not
# fewer.
# Depends on it: nothing. A queue in front of the client needs no timeout, because the client's deadline aborts the
# request.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund p-queue@10.0.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import PQueue from "p-queue";

let running = 0;
let most = 0;
const job = async () => {
  most = Math.max(most, ++running);
  await sleep(1000);
  running--;
};
const queue = new PQueue({ concurrency: 1, timeout: 100 });
const results = await Promise.allSettled([queue.add(job), queue.add(job), queue.add(job)]);
const reasons = results.map(({ reason }) => reason?.name);
console.log(`p-queue 10.0.0, concurrency 1: ${most} jobs at once; ${reasons.join(", ")}`);
assert.deepEqual([most, reasons], [3, Array(3).fill("TimeoutError")]);
process.exit();
JS
node finding.mjs
