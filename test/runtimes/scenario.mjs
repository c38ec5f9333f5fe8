// What has to hold on every version of Node, against the built package: node --expose-gc scenario.mjs <its index.js>.
// Prints one line of JSON a scenario, and must then end by itself.
import { strict as assert } from "node:assert";
import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import { inspect } from "node:util";

const { createCatalogue, ApiError, ConnectionError, TimeoutError } = await import(
  process.argv[2] ?? ""
);
const token = "canary-4f1d8c2b9e7a";
const collect = /** @type {() => void} */ (globalThis.gc);
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @type {unknown[]} */
const unhandled = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));

/** @type {Map<string, string[]>} */
const seen = new Map();
const busy = new Set();

/** Behaviours by the first segment of the path; each counts its requests. */
const behaviours =
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
    reset: (r, n) => (n < 2 ? r.socket?.resetAndDestroy() : r.end('{"id":1}')),
    half: (r, n) =>
      n < 1
        ? r.writeHead(200, { "content-length": 9 }).write("{", () => r.socket?.resetAndDestroy())
        : r.end('{"id":1}'),
    lost: (r) => r.socket?.resetAndDestroy(),
    html: (r) => r.end("<html>"),
    empty: (r) => r.end(),
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
  request.resume().on("end", () => behaviours[name]?.(response, before.length));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

/** @param {string} name @param {object} [options] */
function catalogue(name, options) {
  seen.delete(name);
  const baseUrl = `http://127.0.0.1:${port}/${name}`;
  return createCatalogue({ baseUrl, token, timeout: 3000, ...options });
}

/** @param {Promise<unknown>} promise */
const rejection = (promise) =>
  promise.then(
    () => assert.fail("it did not reject"),
    (/** @type {any} */ error) => error,
  );

/** Runs many calls while garbage is collected all the time. @param {() => Promise<unknown>} call */
async function underCollection(call, count = 20) {
  const timer = setInterval(collect, 20);
  const start = performance.now();
  const outcomes = await Promise.all(Array.from({ length: count }, () => rejection(call())));
  const took = performance.now() - start;
  for (let wait = 0; busy.size > 0 && wait < 500; wait += 1) await pause(20);
  clearInterval(timer);
  assert.equal(busy.size, 0, `${busy.size} sockets are left`);
  return { outcomes, took };
}

/** @type {[name: string, run: () => unknown][]} */
const scenarios = [];
const scenario = (/** @type {string} */ name, /** @type {() => unknown} */ run) =>
  scenarios.push([name, run]);

for (const name of ["headers", "body", "failing", "drip"]) {
  for (const hooked of [false, true]) {
    scenario(
      `the deadline ends a call whose ${name} stalls, ${hooked ? "with a hook, " : ""}under GC`,
      async () => {
        const client = catalogue(name, { timeout: 200 });
        if (hooked) client.http.use({ onRequest: () => undefined });
        const { outcomes, took } = await underCollection(() => client.movies.latest());
        assert.ok(
          outcomes.every(TimeoutError),
          inspect(outcomes.find((each) => !(each instanceof TimeoutError))),
        );
        assert.ok(took < 1500, `${took} ms`);
      },
    );
  }
  scenario(`the caller's signal ends a call whose ${name} stalls, under GC`, async () => {
    const client = catalogue(name);
    const { outcomes, took } = await underCollection(() =>
      client.movies.latest({ signal: AbortSignal.timeout(200) }),
    );
    assert.ok(outcomes.every((error) => error instanceof DOMException));
    assert.ok(took < 1500, `${took} ms`);
  });
}

scenario("the deadline ends a fetch that ignores its signal, under GC", async () => {
  const fetches = [
    () => new Promise(() => {}),
    async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) })),
  ];
  for (const fetch of fetches) {
    const client = catalogue("ok", { timeout: 200, fetch });
    const { outcomes } = await underCollection(() => client.movies.latest());
    assert.ok(outcomes.every(TimeoutError));
  }
});

