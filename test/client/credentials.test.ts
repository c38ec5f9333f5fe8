import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Agent, fetch as undiciFetch } from "undici";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  createCatalogue as createFull,
  type CatalogueOptions as FullOptions,
} from "../../src/full/index.js";
import {
  createCatalogue,
  type ApiError,
  type CatalogueOptions,
  type TokenProvider,
} from "../../src/index.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { expectNoSecret, tracesOf } from "../support/canary.js";
import {
  clientOf,
  json,
  rejection,
  reset,
  serve,
  skipPauses,
  stall,
  TOKEN,
} from "../support/server.js";
import type { LocalServer, Responder } from "../support/server.js";

const KEY = "0123456789abcdef0123456789abcdef";
const baseUrl = "https://catalogue.example";

const keyClient = (server: { url: string }, options: Partial<FullOptions> = {}) =>
  createFull({
    ...{ baseUrl: server.url, apiKey: KEY, timeout: 20_000 },
    ...options,
  } as FullOptions);

describe("exactly one of `token` and `apiKey`", () => {
  const create = (options: object) => () => createFull({ baseUrl, ...options } as FullOptions);
  const NO_TOKEN = "token must be a string, or a function that returns one, or false, not";

  test.each<[options: object, problem: string]>([
    [{}, `${NO_TOKEN} undefined; is the environment variable set?`],
    [
      { apiKey: undefined },
      "apiKey must be a string or a function that returns one, not undefined; is the environment variable set?",
    ],
    [{ apiKey: `${KEY}\r\n` }, "apiKey starts or ends with a line break; call its trim()"],
    // `localStorage.getItem` returns null if there is no token.
    [{ token: null }, `${NO_TOKEN} null`],
    [{ token: true }, `${NO_TOKEN} a boolean`],
    [{ token: "t", apiKey: KEY }, "pass either `token` or `apiKey`, not both"],
    [{ token: false, apiKey: KEY }, "pass either `token` or `apiKey`, not both"],
    [{ apiKey: null }, "apiKey must be a string or a function that returns one, not null"],
    [{ apiKey: "" }, "apiKey is empty; is the environment variable set?"],
    [{ apiKey: `Bearer ${KEY}` }, 'apiKey must not contain spaces; leave out "Bearer"'],
  ])("createCatalogue rejects the credentials %o", (options, problem) => {
    expect(create(options)).toThrow(new TypeError(`createCatalogue: ${problem}`));
  });

  test("createCatalogue accepts a token next to an API key that is undefined", async () => {
    const server = await serve(json(200, {}));
    await create({ baseUrl: server.url, token: TOKEN, apiKey: undefined })().movies.popular();
    expect(server.seen).toMatchObject([{ headers: { authorization: `Bearer ${TOKEN}` } }]);
  });

  test("the client of the specification takes no API key", () => {
    const options = { baseUrl, apiKey: KEY } as unknown as CatalogueOptions;
    expect(() => createCatalogue(options)).toThrow(
      /unknown option "apiKey".*; `media-catalogue\/full` takes an `apiKey`$/,
    );
    expect(() => createCatalogue({ ...options, apiKey: undefined } as never)).toThrow(
      /: token must/,
    );
  });
});

test("a client with `token: false` sends no credentials", async () => {
  const server = await serve(json(401, { status_code: 7 }));
  const error = await rejection(clientOf(server, { token: false }).movies.latest());
  expect(error).toMatchObject({ status: 401 });
  expect(server.seen).toHaveLength(1);
  expect(server.seen[0]!.headers).not.toHaveProperty("authorization");
});

