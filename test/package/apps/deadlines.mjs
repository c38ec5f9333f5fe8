// Tests that calls end at their deadlines during constant garbage collection.
// Usage: node --expose-gc deadlines.mjs
// The program runs all scenarios at once, prints a line for each, and must then exit without `process.exit()`.
import { strict as assert } from "node:assert";
import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import { createCatalogue, TimeoutError } from "media-catalogue";

const collect = /** @type {() => void} */ (globalThis.gc);
const token = "any";
const busy = new Set();

/** Responders that never complete a response. The first segment of the request path selects the responder. */
const behaviors =
  /** @type {Record<string, (response: import("node:http").ServerResponse) => unknown>} */ ({
    headers: () => {},
    body: (response) => response.write('{"id":'),
    failing: (response) => response.writeHead(404).write('{"id":'),
    drip: (response) => {
      const timer = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(timer));
    },
  });
const server = createServer((request, response) => {
  const [, name = ""] = (request.url ?? "").split("/");
  busy.add(response);
  response.on("close", () => busy.delete(response));
  behaviors[name]?.(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

/**
 * Makes 20 calls, and checks that each call rejects with an error of the given class.
 * @param {string} name @param {new () => Error} type @param {() => Promise<unknown>} call
 */
async function expectRejections(name, type, call) {
  const results = await Promise.allSettled(Array.from({ length: 20 }, call));
  for (const each of results) assert.ok(each.status === "rejected" && each.reason instanceof type);
  console.log(`ok: ${name}`);
}

const collecting = setInterval(collect, 20);
const scenarios = Object.keys(behaviors).flatMap((name) => {
  const options = { baseUrl: `http://127.0.0.1:${port}/${name}`, token };
  const timed = createCatalogue({ ...options, timeout: 200 });
  const client = createCatalogue({ ...options, timeout: 60_000 });
  client.http.use({ onRequest: () => undefined });
  return [
    expectRejections(`the deadline ends a call to /${name}`, TimeoutError, () =>
      timed.movies.latest(),
    ),
    expectRejections(`a signal ends a call to /${name}`, DOMException, () =>
      client.movies.latest({ signal: AbortSignal.timeout(200) }),
    ),
  ];
});

const { signal } = new AbortController();
const fetch = async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
const deaf = createCatalogue({ baseUrl: "https://a.example", token, timeout: 200, fetch });
scenarios.push(
  expectRejections("the deadline ends a fetch that ignores its signal", TimeoutError, () =>
    deaf.movies.latest({ signal }),
  ),
);
await Promise.all(scenarios);
while (busy.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
clearInterval(collecting);
assert.deepEqual(getEventListeners(signal, "abort"), []);

server.close();
const left = process.getActiveResourcesInfo().filter((name) => name === "Timeout");
assert.deepEqual(left, []);
console.log("ok: no timer is left");
