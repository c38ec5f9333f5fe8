import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createCatalogue as createFull } from "../../src/full/index.js";
import type { Catalogue, PathValue } from "../../src/index.js";
import { createClient } from "../../src/client/create-client.js";
import { FOR_PAGINATE } from "../../src/client/paginate.js";
import { serializeQuery } from "../../src/client/url.js";
import { clientOf, empty, json, rejection, serve } from "../support/server.js";

// prettier-ignore
const MEANINGFUL = [
  "..", ".", "/", "\\", "?", "#", "%", "%2e", "%2F", "%00", "&", "=", "+", ";", ":", "@", " ", "\r\n", "\n", "\t",
  "\0", "\u007f", "a", "é", "𝒳", "\u2028", "\ufeff", "[", "]", "{", "}", "$&", "|",
];

/** Generates well-formed text with many characters that are special in URLs. */
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  {
    weight: 5,
    arbitrary: fc
      .array(fc.constantFrom(...MEANINGFUL), { minLength: 1, maxLength: 8 })
      .map((parts) => parts.join("")),
  },
);

const NOT_ID = 'must be a safe integer, or a nonempty string other than "." and ".."; got';
const NOT_VALUE =
  'parameter "a" must be a well-formed string, finite number, boolean, or valid Date, not';

test.each<[id: unknown, problem: string]>([
  [".", `${NOT_ID} "."`],
  ["..", `${NOT_ID} ".."`],
  ["", `${NOT_ID} ""`],
  [null, `${NOT_ID} null`],
  [undefined, "is missing"],
  [{ movie_id: 603 }, `${NOT_ID} an object; pass the value itself`],
  [[603], `${NOT_ID} an array; pass the value itself`],
  [true, `${NOT_ID} a boolean`],
  [NaN, `${NOT_ID} NaN`],
  [1.5, `${NOT_ID} 1.5`],
  [1e21, `${NOT_ID} 1e+21`],
  [2 ** 53, `${NOT_ID} 9007199254740992`],
  ["a\udc00b", `${NOT_ID} "a\\udc00b"`],
])("a method rejects the path parameter %o without sending a request", async (id, problem) => {
  const server = await serve(json(200, {}));
  const { movies, tvEpisodes, http } = clientOf(server);
  const one = `movies.lists: path parameter movie_id ${problem}`;
  expect(await rejection(movies.lists(id as PathValue))).toEqual(new TypeError(one));
  const several = { series_id: 1, season_number: id as PathValue, episode_number: 3 };
  const second = `tvEpisodes.images: path parameter season_number ${problem}`;
  expect(await rejection(tvEpisodes.images(several))).toEqual(new TypeError(second));
  const params = { path: { movie_id: id as PathValue } };
  const third = `GET /3/movie/{movie_id}/lists: path parameter movie_id ${problem}`;
  const call = http.GET("/3/movie/{movie_id}/lists", { params });
  expect(await rejection(call)).toEqual(new TypeError(third));
  expect(server.seen).toHaveLength(0);
});

test.each<[id: PathValue, sent: string]>([
  [-0, "0"],
  [Number.MAX_SAFE_INTEGER, "9007199254740991"],
  ["%2e%2e", "%252e%252e"],
  ["..\\..", "..%5C.."],
  ["a/b", "a%2Fb"],
  ["1\r\nx-admin: 1", "1%0D%0Ax-admin%3A%201"],
  ["$&$1$`", "%24%26%241%24%60"],
])("a method sends the path parameter %o as %j", async (id, sent) => {
  const server = await serve(json(200, {}));
  await clientOf({ url: `${server.url}/api/v1/` }).movies.lists(id);
  expect(server.seen[0]!.url).toBe(`/api/v1/3/movie/${sent}/lists`);
});