describe("an API key", () => {
  test("is sent as a query parameter instead of a token, and only to the origin of `baseUrl`", async () => {
    const [server, other] = [await serve(json(200, {})), await serve(json(200, {}))];
    const { http, movies } = keyClient(server, { query: { language: "de" } });
    await movies.popular();
    await movies.externalIds(603);
    await http.POST("/3/movie/{movie_id}/rating", {
      params: { path: { movie_id: 1 } },
      body: { value: 8 },
    });
    http.use({
      onRequest: ({ request }) => new Request(request.url.replace(server.url, other.url)),
    });
    await movies.popular();
    expect(server.seen.map(({ url }) => url)).toEqual([
      `/3/movie/popular?language=de&api_key=${KEY}`,
      `/3/movie/603/external_ids?api_key=${KEY}`,
      `/3/movie/1/rating?api_key=${KEY}`,
    ]);
    expect(other.seen.map(({ url }) => url)).toEqual(["/3/movie/popular?language=de"]);
    for (const { headers } of [...server.seen, ...other.seen])
      expect(headers).not.toHaveProperty("authorization");
  });

  test("comes before a fragment that middleware adds, and is percent-encoded", async () => {
    const server = await serve(json(200, {}));
    const { http, movies } = keyClient(server, { apiKey: "a&b#c=d/e" } as Partial<FullOptions>);
    http.use({ onRequest: ({ request }) => new Request(`${request.url}#fragment`) });
    await movies.popular();
    expect(server.seen[0]!.url).toBe("/3/movie/popular?api_key=a%26b%23c%3Dd%2Fe");
  });

  test.each(["with", "without"])(
    "is not visible in a response, to `validate`, or to middleware, %s middleware",
    async (mode) => {
      const location = `/moved?api_key=${KEY}`;
      const server = await serve(
        json(200, {}, { "x-url": location, "x-a": "1" }),
        json(302, "", { location }),
      );
      const seen: unknown[] = [];
      const look = (...all: unknown[]) => void seen.push(...all);
      const { http, movies } = keyClient(server, { validate: look });
      if (mode === "with")
        http.use({
          onRequest: ({ request }) => look(request, request.url),
          onResponse: ({ request, response }) => look(request, response, response.clone()),
        });
      const { response } = await movies.popular.withResponse({ query: { language: "de" } });
      expect(response.url).toBe(`${server.url}/3/movie/popular?language=de&api_key=[redacted]`);
      expect(response.headers.get("x-url")).toBe("/moved?api_key=[redacted]");
      expect(response.headers.get("x-a")).toBe("1");
      const moved = await http.GET("/3/movie/latest");
      expect(moved.response.headers.get("location")).toBe("/moved?api_key=[redacted]");
      expect(seen.length).toBeGreaterThan(1);
      for (const each of [...seen, response, moved.response]) {
        const { url, headers } = Object(each) as Response;
        expect(inspect([each, url, [...(headers ?? [])]], { depth: 9 })).not.toContain(KEY);
      }
    },
  );

  // Symptom: Express's "Found. Redirecting to https://…?api_key=…" showed the key to middleware and `http`.
  test.each<[name: string, status: number, credentials: object]>([
    ["API key, in a redirect", 302, { apiKey: KEY }],
    ["API key, in a 404 response", 404, { apiKey: KEY }],
    ["token, in a redirect", 302, { token: KEY }],
    ["token, in a 404 response", 404, { token: KEY }],
  ])(
    "and a token are not visible in the text of a non-2xx response: %s",
    async (_, status, own) => {
      const server = await serve((response, { url, headers }) => {
        const echoed = `${url} ${headers.authorization}`;
        response.writeHead(status, { "x-sent": echoed }).end(`Redirecting to ${echoed}`);
      });
      for (const mode of ["without", "with"]) {
        const seen: unknown[] = [];
        const { http } = createFull({ baseUrl: server.url, ...own } as FullOptions);
        if (mode === "with")
          http.use({
            onResponse: async ({ response }) => {
              const text = await response.clone().text();
              expect(text).toMatch(/^Redirecting to .*\[redacted\]/);
              seen.push(text, [...response.headers], await new Response(response.body).text());
            },
          });
        for (const parseAs of ["json", "blob", "stream"] as const) {
          const { error, response } = await http.GET("/3/movie/latest", { parseAs });
          expect(error).toMatch(/^Redirecting to .*\[redacted\]/);
          seen.push(error, [...response.headers]);
        }
        expect(JSON.stringify(seen)).not.toContain(KEY);
      }
    },
  );

  // Symptom: after a refresh, a 403 response showed the token before it to middleware and `http`.
  test("and all tokens of a call are not visible in the text of a non-2xx response", async () => {
    const tokens = ["old-secret-111111", "new-secret-222222"];
    let status = 401;
    const server = await serve((response, request) => {
      const text = { status_message: status === 401 ? "no" : tokens.join() };
      json(status, text, { "x-sent": tokens.join() })(response, request);
      status = 403;
    });
    const token: TokenProvider = (previous) => tokens[previous ? 1 : 0]!;
    const { http } = createFull({ baseUrl: server.url, token });
    const { error, response } = await http.GET("/3/movie/latest");
    expect(error).toEqual({ status_message: "[redacted],[redacted]" });
    expect(response.headers.get("x-sent")).toBe("[redacted],[redacted]");
  });

  test("and a token stay in the body of a 2xx response, which is not searched", async () => {
    const server = await serve((response, { url, headers }) =>
      json(200, { sent: url, by: headers.authorization })(response, undefined as never),
    );
    const [key, token] = [keyClient(server), keyClient(server, { apiKey: undefined, token: KEY })];
    expect(await key.movies.popular()).toEqual({ sent: `/3/movie/popular?api_key=${KEY}` });
    expect(await token.movies.latest()).toEqual({ sent: "/3/movie/latest", by: `Bearer ${KEY}` });
  });

  // Symptom: a call with an API key took twice the CPU time of a call with a token.
  test("is only searched for in a response that somebody sees", async () => {
    let searches = 0;
    const fetch: FullOptions["fetch"] = async (url) => {
      const response = Response.json({}, { headers: { "x-url": url } });
      const entries = () => ((searches += 1), response.headers.entries());
      Object.defineProperty(response.headers, Symbol.iterator, { value: entries });
      return response;
    };
    const seen: unknown[] = [];
    const look = (response: Response) => void seen.push(response.headers.get("x-url"));
    const create = (options: Partial<FullOptions> = {}) =>
      keyClient({ url: baseUrl }, { fetch, ...options });
    await create().movies.popular();
    expect(searches).toBe(0);
    const withMiddleware = create();
    withMiddleware.http.use({ onResponse: ({ response }) => look(response) });
    await withMiddleware.movies.popular();
    await create({ validate: (_, __, response) => look(response) }).movies.popular();
    await create({
      interceptors: [
        async (_, next) => {
          const result = await next();
          look(result.response!);
          return result;
        },
      ],
    }).movies.popular();
    look((await create().movies.popular.withResponse()).response);
    look((await create().http.GET("/3/movie/popular")).response);
    expect(searches).toBe(5);
    expect(seen).toEqual(Array(5).fill(`${baseUrl}/3/movie/popular?api_key=[redacted]`));
  });

  // Symptom: a TypeError said that the body was disturbed or locked.
  test("is not visible in the response of a stream that middleware has cloned", async () => {
    const { http } = keyClient(await serve(json(200, { id: 1 })));
    http.use({ onResponse: async ({ response }) => void (await response.clone().text()) });
    const { data, response } = await http.GET("/3/movie/latest", { parseAs: "stream" });
    expect(await new Response(data).json()).toEqual({ id: 1 });
    expect(response.url).toMatch(/\?api_key=\[redacted\]$/);
  });

  // Symptom: `response.url` and the `link` header were decoded as a whole, so "Mork & Mindy" became two parameters, and
  // a header with Japanese text was missing.
  test.each<[name: string, write: (key: string) => string]>([
    ["as the client sends it", encodeURIComponent],
    ["as in a form", (key) => String(new URLSearchParams({ "": key })).slice(1)],
    ["in lowercase", (key) => encodeURIComponent(key).replace(/%../g, (it) => it.toLowerCase())],
    ["twice", (key) => encodeURIComponent(encodeURIComponent(key))],
    ["except for delimiters", (key) => key.replace("+", "%2B")],
    ["not at all", (key) => key],
  ])(
    "is replaced in a URL without a change of its other parts, if encoded: %s",
    async (_, write) => {
      const apiKey = "abc/def+g'hi==";
      const fetch: FullOptions["fetch"] = async (sent) => {
        const url = sent.replace(/(?<=api_key=).*/, write(apiKey));
        const body = { page: 1, results: [], total_pages: 1, total_results: 0 };
        const response = Response.json(body, { headers: { link: `<${url}&page=2>; rel="next"` } });
        return Object.defineProperty(response, "url", { value: url });
      };
      const { search } = keyClient({ url: baseUrl }, { apiKey, fetch } as Partial<FullOptions>);
      for (const query of ["Mork & Mindy", "日本", "50% #1?"]) {
        const { response } = await search.movies.withResponse({ query: { query } });
        const { href } = new URL(`${baseUrl}/3/search/movie?query=${encodeURIComponent(query)}`);
        expect(response.url).toBe(`${href}&api_key=[redacted]`);
        const next = `<${href}&api_key=[redacted]&page=2>; rel="next"`;
        expect(response.headers.get("link")).toBe(next);
      }
    },
  );

  test.each([200, 404])(
    "is replaced in a header with status %i that must be decoded, whose other characters stay sendable",
    async (status) => {
      const apiKey = "abc/def+ghi==";
      const headers = {
        "x-a": `${encodeURIComponent("日本\n")}-\\ud800-${encodeURIComponent(apiKey)}`,
      };
      const fetch = async () => Response.json({}, { status, headers });
      const { movies } = keyClient({ url: baseUrl }, { apiKey, fetch } as Partial<FullOptions>);
      const shown = await movies.popular
        .withResponse()
        .then(({ response }) => response)
        .catch((error: unknown) => error as ApiError);
      expect(shown.headers.get("x-a")).toBe("%E6%97%A5%E6%9C%AC%0A-?-[redacted]");
    },
  );

  test("is not visible in headers that can only be read by name", async () => {
    const fetch: FullOptions["fetch"] = async (url) => ({
      ...{ ok: true, status: 200, text: async () => "{}" },
      // A mock can return undefined for a header that is missing.
      headers: { get: (name) => ({ "x-echo": url, etag: null })[name] as string | null },
    });
    const { movies } = keyClient({ url: baseUrl }, { fetch });
    const { response } = await movies.popular.withResponse();
    expect(response.headers.get("x-echo")).toBe(`${baseUrl}/3/movie/popular?api_key=[redacted]`);
    expect(response.headers.get("etag")).toBeNull();
    const names = ["x-echo", "etag", "x-none"];
    expect(names.map((name) => response.headers.has(name))).toEqual([true, false, false]);
  });

  test("is not visible in the URL of a response that cannot be changed, because its `fetch` set another URL", async () => {
    for (const freeze of [(each: Response) => each, (each: Response) => Object.freeze(each)]) {
      const respond = (url: string) =>
        freeze(Object.defineProperty(Response.json({}), "url", { value: url, configurable: true }));
      const fetch: FullOptions["fetch"] = async (url) => respond(`${url}&extra=1`);
      const { movies } = keyClient({ url: baseUrl }, { fetch });
      const { data, response } = await movies.popular.withResponse();
      expect(response.url).toBe(`${baseUrl}/3/movie/popular?api_key=[redacted]&extra=1`);
      expect(data).toEqual({});
    }
  });

  test.each<[name: string, respond: Responder]>([
    ["an error response", (response, { url }) => response.writeHead(404).end(`no ${url}`)],
    ["a page", (response, { url }) => response.end(`<p>${url}`)],
    ["a header", (response, { url }) => response.writeHead(404, { "x-url": url }).end()],
    ["a lost connection", reset],
  ])("is not visible in an error: %s", async (_, respond) => {
    const error = await rejection(keyClient(await serve(respond), { retries: 0 }).movies.popular());
    expect(error).toMatchObject({ operation: "movies.popular" });
    expectNoSecret(error, KEY);
  });

  test("works with the sandbox, like a token", async () => {
    const { movies } = keyClient({ url: baseUrl }, { fetch: createSandbox().fetch });
    expect(await movies.details(701)).toMatchObject({ title: "Night Ferry" });
    expect((await movies.popular({ query: { page: 9 } })).results).toEqual([]);
    const nobody = createFull({ baseUrl, token: false, fetch: createSandbox().fetch });
    expect(await rejection(nobody.movies.details(701))).toMatchObject({ status: 401 });
  });
});

