import { getEventListeners } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createCatalogue, type Interceptor, type UntypedHttpClient } from "../../src/full/index.js";
import { createClient } from "../../src/client/create-client.js";
import { dedupe } from "../../src/interceptors/index.js";
import { expectNoSecret, tracesOf } from "../support/canary.js";
import { rejection, skipPauses, TOKEN } from "../support/server.js";
import { clientWith, collect, wait } from "./support.js";

const SESSION = "canary-session-1234";

test("interceptors run in order around the call, and can change its result", async () => {
  const steps: string[] = [];
  const step =
    (name: string): Interceptor =>
    async (_, next) => {
      steps.push(`${name} before`);
      const result = await next();
      steps.push(`${name} after`);
      return { ...result, data: { ...(result.data as object), [name]: true } };
    };
  const { movies, urls } = clientWith([step("first"), step("second")]);
  const data = await movies.popular();
  expect(steps).toEqual(["first before", "second before", "second after", "first after"]);
  expect(data).toMatchObject({ first: true, second: true });
  expect(urls).toEqual(["/3/movie/popular"]);
});

test("an interceptor sees the call, without credentials and sessions, and the result", async () => {
  const results: unknown[] = [];
  const { calls, interceptor } = collect();
  const { signal } = new AbortController();
  const watch: Interceptor = async (call, next) => {
    const result = await next();
    results.push(result);
    return result;
  };
  const { movies, http } = clientWith([interceptor, watch], { timeout: 9_000 });
  const query = { session_id: SESSION };
  await movies.accountStates(701, { query, signal, timeout: 0 });
  await movies.popular.withResponse({ query: { language: "de", page: 2 } });
  await http.GET("/3/movie/latest");
  expect(calls).toMatchObject([
    {
      operation: "movies.accountStates",
      method: "GET",
      url: "https://a.example/3/movie/701/account_states?session_id=[redacted]",
      isPublic: false,
      needsResponse: false,
      timeout: Infinity,
      signal,
    },
    {
      operation: "movies.popular",
      url: "https://a.example/3/movie/popular?language=de&page=2",
      isPublic: true,
      needsResponse: true,
      timeout: 9_000,
    },
    { operation: "GET /3/movie/latest", needsResponse: true, isPublic: true },
  ]);
  expect(results).toMatchObject([1, 2, 3].map(() => ({ attempts: 1, source: "network" })));
  for (const result of results)
    expect((result as { response: Response }).response).toBeInstanceOf(Response);
  expect(tracesOf([calls, results])).not.toContain(TOKEN);
  expect(tracesOf(calls)).not.toContain(SESSION);
  for (const call of calls) expect(await call.key()).not.toMatch(/canary/);
});

test("the URL and the key contain no guest session, token, or API key", async () => {
  const { calls, interceptor } = collect();
  const apiKey = "0123456789abcdef0123456789abcdef";
  const { guestSessions, http } = clientWith([interceptor], { token: undefined, apiKey } as never);
  await guestSessions.ratedMovies(SESSION);
  await (http as UntypedHttpClient).GET(`/3/guest_session/${SESSION}/rated/movies`);
  const url = "https://a.example/3/guest_session/[redacted]/rated/movies";
  expect(calls).toMatchObject([
    { operation: "guestSessions.ratedMovies", url },
    { operation: "GET /3/guest_session/[redacted]/rated/movies", url },
  ]);
  for (const call of calls) expect(await call.key()).not.toMatch(new RegExp(`canary|${apiKey}`));
});

