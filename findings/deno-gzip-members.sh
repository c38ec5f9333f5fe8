#!/usr/bin/env bash
# Deno 2.9.6: fetch decodes only the first member of a gzip body, and reports no error.
#
# Behavior: a body of two gzip members, as written by servers that compress in blocks, is "first, second" in Node and
# Bun. In Deno, `text()` resolves to "first, ".
# Good guess: all members are decoded. RFC 1952, section 2.2, says that a gzip file is a series of members, and
# `zcat`, browsers, Node, and Bun decode them all. A decoder that does not would at least fail because bytes are left
# over.
# Why the guess is wrong: Deno's decoder stops at the end of the first member and drops the rest of the body.
# Depends on it: nothing. A shortened JSON body is a ResponseError of the client, because it is not JSON.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund deno@2.9.6 bun@1.4.5 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

const server = createServer((_, response) => {
  response.writeHead(200, { "content-encoding": "gzip" });
  response.end(Buffer.concat([gzipSync("first, "), gzipSync("second")]));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
writeFileSync("read.mjs", `console.log(JSON.stringify(await (await fetch("${url}")).text()));`);
const run = async (command, ...args) => JSON.parse((await promisify(execFile)(command, [...args, "read.mjs"])).stdout);
const seen = {
  node: await run(process.execPath),
  "Bun 1.4.5": await run("node_modules/.bin/bun", "run"),
  "Deno 2.9.6": await run("node_modules/.bin/deno", "run", "--allow-net"),
};
console.log(seen);
assert.deepEqual(Object.values(seen), ["first, second", "first, second", "first, "]);
process.exit();
JS
node finding.mjs
