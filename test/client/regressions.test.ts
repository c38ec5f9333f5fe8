import { AbortController as OldController } from "abort-controller";
import { JSDOM } from "jsdom";
import { expect, onTestFinished, test, vi } from "vitest";
import { CatalogueError, type CatalogueOptions } from "../../src/index.js";
import { expectNoSecret, tracesOf } from "../support/canary.js";
import {
  clientOf,
  eventually,
  json,
  rejection,
  serve,
  skipPauses,
  TOKEN,
} from "../support/server.js";

const anywhere = { url: "https://catalogue.example" };
const never = () => new Promise<never>(() => {});
const client = (fetch: () => unknown, options: Partial<CatalogueOptions> = {}) =>
  clientOf(anywhere, { fetch: fetch as typeof globalThis.fetch, ...options });

// Symptom: `event.currentTarget` is null in every listener but the first, so the abort was ignored.
test("an abort ends a call even if other code listens to the signal", async () => {
  for (const Controller of [AbortController, OldController as typeof AbortController]) {
    const controller = new Controller();
    controller.signal.addEventListener("abort", () => {});
    const call = rejection(client(never).movies.latest({ signal: controller.signal }));
    controller.abort();
    expect(await call).toMatchObject({ name: "AbortError" });
  }
});

test("a call that ends leaves other calls with the same signal abortable", async () => {
  const controller = new AbortController();
  const call = rejection(client(never).movies.latest({ signal: controller.signal }));
  await client(async () => Response.json({})).movies.latest({ signal: controller.signal });
  controller.abort("left");
  expect(await call).toBe("left");
});

test.each([false, 0, ""])("the signal %j is a TypeError", async (signal) => {
  const error = await rejection(client(never).movies.latest({ signal: signal as never }));
  expect(String(error)).toMatch(
    /^TypeError: movies\.latest: signal must be an AbortSignal, not a /,
  );
});

test.each([
  { aborted: false, addEventListener() {} },
  { aborted: false, addEventListener: true, removeEventListener: true },
])("a signal without both listener methods is a TypeError: %o", async (signal) => {
  const respond = async () => Response.json({});
  const call = client(respond).movies.latest({ signal: signal as never });
  expect(String(await rejection(call))).toMatch(/signal must be an AbortSignal, not an object$/);
});

test("an earlier token stays redacted, no matter how many later tokens are sent", async () => {
  const tokens = ["canary-earlier-token"];
  const catalogue = client(async () => Response.json({}), { token: () => tokens[0]! });
  await catalogue.movies.latest();
  tokens[0] = "canary-later-token";
  for (let call = 0; call < 25; call += 1) await catalogue.movies.latest();
  catalogue.http.use({
    onResponse: () => Response.json({ said: "canary-earlier-token" }, { status: 400 }),
  });
  const error = await rejection(catalogue.movies.latest());
  expect(error).toMatchObject({ name: "ApiError", body: { said: "[redacted]" } });
});

const ODD = `abc+"def/ghi\\é-canary`;
const escapeAll = (text: string) =>
  text.replace(
    /[^]/g,
    (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`,
  );

test("a secret is redacted in every escaped form, in values, names, and cut-off JSON", async () => {
  const query = { session_id: ODD };
  for (const status of [200, 404]) {
    for (const text of [
      `{"a":["${escapeAll(ODD)}"],"${escapeAll(ODD)}":1}`,
      `{"a":"${escapeAll(ODD)}`,
      JSON.stringify({ status_message: JSON.stringify({ sent: ODD }) }),
    ]) {
      if (status === 200 && text.endsWith("}")) continue;
      const error = await rejection(
        client(async () => new Response(text, { status })).movies.latest({ query }),
      );
      expect(tracesOf(error)).toContain("[redacted]");
      expect(tracesOf(error)).not.toMatch(/canary|u0063/i);
    }
  }
});

test("a secret in the query is redacted in the form in which the client encodes it", async () => {
  const server = await serve((response, { url }) => response.writeHead(404).end(url));
  const query = { api_key: "it's-a(secret)1" };
  const error = await rejection(clientOf(server).movies.latest({ query }));
  expect(error).toMatchObject({ body: "/3/movie/latest?api_key=[redacted]" });
});

test("every value below a secret field of a body is redacted", async () => {
  const server = await serve((response, { body }) => response.writeHead(404).end(body));
  const body = {
    access_token: { a: ["canary-one", { b: 1234567890 }] },
    ok: ["visible-text", { session_id: "canary-two" }],
  };
  const call = clientOf(server).authentication.convertV4Session({ body: body as never });
  const error = await rejection(call);
  expect(tracesOf(error)).toContain("visible-text");
  expect(tracesOf(error)).not.toMatch(/canary|1234567890/);
});

test("a token from a function is redacted even if middleware responds from its cache", async () => {
  const catalogue = client(async () => Response.json({}), { token: () => TOKEN });
  await catalogue.movies.latest();
  catalogue.http.use({ onRequest: () => Response.json({ sent: TOKEN }, { status: 404 }) });
  expectNoSecret(await rejection(catalogue.movies.latest()));
});

