#!/usr/bin/env bash
# openapi-react-query 0.5.4: a query whose response is a 500 without a body succeeds.
#
# Behavior: the `error` of openapi-fetch is undefined for a 500 response with `content-length: 0`, and "" for one that
# ends without a body. openapi-react-query takes both for a success, so the query of the first response resolves to null.
# For a 500 response with a JSON body, `error` is the body, and the query rejects.
# Good guess: a query with a 500 response rejects, and `error` is set, as the documentation says of 4xx and 5xx
# responses.
# Why the guess is wrong: `error` is the body of the response, and openapi-react-query looks at `error` alone, not at the
# status.
# Depends on it: nothing. The client decides by the status, and throws an ApiError for both responses.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund openapi-react-query@0.5.4 openapi-fetch@0.17.0 @tanstack/react-query@5.108.0 react@19.3.1 >&2 || exit 2
cat >finding.mjs <<'JS'
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { QueryClient } from "@tanstack/react-query";
import createFetchClient from "openapi-fetch";
import createClient from "openapi-react-query";

const server = createServer(({ url }, response) => {
  if (url === "/chunks") response.writeHead(500).flushHeaders();
  if (url === "/length") response.writeHead(500, { "content-length": 0 });
  if (url === "/json") response.writeHead(500, { "content-type": "application/json" });
  response.end(url === "/json" ? '{"code":11}' : undefined);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const client = createFetchClient({ baseUrl: `http://127.0.0.1:${server.address().port}` });
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
const outcome = async (path) => {
  const { error } = await client.GET(path);
  const query = queries.fetchQuery(createClient(client).queryOptions("get", path));
  return [error, await query.then((data) => ({ data }), (reason) => ({ reason }))];
};
const [length, json, chunks] = [await outcome("/length"), await outcome("/json"), (await client.GET("/chunks")).error];
console.log("openapi-react-query 0.5.4: error and query of a 500 response", { length, json, chunks });
assert.deepEqual(length, [undefined, { data: null }]);
assert.deepEqual(json, [{ code: 11 }, { reason: { code: 11 } }]);
assert.equal(chunks, "");
process.exit();
JS
node finding.mjs
