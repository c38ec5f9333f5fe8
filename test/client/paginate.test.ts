import { describe, expect, test } from "vitest";
import {
  createCatalogue as createFullCatalogue,
  type Catalogue as FullCatalogue,
} from "../../src/full/index.js";
import { FOR_PAGINATE, WRAPPED } from "../../src/client/paginate.js";
import { CatalogueError, paginate, type PaginateOptions } from "../../src/index.js";
import { clientOf, json, rejection, serve } from "../support/server.js";
import type { LocalServer } from "../support/server.js";

type Totals = readonly (number | null | undefined)[];

/** Serves the given number of pages with two items each, then empty pages. `totals` has one `total_pages` per page. */
async function list(pages: number, totals: Totals = [pages]): Promise<LocalServer> {
  return serve((response, request) => {
    const page = Number(new URL(request.url, "http://localhost").searchParams.get("page"));
    const results = page <= pages ? [{ id: page * 10 }, { id: page * 10 + 1 }] : [];
    const total_pages = totals[Math.min(page, totals.length) - 1];
    return json(200, { page, results, total_pages })(response, request);
  });
}

function popular(server: LocalServer, options?: PaginateOptions) {
  const { people } = clientOf(server);
  return paginate((page) => people.popular({ query: { page } }), options);
}

