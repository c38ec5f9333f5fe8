#!/usr/bin/env bash
# undici 8.13.1: SnapshotAgent plays two Set-Cookie headers back as one.
#
# Behavior: a response with two Set-Cookie headers has two cookies while it is recorded, and one cookie when it is played
# back: `getSetCookie()` returns ["a=1, b=2"].
# Good guess: a played-back response has the headers of the recorded response, because an agent sees raw headers, and
# Set-Cookie is the one header that must not be joined with commas.
# Why the guess is wrong: the snapshot file has one string per header name, so the recorder joins all values.
# Depends on it: nothing. The sandbox and the client's tests use real servers, and the gate reads no cookies.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund undici@8.13.1 node@26.10.0 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { SnapshotAgent, fetch } from "undici";

const server = createServer((_, response) => {
  response.writeHead(200, [["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"]].flat()).end();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
const cookies = async (dispatcher) => (await fetch(url, { dispatcher })).headers.getSetCookie();

const recorder = new SnapshotAgent({ mode: "record", snapshotPath: "snapshots.json" });
const recorded = await cookies(recorder);
await recorder.close();
const playedBack = await cookies(new SnapshotAgent({ mode: "playback", snapshotPath: "snapshots.json" }));
console.log(`undici 8.13.1: recorded ${JSON.stringify(recorded)}, played back ${JSON.stringify(playedBack)}`);
assert.deepEqual([recorded, playedBack], [["a=1", "b=2"], ["a=1, b=2"]]);
process.exit();
JS
node_modules/.bin/node --no-warnings finding.mjs