test.each([
  [
    "a token that looks like an API key",
    { token: KEY },
    401,
    /which media-catalogue\/full takes as `apiKey`$/,
  ],
  [
    "an API key that looks like a token",
    { apiKey: "eyJhbGci.eyJi.c" },
    401,
    /pass it as `token` instead$/,
  ],
  ["an API key", { apiKey: KEY }, 401, /401 no$/],
  ["an API key that contains a token", { apiKey: "key-eyJh.eyJi.c" }, 401, /401 no$/],
  ["a token", { token: "eyJh.eyJi.c" }, 401, /401 no$/],
  ["a token that looks like an API key, with status 403", { token: KEY }, 403, /403 no$/],
])("a 401 error gives a hint for %s", async (_, credentials, status, message) => {
  const fetch = async () => Response.json({ status_message: "no" }, { status });
  const { movies } = createFull({ baseUrl, fetch, ...credentials } as FullOptions);
  expect(((await rejection(movies.popular())) as Error).message).toMatch(message);
});

describe("a relative `baseUrl`", () => {
  const at = (location: object | undefined) => {
    vi.stubGlobal("location", location);
    onTestFinished(() => void vi.unstubAllGlobals());
  };
  const fetch: CatalogueOptions["fetch"] = async (url) => Response.json({ url });

  test.each(["https://app.example", "http://app.example:5173"])(
    "is resolved against the page's origin %s, without `allowHttp`",
    async (origin) => {
      at({ origin });
      const { movies } = createCatalogue({ baseUrl: "/api/catalogue/", token: false, fetch });
      expect(await movies.latest()).toEqual({ url: `${origin}/api/catalogue/3/movie/latest` });
    },
  );

  // Symptom: `location.origin + "/api/catalogue"` was rejected on a page in the local network.
  test("can be written as an absolute URL, which needs `allowHttp` only for other origins", async () => {
    const origin = "http://192.168.1.20:3000";
    at({ origin });
    const create = (url: string) => createCatalogue({ baseUrl: url, token: false, fetch });
    const { movies } = create(`${origin}/api/catalogue`);
    expect(await movies.latest()).toEqual({ url: `${origin}/api/catalogue/3/movie/latest` });
    const text = "createCatalogue: baseUrl is plain http, which exposes all requests";
    for (const other of ["http://192.168.1.20:3001/api", "http://192.168.1.2:3000"])
      expect(() => create(other)).toThrow(text);
  });

  const NOT_ABSOLUTE = "createCatalogue: baseUrl must be an absolute http(s) URL";
  const ADVICE = "; a path needs the `location` of a page, and starts with a single slash";
  test.each([
    ["without a location", undefined, "/api", ADVICE],
    ["on a page without an origin", { origin: "null" }, "/api", ADVICE],
    [
      "that leads to a different origin",
      { origin: "http://app.example" },
      "//evil.example",
      ADVICE,
    ],
    ["with a backslash", { origin: "http://app.example" }, "/\\evil.example", ADVICE],
    ["with a tab", { origin: "http://app.example" }, "/\t/evil.example", ADVICE],
    ["without a slash", { origin: "http://app.example" }, "api/catalogue", "; start it with /"],
    ["with a dot segment", { origin: "http://app.example" }, "./api/v1.0", "; start it with /"],
    ["as one name", { origin: "http://app.example" }, "api", "; start it with /"],
    ["without a page", undefined, "api/catalogue", "; start it with https://"],
    ["with a host", { origin: "http://app.example" }, "a.example/api", "; start it with https://"],
    ["with a port", { origin: "http://app.example" }, "host:1/api", "; start it with https://"],
    ["on loopback", { origin: "http://app.example" }, "localhost/api", "; start it with http://"],
  ])("is rejected %s", (_, location, path, advice) => {
    at(location);
    expect(() => createCatalogue({ baseUrl: path, token: "t" })).toThrow(
      new TypeError(NOT_ABSOLUTE + advice),
    );
  });
});