test("a method takes several path parameters as an object, and reads each property once", async () => {
  const server = await serve(json(200, {}));
  const { tvEpisodes } = clientOf(server);
  const names = "path parameters";
  for (const [ids, problem] of [
    [
      1,
      `${names} must be an object such as { series_id, season_number, episode_number }, not a number`,
    ],
    [
      [1, 2, 3],
      `${names} must be an object such as { series_id, season_number, episode_number }, not an array`,
    ],
    [
      { series_id: 1, season_number: 2, episode_number: 3, timeout: 5 },
      `unknown path parameter "timeout"; valid ${names}: series_id, season_number, episode_number`,
    ],
  ] as const) {
    const images = tvEpisodes.images as (...ids: unknown[]) => Promise<unknown>;
    const error = new TypeError(`tvEpisodes.images: ${problem}`);
    expect(await rejection(images(ids))).toEqual(error);
    // An app that passes each parameter separately passes the second one in place of the options.
    expect(await rejection(images(ids, 2, 3))).toEqual(error);
  }
  expect(server.seen).toHaveLength(0);
  const values = ["1", ".."];
  const changing = {
    get series_id() {
      return values.shift()!;
    },
  };
  await tvEpisodes.images(Object.assign(changing, { season_number: 2, episode_number: 3 }));
  expect(server.seen[0]!.url).toBe("/3/tv/1/season/2/episode/3/images");
});

