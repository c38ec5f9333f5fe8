#!/usr/bin/env bash
# up-fetch 2.6.1: the JSON bodies 0, false, and "" become null.
#
# Behavior: a call resolves to null if the service responds with `0`, `false`, or `""`. ofetch 1.5.1 returns the
# parsed value.
# Good guess: the call resolves to the parsed body, so a count of 0 is 0. Only an empty body becomes null.
# Why the guess is wrong: the parser ends with `data || null`, which should catch the empty body.
# Depends on it: nothing. The client returns what it parsed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund up-fetch@2.6.1 ofetch@1.5.1 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { ofetch } from "ofetch";
import { up } from "up-fetch";

const bodies = ["0", "false", '""', "1"];
const server = createServer(({ url }, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(bodies[Number(url.slice(1))]);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const seen = { "up-fetch": [], ofetch: [] };
for (const index of bodies.keys()) {
  const url = `http://127.0.0.1:${server.address().port}/${index}`;
  seen["up-fetch"].push(await up(fetch)(url));
  seen.ofetch.push(await ofetch(url));
}
console.log(`Bodies ${bodies.join(", ")} in up-fetch 2.6.1 and ofetch 1.5.1:`, seen);
assert.deepEqual(seen, { "up-fetch": [null, null, null, 1], ofetch: [0, false, "", 1] });
process.exit();
JS
node finding.mjs
