import pLimit from "p-limit";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { dedupe, limit } from "../../src/interceptors/index.js";
import { rejection, skipPauses } from "../support/server.js";
import { clientWith, createGate, wait } from "./support.js";

const movie = () => Response.json({ id: 701, genres: [{ name: "Drama" }, { name: "Action" }] });

test("200 equal calls that are pending at the same time make one request", async () => {
  const gate = createGate();
  const { movies, urls } = clientWith([dedupe()], {
    respond: async () => (await gate.opened, movie()),
  });
  const calls = Array.from({ length: 200 }, () => movies.details(701));
  await wait(5);
  gate.open();
  const results = await Promise.all(calls);
  expect(urls).toHaveLength(1);
  expect(new Set(results.map((each) => JSON.stringify(each))).size).toBe(1);
  await movies.details(701);
  expect(urls).toHaveLength(2);
});

test("each caller receives its own copy of the data", async () => {
  const { movies } = clientWith([dedupe()], { respond: movie });
  const change = async () => {
    const data = await movies.details(701);
    data.genres.shift();
    return data;
  };
  const results = await Promise.all([change(), change(), change()]);
  for (const { genres } of results) expect(genres).toEqual([{ name: "Action" }]);
  expect(new Set(results).size).toBe(3);
});

test("only equal public GETs share a request", async () => {
  const { account, authentication, http, lists, movies, urls } = clientWith([dedupe()]);
  const twice = async (call: () => Promise<unknown>) => {
    await Promise.all([call(), call()]);
    return urls.splice(0).length;
  };
  const append = { query: { append_to_response: ["account_states" as const] } };
  expect(await twice(() => movies.details(701))).toBe(1);
  expect(await twice(() => authentication.createGuestSession())).toBe(2);
  expect(await twice(() => authentication.createRequestToken())).toBe(2);
  expect(await twice(() => account.details(1))).toBe(2);
  expect(await twice(() => lists.details(1))).toBe(2);
  expect(await twice(() => movies.accountStates(701))).toBe(2);
  expect(await twice(() => movies.details(701, append))).toBe(2);
  expect(await twice(() => movies.addRating(701, { body: { value: 8 } }))).toBe(2);
  expect(await twice(() => movies.details.withResponse(701))).toBe(2);
  expect(await twice(() => http.GET("/3/movie/latest"))).toBe(2);
  await Promise.all([
    movies.details(701, { query: { language: "de" } }),
    movies.details(701, { query: { language: "en" } }),
    movies.details(702),
  ]);
  expect(urls).toHaveLength(3);
});

test("calls with different tokens of one function do not share a request", async () => {
  let tokens = 0;
  const { movies, urls } = clientWith([dedupe()], {
    // Returns the tokens of two users in turn.
    token: async () => `token-of-user-${(tokens += 1) % 2}`,
    respond: async (_, { headers }) => (
      await wait(5),
      Response.json({ sent: headers["authorization"] })
    ),
  });
  const results = await Promise.all(Array.from({ length: 4 }, () => movies.details(701)));
  const ones = { sent: "Bearer token-of-user-1" };
  const zeros = { sent: "Bearer token-of-user-0" };
  expect(results).toEqual([ones, zeros, ones, zeros]);
  expect(urls).toHaveLength(2);
});

test("clients with different API keys can share the interceptor: an invalid key fails only its own call", async () => {
  const shared = dedupe();
  const gate = createGate();
  const client = (apiKey: string) =>
    clientWith([shared], {
      token: undefined,
      apiKey,
      respond: async (url) => {
        await gate.opened;
        return url.includes("valid-key") ? movie() : Response.json({}, { status: 401 });
      },
    });
  const clients = [client("wrong-key"), client("valid-key"), client("valid-key")];
  const results = Promise.allSettled(clients.map(({ movies }) => movies.details(701)));
  await wait(5);
  gate.open();
  const statuses = (await results).map(({ status }) => status);
  expect(statuses).toEqual(["rejected", "fulfilled", "fulfilled"]);
});

// Symptom: the second request had the full time limit again.
test("after a 401 for another caller, a call sends its own request within the remaining time", async () => {
  const shared = dedupe();
  const signals: (AbortSignal | undefined)[] = [];
  const call = (apiKey: string, timeout: number) =>
    clientWith([shared], {
      token: undefined,
      apiKey,
      timeout,
      respond: async (_, { signal }) => {
        signals.push(signal);
        await wait(600);
        return Response.json({}, { status: 401 });
      },
    }).movies.details(701);
  const calls = [call("wrong-key", 0), call("other-key", 900)];
  const [first, second] = await Promise.all(calls.map(rejection));
  expect(first).toMatchObject({ name: "ApiError", status: 401 });
  expect(second).toMatchObject({ name: "TimeoutError", timeoutMs: 900 });
  expect(signals.at(-1)).toMatchObject({ aborted: true });
});

