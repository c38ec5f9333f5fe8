// node --expose-gc scenario.mjs INDEX: promises of the built client that depend on the version of Node.
// Prints one line of JSON per scenario and must then end by itself.
import { strict as assert } from "node:assert";
import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import { inspect } from "node:util";

const { ApiError, BodyError, ConnectionError, createCatalogue, TimeoutError } = await import(
  process.argv[2] ?? ""
);
const token = "canary-4f1d8c2b9e7a";
const collect = /** @type {() => void} */ (globalThis.gc);
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @type {unknown[]} */
const unexpected = [];
process.on("unhandledRejection", (reason) => unexpected.push(reason));
process.on("warning", (warning) => unexpected.push(warning));

/** @type {Map<string, string[]>} */
const seen = new Map();
const busy = new Set();

/** How the server behaves, by the first segment of the path; each behavior gets the number of earlier requests. */
const behaviors =
  /** @type {Record<string, (r: import("node:http").ServerResponse, n: number) => unknown>} */ ({
    ok: (r) => r.end('{"id":1}'),
    headers: () => {},
    body: (r) => r.write('{"id":'),
    failing: (r) => r.writeHead(404).write('{"id":'),
    drip: (r) => {
      const timer = setInterval(() => r.write(" "), 10);
      r.on("close", () => clearInterval(timer));
    },
    busy: (r, n) => (n < 2 ? r.writeHead(503, { "retry-after": "0" }).end() : r.end('{"id":1}')),
    reset: (r, n) => (n < 1 ? r.socket?.resetAndDestroy() : r.end('{"id":1}')),
    half: (r, n) =>
      n < 1
        ? r.writeHead(200, { "content-length": 9 }).write("{", () => r.socket?.resetAndDestroy())
        : r.end('{"id":1}'),
    lost: (r) => r.socket?.resetAndDestroy(),
    html: (r) => r.end("<html>"),
    echo: (r) =>
      r.writeHead(401, `no ${token}`, { "x-sent": token }).end(JSON.stringify({ token })),
    redirect: (r) => r.writeHead(307, { location: "/ok/3/movie/latest" }).end(),
  });

const server = createServer((request, response) => {
  const [, name = ""] = (request.url ?? "").split("/");
  const before = seen.get(name) ?? [];
  seen.set(name, [...before, request.method ?? ""]);
  busy.add(response);
  response.on("close", () => busy.delete(response));
  request.resume().on("end", () => behaviors[name]?.(response, before.length));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

/** @param {string} name @param {object} [options] */
function catalogue(name, options) {
  seen.delete(name);
  const baseUrl = `http://127.0.0.1:${port}/${name}`;
  return createCatalogue({ baseUrl, token, timeout: 60_000, ...options });
}

/** @param {Promise<unknown>} promise */
const rejection = (promise) =>
  promise.then(
    () => assert.fail("it did not reject"),
    (/** @type {any} */ error) => error,
  );

/** Makes 20 calls while garbage is collected all the time. @param {() => Promise<unknown>} call */
async function underCollection(call) {
  const timer = setInterval(collect, 20);
  const errors = await Promise.all(Array.from({ length: 20 }, () => rejection(call())));
  while (busy.size > 0) await pause(10);
  clearInterval(timer);
  return errors;
}

/** @type {[name: string, run: () => Promise<unknown>][]} */
const scenarios = [];

for (const name of ["headers", "body", "failing", "drip"]) {
  scenarios.push([
    `the deadline ends a call whose ${name} stalls, under garbage collection`,
    async () => {
      const client = catalogue(name, { timeout: 200 });
      const errors = await underCollection(() => client.movies.latest());
      assert.deepEqual(new Set(errors.map((error) => error.name)), new Set(["TimeoutError"]));
    },
  ]);
  scenarios.push([
    `a signal ends a call whose ${name} stalls, under garbage collection`,
    async () => {
      const client = catalogue(name);
      client.http.use({ onRequest: () => undefined });
      const call = () => client.movies.latest({ signal: AbortSignal.timeout(200) });
      assert.ok((await underCollection(call)).every((error) => error instanceof DOMException));
    },
  ]);
}

scenarios.push([
  "the deadline ends a fetch that ignores its signal, under garbage collection",
  async () => {
    const fetches = [
      () => new Promise(() => {}),
      async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) })),
    ];
    for (const fetch of fetches) {
      const client = catalogue("ok", { timeout: 200, fetch });
      const errors = await underCollection(() => client.movies.latest());
      assert.ok(errors.every((error) => error instanceof TimeoutError));
    }
  },
]);

scenarios.push([
  "503 responses, resets and cut bodies are retried, except for a POST",
  async () => {
    const body = { access_token: "abc" };
    for (const name of ["busy", "reset", "half"]) {
      assert.deepEqual(await catalogue(name).movies.latest(), { id: 1 });
      assert.deepEqual(seen.get(name), Array(name === "busy" ? 3 : 2).fill("GET"));
      await rejection(catalogue(name).authentication.convertV4Session({ body }));
      assert.deepEqual(seen.get(name), ["POST"]);
    }
  },
]);

scenarios.push([
  "each failure has its class, and no error holds the token",
  async () => {
    const classes = { html: BodyError, redirect: ApiError, echo: ApiError, lost: ConnectionError };
    for (const [name, type] of Object.entries(classes)) {
      const error = await rejection(catalogue(name, { retries: 0 }).movies.latest());
      assert.ok(error instanceof type, inspect(error));
      const printed = inspect(error, { depth: Infinity, showHidden: true });
      const text = printed + JSON.stringify(error) + error.stack;
      assert.ok(!text.includes(token), text);
    }
  },
]);

scenarios.push([
  "an abort rejects with its reason, including falsy ones",
  async () => {
    for (const reason of [0, "", null, false, new Error("left")]) {
      for (const name of ["headers", "body"]) {
        const controller = new AbortController();
        const call = catalogue(name).movies.latest({ signal: controller.signal });
        setTimeout(() => controller.abort(reason), 20);
        assert.equal(await rejection(call), reason);
      }
    }
  },
]);

scenarios.push([
  "1,000 calls leave no listener on their signal",
  async () => {
    const { signal } = new AbortController();
    const client = catalogue("ok");
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 50 }, () => client.movies.latest({ signal })));
    }
    assert.deepEqual(getEventListeners(signal, "abort"), []);
  },
]);

scenarios.push([
  "no rejection is unhandled, and nothing warns",
  async () => assert.deepEqual(unexpected, []),
]);

scenarios.push([
  "no timer is left that would keep the process alive",
  async () => {
    server.close();
    const left = process.getActiveResourcesInfo().filter((name) => name === "Timeout");
    assert.deepEqual(left, []);
  },
]);

for (const [name, check] of scenarios) {
  const problem = await check().then(() => undefined, inspect);
  console.log(JSON.stringify({ name, problem }));
}