/** Serves 401 until the token is the given one. */
function serveToken(current: () => string, rejected: Responder = json(401, { status_code: 7 })) {
  return serve((response, request) =>
    request.headers.authorization === `Bearer ${current()}`
      ? json(200, { ok: true })(response, request)
      : rejected(response, request),
  );
}

/** A token function that returns `t1`, and for each rejected token the next one. */
function createProvider() {
  const rejected: (string | undefined)[] = [];
  let number = 1;
  const token: TokenProvider = async (previous) => {
    if (previous) {
      rejected.push(previous.rejected);
      await new Promise((resolve) => setTimeout(resolve, 5));
      number += 1;
    }
    return `token-number-${number}`;
  };
  return { token, rejected };
}

const tokensOf = ({ seen }: LocalServer) =>
  seen.map(({ headers }) => headers.authorization?.replace("Bearer ", ""));

describe("after a 401", () => {
  test.each<[name: string, rejected: Responder]>([
    ["with `status_code` 7", json(401, { status_code: 7 })],
    ["without a `status_code`", json(401, { error: "expired" })],
    ["without JSON", json(401, "expired")],
    ["without a body", json(401, "")],
  ])("the client asks for a new token once, and sends the request again: %s", async (_, reply) => {
    const server = await serveToken(() => "token-number-2", reply);
    const { token, rejected } = createProvider();
    const { movies, authentication } = clientOf(server, { token, retries: 0 });
    expect(await movies.latest()).toEqual({ ok: true });
    expect(rejected).toEqual(["token-number-1"]);
    await authentication.convertV4Session({ body: { access_token: "abc" } });
    expect(tokensOf(server)).toEqual(["token-number-1", "token-number-2", "token-number-2"]);
  });

  test("a POST is sent again with its body", async () => {
    const server = await serveToken(() => "token-number-2");
    const { authentication } = clientOf(server, { token: createProvider().token });
    await authentication.convertV4Session({ body: { access_token: "abc" } });
    expect(server.seen.map(({ body }) => body)).toEqual(Array(2).fill('{"access_token":"abc"}'));
  });

  test.each([
    ["30, a wrong password", 401, { status_code: 30 }],
    ["17, a denied session", 401, { status_code: 17 }],
    ["7, but status 403", 403, { status_code: 7 }],
  ])("the client does not ask for a new token if `status_code` is %s", async (_, status, body) => {
    const server = await serve(json(status, body));
    const { token, rejected } = createProvider();
    expect(await rejection(clientOf(server, { token }).movies.latest())).toMatchObject({ status });
    expect([rejected, server.seen.length]).toEqual([[], 1]);
  });

  test("the client does not ask for a new token if another origin, which received none, sends the 401", async () => {
    const other = await serve(json(401, { status_code: 7 }));
    const { token, rejected } = createProvider();
    const { http, movies } = clientOf({ url: baseUrl }, { token });
    http.use({ onRequest: ({ request }) => new Request(other.url, request) });
    expect(await rejection(movies.latest())).toMatchObject({ status: 401 });
    expect([rejected, tokensOf(other)]).toEqual([[], [undefined]]);
  });

  test("the call rejects with the 401 if the new token is the same, or is rejected, too", async () => {
    const server = await serve(json(401, { status_code: 7 }));
    const given: unknown[] = [];
    const same = clientOf(server, { token: (previous) => (given.push(previous), TOKEN) });
    const error = await rejection(same.movies.latest());
    expect(error).toMatchObject({ status: 401, serviceCode: 7 });
    expect(error).not.toHaveProperty("cause");
    expect([given, server.seen.length]).toEqual([[undefined, { rejected: TOKEN }], 1]);
    const { token, rejected } = createProvider();
    const other = clientOf(server, { token });
    expect(await rejection(other.movies.latest())).toMatchObject({ status: 401 });
    expect([rejected, server.seen.length]).toEqual([["token-number-1"], 3]);
    await rejection(clientOf(server).movies.latest());
    expect(server.seen).toHaveLength(4);
  });

  test("the 401 is the cause of the call's error", async () => {
    skipPauses();
    const server = await serve(json(503, {}), json(401, { status_code: 7 }), json(500, {}));
    const { token } = createProvider();
    const error = await rejection(clientOf(server, { token, retries: 1 }).movies.latest());
    expect(error).toMatchObject({ status: 500, cause: { status: 401, cause: { status: 503 } } });
    expect(error).not.toHaveProperty("cause.cause.cause");
  });

  test("the 401 is the cause of a TimeoutError if the new token does not arrive in time", async () => {
    const server = await serve(json(401, { status_code: 7 }));
    const token: TokenProvider = (previous) => (previous ? new Promise(() => {}) : TOKEN);
    const error = await rejection(clientOf(server, { token, timeout: 1000 }).movies.latest());
    expect(error).toMatchObject({ name: "TimeoutError", cause: { status: 401 } });
    expectNoSecret(error);
  });

  // Symptom: three parallel calls signed in three times, and a late 401 signed in once more.
  test("calls with the same rejected token share one refresh, even if a 401 arrives late", async () => {
    let late: (() => void) | undefined;
    const server = await serveToken(
      () => "token-number-2",
      (response, request) => {
        const respond = () => json(401, { status_code: 7 })(response, request);
        if (request.url.includes("latest")) late = respond;
        else respond();
      },
    );
    const { token, rejected } = createProvider();
    const { genres, movies } = clientOf(server, { token });
    const slow = movies.latest();
    const fast = Array.from({ length: 3 }, () => genres.tvList());
    expect(await Promise.all(fast)).toEqual(fast.map(() => ({ ok: true })));
    await vi.waitFor(() => expect(late).toBeDefined());
    late!();
    expect(await slow).toEqual({ ok: true });
    expect(rejected).toEqual(["token-number-1"]);
  });

  // A worker's clock stands still while code runs.
  test("calls share a refresh that ends at the same time as their requests start", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const rejected: unknown[] = [];
    const token: TokenProvider = (previous) => {
      if (previous) rejected.push(previous.rejected);
      return previous ? "b" : "a";
    };
    const server = await serveToken(() => "b");
    const { movies } = clientOf(server, { token });
    await movies.latest();
    await movies.latest();
    expect(rejected).toEqual(["a"]);
  });

  test("a token that is rejected again later is refreshed again", async () => {
    let current = "b";
    const server = await serveToken(() => current);
    const rejected: unknown[] = [];
    const token: TokenProvider = (previous) => {
      if (previous) rejected.push(previous.rejected);
      return previous ? current : "a";
    };
    const { movies } = clientOf(server, { token });
    await movies.latest();
    await new Promise((resolve) => setTimeout(resolve, 5));
    current = "c";
    await movies.latest();
    expect(rejected).toEqual(["a", "a"]);
  });

  test("calls with different tokens do not share a refresh, and keep their own", async () => {
    const user = new AsyncLocalStorage<string>();
    const server = await serve((response, { headers, url }) => {
      const isNew = headers.authorization?.endsWith("-new");
      json(isNew ? 200 : 401, isNew ? { sent: headers.authorization, url } : {})(
        response,
        undefined as never,
      );
    });
    const refreshed: unknown[] = [];
    const token: TokenProvider = async (previous) => {
      if (previous) refreshed.push([user.getStore(), previous.rejected]);
      await Promise.resolve();
      return `${user.getStore()}${previous ? "-new" : ""}`;
    };
    const { movies } = clientOf(server, { token });
    const [a, b] = await Promise.all(
      ["ada", "ben"].map((name) => user.run(name, () => movies.latest())),
    );
    expect([a, b]).toMatchObject([{ sent: "Bearer ada-new" }, { sent: "Bearer ben-new" }]);
    expect(refreshed.toSorted()).toEqual([
      ["ada", "ada"],
      ["ben", "ben"],
    ]);
  });

  // Symptom: with more than 20 users, a client forgot the refreshes that other calls were waiting for.
  test("calls of 1,000 users share one refresh per user", async () => {
    const user = new AsyncLocalStorage<number>();
    const refreshed: string[] = [];
    const fetch: CatalogueOptions["fetch"] = async (_, { headers }) =>
      Response.json({}, { status: headers["authorization"]!.endsWith("-new") ? 200 : 401 });
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const token: TokenProvider = async (previous) => {
      const id = user.getStore();
      if (previous) refreshed.push(previous.rejected);
      if (previous && id !== 0) await released;
      return `token-${id}${previous ? "-new" : ""}`;
    };
    const { movies } = createCatalogue({ baseUrl, token, fetch });
    const users = Array.from({ length: 1000 }, (_, index) => index);
    const callAll = () => users.map((id) => user.run(id, () => movies.latest()));
    const early = callAll();
    await early[0];
    await vi.waitFor(() => expect(refreshed).toHaveLength(1000));
    const late = callAll().slice(1);
    // A second refresh would start before the first ones end.
    await new Promise((resolve) => setTimeout(resolve, 20));
    release();
    await Promise.all([...early, ...late]);
    expect(refreshed.slice(0, 1000)).toEqual(users.map((id) => `token-${id}`));
    // The last call of the first user started after the first refresh had ended.
    expect(refreshed.slice(1000)).toEqual(["token-0"]);
  });

  describe("a refresh that does not settle", () => {
    /** A client whose token function is asked for new tokens that only the test provides. */
    const create = (look?: (response: Response) => void) => {
      const fetch: CatalogueOptions["fetch"] = async (_, { headers }) => {
        const status = headers["authorization"]!.endsWith("new") ? 200 : 401;
        const response = Response.json({}, { status });
        look?.(response);
        return response;
      };
      const asked: { give: (token: string) => void; fail: (reason: unknown) => void }[] = [];
      const token: TokenProvider = (previous) =>
        previous ? new Promise((give, fail) => asked.push({ give, fail })) : "token-old";
      const { movies } = createCatalogue({ baseUrl, token, fetch, timeout: 0 });
      const isAsked = (times: number) => vi.waitFor(() => expect(asked).toHaveLength(times));
      return { movies, asked, isAsked };
    };
    // A second refresh would start before the first one ends.
    const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

    // Symptom: all calls waited for the first refresh and timed out, and the client never asked again.
    test.each(["its `timeout`", "the time limit of its signal"])(
      "is forgotten when a call exceeds %s, but not by waiting calls",
      async (limit) => {
        const { movies, asked, isAsked } = create();
        const controller = new AbortController();
        const { signal } = controller;
        const options = limit === "its `timeout`" ? { timeout: 1000 } : { signal };
        const late = rejection(movies.latest(options));
        await isAsked(1);
        const patient = movies.latest();
        await pause();
        if (options.signal) controller.abort(new DOMException("", "TimeoutError"));
        expect(await late).toMatchObject({ name: "TimeoutError" });
        const next = movies.latest();
        await isAsked(2);
        asked[1]!.give("token-second-new");
        expect(await next).toEqual({});
        asked[0]!.give("token-first-new");
        expect(await patient).toEqual({});
      },
    );

    // Symptom: the late token was shared with calls that started before it was known.
    test("is forgotten when a call times out, even if the refresh ends before the next call is rejected", async () => {
      const { movies, asked, isAsked } = create();
      const controller = new AbortController();
      const late = rejection(movies.latest({ signal: controller.signal }));
      await isAsked(1);
      controller.abort(new DOMException("", "TimeoutError"));
      await late;
      const next = movies.latest();
      asked[0]!.give("token-late");
      await isAsked(2);
      asked[1]!.give("token-new");
      expect(await next).toEqual({});
    });

    // Symptom: 300 calls with a large response kept 64 MB.
    test.each(["AbortError", "TimeoutError"])(
      "keeps no response in memory whose call has ended with the reason %s",
      async (name) => {
        setFlagsFromString("--expose-gc");
        const collectGarbage = runInNewContext("gc") as () => void;
        const responses: WeakRef<Response>[] = [];
        const seen = (response: Response) => void responses.push(new WeakRef(response));
        const { movies, isAsked } = create(seen);
        for (const times of [1, 2, 3, 4]) {
          const controller = new AbortController();
          const ended = rejection(movies.latest({ signal: controller.signal }));
          await vi.waitFor(() => expect(responses).toHaveLength(times));
          await isAsked(name === "AbortError" ? 1 : times);
          await pause();
          controller.abort(new DOMException("", name));
          await ended;
        }
        await vi.waitFor(() => {
          collectGarbage();
          // The test itself can hold the last response.
          expect(responses.filter((each) => each.deref()).length).toBeLessThan(2);
        });
      },
    );

    test.each([undefined, null])(
      "is shared by further calls after an abort with %s",
      async (reason) => {
        const { movies, asked, isAsked } = create();
        const controller = new AbortController();
        const aborted = rejection(movies.latest({ signal: controller.signal }));
        await isAsked(1);
        controller.abort(reason);
        await aborted;
        const others = [1, 2].map(() => movies.latest());
        await pause();
        asked[0]!.give("token-new");
        expect(await Promise.all(others)).toEqual([{}, {}]);
        expect(asked).toHaveLength(1);
      },
    );

    test("does not end the refresh that replaced it when it fails", async () => {
      const { movies, asked, isAsked } = create();
      const late = rejection(movies.latest({ timeout: 1000 }));
      await isAsked(1);
      await late;
      const first = movies.latest();
      await isAsked(2);
      asked[0]!.fail(new Error("the issuer is down"));
      const second = movies.latest();
      await pause();
      asked[1]!.give("token-new");
      expect(await Promise.all([first, second])).toEqual([{}, {}]);
      expect(asked).toHaveLength(2);
    });

    test("is forgotten, too, if it refreshes a token that is new to the late call", async () => {
      let respondLate: (() => void) | undefined;
      const fetch: CatalogueOptions["fetch"] = async (url, { headers }) => {
        if (url.includes("latest") && !respondLate)
          await new Promise<void>((resolve) => (respondLate = resolve));
        return Response.json({}, { status: headers["authorization"]!.endsWith("3") ? 200 : 401 });
      };
      let current = "token-1";
      const asked: string[] = [];
      const token: TokenProvider = (previous) => {
        if (!previous) return current;
        asked.push(previous.rejected);
        if (asked.length === 2) return new Promise(() => {});
        return (current = asked.length === 1 ? "token-2" : "token-3");
      };
      const { genres, movies } = createCatalogue({ baseUrl, token, fetch, timeout: 0 });
      const late = rejection(movies.latest({ timeout: 1000 }));
      await vi.waitFor(() => expect(respondLate).toBeDefined());
      expect(await rejection(genres.tvList())).toMatchObject({ status: 401 });
      void genres.tvList();
      await vi.waitFor(() => expect(asked).toHaveLength(2));
      respondLate!();
      expect(await late).toMatchObject({ name: "TimeoutError" });
      expect(await genres.tvList()).toEqual({});
      expect(asked).toEqual(["token-1", "token-2", "token-2"]);
    });
  });

  test("late calls share a refresh that has ended, even if its call times out afterwards", async () => {
    let respondLate: (() => void) | undefined;
    const fetch: CatalogueOptions["fetch"] = async (url, { headers }) => {
      const isNew = headers["authorization"]!.endsWith("2");
      if (url.includes("latest") && isNew) return new Promise(() => {});
      if (url.includes("genre") && !isNew)
        await new Promise<void>((resolve) => (respondLate = resolve));
      return Response.json({}, { status: isNew ? 200 : 401 });
    };
    const { token, rejected } = createProvider();
    const { genres, movies } = createCatalogue({ baseUrl, token, fetch });
    const slow = genres.tvList();
    await vi.waitFor(() => expect(respondLate).toBeDefined());
    expect(await rejection(movies.latest({ timeout: 500 }))).toMatchObject({
      name: "TimeoutError",
      cause: { status: 401 },
    });
    respondLate!();
    expect(await slow).toEqual({});
    expect(rejected).toEqual(["token-number-1"]);
  });

  test("a call that has timed out does not ask for a new token", async () => {
    let respond!: (response: Response) => void;
    const fetch = () => new Promise<Response>((resolve) => (respond = resolve));
    const { token, rejected } = createProvider();
    const { movies } = createCatalogue({ baseUrl, token, fetch, timeout: 20 });
    expect(await rejection(movies.latest())).toMatchObject({ name: "TimeoutError" });
    respond(Response.json({}, { status: 401 }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rejected).toEqual([]);
  });

  // Symptom: with more than 200 users, the late 401s of some users led to second refreshes.
  test("late calls of 1,000 users share the refreshes of earlier calls, and the oldest ones are forgotten", async () => {
    const user = new AsyncLocalStorage<number>();
    const refreshed: string[] = [];
    const late: (() => void)[] = [];
    const fetch: CatalogueOptions["fetch"] = async (url, { headers }) => {
      const isNew = headers["authorization"]!.endsWith("-new");
      if (url.includes("latest") && !isNew)
        await new Promise<void>((resolve) => late.push(resolve));
      return Response.json({}, { status: isNew ? 200 : 401 });
    };
    const token: TokenProvider = async (previous) => {
      if (previous) refreshed.push(previous.rejected);
      return `token-${user.getStore()}${previous ? "-new" : ""}`;
    };
    const { genres, movies } = createCatalogue({ baseUrl, token, fetch });
    const users = Array.from({ length: 1001 }, (_, index) => index);
    const slow = users.map((id) => user.run(id, () => movies.latest()));
    await vi.waitFor(() => expect(late).toHaveLength(1001));
    for (const id of users) await user.run(id, () => genres.tvList());
    expect(refreshed).toHaveLength(1001);
    late.slice(1).forEach((respond) => respond());
    await Promise.all(slow.slice(1));
    expect(refreshed).toHaveLength(1001);
    late[0]!();
    await slow[0];
    expect(refreshed.slice(1001)).toEqual(["token-0"]);
  });

  // Symptom: 1,000 refreshes of one revoked token displaced the refreshes of all other tokens.
  test("a token that is refreshed again and again counts once among the 1,000 tokens", async () => {
    const refreshed: string[] = [];
    let late: (() => void) | undefined;
    let given = "token-b";
    const fetch: CatalogueOptions["fetch"] = async (url, { headers }) => {
      const isNew = headers["authorization"]!.endsWith("-new");
      if (url.includes("latest") && !late) await new Promise<void>((resolve) => (late = resolve));
      return Response.json({}, { status: isNew ? 200 : 401 });
    };
    const token: TokenProvider = (previous) => {
      if (!previous) return given;
      refreshed.push(previous.rejected);
      return previous.rejected === "token-b" ? "token-b-new" : "revoked";
    };
    const { genres, movies } = createCatalogue({ baseUrl, token, fetch, retries: 0 });
    const slow = movies.latest();
    await vi.waitFor(() => expect(late).toBeDefined());
    await genres.tvList();
    given = "revoked";
    for (let call = 0; call < 1001; call += 1) await rejection(genres.tvList());
    late!();
    await slow;
    expect(refreshed.filter((each) => each === "token-b")).toHaveLength(1);
    expect(refreshed).toHaveLength(1002);
  });

  test("a late call uses the latest token, even if the service has rejected two tokens meanwhile", async () => {
    let current = 1;
    let late: (() => void) | undefined;
    const server = await serve((response, request) => {
      const respond = () => {
        const isCurrent = request.headers.authorization === `Bearer token-number-${current}`;
        json(isCurrent ? 200 : 401, {})(response, request);
      };
      if (request.url.includes("latest") && !late) late = respond;
      else respond();
    });
    let known = 1;
    const rejected: string[] = [];
    const token: TokenProvider = (previous) => {
      if (previous) rejected.push(previous.rejected);
      if (previous) known += 1;
      return `token-number-${known}`;
    };
    const { genres, movies } = clientOf(server, { token });
    const slow = movies.latest();
    await vi.waitFor(() => expect(late).toBeDefined());
    for (current of [2, 3]) expect(await genres.tvList()).toEqual({});
    late!();
    expect(await slow).toEqual({});
    expect(rejected).toEqual(["token-number-1", "token-number-2"]);
  });

  test("a failed refresh does not end later calls, for which an earlier token is valid again", async () => {
    let late: (() => void) | undefined;
    const rejections = new Set(["a"]);
    const fetch: CatalogueOptions["fetch"] = async (url, { headers }) => {
      const sent = headers["authorization"]!.slice("Bearer ".length);
      if (url.includes("latest") && !late) await new Promise<void>((resolve) => (late = resolve));
      return Response.json({}, { status: rejections.has(sent) ? 401 : 200 });
    };
    let current = "a";
    const token: TokenProvider = (previous) => {
      if (previous?.rejected === "b") throw new Error("the issuer is down");
      return previous ? (current = "b") : current;
    };
    const { genres, movies } = createCatalogue({ baseUrl, token, fetch });
    const slow = movies.latest();
    await vi.waitFor(() => expect(late).toBeDefined());
    await genres.tvList();
    rejections.add("b");
    expect(await rejection(genres.tvList())).toMatchObject({ message: "the issuer is down" });
    rejections.delete("b");
    late!();
    expect(await slow).toEqual({});
  });

  // Symptom: openapi-fetch ignores such a value, and then reads the headers of a response that does not exist.
  test.each([undefined, null, 0, ""])(
    "the value %j that the token function throws is rethrown unchanged, unless middleware replaces it",
    async (value) => {
      const token = () => Promise.reject(value);
      const catalogue = createCatalogue({ baseUrl, token });
      expect(await rejection(catalogue.movies.latest())).toBe(value);
      const own = new Error("signed out");
      catalogue.http.use({ onError: () => own });
      expect(await rejection(catalogue.movies.latest())).toBe(own);
    },
  );

  test("the new token is redacted, and an error of the token function is rethrown unchanged", async () => {
    const server = await serve(json(401, {}), (response, { headers }) =>
      response.writeHead(404).end(headers.authorization),
    );
    const { movies } = clientOf(server, { token: (it) => (it ? "canary-second-token" : TOKEN) });
    const error = await rejection(movies.latest());
    expect(error).toMatchObject({ body: "Bearer [redacted]" });
    expectNoSecret(error, "canary-second-token");
    const own = new Error("signed out");
    const failing = clientOf(await serve(json(401, {})), {
      token: (previous) => (previous ? Promise.reject(own) : TOKEN),
    });
    expect(await Promise.all([1, 2].map(() => rejection(failing.movies.latest())))).toEqual([
      own,
      own,
    ]);
    const invalid = clientOf(await serve(json(401, {})), {
      token: (previous) => (previous ? "a b" : TOKEN),
    });
    expect(await rejection(invalid.movies.latest())).toBeInstanceOf(TypeError);
  });

  test("the refresh counts toward the timeout, and a retry after it sends the new token", async () => {
    skipPauses();
    const server = await serve(
      json(401, {}),
      json(503, {}),
      json(200, { ok: true }),
      json(401, {}),
      stall,
    );
    const { token } = createProvider();
    expect(await clientOf(server, { token }).movies.latest()).toEqual({ ok: true });
    expect(tokensOf(server)).toEqual(["token-number-1", "token-number-2", "token-number-2"]);
    const hanging: TokenProvider = (previous) => (previous ? new Promise(() => {}) : TOKEN);
    const call = clientOf(server, { token: hanging, timeout: 30 }).movies.latest();
    expect(await rejection(call)).toMatchObject({ name: "TimeoutError" });
  });

  // Symptom: the unread body of the 401 kept the only connection of the pool busy.
  test("the client releases the connection of the 401 before it asks for a new token", async () => {
    const server = await serveToken(
      () => "token-number-2",
      json(401, { status_code: 7, padding: "x".repeat(100_000) }),
    );
    const dispatcher = new Agent({ connections: 1, pipelining: 1 });
    onTestFinished(() => dispatcher.close());
    const fetch = undiciFetch as unknown as CatalogueOptions["fetch"];
    const token: TokenProvider = async (previous) => {
      if (!previous) return "token-number-1";
      await undiciFetch(`${server.url}/sign-in`, { dispatcher }).then((it) => it.text());
      return "token-number-2";
    };
    const { movies } = clientOf(server, { token, fetch, fetchOptions: { dispatcher } });
    expect(await movies.latest()).toEqual({ ok: true });
  });

  test("an API key function is asked for a new key, too", async () => {
    const server = await serve(json(401, { status_code: 7 }), json(200, { ok: true }));
    const apiKey: TokenProvider = (previous) => (previous ? `${previous.rejected}-2` : KEY);
    expect(await keyClient(server, { apiKey } as Partial<FullOptions>).movies.popular()).toEqual({
      ok: true,
    });
    expect(server.seen.map(({ url }) => url.split("api_key=")[1])).toEqual([KEY, `${KEY}-2`]);
  });
});

test("an error of a client with an API key shows nothing in a log", async () => {
  const { movies } = keyClient(await serve(reset), { retries: 1 });
  skipPauses();
  expect(tracesOf(await rejection(movies.popular()))).not.toContain(KEY);
});
