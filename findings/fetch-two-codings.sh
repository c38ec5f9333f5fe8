#!/usr/bin/env bash
# Bun 1.4.5, Deno 2.9.6, and node-fetch 3.3.2: a body with two content codings is returned compressed.
#
# Behavior: a response with `Content-Encoding: deflate, gzip` is text in Node. The other three return the compressed
# bytes as text, without an error.
# Good guess: fetch undoes all codings in the header, from last to first (RFC 9110, section 8.4), or rejects a body
# that it cannot decode. Each of the two codings alone is decoded by Bun and node-fetch.
# Why the guess is wrong: these implementations compare the whole header with the names that they know, and pass every
# other body through.
# Depends on it: nothing. Such a body is a ResponseError of the client. The gate undoes the codings of a HAR by
# itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund deno@2.9.6 bun@1.4.5 node-fetch@3.3.2 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { deflateSync, gzipSync } from "node:zlib";

const server = createServer((_, response) => {
  response.writeHead(200, { "content-encoding": "deflate, gzip" }).end(gzipSync(deflateSync("the movie")));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
const print = `console.log(await (await fetch("${url}")).text() === "the movie" ? "decoded" : "compressed")`;
writeFileSync("read.mjs", print);
writeFileSync("node-fetch.mjs", `import fetch from "node-fetch";\n${print}`);
const run = async (command, ...args) => (await promisify(execFile)(command, args)).stdout.trim();
const seen = {
  node: await run(process.execPath, "read.mjs"),
  "Bun 1.4.5": await run("node_modules/.bin/bun", "run", "read.mjs"),
  "Deno 2.9.6": await run("node_modules/.bin/deno", "run", "--allow-net", "read.mjs"),
  "node-fetch 3.3.2": await run(process.execPath, "node-fetch.mjs"),
};
console.log(seen);
assert.deepEqual(Object.values(seen), ["decoded", "compressed", "compressed", "compressed"]);
process.exit();
JS
node finding.mjs
