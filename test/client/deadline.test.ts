import { expect, onTestFinished, test, vi } from "vitest";
import { createCatalogue, TimeoutError } from "../../src/index.js";
import type { CatalogueOptions } from "../../src/index.js";
import {
  clientOf,
  eventually,
  json,
  rejection,
  serve,
  skipPauses,
  stall,
  TOKEN,
} from "../support/server.js";

const LIMIT = 120;

/** Creates a client with a `fetch` function that ignores its signal. */
const custom = (fetch: CatalogueOptions["fetch"], options: Partial<CatalogueOptions> = {}) =>
  createCatalogue({ baseUrl: "http://localhost", token: TOKEN, timeout: LIMIT, fetch, ...options });
const never = () => new Promise<never>(() => {});
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

async function expectTimeout(call: () => Promise<unknown>, ms = LIMIT): Promise<void> {
  const start = performance.now();
  const error = await rejection(call());
  const took = performance.now() - start;
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ operation: "movies.latest", timeoutMs: ms });
  expect(took).toBeGreaterThanOrEqual(ms - 2);
}

test("the timeout limits the total time of all attempts and pauses in a call", async () => {
  useFakeTimers();
  let attempts = 0;
  const fetch = () => {
    attempts += 1;
    const status = 501 + attempts;
    return attempts < 3 ? Promise.resolve(new Response("", { status })) : never();
  };
  const outcome = rejection(custom(fetch, { timeout: 2000, retries: 10 }).movies.latest());
  await vi.advanceTimersByTimeAsync(1999);
  expect([attempts, vi.getTimerCount()]).toEqual([3, 1]);
  await vi.advanceTimersByTimeAsync(1);
  const error = await outcome;
  expect(error).toMatchObject({ name: "TimeoutError", timeoutMs: 2000, cause: { status: 503 } });
  expect(vi.getTimerCount()).toBe(0);
});

test("a call rejects immediately with an ApiError if slow attempts leave too little time for the backoff", async () => {
  useFakeTimers();
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
  let settled: unknown;
  const slow = () =>
    new Promise<Response>((resolve) => setTimeout(resolve, 700, new Response("", { status: 503 })));
  const call = rejection(custom(slow, { timeout: 2000 }).movies.latest());
  void call.then((error) => (settled = error));
  // Two attempts take 700 ms each, and the backoff between the attempts takes 500 ms.
  await vi.advanceTimersByTimeAsync(1900);
  expect(settled).toMatchObject({ name: "ApiError", status: 503 });
});

// Symptom: the client compared two infinities, and retried forever without a pause.
test.each([0, Infinity])("a call with a timeout of %d does not retry forever", async (timeout) => {
  const pauses = skipPauses();
  let attempts = 0;
  // undici sets timers of its own, such as a 499 ms timer, so this test uses no server.
  const fetch = async () => new Response("", { status: 502 + (attempts += 1) });
  const error = await rejection(custom(fetch, { timeout, retries: 1 }).movies.latest());
  expect(error).toMatchObject({ name: "ApiError", status: 504 });
  expect([attempts, pauses.length]).toEqual([2, 1]);
});

test("a call times out if the `validate` option never settles", async () => {
  const server = await serve(json(200, {}));
  await expectTimeout(() => clientOf(server, { timeout: LIMIT, validate: never }).movies.latest());
});

test("the requests and `validate` share the timeout, and middleware has time of its own", async () => {
  useFakeTimers();
  const fetch = async () => {
    await pause(600);
    return Response.json({});
  };
  const slow = custom(fetch, { timeout: 1000, validate: () => pause(600) });
  const settled: unknown[] = [];
  void rejection(slow.movies.latest()).then((error) => settled.push(error));
  await vi.advanceTimersByTimeAsync(1000);
  expect(settled).toMatchObject([{ name: "TimeoutError", timeoutMs: 1000 }]);

  const quick = custom(fetch, { timeout: 1000, validate: () => pause(300) });
  const wait = () => pause(5000).then(() => undefined);
  quick.http.use({ onRequest: wait, onResponse: wait });
  const [call, stream] = [
    quick.movies.latest(),
    quick.http.GET("/3/movie/latest", { parseAs: "stream" }),
  ];
  await vi.advanceTimersByTimeAsync(11_000);
  expect(await call).toEqual({});
  expect(await new Response((await stream).data).json()).toEqual({});
  expect(vi.getTimerCount()).toBe(0);
});

