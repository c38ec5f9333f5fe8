import { JSDOM } from "jsdom";
import { expect, onTestFinished, test, vi } from "vitest";
import type { CatalogueOptions } from "../../src/index.js";
import { expectNoSecret } from "../support/canary.js";
import { clientOf, json, rejection, serve, skipPauses, TOKEN } from "../support/server.js";

const anywhere = { url: "https://catalogue.example" };
const never = () => new Promise<never>(() => {});
const client = (fetch: () => unknown, options: Partial<CatalogueOptions> = {}) =>
  clientOf(anywhere, { fetch: fetch as typeof globalThis.fetch, ...options });

test("a client redacts its 20 most recent tokens, even if it has sent each token several times", async () => {
  const tokens = Array.from({ length: 21 }, (_, index) => `canary-token-${index + 10}`);
  const left = [tokens[1]!, ...tokens.flatMap((token) => [token, token])];
  const catalogue = client(async () => Response.json(tokens, { status: 404 }), {
    token: () => left.shift()!,
  });
  while (left.length > 1) await rejection(catalogue.movies.latest());
  const error = await rejection(catalogue.movies.latest());
  expect(error).toMatchObject({ body: [tokens[0], ...Array<string>(20).fill("[redacted]")] });
});

test("a call redacts its own token, even if other calls have sent 20 newer tokens", async () => {
  let tokens = 0;
  const fetch = async () => {
    const own = `canary-token-${tokens}`;
    if (tokens > 1) return Response.json({});
    for (let call = 0; call < 20; call += 1) await catalogue.movies.latest();
    return new Response(own, { status: 404 });
  };
  const catalogue = client(fetch, { token: () => `canary-token-${(tokens += 1)}` });
  expect(await rejection(catalogue.movies.latest())).toMatchObject({ body: "[redacted]" });
});

test("the client redacts the token of an earlier call, even if middleware returns a cached response", async () => {
  const catalogue = client(async () => Response.json({}), { token: () => TOKEN });
  await catalogue.movies.latest();
  catalogue.http.use({ onRequest: () => Response.json({ sent: TOKEN }, { status: 404 }) });
  expectNoSecret(await rejection(catalogue.movies.latest()));
});

test("a call with ten retries causes no leak warning if `fetch` adds an abort listener for every attempt", async () => {
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

// Symptom: jsdom's Blob replaced the chunks with "[object Uint8Array]".
test("the client reads all chunks of a body even if jsdom's Blob is global", async () => {
  vi.stubGlobal("Blob", new JSDOM("").window.Blob);
  onTestFinished(() => void vi.unstubAllGlobals());
  const bytes = new TextEncoder().encode('{"id":"é"}');
  // The second chunk starts in the middle of a character.
  const chunks = [bytes.subarray(0, 8), bytes.subarray(8)];
  const start = (it: ReadableStreamDefaultController) => {
    for (const chunk of chunks) it.enqueue(chunk);
    it.close();
  };
  const fetch = async () => new Response(new ReadableStream({ start }));
  expect(await client(fetch).movies.latest()).toEqual({ id: "é" });
});

test("the client retries a HEAD request, and does not report a 503 response as a redirect", async () => {
  skipPauses();
  const server = await serve(json(503, {}, { location: "/moved" }));
  const head = clientOf(server).http.HEAD as unknown as (path: string) => Promise<unknown>;
  await head("/3/movie/latest");
  expect(server.seen).toHaveLength(3);
  const error = await rejection(clientOf(server).movies.latest({ retries: 0 }));
  expect((error as Error).message).toBe("movies.latest: 503 Service Unavailable");
});

test("the client redacts secrets in its own query", async () => {
  const query = { session_id: "canary-session" };
  const echo = async () => new Response("sent canary-session", { status: 404 });
  const error = await rejection(client(echo, { query }).movies.latest());
  expect(error).toMatchObject({ body: "sent [redacted]" });
});

// Symptoms: `token` and `validate` could read the client's tokens from `this`, and a browser's `fetch` threw a
// TypeError, because its receiver was not the window.
test("the client calls `token`, `fetch`, and `validate` without a receiver", async () => {
  const receivers: unknown[] = [];
  const fetch = async function (this: unknown) {
    receivers.push(this);
    return Response.json({});
  };
  await client(fetch, {
    token: function (this: unknown) {
      receivers.push(this);
      return TOKEN;
    },
    validate: function (this: unknown) {
      receivers.push(this);
    },
  }).movies.latest();
  expect(receivers).toEqual([undefined, undefined, undefined]);
});

test("the excerpt of a long body does not end in half of a surrogate pair", async () => {
  for (const [text, expected] of [
    [`${"x".repeat(199)}😀y`, `${"x".repeat(199)}…`],
    [`${"x".repeat(198)}😀y`, `${"x".repeat(198)}😀…`],
  ]) {
    const error = await rejection(client(async () => new Response(text)).movies.latest());
    expect(error).toMatchObject({ body: expected });
  }
});

test("changing an array or a date of the client's query does not change later requests", async () => {
  const urls: string[] = [];
  const fetch: CatalogueOptions["fetch"] = async (url) => {
    urls.push(url);
    return Response.json({});
  };
  const query = { region: ["DE"], since: new Date(0) };
  const { movies } = clientOf(anywhere, { fetch, query });
  await movies.latest();
  query.region.push("US");
  query.since.setTime(1);
  await movies.latest();
  expect(urls[1]).toBe(urls[0]);
});

// Symptom: three attempts failed with a ConnectionError, or a call waited for the timeout.
test.each(["content-length", "Expect", "keep-alive", "Transfer-Encoding", "upgrade", "Connection"])(
  "a %s header is rejected with a TypeError before the client sends anything",
  async (name) => {
    const headers = { [name]: "1" };
    const message = `the client sets the "${name}" header; leave it out`;
    const call = client(never).movies.latest({ headers });
    expect(await rejection(call)).toEqual(new TypeError(`movies.latest: ${message}`));
    expect(() => client(never, { headers })).toThrow(new TypeError(`createCatalogue: ${message}`));
  },
);

test("a call can close its connection", async () => {
  const server = await serve(json(200, {}));
  await clientOf(server).movies.latest({ headers: { connection: "close" } });
  expect(server.seen[0]!.headers.connection).toBe("close");
});

test("a 401 error says if the token looks like a v3 API key, without repeating the token", async () => {
  const key = "0123456789abcdef0123456789ABCDEF";
  const body = { status_code: 7, status_message: "Invalid API key" };
  for (const [token, status, hint] of [
    [key, 401, "; the token looks like a v3 API key, which media-catalogue/full takes as `apiKey`"],
    [key, 403, ""],
    [`${key}0`, 401, ""],
    [`${key.slice(1)}g`, 401, ""],
  ] as const) {
    const reply = async () => Response.json(body, { status });
    const error = await rejection(client(reply, { token }).movies.latest());
    const message = `movies.latest: ${status} Invalid API key (status_code 7)${hint}`;
    expect(error).toMatchObject({ message });
  }
});
