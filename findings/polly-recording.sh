#!/usr/bin/env bash
# @pollyjs/adapter-fetch 6.0.7: while Polly records, a timeout loses its name, and a 304 response is an error.
#
# Behavior: in `record` mode, a call with `AbortSignal.timeout()` rejects with an AbortError ("The user aborted a
# request.") instead of a TimeoutError, and a call that is aborted for a reason rejects with the same AbortError. A 304
# response rejects with "Response constructor: Invalid response status code 304". In `replay` mode, its recording is a 304
# response.
# Good guess: in `record` mode, the app sees what it sees without Polly; only the playback can differ.
# Why the guess is wrong: the adapter makes its own error for each abort, and creates each response anew, with an empty
# text as its body, which the constructor of Response rejects for a 304.
# Depends on it: nothing. The client has its own timer, and rethrows the reason of an abort, whatever `fetch` rejects with.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @pollyjs/core@6.0.6 @pollyjs/adapter-fetch@6.0.7 @pollyjs/persister@6.0.6 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { createServer } from "node:http";
import FetchAdapter from "@pollyjs/adapter-fetch";
import { Polly } from "@pollyjs/core";
import Persister from "@pollyjs/persister";

const server = createServer(({ url }, response) => {
  if (url === "/304") response.writeHead(304).end();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const outcome = (path, signal) =>
  fetch(`http://127.0.0.1:${server.address().port}${path}`, { signal }).then(
    ({ status }) => status,
    ({ name }) => name,
  );
const abortedBy = (error) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(error), 500);
  return controller.signal;
};
const call = async () => [
  await outcome("/slow", AbortSignal.timeout(500)),
  await outcome("/slow", abortedBy(new RangeError())),
  await outcome("/304"),
];

const files = new Map();
class MemoryPersister extends Persister {
  static id = "memory";
  onFindRecording = (name) => files.get(name) ?? null;
  onSaveRecording = (name, recording) => void files.set(name, recording);
}
Polly.register(FetchAdapter);
Polly.register(MemoryPersister);
const options = { adapters: ["fetch"], persister: "memory", recordFailedRequests: true };
const without = await call();
const recorder = new Polly("calls", { ...options, mode: "record" });
const recorded = await call();
await recorder.stop();
const player = new Polly("calls", { ...options, mode: "replay", recordIfMissing: false });
const replayed = await outcome("/304");
await player.stop();
console.log("@pollyjs/adapter-fetch 6.0.7:", { without, recorded, replayed });
assert.deepEqual(without, ["TimeoutError", "RangeError", 304]);
assert.deepEqual(recorded, ["AbortError", "AbortError", "TypeError"]);
assert.equal(replayed, 304);
process.exit();
JS
node finding.mjs
