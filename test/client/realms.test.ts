import { Readable } from "node:stream";
import { createContext, runInContext } from "node:vm";
import { Headers as UndiciHeaders } from "undici";
import { expect, test } from "vitest";
import { createCatalogue as createFull } from "../../src/full/index.js";
import type { CatalogueOptions } from "../../src/index.js";
import { clientOf, eventually, json, rejection, serve } from "../support/server.js";

const anywhere = { url: "https://catalogue.example" };

/** Creates a response like those of node-fetch and cross-fetch. The body is always a Node stream, even if empty. */
function nodeResponse(status: number, text: string) {
  const body = Readable.from([Buffer.from(text)]);
  const readText = async () => (await body.toArray()).join("");
  const headers = new Map([["content-type", "application/json"]]);
  return {
    ok: status < 300,
    status,
    statusText: "",
    url: "",
    type: "default",
    bodyUsed: false,
    headers,
    body,
    text: readText,
    clone: () => nodeResponse(status, text),
  } as unknown as Response;
}

const respond =
  (status: number, text: string): CatalogueOptions["fetch"] =>
  async () =>
    nodeResponse(status, text);

test("the client can read a response whose body is a Node stream", async () => {
  const catalogue = clientOf(anywhere, { fetch: respond(200, '{"id":1}') });
  expect(await catalogue.movies.latest()).toEqual({ id: 1 });
  expect((await catalogue.http.GET("/3/movie/latest")).data).toEqual({ id: 1 });
});

test("the client accepts an error response that has only `status`, `headers.get`, and `text`", async () => {
  const minimal = { status: 404, headers: { get: () => null }, text: async () => "" };
  const catalogue = clientOf(anywhere, { fetch: async () => minimal as unknown as Response });
  const error = (await rejection(catalogue.movies.latest())) as { headers: Headers };
  expect(error).toMatchObject({ message: "movies.latest: 404 (no message)", body: "" });
  expect([...error.headers]).toEqual([]);
});

test.each([
  ["keeps", undefined, "{}"],
  ["passes on", (response: Response) => new Response(response.body, response), "{}"],
  [
    "pipes",
    (response: Response) => new Response(response.body!.pipeThrough(new TransformStream())),
    "{}",
  ],
  ["replaces", () => new Response("other"), "other"],
])("middleware that %s a response can read its Node stream", async (_, change, text) => {
  const original = nodeResponse(200, "{}");
  const catalogue = clientOf(anywhere, { fetch: async () => original });
  catalogue.http.use({ onResponse: ({ response }) => change?.(response) });
  const { data } = await catalogue.http.GET("/3/movie/latest", { parseAs: "stream" });
  expect(await new Response(data).text()).toBe(text);
  const { destroyed } = original.body as unknown as Readable;
  expect(await eventually(() => destroyed)).toBe(true);
});

// Symptom: an AssertionError of Node, because `new Response` does not accept the Blob of node-fetch 2.
test.each([
  ["without middleware", false, { token: "t" }],
  ["with middleware", true, { token: "t" }],
  ["with an API key", false, { apiKey: "k" }],
])("the client can read a Blob from node-fetch 2 %s", async (_, hasMiddleware, credentials) => {
  const fetch = async () => {
    const original = nodeResponse(200, "{}");
    const arrayBuffer = async () => new TextEncoder().encode(await original.text()).buffer;
    const own = { size: 2, type: "application/json", stream: () => original.body, arrayBuffer };
    const blob = async () => Object.assign(own, { [Symbol.toStringTag]: "Blob" });
    return { ...original, arrayBuffer, blob } as unknown as Response;
  };
  const { http } = createFull({ baseUrl: anywhere.url, fetch, ...credentials });
  const copies: string[] = [];
  if (hasMiddleware)
    http.use({
      onResponse: async ({ response }) => void copies.push(await response.clone().text()),
    });
  const { data } = await http.GET("/3/movie/latest", { parseAs: "blob" });
  expect(data).toBeInstanceOf(Blob);
  expect([data!.type, await data!.text(), ...copies]).toEqual([
    "application/json",
    "{}",
    ...(hasMiddleware ? ["{}"] : []),
  ]);
});

test("middleware receives all methods of headers that are not iterable", async () => {
  const headers = { get: () => null, has: () => false, forEach: () => "each" };
  const fetch = async () => ({ ok: true, status: 200, headers, text: async () => "{}" });
  const catalogue = clientOf(anywhere, { fetch });
  const seen: unknown[] = [];
  catalogue.http.use({
    onResponse: ({ response }) => void seen.push(response.headers.forEach(() => {})),
  });
  await catalogue.movies.latest();
  expect(seen).toEqual(["each"]);
});

test("the client destroys the Node stream of a response that arrives after the timeout", async () => {
  const body = new Readable({ read() {} });
  const late = { ...nodeResponse(200, "{}"), body };
  const fetch = () => new Promise<never>((resolve) => setTimeout(resolve, 30, late));
  await rejection(clientOf(anywhere, { fetch, timeout: 5 }).movies.latest());
  expect(await eventually(() => body.destroyed)).toBe(true);
});

// Symptom: the client threw a TypeError although the service had deleted the rating.
test.each([
  [204, { name: "InvalidJsonError", status: 204 }],
  [304, { name: "ApiError", status: 304 }],
])(
  "a %i response with an empty body stream does not cause a ConnectionError",
  async (status, expected) => {
    const catalogue = clientOf(anywhere, { fetch: respond(status, "") });
    expect(await rejection(catalogue.movies.deleteRating(603))).toMatchObject(expected);
    const { data, error, response } = await catalogue.http.DELETE("/3/movie/{movie_id}/rating", {
      params: { path: { movie_id: 603 } },
    });
    expect([data, error || undefined, response.status]).toEqual([undefined, undefined, status]);
  },
);

