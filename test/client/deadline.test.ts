import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createCatalogue, TimeoutError } from "../../src/index.js";
import type { CatalogueOptions, Middleware } from "../../src/index.js";
import {
  clientOf,
  empty,
  eventually,
  json,
  rejection,
  serve,
  skipPauses,
  stall,
  timers,
  TOKEN,
} from "../support/server.js";
import type { Responder } from "../support/server.js";

const LIMIT = 120;

/** Sends bytes one by one, for longer than any test lasts. */
const drip =
  (status: number): Responder =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 10);
    response.on("close", () => clearInterval(timer));
  };
/** A client with a `fetch` that ignores its signal. */
const custom = (fetch: () => Promise<Response>, options: Partial<CatalogueOptions> = {}) =>
  createCatalogue({
    baseUrl: "http://localhost",
    token: TOKEN,
    timeout: LIMIT,
    fetch,
    ...options,
  });
const half = async () =>
  new Response(new ReadableStream({ start: (it) => it.enqueue(new TextEncoder().encode("{}")) }));
const busy = empty(503);
const never = () => new Promise<never>(() => {});

async function expectTimeout(call: () => Promise<unknown>, ms = LIMIT): Promise<void> {
  const start = performance.now();
  const error = await rejection(call());
  const took = performance.now() - start;
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ operation: "movies.latest", timeoutMs: ms });
  expect(took).toBeGreaterThanOrEqual(ms - 2);
}

test.each<[what: string, responders: Responder[]]>([
  ["headers that never arrive", [stall]],
  ["a body that stops", [(response) => response.writeHead(200).write("{")]],
  ["a body that drips", [drip(200)]],
  ["an error body that drips", [drip(404)]],
])("the deadline applies to %s", async (_, responders) => {
  const server = await serve(...responders);
  await expectTimeout(() => clientOf(server, { timeout: LIMIT }).movies.latest());
  expect(await eventually(() => server.busy() === 0)).toBe(true);
});

test("the deadline applies to all attempts and pauses together", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let attempts = 0;
  const fetch = () => {
    attempts += 1;
    return attempts === 1 ? Promise.resolve(new Response("", { status: 503 })) : never();
  };
  const outcome = rejection(custom(fetch, { timeout: 1000, retries: 10 }).movies.latest());
  await vi.advanceTimersByTimeAsync(999);
  expect([attempts, vi.getTimerCount()]).toEqual([2, 1]);
  await vi.advanceTimersByTimeAsync(1);
  const error = await outcome;
  expect(error).toMatchObject({ name: "TimeoutError", timeoutMs: 1000, cause: { status: 503 } });
  expect(vi.getTimerCount()).toBe(0);
});

// Symptom: the comparison of two infinities made the client retry forever, without a pause.
test.each([0, Infinity])("a timeout of %d does not retry forever", async (timeout) => {
  const pauses = skipPauses();
  const server = await serve(busy);
  const error = await rejection(clientOf(server, { timeout, retries: 1 }).movies.latest());
  expect(error).toMatchObject({ name: "ApiError", status: 503 });
  expect([server.seen.length, pauses.length]).toEqual([2, 1]);
});

test("a call times out if the token function never settles", async () => {
  const server = await serve(json(200, {}));
  await expectTimeout(() => clientOf(server, { timeout: LIMIT, token: never }).movies.latest());
  expect(server.seen).toHaveLength(0);
});

test("a call times out if `validate` never settles", async () => {
  const server = await serve(json(200, {}));
  await expectTimeout(() => clientOf(server, { timeout: LIMIT, validate: never }).movies.latest());
});

test.each(["onRequest", "onResponse"] as const)(
  "a call times out if %s never settles",
  async (name) => {
    const catalogue = clientOf(await serve(json(200, {})), { timeout: LIMIT });
    catalogue.http.use({ [name]: never } as unknown as Middleware);
    await expectTimeout(() => catalogue.movies.latest());
  },
);

describe("a custom fetch that ignores its signal", () => {
  test("times out before the headers", async () => {
    await expectTimeout(() => custom(never).movies.latest());
  });

  test.each([200, 404])(
    "times out while reading the body of a %i response, and cancels it",
    async (status) => {
      let canceled = 0;
      const stream = () =>
        new ReadableStream({ cancel: () => void (canceled += 1) }, { highWaterMark: 0 });
      const catalogue = custom(async () => new Response(stream(), { status }));
      await expectTimeout(() => catalogue.movies.latest());
      catalogue.http.use({ onResponse: () => undefined });
      await expectTimeout(() => catalogue.movies.latest());
      expect(await eventually(() => canceled === 2)).toBe(true);
    },
  );

  test("passes no partial body to validate after the deadline", async () => {
    const calls: string[] = [];
    const catalogue = custom(half, { validate: () => void calls.push("validate") });
    await expectTimeout(() => catalogue.movies.latest());
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(calls).toEqual([]);
  });
});

test("a call's timeout overrides the client's, which is 10 seconds by default", async () => {
  const server = await serve(stall);
  const catalogue = createCatalogue({ baseUrl: server.url, token: TOKEN });
  await expectTimeout(() => catalogue.movies.latest({ timeout: 30 }), 30);
  await expectTimeout(() => catalogue.movies.latest({ timeout: 1 }), 1);
  const delays = await watchedTimers(() =>
    rejection(catalogue.movies.latest({ timeout: undefined })),
  );
  expect(delays).toContain(10_000);
});

test("a call through http has the same deadline", async () => {
  const server = await serve(stall);
  const error = await rejection(clientOf(server, { timeout: 30 }).http.GET("/3/movie/latest"));
  expect(error).toMatchObject({
    name: "TimeoutError",
    operation: "GET /3/movie/latest",
    timeoutMs: 30,
  });
});

test("no timer is left after a success, failure, abort, or timeout", async () => {
  expect(await eventually(() => timers() === 0)).toBe(true);
  const controller = new AbortController();
  const server = await serve(empty(503, { "retry-after": "15" }));
  const call = rejection(clientOf(server).movies.latest({ signal: controller.signal }));
  // The timers of the deadline and the pause.
  expect(await eventually(() => server.seen.length === 1 && timers() === 2)).toBe(true);
  controller.abort();
  await call;
  skipPauses();
  await clientOf(await serve(busy, json(200, {}))).movies.latest();
  await rejection(clientOf(await serve(json(200, "<"))).movies.latest());
  await rejection(clientOf(await serve(busy), { retries: 3 }).movies.latest());
  await rejection(clientOf(await serve(stall)).movies.latest({ timeout: 10 }));
  expect(timers()).toBe(0);
});

/** The delays of the timers that `run` sets synchronously; the timers themselves fire after one millisecond. */
async function watchedTimers(run: () => Promise<unknown>): Promise<number[]> {
  const delays: number[] = [];
  const { setTimeout: real } = globalThis;
  globalThis.setTimeout = ((call: () => void, ms: number) => {
    delays.push(ms);
    return real(call, 1);
  }) as typeof setTimeout;
  const running = run();
  globalThis.setTimeout = real;
  await running;
  return delays;
}
