import { Keyv } from "keyv";
import { LRUCache } from "lru-cache";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { cache, type Store } from "../../src/interceptors/index.js";
import type { Interceptor } from "../../src/full/index.js";
import { rejection } from "../support/server.js";
import { clientWith, wait } from "./support.js";

const KEPT = { headers: { "cache-control": "public, max-age=60" } };
const kept = () => Response.json({ id: 701, genres: [{ name: "Drama" }] }, KEPT);

const STORES: [name: string, create: () => Store][] = [
  ["a Map", () => new Map()],
  ["a Keyv", () => new Keyv()],
  [
    "an LRUCache",
    () => {
      const lru = new LRUCache<string, object>({ max: 100 });
      return {
        get: (key) => lru.get(key),
        set: (key, value, ttl) => lru.set(key, value as object, { ttl }),
      };
    },
  ],
];

describe.each(STORES)("with %s", (_, create) => {
  test("a second call reads from the store, and each caller receives its own copy", async () => {
    const { movies, urls } = clientWith([cache(create())], { respond: kept });
    for (let call = 0; call < 3; call += 1) {
      const { id, genres } = await movies.details(701);
      expect([id, genres]).toEqual([701, [{ name: "Drama" }]]);
      genres.pop();
    }
    await movies.details(701, { query: { language: "de" } });
    expect(urls).toEqual(["/3/movie/701", "/3/movie/701?language=de"]);
  });

  test("an entry expires", async () => {
    vi.useFakeTimers({ now: 0, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const { movies, urls } = clientWith([cache(create(), { ttl: 60_000 })], { respond: kept });
    await movies.details(701);
    vi.setSystemTime(59_999);
    await movies.details(701);
    expect(urls).toHaveLength(1);
    vi.setSystemTime(60_000);
    await movies.details(701);
    expect(urls).toHaveLength(2);
  });
});

test.each<[cacheControl: string | undefined, age: string | undefined, ms: number | undefined]>([
  ["public, max-age=60", undefined, 60_000],
  ["max-age=60", "20", 40_000],
  ['MAX-AGE="60"', undefined, 60_000],
  ["max-age=60", "60", undefined],
  ["max-age=60", "90", undefined],
  ["max-age=60", "soon", undefined],
  ["max-age=0", undefined, undefined],
  ["public", undefined, undefined],
  ["s-maxage=60", undefined, undefined],
  ["max-age=60, no-store", undefined, undefined],
  ["Private, max-age=60", undefined, undefined],
  ["no-cache, max-age=60", undefined, undefined],
  [undefined, undefined, undefined],
])(
  "by default, a response with Cache-Control %j and Age %j is kept for %s ms",
  async (control, age, ms) => {
    const now = Date.now();
    vi.useFakeTimers({ now, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const sets: unknown[][] = [];
    const store = { get: () => undefined, set: (...all: unknown[]) => sets.push(all) };
    const headers: Record<string, string> = {};
    if (control !== undefined) headers["cache-control"] = control;
    if (age !== undefined) headers["age"] = age;
    const { movies } = clientWith([cache(store)], {
      respond: () => Response.json({ id: 1 }, { headers }),
    });
    await movies.details(701);
    const expected = [
      expect.stringMatching(/^GET .*\/3\/movie\/701 /),
      { until: now + ms!, data: { id: 1 } },
      ms,
    ];
    expect(sets).toEqual(ms === undefined ? [] : [expected]);
  },
);

test("`ttl` replaces `max-age`, for each operation, but never `no-store` or `private`", async () => {
  const sets: unknown[] = [];
  const store = {
    get: () => undefined,
    set: (_: string, entry: unknown, ms: number) => sets.push(ms),
  };
  const operations: string[] = [];
  const ttl = (operation: string) => {
    operations.push(operation);
    return operation === "genres.movieList" ? 1000 : operation === "movies.popular" ? 0 : Infinity;
  };
  let control = "max-age=60";
  const { genres, movies } = clientWith([cache(store, { ttl })], {
    respond: () => Response.json({}, { headers: { "cache-control": control } }),
  });
  await genres.movieList();
  await movies.popular();
  await movies.details(701);
  control = "no-store";
  await genres.movieList();
  control = "private";
  await genres.movieList();
  expect(sets).toEqual([1000, 2 ** 40]);
  expect(operations).toEqual([
    "genres.movieList",
    "movies.popular",
    "movies.details",
    "genres.movieList",
    "genres.movieList",
  ]);
});

test("clients with different API keys share the entries of one cache, but not the answer whether a key is valid", async () => {
  const shared = cache(new Map(), { ttl: 60_000 });
  const [one, two] = ["first-key", "second-key"].map((apiKey) =>
    clientWith([shared], { token: undefined, apiKey }),
  ) as [ReturnType<typeof clientWith>, ReturnType<typeof clientWith>];
  for (const { authentication, movies } of [one, two]) {
    await movies.details(701);
    await authentication.validateKey();
  }
  expect(one.urls).toEqual([
    "/3/movie/701?api_key=first-key",
    "/3/authentication?api_key=first-key",
  ]);
  expect(two.urls).toEqual(["/3/authentication?api_key=second-key"]);
});

test("only the bodies of public GETs are kept, and never an error", async () => {
  const store = new Map<string, unknown>();
  let status = 200;
  const { account, authentication, guestSessions, http, lists, movies } = clientWith(
    [cache(store, { ttl: 1000 })],
    { respond: () => Response.json({ status_code: 1 }, { status }) },
  );
  const session_id = "canary-session";
  await authentication.createGuestSession();
  await authentication.createRequestToken();
  await account.details(1, { query: { session_id } });
  await guestSessions.ratedMovies(session_id);
  await lists.details(1);
  await movies.accountStates(701, { query: { session_id } });
  await movies.details(701, { query: { append_to_response: ["account_states"] } });
  await movies.addRating(701, { body: { value: 8 } });
  await movies.details.withResponse(701);
  await http.GET("/3/movie/latest");
  status = 404;
  await rejection(movies.details(701));
  expect([...store]).toEqual([]);
  status = 200;
  await movies.details(701);
  expect(store.size).toBe(1);
});

test("no user gets another user's data, even with two tokens from one function", async () => {
  const store = new Map<string, unknown>();
  let user = "";
  const { movies } = clientWith([cache(store, { ttl: 1000 })], {
    token: () => `token-of-${user}`,
    respond: (_, { headers }) => Response.json({ sent: headers["authorization"] }),
  });
  const results: unknown[] = [];
  for (user of ["ada", "ben", "ada"]) results.push(await movies.details(701));
  const [ada, ben] = ["ada", "ben"].map((name) => ({ sent: `Bearer token-of-${name}` }));
  expect(results).toEqual([ada, ben, ada]);
  expect(JSON.stringify([...store.keys()])).not.toMatch(/token-of/);
});

describe("a store that", () => {
  const WARNING = /^cache: the store could not be (read|written)$/;
  const setUp = (store: unknown) => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    const catalogue = clientWith([cache(store as Store, { onWarning })], { respond: kept });
    return { ...catalogue, warnings };
  };
  const fail = () => {
    throw new Error("down");
  };

  test.each([
    ["throws", { get: fail, set: fail }],
    ["rejects", { get: async () => fail(), set: async () => fail() }],
  ])("%s costs nothing but the cache, and a warning", async (_, store) => {
    const { movies, urls, warnings } = setUp(store);
    for (let call = 0; call < 2; call += 1)
      expect(await movies.details(701)).toMatchObject({ id: 701 });
    await wait(1);
    expect(urls).toHaveLength(2);
    expect(warnings).toHaveLength(4);
    for (const warning of warnings) {
      expect(warning.message).toMatch(WARNING);
      expect(warning.cause).toEqual(new Error("down"));
    }
    const silent = clientWith([cache(store)], { respond: kept });
    expect(await silent.movies.details(701)).toMatchObject({ id: 701 });
  });

  test("hangs costs 250 ms, and a warning", async () => {
    const { movies, urls, warnings } = setUp({
      get: () => new Promise(() => {}),
      set: () => new Promise(() => {}),
    });
    const start = performance.now();
    expect(await movies.details(701)).toMatchObject({ id: 701 });
    expect(performance.now() - start).toBeGreaterThanOrEqual(240);
    expect(urls).toHaveLength(1);
    expect(warnings).toMatchObject([{ cause: { message: "no response within 250 ms" } }]);
  });

  test("hangs does not delay an abort", async () => {
    const { movies, urls, warnings } = setUp({ get: () => new Promise(() => {}), set: () => {} });
    const controller = new AbortController();
    const call = rejection(movies.details(701, { signal: controller.signal }));
    await wait(5);
    controller.abort("left");
    expect(await call).toBe("left");
    await wait(5);
    expect([urls, warnings]).toEqual([[], []]);
  });

  test.each([
    ["null", null],
    ["text", "text"],
    ["a body without an envelope", { id: 702 }],
    ["an entry without data", { until: Date.now() + 60_000 }],
    ["an entry without an expiration time", { data: { id: 702 } }],
    ["an entry whose expiration time is text", { until: "2100", data: { id: 702 } }],
    ["an expired entry", { until: Date.now() - 1, data: { id: 702 } }],
  ])("returns %s has no entry", async (_, value) => {
    const { movies, urls } = setUp({ get: () => value, set: () => {} });
    expect(await movies.details(701)).toMatchObject({ id: 701 });
    expect(urls).toHaveLength(1);
  });

  test("cannot keep data that JSON.stringify cannot copy", async () => {
    const warnings: Error[] = [];
    const store = new Map<string, unknown>();
    const onWarning = (warning: Error) => void warnings.push(warning);
    const readLargeId: Interceptor = async (_, next) => ({ ...(await next()), data: 2n ** 63n });
    const { movies } = clientWith([cache(store, { ttl: 1000, onWarning }), readLargeId]);
    expect(await movies.details(701)).toBe(2n ** 63n);
    expect([store.size, warnings.length]).toEqual([0, 1]);
  });
});

test.each<[name: string, create: () => unknown, message: string]>([
  [
    "no store",
    () => cache(undefined as never),
    "cache: store must be an object with `get` and `set`, not undefined",
  ],
  [
    "a store without `set`",
    () => cache({ get() {} } as never),
    "cache: store must be an object with `get` and `set`, not an object",
  ],
  [
    "an LRUCache, whose `set` takes no time",
    () => cache(new LRUCache({ max: 1 }) as never),
    "cache: the set of an LRUCache takes options instead of a time; " +
      "pass { get: (key) => lru.get(key), set: (key, entry, ttl) => lru.set(key, entry, { ttl }) }",
  ],
  [
    "an `onWarning` that is not a function",
    () => cache(new Map(), { onWarning: console as never }),
    "cache: onWarning must be a function, not an instance of Console",
  ],
  [
    "an unknown option",
    () => cache(new Map(), { tll: 1 } as never),
    'cache: unknown option "tll" (did you mean "ttl"?); valid options: ttl, onWarning',
  ],
  [
    "an invalid `ttl`",
    () => cache(new Map(), { ttl: "1m" as never }),
    "cache: ttl must be a number ≥ 0 or a function, not 1m",
  ],
  [
    "a `ttl` that is the text of a number",
    () => cache(new Map(), { ttl: "5" as never }),
    "cache: ttl must be a number ≥ 0 or a function, not 5",
  ],
])("cache rejects %s", (_, create, message) => {
  expect(create).toThrow(new TypeError(message));
});

test("cache accepts an LRUCache whose `set` takes the time", () => {
  class Store extends LRUCache<string, object> {
    override set(key: string, entry: object, ttl: unknown) {
      return super.set(key, entry, { ttl: ttl as number });
    }
  }
  const lru = new LRUCache<string, object>({ max: 5 });
  const adapted = Object.assign(lru, {
    set: (_key: string, _entry: object, _ttl: number) => lru,
  });
  expect(() => [cache(new Store({ max: 5 }) as never), cache(adapted as never)]).not.toThrow();
});