test("the client sends a query object from a different realm, and formats its dates as days", async () => {
  const server = await serve(json(200, {}));
  const query = runInContext("({ since: new Date(0) })", createContext()) as { since: unknown };
  expect(query.since).not.toBeInstanceOf(Date);
  await clientOf(server).movies.latest({ query });
  expect(server.seen[0]!.url).toBe("/3/movie/latest?since=1970-01-01");
});

test.each<[name: string, headers: Iterable<readonly [string, string]>]>([
  ["undici's own Headers", new UndiciHeaders({ "x-a": "1, 2" })],
  ["a Map", new Map([["x-a", "1, 2"]])],
  [
    "pairs with a repeated name",
    [
      ["x-a", "1"],
      ["x-a", "2"],
    ],
  ],
])("the client sends headers that are given as %s", async (_, headers) => {
  const server = await serve(json(200, {}));
  await clientOf(server, { headers }).movies.latest();
  await clientOf(server).movies.latest({ headers });
  expect(server.seen.map((each) => each.headers["x-a"])).toEqual(["1, 2", "1, 2"]);
});

test("a method accepts class instances as options and path parameters", async () => {
  class Episode {
    series_id = 1;
    season_number = 2;
    get episode_number() {
      return 3;
    }
  }
  class Options {
    query = { language: "de" };
    get retries() {
      return 0;
    }
  }
  class Init {
    [name: string]: unknown;
    get params() {
      return { query: { language: "de" } };
    }
    get retries() {
      return 0;
    }
  }
  const server = await serve(json(500, {}));
  const { http, tvEpisodes } = clientOf(server);
  const error = await rejection(tvEpisodes.images(new Episode(), new Options()));
  expect(error).toMatchObject({ status: 500 });
  await http.GET("/3/movie/latest", new Init());
  expect(server.seen.map(({ url }) => url)).toEqual([
    "/3/tv/1/season/2/episode/3/images?language=de",
    "/3/movie/latest?language=de",
  ]);
});

test("an error contains all response headers except set-cookie", async () => {
  const similar = { "x-set-cookie": "1", "set-cookie-x": "2" };
  const server = await serve((response) =>
    response.writeHead(401, { "set-cookie": ["a=1", "b=2"], ...similar }).end(),
  );
  const error = (await rejection(clientOf(server).movies.latest())) as { headers: Headers };
  expect(error.headers.getSetCookie()).toEqual([]);
  expect(Object.fromEntries(error.headers)).toMatchObject(similar);
});

test("an error contains the headers of a response from a different fetch library, but no cookies", async () => {
  const pairs = ["Set-Cookie: a=1", "X-A: 1", "X-A: 2"].map((each) => each.split(": "));
  const headers = Object.assign(pairs, { get: () => null });
  const response = { ...nodeResponse(401, "{}"), headers } as unknown as Response;
  const { movies } = clientOf(anywhere, { fetch: async () => response });
  const error = (await rejection(movies.latest())) as { headers: Headers };
  expect([...error.headers]).toEqual([["x-a", "1, 2"]]);
});

// Symptom: the message mentioned only middleware, although no middleware was installed.
test.each([200, 500])(
  "the error message suggests a fix if a mock returns the same %i response twice",
  async (status) => {
    const response = Response.json({}, { status });
    const { movies } = clientOf(anywhere, { fetch: async () => response, retries: 0 });
    await movies.latest().catch(() => {});
    const error = await rejection(movies.latest());
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(
      /already been read; pass a library's native fetch, such as `ofetch\.native`; a mock must return a new Response each time$/,
    );
  },
);

test.each<[body: string, create: () => unknown]>([
  [
    "a web stream that somebody else is reading",
    () => {
      const response = Response.json({});
      response.body!.getReader();
      return response;
    },
  ],
  [
    "a Node stream that somebody else has read",
    () => ({ ...nodeResponse(200, ""), bodyUsed: true, text: () => Promise.reject(new Error()) }),
  ],
])("a call rejects with a TypeError if the body of the response is %s", async (_, create) => {
  const { http } = clientOf(anywhere, { fetch: async () => create() as Response });
  for (const parseAs of ["json", "text"] as const) {
    const error = await rejection(http.GET("/3/movie/latest", { parseAs }));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: expect.stringContaining("has already been read") });
  }
});

test("a call for a stream rejects with a TypeError if somebody else is reading the stream", async () => {
  const response = Response.json({});
  response.body!.getReader();
  const { http } = clientOf(anywhere, { fetch: async () => response });
  const error = await rejection(http.GET("/3/movie/latest", { parseAs: "stream" }));
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject({ message: expect.stringContaining("has already been read") });
});

// Symptom: `http` rejected with a TypeError, because the copy of the response needed headers that `Headers` accepts.
test.each<[name: string, headers: object]>([
  ["a name", new Map([[":status", "404"]])],
  ["a value", new Map([["x-title", "日本"]])],
  ["entries", { get: () => undefined, [Symbol.iterator]: () => raise() }],
])("http resolves to a 404 response with %s that Headers rejects", async (_, headers) => {
  const fetch = async () => ({ ok: false, status: 404, headers, text: async () => "{}" }) as never;
  const { http } = createFull({ baseUrl: anywhere.url, token: "secret-token", fetch });
  const { error, response } = await http.GET("/3/genre/movie/list");
  expect(error).toEqual({});
  expect(response.status).toBe(404);
});

function raise(): never {
  throw new Error("no entries");
}