scenario("the deadline ends a fetch of one request, under GC", async () => {
  const { http } = catalogue("headers", { timeout: 200 });
  const one = { fetch: (/** @type {Request} */ request) => fetch(request) };
  const { outcomes } = await underCollection(() => http.GET("/3/movie/latest", one));
  assert.ok(outcomes.every(TimeoutError));
});

scenario("503s, resets and cut bodies are retried; a POST is not", async () => {
  for (const name of ["busy", "reset", "half"]) {
    assert.deepEqual(await catalogue(name).movies.latest(), { id: 1 });
    assert.deepEqual(seen.get(name), Array(name === "half" ? 2 : 3).fill("GET"));
  }
  for (const name of ["busy", "reset", "half"]) {
    const body = { access_token: "abc" };
    await rejection(catalogue(name).authentication.convertV4Session({ body }));
    assert.deepEqual(seen.get(name), ["POST"]);
  }
});

scenario(
  "HTML, nothing, a redirect and a lost connection are errors that keep what is known",
  async () => {
    for (const name of ["html", "empty", "redirect"]) {
      const error = await rejection(catalogue(name).movies.latest());
      assert.ok((error instanceof ApiError), inspect(error));
      assert.equal(error.status, name === "redirect" ? 307 : 200);
    }
    assert.ok(ConnectionError(await rejection(catalogue("lost").movies.latest())));
  },
);

scenario("no error holds the token", async () => {
  for (const name of ["echo", "lost", "headers"]) {
    const error = await rejection(catalogue(name, { timeout: 50 }).movies.latest());
    const text =
      inspect(error, { depth: Infinity, showHidden: true }) + JSON.stringify(error) + error.stack;
    assert.ok(!text.includes(token), text);
  }
});

scenario("an abort rejects with its reason, whatever it is", async () => {
  for (const reason of [0, "", null, false, new Error("left")]) {
    for (const name of ["headers", "body"]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 20);
      const call = catalogue(name).movies.latest({ signal: controller.signal });
      assert.equal(await rejection(call), reason);
    }
  }
});

scenario("1000 calls leave no listener on their signal, and warn of none", async () => {
  /** @type {unknown[]} */
  const warnings = [];
  process.on("warning", (warning) => warnings.push(warning));
  const { signal } = new AbortController();
  const client = catalogue("ok");
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 50 }, () => client.movies.latest({ signal })));
  }
  assert.deepEqual(getEventListeners(signal, "abort"), []);
  assert.deepEqual(warnings, []);
});

scenario("9000 calls leave the heap flat", async () => {
  const client = catalogue("ok", { fetch: async () => Response.json({ id: 1 }) });
  const { signal } = new AbortController();
  const heap = async () => {
    for (let call = 0; call < 3000; call += 1) await client.movies.latest({ signal });
    for (let round = 0; round < 3; round += 1) {
      await pause(10);
      collect();
    }
    return process.memoryUsage().heapUsed;
  };
  await heap();
  const grown = (await heap()) - (await heap());
  assert.ok(Math.abs(grown) < 1_500_000, `${grown} bytes`);
});

for (const [name, run] of scenarios) {
  let problem;
  try {
    await run();
  } catch (error) {
    problem = inspect(error);
  }
  console.log(JSON.stringify({ name, problem }));
}

// Now nothing may keep the process alive: no timer of a call, no socket.
server.close();
const left = process.getActiveResourcesInfo().filter((name) => name === "Timeout");
console.log(
  JSON.stringify({ name: "no timer is left", problem: left.length ? `${left}` : undefined }),
);
console.log(
  JSON.stringify({
    name: "no rejection was unhandled",
    problem: unhandled.length ? inspect(unhandled) : undefined,
  }),
);
const end = performance.now();
process.on("exit", () => {
  const took = performance.now() - end;
  const problem = took > 1000 ? `after ${took} ms` : undefined;
  console.log(JSON.stringify({ name: "the process ends by itself", problem }));
});
