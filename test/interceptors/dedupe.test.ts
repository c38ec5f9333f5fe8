import pLimit from "p-limit";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { dedupe, limit, type Interceptor } from "../../src/interceptors/index.js";
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
  // Each caller sends its own request, because the next key could be invalid, too.
  expect(clients.flatMap(({ urls }) => urls)).toHaveLength(3);
});

// Symptom: the second request had the full time limit again.
test("after a 401 for another caller, a call sends its own request within the remaining time", async () => {
  const shared = dedupe();
  const signals: (AbortSignal | undefined)[] = [];
  const call = (apiKey: string) =>
    clientWith([shared], {
      token: undefined,
      apiKey,
      timeout: 900,
      respond: async (_, { signal }) => {
        signals.push(signal);
        await wait(600);
        return Response.json({}, { status: 401 });
      },
    }).movies.details(701);
  const [first, second] = await Promise.all(["wrong-key", "other-key"].map(call).map(rejection));
  expect(first).toMatchObject({ name: "ApiError", status: 401 });
  expect(second).toMatchObject({ name: "TimeoutError", timeoutMs: 900 });
  expect(signals).toMatchObject([{}, { aborted: true }]);
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
  /** `AbortSignal.timeout`, which fake timers do not affect. */
  const timeoutSignal = (ms: number) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException("late", "TimeoutError")), ms);
    return controller.signal;
  };
  const late = (timeoutMs: number) => ({ name: "TimeoutError", timeoutMs });

  test("ends only the caller's own promise, because only calls with the same timeout share a request", async () => {
    const { movies, urls } = clientWith([dedupe()], {
      respond: async () => (await wait(80), movie()),
    });
    const [short, long, other] = [20, 5000, 30].map((timeout) =>
      stateOf(movies.details(701, { timeout })),
    );
    const same = stateOf(movies.details(701, { timeout: 5000 }));
    await vi.advanceTimersByTimeAsync(20);
    expect(short!.settled).toMatchObject(late(20));
    await vi.advanceTimersByTimeAsync(10);
    expect(other!.settled).toMatchObject(late(30));
    await vi.advanceTimersByTimeAsync(50);
    for (const { settled } of [long!, same]) expect(settled).toMatchObject({ id: 701 });
    expect(urls).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("starts when the request is sent, not in a queue", async () => {
    const { movies, urls } = clientWith([dedupe(), limit(pLimit(1))], {
      respond: async () => (await wait(40), movie()),
    });
    // Two other movies keep the queue busy for 80 ms.
    const busy = [movies.details(1), movies.details(2)];
    const queued = [1, 2, 3].map(() => stateOf(movies.details(701, { timeout: 70 })));
    await vi.advanceTimersByTimeAsync(120);
    for (const { settled } of queued) expect(settled).toMatchObject({ id: 701 });
    await Promise.all(busy);
    expect(urls).toHaveLength(3);
  });

  test("starts for a later caller when it joins: later callers share another request for their remaining time", async () => {
    const never = new Promise<void>(() => {});
    const durations = [undefined, 25];
    const { movies, urls } = clientWith([dedupe(), limit(pLimit(1))], {
      respond: async () => {
        const ms = durations.shift();
        await (ms ? wait(ms) : never);
        return movie();
      },
      timeout: 60,
    });
    const join = async (id: number, ms: number) => {
      const [first] = [stateOf(movies.details(id)), await vi.advanceTimersByTimeAsync(ms)];
      return { first, joined: [1, 2].map(() => stateOf(movies.details(id))) };
    };
    const slow = await join(701, 40);
    await vi.advanceTimersByTimeAsync(20);
    expect(slow.first.settled).toMatchObject(late(60));
    await vi.advanceTimersByTimeAsync(25);
    for (const { settled } of slow.joined) expect(settled).toMatchObject({ id: 701 });
    expect(urls).toHaveLength(2);
    const hanging = await join(702, 40);
    await vi.advanceTimersByTimeAsync(59);
    for (const { settled } of hanging.joined) expect(settled).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    for (const { settled } of hanging.joined) expect(settled).toMatchObject(late(60));
    expect(urls).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  // Symptom: one token function that hung locked out all further calls.
  test.each([
    ["option", () => ({ timeout: 80 })],
    ["signal", () => ({ signal: timeoutSignal(80), timeout: 0 })],
  ])("(%s) that ends the wait for a new token lets the next call ask again", async (_, options) => {
    let refreshes = 0;
    const { movies } = clientWith([dedupe()], {
      token: (previous) => {
        if (!previous) return "old-token";
        return (refreshes += 1) === 1 ? new Promise(() => {}) : "new-token";
      },
      respond: (_url, { headers }) =>
        headers["authorization"] === "Bearer new-token"
          ? movie()
          : Response.json({ status_code: 7 }, { status: 401 }),
    });
    const calls = [1, 2].map(() => stateOf(movies.details(701, options())));
    await vi.advanceTimersByTimeAsync(80);
    for (const { settled } of calls) expect(settled).toMatchObject({ name: "TimeoutError" });
    const next = stateOf(movies.details(701, options()));
    await vi.advanceTimersByTimeAsync(0);
    expect(next.settled).toMatchObject({ id: 701 });
    expect(refreshes).toBe(2);
  });

  // Symptom: the next call waited for the token function that hung.
  test("of a later caller lets the next call ask for a new token again", async () => {
    let refreshes = 0;
    const { movies } = clientWith([dedupe()], {
      token: (previous) => {
        if (!previous) return "old-token";
        return (refreshes += 1) < 3 ? new Promise(() => {}) : "new-token";
      },
      respond: (_url, { headers }) =>
        headers["authorization"] === "Bearer new-token"
          ? movie()
          : Response.json({ status_code: 7 }, { status: 401 }),
      timeout: 80,
    });
    const first = stateOf(movies.details(701));
    await vi.advanceTimersByTimeAsync(40);
    const later = stateOf(movies.details(701));
    await vi.advanceTimersByTimeAsync(80);
    for (const { settled } of [first, later])
      expect(settled).toMatchObject({ name: "TimeoutError" });
    const next = stateOf(movies.details(701));
    await vi.advanceTimersByTimeAsync(0);
    expect([next.settled, refreshes]).toMatchObject([{ id: 701 }, 3]);
  });

  // Symptom: the callers sent their requests one after the other.
  test("that an inner interceptor shortens ends the calls that share the request together", async () => {
    const short: Interceptor = async (_, next) => next({ timeout: 50 });
    const { movies, urls } = clientWith([dedupe(), short], {
      respond: () => new Promise(() => {}),
    });
    const calls = [1, 2, 3].map(() => stateOf(movies.details(701)));
    await vi.advanceTimersByTimeAsync(60);
    for (const { settled } of calls) expect(settled).toMatchObject(late(50));
    expect(urls).toHaveLength(1);
  });

  // Symptom: each caller timed out in the middleware, because its own time limit counted that time, too.
  test("does not count the time of middleware and of inner interceptors", async () => {
    const slow: Interceptor = async (_, next) => {
      await wait(150);
      const result = await next();
      await wait(150);
      return result;
    };
    const { http, movies, urls } = clientWith([dedupe(), slow], { respond: movie, timeout: 100 });
    const pause = async () => void (await wait(150));
    http.use({ onRequest: pause, onResponse: pause });
    const calls = [1, 2].map(() => stateOf(movies.details(701)));
    await vi.advanceTimersByTimeAsync(600);
    for (const { settled } of calls) expect(settled).toMatchObject({ id: 701 });
    expect(urls).toHaveLength(1);
  });

  // Symptom: the request waited, and its callers timed out.
  test("that is shorter than the pause that the service asks for is not waited for", async () => {
    const { movies, urls } = clientWith([dedupe()], {
      respond: () => Response.json({}, { status: 429, headers: { "retry-after": "20" } }),
    });
    const calls = [1, 2].map(() => stateOf(movies.details(701, { timeout: 2000 })));
    await vi.advanceTimersByTimeAsync(0);
    for (const { settled } of calls)
      expect(settled).toMatchObject({ name: "ApiError", status: 429 });
    expect(urls).toHaveLength(1);
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