describe("isPublic", () => {
  type Full = ReturnType<typeof createCatalogue>;
  const session = { query: { session_id: SESSION } };
  const append = (value: unknown) => ({ query: { append_to_response: value as never } });
  const episode = { series_id: 1, season_number: 1, episode_number: 1 };
  const get = (path: string) => (catalogue: Full) =>
    (catalogue.http as UntypedHttpClient).GET(path);

  test.each<[isPublic: boolean, name: string, call: (catalogue: Full) => Promise<unknown>]>([
    [true, "details", ({ movies }) => movies.details(1)],
    [
      true,
      "details of a user",
      ({ movies }) => movies.details(1, { query: session.query as never }),
    ],
    [true, "details with parts", ({ movies }) => movies.details(1, append(["credits", "images"]))],
    [
      true,
      "a search for the name of a private part",
      ({ search }) => search.multi({ query: { query: "account_states" } }),
    ],
    [true, "a genre list", ({ genres }) => genres.movieList()],
    [false, "a new guest session", ({ authentication }) => authentication.createGuestSession()],
    [false, "a new request token", ({ authentication }) => authentication.createRequestToken()],
    [false, "the check of a key", ({ authentication }) => authentication.validateKey()],
    [false, "an account", ({ account }) => account.details(1)],
    [false, "favorites", ({ account }) => account.favoriteMovies(1)],
    [false, "a guest session", ({ guestSessions }) => guestSessions.ratedTv(SESSION)],
    [false, "a list", ({ lists }) => lists.details(1)],
    [
      false,
      "an item of a list",
      ({ lists }) => lists.checkItemStatus(1, { query: { movie_id: 1 } }),
    ],
    [false, "account states", ({ movies }) => movies.accountStates(1)],
    [false, "account states of an episode", ({ tvEpisodes }) => tvEpisodes.accountStates(episode)],
    [
      false,
      "appended account states",
      ({ movies }) => movies.details(1, append(["credits", "account_states"])),
    ],
    [
      false,
      "appended account states in text",
      ({ movies }) => movies.details(1, append("credits,Account_States")),
    ],
    [
      false,
      "appended account states of a season",
      ({ tvSeries }) => tvSeries.details(1, append(["season/1/account_states"])),
    ],
    [false, "a rating", ({ movies }) => movies.addRating(1, { body: { value: 8 } })],
    [false, "a deleted rating", ({ movies }) => movies.deleteRating(1)],
    [true, "a documented path through http", ({ http }) => http.GET("/3/movie/latest")],
    [
      false,
      "account states through http",
      ({ http }) =>
        http.GET("/3/movie/{movie_id}/account_states", { params: { path: { movie_id: 1 } } }),
    ],
    [true, "a path with its values", get("/3/movie/1")],
    [false, "account states of a path with its values", get("/3/movie/1/account_states")],
    [false, "a path with an escaped slash", get("/3/movie/1%2Faccount_states")],
    [false, "a path with an empty value", get("/3/movie/")],
    [false, "a path that differs from a documented one by a word", get("/3/movie/mine")],
    [false, "an undocumented path", get("/4/list/1")],
    [false, "HEAD", ({ http }) => (http as UntypedHttpClient).HEAD("/3/movie/latest")],
  ])("is %s for %s", async (isPublic, _, call) => {
    const { calls, interceptor } = collect();
    await call(clientWith([interceptor]));
    expect(calls.map((each) => each.isPublic)).toEqual([isPublic]);
  });

  test("is false for each part of several private parts", async () => {
    const { calls, interceptor } = collect();
    const entry = { method: "GET", path: "/3/a", privateParts: "own_rating lists" } as const;
    const { group } = createClient<{ group: { method: (options: object) => Promise<unknown> } }>(
      { "group.method": entry },
      {
        baseUrl: "https://a.example",
        token: "any",
        fetch: async () => Response.json({}),
        interceptors: [interceptor],
      },
    );
    for (const part of ["own_rating", "lists", "credits"]) await group.method(append(part));
    expect(calls.map((each) => each.isPublic)).toEqual([false, false, true]);
  });
});