test("the cause of a TimeoutError contains neither a secret nor a request that middleware threw", async () => {
  skipPauses();
  let attempts = 0;
  const catalogue = client(
    () => ((attempts += 1) > 1 ? never() : new Response("", { status: 503 })),
    {
      timeout: 20_001,
    },
  );
  catalogue.http.use({
    onResponse({ request }) {
      const cause = new AggregateError([new Error(TOKEN)], TOKEN);
      throw Object.assign(new Error(TOKEN, { cause }), { request });
    },
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const call = rejection(catalogue.movies.latest());
  await vi.advanceTimersByTimeAsync(20_001);
  const error = await call;
  expect(error).toMatchObject({ name: "TimeoutError", cause: { message: "[redacted]" } });
  expectNoSecret(error);
});

test("a lost connection has the same outcome if middleware reads only a clone", async () => {
  skipPauses();
  const server = await serve((response) => {
    response.writeHead(200, { "content-length": 9 }).write("{", () => response.destroy());
  });
  const catalogue = clientOf(server);
  catalogue.http.use({ onResponse: async ({ response }) => void (await response.clone().text()) });
  expect(await rejection(catalogue.movies.latest())).toMatchObject({ name: "ConnectionError" });
  expect(server.seen).toHaveLength(3);
});

test("a response that arrives after the deadline is canceled", async () => {
  let canceled = false;
  const body = new ReadableStream({ cancel: () => void (canceled = true) }, { highWaterMark: 0 });
  const late = () => new Promise((resolve) => setTimeout(() => resolve(new Response(body)), 30));
  const error = await rejection(client(late, { timeout: 5 }).movies.latest());
  expect(error).toMatchObject({ name: "TimeoutError" });
  expect(await eventually(() => canceled)).toBe(true);
});

test("an abort reason that is a CatalogueError is rethrown unchanged, even if it is frozen", async () => {
  for (const reason of [
    new CatalogueError("a", "b"),
    Object.freeze(new CatalogueError("a", "b")),
  ]) {
    const { stack } = reason;
    const signal = AbortSignal.abort(reason);
    expect(await rejection(client(never).movies.latest({ signal }))).toBe(reason);
    expect(reason.stack).toBe(stack);
  }
});

test("ten retries cause no leak warning, even if `fetch` listens to each signal", async () => {
  skipPauses();
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on("warning", onWarning);
  const fetch = async (_: unknown, init?: RequestInit) => {
    init!.signal!.addEventListener("abort", () => {});
    return new Response("", { status: 503 });
  };
  await rejection(clientOf(anywhere, { fetch, retries: 10, timeout: 0 }).movies.latest());
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});

test.each([304, 404])(
  "a %i mock whose headers only have `get` causes an ApiError",
  async (status) => {
    const mock = { ok: false, status, headers: { get: () => null }, text: async () => "{}" };
    const error = await rejection(client(async () => mock).movies.latest());
    expect(error).toMatchObject({ name: "ApiError", status });
  },
);

test("an invalid argument throws a TypeError that names the operation, and the client sends nothing", async () => {
  let sent = 0;
  const { http, movies } = client(async () => Response.json({ sent: (sent += 1) }));
  const get = http.GET as unknown as (path: string, init: unknown) => Promise<unknown>;
  const path = "/3/movie/latest";
  const reserved = ["fetch", "Request", "middleware", "pathSerializer", "redirect"];
  for (const call of [
    get(path, { params: null }),
    get(path, { params: { qurey: {} } }),
    get(path, { params: { header: 0 } }),
    get(path, 5),
    ...["\n", "\r", "\t"].map((each) => get(`/3/a${each}b`, {})),
    ...reserved.map((name) => get(path, { [name]: {} })),
    movies.latest({ headers: 0 as never }),
    movies.latest({ headers: false as never }),
    movies.latest({ headers: ["ab"] as never }),
    movies.latest({ query: { since: { toISOString: () => null } } }),
    ...[...reserved, "params", "parseAs", "signal"].map((name) =>
      movies.latest({ fetchOptions: { [name]: {} } as never }),
    ),
  ]) {
    expect(String(await rejection(call))).toMatch(/^TypeError: (movies\.latest|GET \/3\/)/);
  }
  expect(sent).toBe(0);
});

// Symptom: jsdom's Blob replaces the chunks with "[object Uint8Array]".
test("a body of two chunks is read completely even if jsdom's Blob is global", async () => {
  vi.stubGlobal("Blob", new JSDOM("").window.Blob);
  onTestFinished(() => void vi.unstubAllGlobals());
  const chunks = ['{"id"', ":1}"].map((text) => new TextEncoder().encode(text));
  const start = (it: ReadableStreamDefaultController) => {
    for (const chunk of chunks) it.enqueue(chunk);
    it.close();
  };
  const fetch = async () => new Response(new ReadableStream({ start }));
  expect(await client(fetch).movies.latest()).toEqual({ id: 1 });
});

test("a HEAD is retried, and a 503 with a location is not a redirect", async () => {
  skipPauses();
  const server = await serve(json(503, {}, { location: "/moved" }));
  const head = clientOf(server).http.HEAD as unknown as (path: string) => Promise<unknown>;
  await head("/3/movie/latest");
  expect(server.seen).toHaveLength(3);
  const error = await rejection(clientOf(server).movies.latest({ retries: 0 }));
  expect((error as Error).message).toBe("movies.latest: 503 Service Unavailable");
});

test('plain http to a host whose name only ends in "localhost" is rejected', () => {
  expect(() => clientOf({ url: "http://evillocalhost" })).toThrow("baseUrl is plain http");
});
