// node --expose-gc scenario.mjs INDEX: deadlines of the built client while garbage is collected all the time.
// Prints one line of JSON per scenario, then must end by itself.
import { strict as assert } from "node:assert";
import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import { inspect } from "node:util";

const { createCatalogue, TimeoutError } = await import(process.argv[2] ?? "");
const collect = /** @type {() => void} */ (globalThis.gc);
const token = "any";
const busy = new Set();

/** How the server stalls, by the first segment of the path. */
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

/** Makes 20 calls that must reject while garbage is collected. @param {() => Promise<unknown>} call */
async function underCollection(call) {
  const timer = setInterval(collect, 20);
  const results = await Promise.allSettled(Array.from({ length: 20 }, call));
  while (busy.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  clearInterval(timer);
  return results.map((each) => each.status === "rejected" && each.reason);
}

/** @type {[name: string, check: () => Promise<unknown>][]} */
const scenarios = Object.keys(behaviors).flatMap((name) => {
  const options = { baseUrl: `http://127.0.0.1:${port}/${name}`, token };
  return [
    [
      `the deadline ends a call whose ${name} stalls`,
      async () => {
        const client = createCatalogue({ ...options, timeout: 200 });
        const errors = await underCollection(() => client.movies.latest());
        assert.ok(errors.every((error) => error instanceof TimeoutError));
      },
    ],
    [
      `a signal ends a call whose ${name} stalls`,
      async () => {
        const client = createCatalogue({ ...options, timeout: 60_000 });
        client.http.use({ onRequest: () => undefined });
        const call = () => client.movies.latest({ signal: AbortSignal.timeout(200) });
        const errors = await underCollection(call);
        assert.ok(errors.every((error) => error instanceof DOMException));
      },
    ],
  ];
});

scenarios.push(
  [
    "the deadline ends a fetch that ignores its signal, and leaves no listener",
    async () => {
      const { signal } = new AbortController();
      const fetch = async () =>
        new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
      const client = createCatalogue({ baseUrl: "https://a.example", token, timeout: 200, fetch });
      const errors = await underCollection(() => client.movies.latest({ signal }));
      assert.ok(errors.every((error) => error instanceof TimeoutError));
      assert.deepEqual(getEventListeners(signal, "abort"), []);
    },
  ],
  [
    "no timer is left that would keep the process alive",
    async () => {
      server.close();
      const left = process.getActiveResourcesInfo().filter((name) => name === "Timeout");
      assert.deepEqual(left, []);
    },
  ],
);

for (const [name, check] of scenarios) {
  const problem = await check().then(() => undefined, inspect);
  console.log(JSON.stringify({ name, problem }));
}