test("a call whose token arrives after the timeout or the abort sends no request", async () => {
  useFakeTimers();
  let requests = 0;
  const fetch = async () => {
    requests += 1;
    return Response.json({});
  };
  const late = custom(fetch, { timeout: 1000, token: () => pause(2000).then(() => TOKEN) });
  const call = rejection(late.movies.latest());
  await vi.advanceTimersByTimeAsync(3000);
  expect(await call).toBeInstanceOf(TimeoutError);
  const silent = custom(fetch, { timeout: 1000, token: never });
  expect(await rejection(silent.movies.latest({ signal: AbortSignal.abort("left") }))).toBe("left");
  expect([requests, vi.getTimerCount()]).toEqual([0, 0]);
});

test("a response that arrives after the timeout is canceled", async () => {
  useFakeTimers();
  const cancel = vi.fn();
  const fetch = async () => {
    await pause(2000);
    return new Response(new ReadableStream({ cancel }));
  };
  const call = rejection(custom(fetch, { timeout: 1000 }).movies.latest());
  await vi.advanceTimersByTimeAsync(3000);
  expect(await call).toBeInstanceOf(TimeoutError);
  expect(cancel).toHaveBeenCalledOnce();
});

test("a call that times out while reading the body does not call `validate`", async () => {
  const calls: string[] = [];
  const start = (it: ReadableStreamDefaultController) => it.enqueue(new TextEncoder().encode("{}"));
  const half = async () => new Response(new ReadableStream({ start }));
  const catalogue = custom(half, { validate: () => void calls.push("validate") });
  await expectTimeout(() => catalogue.movies.latest());
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(calls).toEqual([]);
});

test("a call's `timeout` overrides the client's `timeout`, which is 10 seconds by default", async () => {
  const server = await serve(stall);
  const catalogue = createCatalogue({ baseUrl: server.url, token: TOKEN });
  await expectTimeout(() => catalogue.movies.latest({ timeout: 30 }), 30);
  await expectTimeout(() => catalogue.movies.latest({ timeout: 1 }), 1);
  const delays = await watchedTimers(() =>
    rejection(catalogue.movies.latest({ timeout: undefined })),
  );
  expect(delays).toContain(10_000);
  const { movies } = custom(async () => Response.json({}));
  for (const timeout of [0, Infinity])
    expect(await watchedTimers(() => movies.latest({ timeout }))).toEqual([]);
});

test("a call whose middleware answers a timeout waits no longer for validate", async () => {
  /** Responds only after the abort, during the next step. */
  const late: CatalogueOptions["fetch"] = (_, { signal }) =>
    new Promise((resolve) => {
      const respond = () => void setTimeout(() => resolve(Response.json({})), 0);
      signal?.addEventListener("abort", respond);
    });
  useFakeTimers();
  for (const fetch of [never, late]) {
    const catalogue = custom(fetch, { validate: never });
    catalogue.http.use({ onError: () => Response.json({ id: 1 }) });
    const outcome = vi.fn();
    catalogue.movies.latest().catch(outcome);
    await vi.advanceTimersByTimeAsync(LIMIT + 2);
    expect(outcome).toHaveBeenCalledWith(expect.any(TimeoutError));
  }
  vi.useRealTimers();
  const quick = custom(never, { validate: () => {} });
  quick.http.use({ onError: () => Response.json({ id: 1 }) });
  expect(await quick.movies.latest()).toEqual({ id: 1 });
});

test("an abort ends the next step even if another listener stops the event", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  signal.addEventListener("abort", (event) => event.stopImmediatePropagation());
  const catalogue = custom(async () => Response.json({}), { validate: never, timeout: 0 });
  catalogue.http.use({ onResponse: () => controller.abort("left") });
  expect(await rejection(catalogue.movies.latest({ signal }))).toBe("left");
});

test("a call keeps the process alive until its deadline, and during a pause", async () => {
  const spies = [
    vi.spyOn(Math, "random").mockReturnValue(0),
    vi.spyOn(globalThis, "setTimeout"),
  ] as const;
  onTestFinished(() => spies.forEach((each) => each.mockRestore()));
  const { calls, results } = spies[1].mock;
  /** Returns whether each timer with the given delay keeps the process alive. */
  const held = (delay: number) =>
    results.flatMap(({ value }, index) =>
      calls[index]![1] === delay ? (value as NodeJS.Timeout).hasRef() : [],
    );
  const late = rejection(custom(never).movies.latest());
  expect(held(LIMIT)).toEqual([true]);
  await late;
  const controller = new AbortController();
  const busy = custom(async () => new Response("", { status: 503 }), { timeout: 0, retries: 10 });
  const paused = rejection(busy.movies.latest({ signal: controller.signal }));
  await eventually(() => held(500).length > 0);
  expect(held(500)).toEqual([true]);
  controller.abort("left");
  expect(await paused).toBe("left");
});

/** Returns the delays of the timers that `run` sets synchronously, and makes the timers fire after 1 ms. */
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