describe("key", () => {
  const keyOf = async (
    call: (catalogue: ReturnType<typeof clientWith>) => Promise<unknown>,
    options: Parameters<typeof clientWith>[1] = {},
  ) => {
    const { calls, interceptor } = collect();
    await call(clientWith([interceptor], options));
    return calls[0]!.key();
  };
  const details = ({ movies }: ReturnType<typeof clientWith>) => movies.details(701);

  test("contains everything that changes the response, and nothing else", async () => {
    const base = await keyOf(details);
    const others = [
      await keyOf(({ movies }) => movies.details(702)),
      await keyOf(({ movies }) => movies.details(701, { query: { language: "de" } })),
      await keyOf(details, { query: { language: "de-DE" } }),
      await keyOf(({ movies }) => movies.details(701, { headers: { "accept-language": "de" } })),
      await keyOf(details, { headers: { "accept-language": "fr" } }),
      await keyOf(details, { baseUrl: "https://b.example" }),
      await keyOf(details, { token: () => "a" }),
      await keyOf(details, { token: async () => "b" }),
      await keyOf(({ movies }) => movies.images(701)),
      ...(await Promise.all(
        ["a", "b"].map((user) =>
          keyOf(({ movies }) =>
            movies.details(701, { query: { session_id: `session-of-${user}` } as never }),
          ),
        ),
      )),
    ];
    expect(new Set([base, ...others]).size).toBe(others.length + 1);
    for (const same of [
      await keyOf(({ movies }) => movies.details(701, { timeout: 5_000, retries: 0 })),
      await keyOf(({ movies }) => movies.details("701", { fetchOptions: { cache: "no-store" } })),
      await keyOf(details, { token: "another" }),
      await keyOf(details, { headers: {}, token: false } as never),
    ])
      expect(same).toBe(base);
    expect(base).toMatch(/^GET https:\/\/a\.example\/3\/movie\/701 [a-z\d]+$/);
    expect(await keyOf(details, { token: () => "a" })).toBe(others[6]);
  });

  test("does not depend on the order of the headers", async () => {
    const headers = [
      { "x-a": "1", "X-B": "2" },
      { "x-b": "2", "x-a": "1" },
    ];
    const [first, second] = await Promise.all(
      headers.map((each) => keyOf(details, { headers: each })),
    );
    expect(first).toBe(second);
  });

  test("makes the call keep its token, even if the token function returns another one each time", async () => {
    const sent: unknown[] = [];
    let tokens = 0;
    const keys: string[] = [];
    const ask: Interceptor = async (call, next) => {
      keys.push(await call.key(), await call.key());
      return next();
    };
    skipPauses();
    const statuses = [503, 503, 200];
    const { movies } = clientWith([ask], {
      token: () => `token-${(tokens += 1)}`,
      respond: (_, { headers }) => {
        sent.push(headers["authorization"]);
        return Response.json({}, { status: statuses.shift()! });
      },
    });
    await movies.details(701);
    expect(sent).toEqual(Array(3).fill("Bearer token-1"));
    expect(keys[0]).toBe(keys[1]);
  });

  test("rejects with the error of the token function, or when the time is up", async () => {
    const own = new Error("signed out");
    const ask: Interceptor = async (call, next) => (await call.key(), next());
    const failing = clientWith([ask], { token: () => Promise.reject(own) });
    expect(await rejection(failing.movies.details(701))).toBe(own);
    const hanging = clientWith([ask], { token: () => new Promise<never>(() => {}), timeout: 20 });
    expect(await rejection(hanging.movies.details(701))).toMatchObject({ timeoutMs: 20 });
  });
});

describe("time", () => {
  test("the deadline starts with `next`, so waiting costs no time of the call", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const queue: Interceptor = async (_, next) => (await wait(60), next());
    const { movies } = clientWith([queue], { timeout: 40 });
    const call = movies.details(701);
    await vi.advanceTimersByTimeAsync(60);
    expect(await call).toBeDefined();
    vi.useRealTimers();
    const slow = clientWith([queue], { timeout: 40, respond: () => new Promise(() => {}) });
    expect(await rejection(slow.movies.details(701))).toMatchObject({
      name: "TimeoutError",
      timeoutMs: 40,
    });
  });

  test("an abort ends a call that waits in an interceptor at once, and nothing is sent", async () => {
    let start!: () => void;
    const started = new Promise<void>((resolve) => (start = resolve));
    const outcomes: unknown[] = [];
    const queue: Interceptor = async (_, next) => {
      await started;
      return next().catch((error: unknown) => {
        outcomes.push(error);
        throw error;
      });
    };
    const controller = new AbortController();
    const { movies, urls } = clientWith([queue]);
    const call = rejection(movies.details(701, { signal: controller.signal }));
    controller.abort("left");
    expect(await call).toBe("left");
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    start();
    await wait(5);
    expect([outcomes, urls]).toEqual([["left"], []]);
    const aborted = AbortSignal.abort("gone");
    expect(await rejection(movies.details(701, { signal: aborted }))).toBe("gone");
  });

  test("`next` can replace the signal and the timeout, and later interceptors see the new ones", async () => {
    const controller = new AbortController();
    const change: Interceptor = (_, next) => next({ signal: controller.signal, timeout: 30 });
    const { calls, interceptor } = collect();
    const { movies } = clientWith([change, interceptor], { respond: () => new Promise(() => {}) });
    expect(await rejection(movies.details(701))).toMatchObject({ timeoutMs: 30 });
    expect(calls).toMatchObject([{ signal: controller.signal, timeout: 30 }]);
    const call = rejection(movies.details(701, { signal: new AbortController().signal }));
    controller.abort("inner");
    expect(await call).toBe("inner");
    const endless: Interceptor = (_, next) => next({ timeout: 0 });
    await clientWith([endless, interceptor]).movies.details(701);
    expect(calls.at(-1)!.timeout).toBe(Infinity);
  });

  test("`onAttempt` counts the requests, for every interceptor", async () => {
    skipPauses();
    const seen: unknown[] = [];
    const watch =
      (name: string): Interceptor =>
      (_, next) =>
        next({ onAttempt: (attempt) => seen.push([name, attempt]) });
    const statuses = [503, 401, 200];
    const { movies } = clientWith([watch("a"), watch("b")], {
      token: (previous) => (previous ? "new-token" : TOKEN),
      respond: () => Response.json({}, { status: statuses.shift()! }),
    });
    await movies.details(701);
    expect(seen).toEqual(
      [1, 2, 3].flatMap((attempt) => [
        ["a", attempt],
        ["b", attempt],
      ]),
    );
  });

  test("an interceptor can call `next` again", async () => {
    const retry: Interceptor = async (_, next) => {
      try {
        return await next();
      } catch {
        return next();
      }
    };
    const statuses = [404, 200];
    const { movies, urls } = clientWith([retry], {
      respond: () => Response.json({ ok: true }, { status: statuses.shift()! }),
    });
    expect(await movies.details(701)).toEqual({ ok: true });
    expect(urls).toHaveLength(2);
  });
});