test("the service receives every random path parameter as exactly one path segment", async () => {
  const server = await serve(json(200, {}));
  const { tvEpisodes } = clientOf(server, { timeout: 0 });
  const id = fc.oneof(
    { weight: 8, arbitrary: text.filter((value) => !["", ".", ".."].includes(value)) },
    { weight: 1, arbitrary: fc.maxSafeInteger() },
  );
  const calls = fc.sample(fc.tuple(id, id, id), { numRuns: 334, seed: 603 });
  await eachOf(calls, async ([series_id, season_number, episode_number], index) => {
    const headers = { "x-index": `${index}` };
    await tvEpisodes.images({ series_id, season_number, episode_number }, { headers });
  });
  expect(server.seen).toHaveLength(334);
  for (const { url, headers } of server.seen) {
    const match = /^\/3\/tv\/([^/?#]+)\/season\/([^/?#]+)\/episode\/([^/?#]+)\/images$/.exec(url);
    const sent = match?.slice(1).map(decodeURIComponent);
    expect(sent, url).toEqual(calls[Number(headers["x-index"])]!.map(String));
  }
});

test.each<[query: object | null | undefined, sent: string]>([
  [undefined, ""],
  [null, ""],
  [{ a: null, b: undefined, c: [], d: [null, undefined] }, ""],
  [{ language: "en-US", page: 2 }, "?language=en-US&page=2"],
  [{ a: true, b: false, c: 0, d: -0, e: 1e21 }, "?a=true&b=false&c=0&d=0&e=1e%2B21"],
  [{ a: [1, null, "x y", true] }, "?a=1&a=x%20y&a=true"],
  [{ "?a=1#": "&b='2'" }, "?%3Fa%3D1%23=%26b%3D%272%27"],
  [{ a: "", "": "b" }, "?a=&=b"],
  [
    { since: new Date("2026-03-01T23:59:59Z"), until: [new Date(0)] },
    "?since=2026-03-01&until=1970-01-01",
  ],
  [{ since: { toISOString: () => "+012026-01-01T00:00:00.000Z" } }, "?since=%2B012026-01-01"],
  [JSON.parse('{"__proto__":["a","b"],"constructor":1}'), "?__proto__=a&__proto__=b&constructor=1"],
  [Object.assign(Object.create(null), { a: 1 }), "?a=1"],
])("a method sends the query %o as %j", async (query, sent) => {
  const server = await serve(json(200, {}));
  await clientOf(server).movies.latest({ query });
  expect(server.seen[0]!.url).toBe(`/3/movie/latest${sent}`);
});

class Filter {
  page = 1;
}

test.each<[query: unknown, problem: string]>([
  [{ a: { language: "en" } }, `${NOT_VALUE} an object`],
  [{ a: Object.create(null) }, `${NOT_VALUE} an object`],
  [{ a: [["b"]] }, `${NOT_VALUE} an array`],
  [{ a: new Date(NaN) }, `${NOT_VALUE} an instance of Date`],
  [{ a: { toISOString: () => null } }, `${NOT_VALUE} an object`],
  [{ a: Symbol("b") }, `${NOT_VALUE} a symbol`],
  [{ a: 1n }, `${NOT_VALUE} a bigint`],
  [{ a: [1, -Infinity] }, `${NOT_VALUE} -Infinity`],
  [{ a: "\ud800" }, `${NOT_VALUE} a string`],
  [{ "\udc00": "a" }, `${NOT_VALUE.replace('"a"', '"\\udc00"')} a string`],
  [new URLSearchParams("a=1"), "must be a plain object, not an instance of URLSearchParams"],
  [new Filter(), "must be a plain object, not an instance of Filter"],
  [["a"], "must be a plain object, not an array"],
  ["a=1", "must be a plain object, not a string"],
])("a method rejects the query %o without sending a request", async (query, problem) => {
  const server = await serve(json(200, {}));
  for (const client of [clientOf(server), clientOf(server, { query: { language: "de" } })]) {
    const error = await rejection(client.movies.latest({ query: query as object }));
    expect(error).toEqual(new TypeError(`movies.latest: query ${problem}`));
  }
  expect(server.seen).toHaveLength(0);
});

test("the service receives random query parameters with unchanged names and values", async () => {
  const server = await serve(json(200, {}));
  const { movies } = clientOf(server, { timeout: 0 });
  const value = fc.oneof(
    { weight: 6, arbitrary: text },
    { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: fc.date({ noInvalidDate: true }) },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
  );
  const pair = fc.tuple(text, fc.oneof(value, fc.array(value, { maxLength: 4 })));
  const pairs = fc.sample(fc.tuple(pair, pair, pair, pair, pair), { numRuns: 200, seed: 7 });
  await eachOf(pairs, async (five, index) => {
    await movies.latest({ query: Object.fromEntries(five), headers: { "x-index": `${index}` } });
  });
  expect(server.seen).toHaveLength(200);
  for (const { url, headers } of server.seen) {
    const given = Object.fromEntries(pairs[Number(headers["x-index"])]!);
    const expected = Object.entries(given).flatMap(([name, values]) =>
      [values]
        .flat()
        .filter((each) => each !== null && each !== undefined)
        .map((each) => [
          name,
          each instanceof Date ? each.toISOString().split("T")[0] : String(each),
        ]),
    );
    const { pathname, searchParams, hash } = new URL(url, server.url);
    expect([pathname, hash, [...searchParams]]).toEqual(["/3/movie/latest", "", expected]);
  }
});

const INSTEAD = "cannot be a fetch option; use another option or http.use";
const IN_QUERY = "query parameters belong in `query`";
const VALID = `valid options: query, headers, signal, timeout, retries, fetchOptions; ${IN_QUERY}`;
const HEADER = "header must be Latin-1 text without line breaks";
const NO_SIGNAL = "signal must be an AbortSignal, not an object";
const TIMEOUT = "timeout must be a whole number from 0 to 2147483647, or Infinity";

test.each<[options: unknown, problem: string]>([
  [
    1,
    `options must be an object such as { query, headers, signal }, not a number; ${IN_QUERY}; ${FOR_PAGINATE}`,
  ],
  ["1", `options must be an object such as { query, headers, signal }, not a string; ${IN_QUERY}`],
  [[], `options must be an object such as { query, headers, signal }, not an array; ${IN_QUERY}`],
  [AbortSignal.abort(), `unknown option "aborted"; ${VALID}`],
  [new Headers(), `unknown option "append"; ${VALID}`],
  [{ page: 2 }, `unknown option "page"; ${VALID}`],
  [{ body: {} }, `unknown option "body"; ${VALID}`],
  [{ timeout: -1 }, `${TIMEOUT}, not -1`],
  [{ timeout: null }, `${TIMEOUT}, not null`],
  [{ retries: 11 }, "retries must be a whole number from 0 to 10, not 11"],
  [{ retries: "2" }, "retries must be a whole number from 0 to 10, not a string"],
  [{ headers: "a" }, "headers must be an object, not a string"],
  [{ headers: 0 }, "headers must be an object, not a number"],
  [{ headers: ["ab"] }, `the value of the "ab" ${HEADER}`],
  [{ headers: { "x-a": "1\ncanary" } }, `the value of the "x-a" ${HEADER}`],
  [{ headers: { "x-a": { canary: 1 } } }, `the value of the "x-a" ${HEADER}`],
  [{ headers: { "x\na": "1" } }, '"x\\na" is not a valid header name'],
  [
    { headers: { AUTHORIZATION: "Bearer canary" } },
    'the client sets the "AUTHORIZATION" header; use the `token` option instead',
  ],
  [
    { signal: new AbortController() },
    "signal must be an AbortSignal, not an instance of AbortController",
  ],
  [{ signal: new EventTarget() }, "signal must be an AbortSignal, not an instance of EventTarget"],
  [{ signal: 0 }, "signal must be an AbortSignal, not 0"],
  [{ signal: false }, "signal must be an AbortSignal, not a boolean"],
  [{ signal: { aborted: false, addEventListener() {} } }, NO_SIGNAL],
  [{ signal: { aborted: false, removeEventListener() {} } }, NO_SIGNAL],
  [{ fetchOptions: 1 }, "fetchOptions must be an object, not 1"],
  ...["redirect", "fetch", "Request", "middleware", "pathSerializer", "params", "signal"].map(
    (name): [object, string] => [{ fetchOptions: { [name]: {} } }, `"${name}" ${INSTEAD}`],
  ),
])("a method rejects the call options %o without sending a request", async (options, problem) => {
  const server = await serve(json(200, {}));
  const error = await rejection(clientOf(server).movies.latest(options as object));
  expect(error).toEqual(new TypeError(`movies.latest: ${problem}`));
  expect(server.seen).toHaveLength(0);
});

// Symptom: `[701, 702].map(movies.details)` was told what `paginate` needs.
test("a method without pages does not mention `paginate` if an index is passed as its options", async () => {
  const { movies } = createFull({ baseUrl: "https://catalogue.example", token: "t" });
  const details = movies.details as (...all: unknown[]) => Promise<unknown>;
  for (const call of [701, 702].map(details)) {
    const problem = "options must be an object such as { query, headers, signal }, not a number";
    expect(await rejection(call)).toEqual(new TypeError(`movies.details: ${problem}; ${IN_QUERY}`));
  }
});

test("a method rejects an argument after the options", async () => {
  const server = await serve(json(200, {}));
  const { movies } = clientOf(server);
  const calls = [movies.latest, movies.lists] as ((...all: unknown[]) => Promise<unknown>)[];
  for (const [call, args] of [
    [calls[0], [{}, { timeout: 5 }]],
    [calls[1], [1, {}, { timeout: 5 }]],
  ] as const) {
    const error = await rejection(call!(...args));
    expect(String(error)).toMatch(/^TypeError: movies\.\w+: no argument can follow the options$/);
  }
  expect(server.seen).toHaveLength(0);
});

test("a call ignores options that are undefined, and a signal that is null", async () => {
  const server = await serve(json(302, {}, { location: "/elsewhere" }));
  const absent = { body: undefined, page: undefined, redirect: undefined, method: undefined };
  const options = { query: undefined, signal: null, timeout: undefined, retries: undefined };
  const headers = { "x-a": undefined, "x-b": null as never };
  const { movies, http } = clientOf(server, { retry: undefined } as object);
  for (const call of [
    () => movies.latest({ ...options, ...absent, headers }),
    () => movies.latest(absent as object),
  ]) {
    expect(await rejection(call())).toMatchObject({ status: 302 });
  }
  const { response } = await http.GET("/3/movie/latest", { ...absent, headers } as never);
  expect(response.status).toBe(302);
  expect(server.seen.map(({ url }) => url)).toEqual(Array(3).fill("/3/movie/latest"));
  for (const seen of server.seen) expect(Object.keys(seen.headers).join()).not.toContain("x-");
});

test("a call's headers override the client's headers, which override the default headers", async () => {
  const server = await serve(json(200, {}));
  const headers = new Headers({ "x-a": "client", "x-b": "client", Accept: "text/json" });
  const catalogue = clientOf(server, { headers });
  headers.set("x-a", "changed later");
  const similar = { "x-authorization": "1", "authorization-x": "2" };
  await catalogue.movies.latest({ headers: { "X-B": "call", ...similar } });
  const expected = { "x-a": "client", "x-b": "call", accept: "text/json", ...similar };
  expect(server.seen[0]!.headers).toMatchObject(expected);
});

test("`fetch` receives header values without the whitespace around them", async () => {
  let given: RequestInit | undefined;
  const fetch = async (_: string, init?: RequestInit) => {
    given = init;
    return Response.json({});
  };
  const headers = { "x-a": " \t a \t b \r\n", "x-b": "" };
  await clientOf({ url: "https://catalogue.example" }, { fetch }).movies.latest({ headers });
  expect(given?.headers).toMatchObject({ "x-a": "a \t b", "x-b": "" });
});

test("a call sends the client's query parameters, except those that the call overrides", async () => {
  const server = await serve(json(200, {}));
  const query = { language: "de", region: "DE" };
  const { movies, http } = clientOf(server, { query });
  query.language = "changed later";
  await movies.latest();
  await movies.latest({ query: { language: "fr", region: undefined, page: 1 } });
  await http.GET("/3/movie/latest", { params: { query: { region: "FR" } } });
  await movies.latest({ query: null });
  expect(server.seen.map(({ url }) => url.split("?")[1])).toEqual([
    "language=de&region=DE",
    "language=fr&page=1",
    "language=de&region=FR",
    "language=de&region=DE",
  ]);
});

test("a method rejects a missing request body without sending a request", async () => {
  const server = await serve(json(200, {}));
  const { convertV4Session } = clientOf(server).authentication;
  const required = new TypeError("authentication.convertV4Session: the `body` option is required");
  const call = convertV4Session as unknown as () => Promise<unknown>;
  expect(await rejection(call())).toEqual(required);
  expect(await rejection(convertV4Session({ body: null as never }))).toEqual(required);
  expect(await rejection(convertV4Session({ body: undefined as never }))).toEqual(required);
  expect(server.seen).toHaveLength(0);
});

test("a method resolves to undefined without validation if no body is documented for the status", async () => {
  const server = await serve(empty(204), json(201, "Copied"));
  const validated: unknown[] = [];
  const validate = (...all: unknown[]) => void validated.push(all);
  const { lists } = createClient<{ lists: Record<"clear" | "copy", () => Promise<unknown>> }>(
    {
      "lists.clear": { method: "DELETE", path: "/3/a", emptyStatuses: [204] },
      "lists.copy": { method: "POST", path: "/3/b", body: "optional", emptyStatuses: [201] },
    },
    { baseUrl: server.url, token: "any", validate },
  );
  expect([await lists.clear(), await lists.copy()]).toEqual([undefined, undefined]);
  expect(server.seen.map(({ method, body }) => method + body)).toEqual(["DELETE", "POST"]);
  expect(validated).toEqual([]);
});

test("a method sends its documented media type, unless the call or the client sets the header", async () => {
  const type = "application/merge-patch+json";
  const server = await serve(...Array.from({ length: 4 }, () => empty(204)));
  const clientWith = (headers: Record<string, string>) =>
    createClient<{ lists: { change: (options: object) => Promise<unknown> } }>(
      {
        "lists.change": {
          method: "PATCH",
          path: "/3/a",
          body: "optional",
          emptyStatuses: [204],
          mediaType: type,
        },
      },
      { baseUrl: server.url, token: "any", headers },
    ).lists;
  await clientWith({}).change({ body: { a: null } });
  await clientWith({}).change({ body: {}, headers: { "Content-Type": "application/json" } });
  await clientWith({ "content-type": "text/json" }).change({ body: {} });
  await clientWith({}).change({});
  const types = server.seen.map(({ headers }) => headers["content-type"]);
  expect(types).toEqual([type, "application/json", "text/json", undefined]);
  expect(server.seen[0]!.body).toBe('{"a":null}');
});

test("a method resolves to a falsy JSON value, and validates the value", async () => {
  const bodies = [null, false, 0, ""];
  const validated: unknown[] = [];
  const validate = (_: string, body: unknown) => void validated.push(body);
  const server = await serve(...bodies.map((each) => json(200, JSON.stringify(each))));
  const { movies } = clientOf(server, { validate });
  for (const body of bodies) expect(await movies.latest()).toBe(body);
  expect(validated).toEqual(bodies);
});

test("serializeQuery separates the items of an array with commas if the parameter is a list", () => {
  const query = { ab: [1, 2], a: [3, null, 4], b: [5, 6] };
  expect(serializeQuery("movies.latest", query, ["ab", "a"])).toBe("ab=1,2&a=3,null,4&b=5&b=6");
});

const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;

test.each<[name: string, type: string, body: unknown]>([
  ["a function", "a function", () => "canary"],
  ["a cyclic object", "an object", cycle],
  ["an object with a bigint", "an object", { access_token: 1n }],
  ["a Blob", "an instance of Blob", new Blob(["canary"])],
  ["a ReadableStream", "an instance of ReadableStream", new ReadableStream()],
  ["a URLSearchParams", "an instance of URLSearchParams", new URLSearchParams("a=canary")],
  ["a Map", "an instance of Map", new Map([["a", "canary"]])],
  ["a Uint8Array", "an instance of Uint8Array", new Uint8Array(1)],
])(
  "a call rejects %s as its body, because JSON cannot represent the value",
  async (_, type, body) => {
    const server = await serve(json(200, {}));
    const { authentication, http } = clientOf(server);
    const problem = `body must be a value that JSON can represent, not ${type}`;
    const call = authentication.convertV4Session({ body: body as never });
    const path = "/3/authentication/session/convert/4";
    expect(await rejection(call)).toEqual(
      new TypeError(`authentication.convertV4Session: ${problem}`),
    );
    expect(await rejection(http.POST(path, { body: body as never }))).toEqual(
      new TypeError(`POST ${path}: ${problem}`),
    );
    expect(server.seen).toHaveLength(0);
  },
);

const NOT_PATH =
  "the path must start with / and have no dot segments, backslashes, or line breaks; pass a query in `params.query`";

test.each([
  "/3/movie/../keywords",
  "/3/movie/%2e%2E",
  "/3/./x",
  "/3\\..\\x",
  "/3/.\t./x",
  "/3/a\nb",
  "/3/a\rb",
  "//../x",
])(
  "a call through http rejects the path %j, because URL parsers would change the path",
  async (path) => {
    const server = await serve(json(200, {}));
    const error = await rejection(clientOf(server).http.GET(path as "/3/movie/latest"));
    expect(error).toEqual(new TypeError(`GET ${path}: ${NOT_PATH}`));
    expect(server.seen).toHaveLength(0);
  },
);

test.each<[call: (http: Catalogue["http"]) => Promise<unknown>, message: string]>([
  [
    (http) => http.GET("/3/movie/latest", { body: {} } as never),
    "GET /3/movie/latest: a GET request cannot have a body",
  ],
  [
    (http) => http.request("head" as never, "/3/movie/latest" as never, { body: {} } as never),
    "HEAD /3/movie/latest: a HEAD request cannot have a body",
  ],
  [(http) => http.GET("https://canary.example" as never), `GET: ${NOT_PATH}`],
  [
    (http) => http.GET("/3/movie/latest", { baseUrl: "http://me:canary@a.example" }),
    `GET /3/movie/latest: "baseUrl" ${INSTEAD}`,
  ],
  [
    (http) => http.GET("/3/movie/latest", { middleware: [{ onRequest: () => {} }] }),
    `GET /3/movie/latest: "middleware" ${INSTEAD}`,
  ],
  [
    (http) => http.GET("/3/movie/latest", { redirect: "follow" }),
    `GET /3/movie/latest: "redirect" ${INSTEAD}`,
  ],
  [
    (http) => http.GET("/3/movie/latest", { parseAs: "formData" as never }),
    "GET /3/movie/latest: parseAs must be one of json, text, blob, arrayBuffer, stream",
  ],
  [
    (http) => http.GET("/3/movie/latest", { params: { path: { movie_id: 603 } as never } }),
    'GET /3/movie/latest: unknown path parameter "movie_id"; valid path parameters: none',
  ],
  [
    (http) => http.GET("/3/movie/latest", { params: { path: 603 as never } }),
    "GET /3/movie/latest: path parameters must be an object such as { name }, not a number",
  ],
  [
    (http) => http.GET("/3/movie/{movie_id}/lists", { params: { path: 603 as never } }),
    "GET /3/movie/{movie_id}/lists: path parameters must be an object such as { movie_id }, not a number",
  ],
  [
    (http) => http.GET("/3/movie/latest", 5 as never),
    "GET /3/movie/latest: options must be an object, not a number",
  ],
  [
    (http) => http.GET("/3/movie/latest", [] as never),
    "GET /3/movie/latest: options must be an object, not an array",
  ],
  [
    (http) => http.GET("/3/movie/latest", { params: null } as never),
    "GET /3/movie/latest: params must be an object such as { path, query, header }, not null",
  ],
  [
    (http) => http.GET("/3/movie/latest", { params: { qurey: {} } } as never),
    'GET /3/movie/latest: unknown param "qurey"; valid params: path, query, header',
  ],
  [
    (http) => http.GET("/3/movie/latest", { params: { header: 0 as never } }),
    "GET /3/movie/latest: headers must be an object, not a number",
  ],
  [
    (http) => http.GET("/3/movie/latest", { headers: { "x-a": "canary\nb" } }),
    `GET /3/movie/latest: the value of the "x-a" ${HEADER}`,
  ],
  [
    (http) => http.GET("/3/movie/latest?api_key=canary" as "/3/movie/latest"),
    `GET /3/movie/latest: ${NOT_PATH}`,
  ],
  [
    (http) => http.GET("/3/movie/latest#canary" as "/3/movie/latest"),
    `GET /3/movie/latest: ${NOT_PATH}`,
  ],
  [
    (http) => http.GET("/3/movie/latest", { query: { page: 2 } } as never),
    `GET /3/movie/latest: "query" ${INSTEAD}`,
  ],
])(
  "a call through http rejects invalid arguments without quoting a header or URL (row %#)",
  async (call, message) => {
    const server = await serve(json(200, {}));
    expect(await rejection(call(clientOf(server).http))).toEqual(new TypeError(message));
    expect(server.seen).toHaveLength(0);
  },
);

/** Runs a function for every item, with at most `atOnce` runs at the same time. */
async function eachOf<Item>(
  items: readonly Item[],
  run: (item: Item, index: number) => Promise<void>,
  atOnce = 50,
): Promise<void> {
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) await run(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