describe("an abort", () => {
  const setUp = () => {
    const gate = createGate();
    const signals: AbortSignal[] = [];
    const catalogue = clientWith([dedupe()], {
      respond: async (_, { signal }) => {
        signals.push(signal!);
        await gate.opened;
        return movie();
      },
    });
    const call = () => {
      const controller = new AbortController();
      const result = catalogue.movies.details(701, { signal: controller.signal });
      return { controller, result };
    };
    return { ...gate, ...catalogue, signals, call };
  };

  test("ends only the caller's own promise, even that of the first caller", async () => {
    const { call, open, signals, urls } = setUp();
    const [first, second, third] = [call(), call(), call()];
    await wait(5);
    first.controller.abort("first");
    expect(await rejection(first.result)).toBe("first");
    third.controller.abort("third");
    expect(await rejection(third.result)).toBe("third");
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    open();
    expect(await second.result).toMatchObject({ id: 701 });
    expect(urls).toHaveLength(1);
  });

  test("of the last caller ends the request, and a later call sends a new one", async () => {
    const { call, open, signals, urls } = setUp();
    const calls = [call(), call()];
    await wait(5);
    for (const { controller } of calls) controller.abort("left");
    for (const { result } of calls) expect(await rejection(result)).toBe("left");
    await wait(5);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const later = call();
    await wait(5);
    expect(urls).toHaveLength(2);
    open();
    expect(await later.result).toMatchObject({ id: 701 });
  });
});

describe("a timeout", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => void vi.useRealTimers());
  /** Settles a call at the current time, or not at all. */
  const stateOf = (call: Promise<unknown>) => {
    const state = { settled: undefined as unknown };
    call.then(
      (value) => (state.settled = value),
      (error: unknown) => (state.settled = error),
    );
    return state;
  };
  const late = (timeoutMs: number) => ({ name: "TimeoutError", timeoutMs });

  test("ends only the caller's own promise", async () => {
    const { movies, urls } = clientWith([dedupe()], {
      respond: async () => (await wait(80), movie()),
    });
    const [short, long, other] = [20, 5000, 30].map((timeout) =>
      stateOf(movies.details(701, { timeout })),
    );
    await vi.advanceTimersByTimeAsync(20);
    expect(short!.settled).toMatchObject(late(20));
    await vi.advanceTimersByTimeAsync(10);
    expect(other!.settled).toMatchObject(late(30));
    await vi.advanceTimersByTimeAsync(50);
    expect(long!.settled).toMatchObject({ id: 701 });
    expect(urls).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("starts when the request is sent, not in a queue, and for a later caller when it joins", async () => {
    const { movies, urls } = clientWith([dedupe(), limit(pLimit(1))], {
      respond: async () => (await wait(40), movie()),
    });
    // Two other movies keep the queue busy for 80 ms.
    const busy = [movies.details(1), movies.details(2)];
    const queued = [1, 2, 3].map(() => stateOf(movies.details(701, { timeout: 70 })));
    await vi.advanceTimersByTimeAsync(100);
    const joined = stateOf(movies.details(701, { timeout: 10 }));
    await vi.advanceTimersByTimeAsync(10);
    expect(joined.settled).toMatchObject(late(10));
    await vi.advanceTimersByTimeAsync(10);
    for (const { settled } of queued) expect(settled).toMatchObject({ id: 701 });
    await Promise.all(busy);
    expect(urls).toHaveLength(3);
  });
});

test("an error reaches all callers, and a later call sends a new request", async () => {
  skipPauses();
  const statuses = [404, 200];
  const { movies, urls } = clientWith([dedupe()], {
    respond: () => Response.json({ id: 701 }, { status: statuses.shift()! }),
  });
  const errors = await Promise.all([1, 2, 3].map(() => rejection(movies.details(701))));
  for (const error of errors) expect(error).toMatchObject({ name: "ApiError", status: 404 });
  expect(await movies.details(701)).toEqual({ id: 701 });
  expect(urls).toHaveLength(2);
});

test("an error of an inner interceptor reaches all callers", async () => {
  const own = new Error("the queue is full");
  const { movies } = clientWith([dedupe(), limit(() => Promise.reject(own))]);
  expect(await Promise.all([1, 2].map(() => rejection(movies.details(701))))).toEqual([own, own]);
});

test("data that JSON.stringify cannot copy is shared", async () => {
  const nested = "[".repeat(1e5) + "]".repeat(1e5);
  const { movies } = clientWith([dedupe()], { respond: () => new Response(nested) });
  const [first, second] = await Promise.all([movies.details(701), movies.details(701)]);
  expect(first).toBeInstanceOf(Array);
  expect(second).toBeInstanceOf(Array);
});