describe("errors", () => {
  test.each([[new Error("mine")], [undefined], ["text"], [Object.freeze(new Error("frozen"))]])(
    "a call rethrows what an interceptor throws, unchanged: %o",
    async (thrown) => {
      const later: Interceptor = () => Promise.reject(thrown);
      const now: Interceptor = () => {
        throw thrown;
      };
      for (const interceptor of [later, now])
        expect(await rejection(clientWith([interceptor]).movies.details(701))).toBe(thrown);
    },
  );

  test("an interceptor sees the errors of the client, which name the caller", async () => {
    const seen: unknown[] = [];
    const watch: Interceptor = (_, next) =>
      next().catch((error: unknown) => {
        seen.push(error);
        throw error;
      });
    const { http, movies } = clientWith([watch], {
      respond: () => Response.json({ status_code: 34 }, { status: 404 }),
    });
    async function whoCalls() {
      return await movies.details(701);
    }
    const error = (await rejection(whoCalls())) as Error;
    expect(error).toMatchObject({ name: "ApiError", status: 404 });
    expect(error.stack).toContain("whoCalls");
    expect(seen).toEqual([error]);
    expectNoSecret(error);
    // A call through `http` does not reject.
    expect(await http.GET("/3/movie/latest")).toMatchObject({ error: { status_code: 34 } });
    expect(seen).toHaveLength(1);
  });

  test("invalid arguments are rejected before the interceptors run", async () => {
    const { calls, interceptor } = collect();
    const error = await rejection(clientWith([interceptor]).movies.details(".."));
    expect(error).toBeInstanceOf(TypeError);
    expect(calls).toEqual([]);
  });

  test.each<[name: string, interceptor: unknown, message: string]>([
    [
      "is `dedupe` instead of `dedupe()`",
      dedupe,
      "an interceptor must return the result of `next`, or { data, attempts, source }, not a function; call it, as in `dedupe()` or `next()`",
    ],
    [
      "returns nothing",
      async () => {},
      "an interceptor must return the result of `next`, or { data, attempts, source }",
    ],
    [
      "passes an unknown option",
      (_: unknown, next: (options: object) => unknown) => next({ timeuot: 5 }),
      'next: unknown option "timeuot" (did you mean "timeout"?); valid options: signal, timeout, onAttempt',
    ],
    [
      "passes an invalid timeout",
      (_: unknown, next: (options: object) => unknown) => next({ timeout: -1 }),
      "next: timeout must be a whole number from 0 to 2147483647, or Infinity, not -1",
    ],
    [
      "passes a callback that is not a function",
      (_: unknown, next: (options: object) => unknown) => next({ onAttempt: {} }),
      "next: onAttempt must be a function, not an object",
    ],
  ])("a call rejects with a TypeError if an interceptor %s", async (_, interceptor, message) => {
    const { movies } = clientWith([interceptor as Interceptor]);
    expect(await rejection(movies.details(701))).toEqual(
      new TypeError(`movies.details: ${message}`),
    );
  });

  test("withResponse and http need a response", async () => {
    const answer: Interceptor = async () => ({ data: { id: 1 }, attempts: 0, source: "cache" });
    const { http, movies } = clientWith([answer]);
    expect(await movies.details(701)).toEqual({ id: 1 });
    const message = /must return the result of `next`, or { data, attempts, source, response }$/;
    for (const call of [movies.details.withResponse(701), http.GET("/3/movie/latest")])
      expect(String(await rejection(call))).toMatch(message);
  });

  test("createCatalogue rejects interceptors that are not functions", () => {
    for (const interceptors of [[{}], {}, [undefined]])
      expect(() => clientWith(interceptors as never)).toThrow(
        /^createCatalogue: interceptors must be an array of functions, not an? (array|object)$/,
      );
  });
});
