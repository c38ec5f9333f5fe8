import { JSDOM } from "jsdom";
import { expect, onTestFinished, test, vi } from "vitest";
import type { CatalogueOptions } from "../../src/index.js";
import { expectNoSecret } from "../support/canary.js";
import { clientOf, json, rejection, serve, skipPauses, TOKEN } from "../support/server.js";

const anywhere = { url: "https://catalogue.example" };
const never = () => new Promise<never>(() => {});
const client = (fetch: () => unknown, options: Partial<CatalogueOptions> = {}) =>
  clientOf(anywhere, { fetch: fetch as typeof globalThis.fetch, ...options });

test.each([false, 0, ""])("a call with the signal %j rejects with a TypeError", async (signal) => {
  const error = await rejection(client(never).movies.latest({ signal: signal as never }));
  expect(String(error)).toMatch(
    /^TypeError: movies\.latest: signal must be an AbortSignal, not a /,
  );
});

test.each([
  { aborted: false, addEventListener() {} },
  { aborted: false, removeEventListener() {} },
])(
  "a call rejects with a TypeError if its signal does not have both listener methods: %o",
  async (signal) => {
    const respond = async () => Response.json({});
    const call = client(respond).movies.latest({ signal: signal as never });
    expect(String(await rejection(call))).toMatch(/signal must be an AbortSignal, not an object$/);
  },
);

test("a client redacts its 20 most recent tokens, even if it has sent each token several times", async () => {
  const tokens = Array.from({ length: 21 }, (_, index) => `canary-token-${index + 10}`);
  const left = tokens.flatMap((token) => [token, token]);
  const catalogue = client(async () => Response.json(tokens, { status: 404 }), {
    token: () => left.shift()!,
  });
  for (const _ of tokens) await rejection(catalogue.movies.latest());
  for (const _ of tokens.slice(1)) await rejection(catalogue.movies.latest());
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

test("a call with invalid arguments rejects with a TypeError and sends no request", async () => {
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