async function idsOf(items: AsyncIterable<{ id: number }>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

const TWO_PAGES = [10, 11, 20, 21];
const THREE_PAGES = [...TWO_PAGES, 30, 31];

test.each<
  [
    rule: string,
    pages: number,
    totals: Totals,
    options: PaginateOptions,
    ids: number[],
    requests: number,
  ]
>([
  ["ends after `total_pages` pages", 3, [3], {}, THREE_PAGES, 3],
  ["ends at an empty page if `total_pages` is missing", 2, [undefined], {}, TWO_PAGES, 3],
  ["ends at an empty page if `total_pages` is null", 2, [null], {}, TWO_PAGES, 3],
  ["ends at an empty page before `total_pages`", 1, [1000], {}, [10, 11], 2],
  ["continues if `total_pages` grows", 3, [2, 3, 3], {}, THREE_PAGES, 3],
  ["ends early if `total_pages` shrinks", 3, [9, 2, 9], {}, TWO_PAGES, 2],
  ["can start at any page", 3, [3], { startPage: 3 }, [30, 31], 1],
  ["can start after the last page", 3, [3], { startPage: 9 }, [], 1],
  [
    "ends after one page if `startPage` exceeds a total of 4",
    9,
    [4],
    { startPage: 5 },
    [50, 51],
    1,
  ],
  [
    "ends after one page if `startPage` exceeds a total of 0",
    9,
    [0],
    { startPage: 5 },
    [50, 51],
    1,
  ],
  [
    "counts `maxPages` from `startPage`",
    4,
    [4],
    { startPage: 2, maxPages: 2 },
    [20, 21, 30, 31],
    2,
  ],
  ["fetches nothing if `maxPages` is 0", 4, [4], { maxPages: 0 }, [], 0],
  ["fetches nothing if `maxItems` is 0", 3, [3], { maxItems: 0 }, [], 0],
  ["can end within a page", 3, [3], { maxItems: 1 }, [10], 1],
  ["fetches no page after the last item", 3, [3], { maxItems: 2 }, [10, 11], 1],
  ["can end within a later page", 3, [3], { maxItems: 3 }, [10, 11, 20], 2],
  ["accepts a large `maxItems`", 3, [3], { maxItems: 99 }, THREE_PAGES, 3],
  ["accepts an infinite `maxItems`", 3, [3], { maxItems: Infinity }, THREE_PAGES, 3],
])("paginate %s", async (_, pages, totals, options, ids, requests) => {
  const server = await list(pages, totals);
  expect(await idsOf(popular(server, options))).toEqual(ids);
  expect(server.seen).toHaveLength(requests);
});

test("paginate fetches no more pages after the caller leaves the loop", async () => {
  const { people } = clientOf(await list(3));
  const fetched: number[] = [];
  const items = paginate((page) => {
    fetched.push(page);
    return people.popular({ query: { page } });
  });
  for await (const { id } of items) if (id === 11) break;
  expect(fetched).toEqual([1]);
});

test("pages() ignores maxItems, and fetches each page only when the caller requests the page", async () => {
  const server = await list(2);
  const pages = popular(server, { maxItems: 0 }).pages();
  expect(server.seen).toHaveLength(0);
  expect((await pages.next()).value).toMatchObject({ page: 1, total_pages: 2 });
  expect(server.seen).toHaveLength(1);
  expect((await pages.next()).value).toMatchObject({ page: 2 });
  expect(await pages.next()).toEqual({ done: true, value: undefined });
});

test("paginate fetches nothing before an iteration starts, and every iteration starts at the first page", async () => {
  const server = await list(1);
  const people = popular(server, { maxItems: 1 });
  expect(server.seen).toHaveLength(0);
  for (let iteration = 1; iteration <= 2; iteration += 1) expect(await idsOf(people)).toEqual([10]);
  expect(server.seen).toHaveLength(2);
});

describe("if a response is not the requested page", () => {
  test.each([
    ["a lower page number", { page: 1, results: [{ id: 1 }] }, "expected page 2, got 1"],
    ["a higher page number", { page: 3, results: [{ id: 1 }] }, "expected page 2, got 3"],
  ])(
    "paginate throws an error if the service returns %s than requested",
    async (_, body, message) => {
      const server = await serve(json(200, { page: 1, results: [{ id: 0 }] }), json(200, body));
      const error = await rejection(idsOf(popular(server)));
      expect(error).toBeInstanceOf(CatalogueError);
      expect((error as Error).message).toBe(
        `paginate: ${message}; pass the page number in the query; ${WRAPPED}`,
      );
      expect(server.seen).toHaveLength(2);
    },
  );

  test("paginate throws an error if a method returns a different page", async () => {
    const { people } = clientOf(await serve(json(200, { page: 1, results: [{ id: 1 }] })));
    const error = await rejection(idsOf(paginate(people.popular, { query: {} })));
    expect(error).toEqual(
      new CatalogueError("paginate", "expected page 2, got 1; pass the page number in the query"),
    );
  });

  test.each([
    [{ page: 1 }],
    [{ page: 1, results: null }],
    [{ page: 1, results: "no" }],
    [{ page: "1", results: [] }],
    [{ results: [] }],
    [null],
  ])("paginate throws an error if the service returns %j, which is not a page", async (body) => {
    const error = await rejection(idsOf(popular(await serve(json(200, body)))));
    expect(error).toBeInstanceOf(CatalogueError);
    expect((error as Error).message).toBe(
      "paginate: fetchPage must return a page with a `page` number and a `results` array",
    );
  });
});

test("paginate yields the items of earlier pages, and then rethrows the error from fetchPage", async () => {
  const server = await serve(json(200, { page: 1, results: [{ id: 1 }] }), json(404, {}));
  const ids: number[] = [];
  const error = await rejection(
    (async () => {
      for await (const { id } of popular(server)) ids.push(id);
    })(),
  );
  expect(ids).toEqual([1]);
  expect(error).toMatchObject({ name: "ApiError", operation: "people.popular", status: 404 });
});

test.each([
  [{ startPage: 1.5 }, "startPage must be a whole number from 1 to 9007199254740991"],
  [{ startPage: 0 }, "startPage must be a whole number"],
  [{ startPage: NaN }, "startPage must be a whole number"],
  [{ startPage: "1" }, "startPage must be a whole number"],
  [{ maxItems: -1 }, "maxItems must be a whole number"],
  [{ from: 2 }, 'unknown option "from"; valid options: startPage, maxItems, maxPages'],
  [null, "options must be an object such as { startPage, maxItems, maxPages }, not null"],
])("paginate throws an error immediately if its options are %j", (options, problem) => {
  expect(() => paginate(async () => ({ page: 1, results: [] }), options as object)).toThrow(
    new RegExp(`^paginate: ${problem}`),
  );
});

test("paginate throws an error immediately if the first argument is missing or the promise of a called method", () => {
  const expected = "the first argument must be a method that is not called yet, or a function";
  for (const [value, found] of [
    [undefined, "undefined"],
    [Promise.resolve(), "an instance of Promise"],
  ] as const) {
    const page = value as unknown as () => Promise<{ page: number; results: [] }>;
    expect(() => paginate(page)).toThrow(new TypeError(`paginate: ${expected}, not ${found}`));
  }
});

test("paginate calls a method with its arguments and the page number", async () => {
  const page = (number: number) => ({ page: number, results: [{ id: number }], total_pages: 9 });
  const urls: string[] = [];
  const { account, people } = clientOf(
    { url: "https://catalogue.example" },
    {
      fetch: async (url) => {
        urls.push(url.slice("https://catalogue.example".length));
        return Response.json(page(Number(new URL(url).searchParams.get("page"))));
      },
    },
  );
  const query = { language: "de" };
  const lists = [
    paginate(people.popular, { query }, { maxPages: 2 }),
    paginate(people.popular, undefined, { startPage: 8 }),
    paginate(account.ratedMovies, 5, { query }, { maxItems: 1 }),
  ];
  for (const pages of lists) for await (const _ of pages.pages());
  expect(urls).toEqual([
    "/3/person/popular?language=de&page=1",
    "/3/person/popular?language=de&page=2",
    "/3/person/popular?page=8",
    "/3/person/popular?page=9",
    ...Array.from(
      { length: 9 },
      (_, index) => `/3/account/5/rated/movies?language=de&page=${index + 1}`,
    ),
  ]);
  expect(() => paginate(people.popular, {}, { limit: 1 } as object)).toThrow(
    'paginate: unknown option "limit"',
  );
  // Symptom: the iteration started at page 1.
  expect(() => paginate(people.popular, { query: { page: 7 } })).toThrow(
    new TypeError("paginate: use the `startPage` option instead of a `page` parameter"),
  );
});

// Symptom: the service rejected page 501, although `total_pages` was 48213.
test("paginate ends at the maximum page number of a method of the full client", async () => {
  let requests = 0;
  const catalogue = createFullCatalogue({
    baseUrl: "https://catalogue.example",
    token: "any",
    fetch: async (url) => {
      requests += 1;
      const page = Number(new URL(url).searchParams.get("page"));
      return Response.json({ page, results: [{}], total_pages: 48_213 });
    },
  });
  for await (const _ of paginate(catalogue.movies.popular, {}, { startPage: 499 }));
  expect(requests).toBe(2);
});

// Symptom: the errors named an unknown option or query parameter of the method, but not `paginate`.
test.each<[mistake: string, args: (methods: FullCatalogue) => unknown[], usage: string]>([
  [
    "the options of the call are missing",
    ({ movies }) => [movies.popular, { maxItems: 3 }],
    "paginate(movies.popular, { query }, { maxItems })",
  ],
  [
    "a path parameter is missing",
    ({ movies }) => [movies.similar, {}, { maxItems: 2 }],
    "paginate(movies.similar, movie_id, { query }, { maxItems })",
  ],
  [
    "all arguments are missing",
    ({ trending }) => [trending.movies],
    "paginate(trending.movies, time_window, { query }, { maxItems })",
  ],
])("paginate shows how to call it if %s", (_, args, usage) => {
  const methods = createFullCatalogue({ baseUrl: "https://catalogue.example", token: "any" });
  const call = () => (paginate as (...all: unknown[]) => unknown)(...args(methods));
  expect(call).toThrow(new TypeError(`paginate: pass all arguments, as in ${usage}`));
});

test("paginate rejects a method that returns no pages", () => {
  const { movies } = createFullCatalogue({ baseUrl: "https://catalogue.example", token: "any" });
  const call = () => (paginate as (...all: unknown[]) => unknown)(movies.details, 701);
  const advice = "pass the method of a list, such as movies.popular";
  expect(call).toThrow(new TypeError(`paginate: movies.details returns no pages; ${advice}`));
});

describe("a wrapped method", () => {
  /** Wraps a method like React's `cache`. */
  const wrap =
    <Parameters_ extends unknown[], Result>(method: (...all: Parameters_) => Result) =>
    (...all: Parameters_) =>
      method(...all);
  const setUp = async () => clientOf(await list(3)).people;
  const pages = paginate as (...all: unknown[]) => AsyncIterable<unknown>;

  test.each<[name: string, args: unknown[]]>([
    ["call options", [{ query: { language: "de" } }]],
    ["call options and options", [{}, { maxItems: 3 }]],
    ["a path parameter", [401]],
    ["a path parameter that is a word", ["day"]],
    ...["query", "headers", "signal", "timeout", "retries", "fetchOptions"].map(
      (name): [string, unknown[]] => [`the \`${name}\` option`, [{ [name]: undefined }]],
    ),
  ])("throws an error that shows what to write instead, with %s", async (_, args) => {
    const method = (await setUp()).popular;
    const error = new TypeError(`paginate: ${WRAPPED}`);
    expect(() => pages(wrap(method), ...args)).toThrow(error);
    expect(() => pages(method.bind(undefined), ...args)).toThrow(error);
  });

  test.each<[name: string, args: unknown[]]>([
    ["no arguments", []],
    ["options", [{ maxItems: 3 }]],
  ])("throws such an error while iterating, with %s", async (_, args) => {
    const wrapped = wrap((await setUp()).popular);
    const read = async () => {
      for await (const item of pages(wrapped, ...args)) expect(item).toBeUndefined();
    };
    const error = (await rejection(read())) as Error;
    expect(error.message).toMatch(/^people\.popular: options must be an object .*, not a number; /);
    expect(error.message).toContain(FOR_PAGINATE);
  });

  test("can be called by a function", async () => {
    const wrapped = wrap((await setUp()).popular);
    const ids: unknown[] = [];
    for await (const { id } of paginate((page) => wrapped({ query: { page } }))) ids.push(id);
    expect(ids).toEqual([10, 11, 20, 21, 30, 31]);
  });
});

// Symptom: only a list of at most 20 entries could be read, because the entries are in `items` instead of `results`.
test("paginate reads the items of a list from `items`, with a method or with a function", async () => {
  const server = await serve((response, request) => {
    const page = Number(new URL(request.url, "http://a").searchParams.get("page"));
    const items =
      page < 4
        ? [
            { id: page * 10, title: "a" },
            { id: page * 10 + 1, name: "b" },
          ]
        : [];
    json(200, { page, items, total_pages: 3 })(response, request);
  });
  const { lists } = createFullCatalogue({ baseUrl: server.url, token: "any" });
  const ids: number[] = [];
  for await (const { id } of paginate(lists.details, 401, { query: { language: "de" } }))
    ids.push(id);
  const byFunction = paginate((page) => lists.details(401, { query: { page } }), { maxItems: 3 });
  for await (const { id } of byFunction) ids.push(id);
  expect(ids).toEqual([10, 11, 20, 21, 30, 31, 10, 11, 20]);
  expect(server.seen[1]!.url).toBe("/3/list/401?language=de&page=2");
  const broken = await serve(json(200, { page: 1, results: [] }));
  const other = createFullCatalogue({ baseUrl: broken.url, token: "any" });
  const read = async () => {
    for await (const item of paginate(other.lists.details, 401)) expect(item).toBeUndefined();
  };
  const problem =
    "the method does not return a page with a `page` number and a `items` array; pass the method of a list, such as movies.popular";
  expect(await rejection(read())).toMatchObject({ message: `paginate: ${problem}` });
});
