import { describe, expect, test, vi } from "vitest";
import { operations } from "../../src/generated/full-operations.js";
import { findRoute } from "../../src/proxy/find-route.js";
import { resolveRequest } from "../../src/proxy/resolve-request.js";
import type { OperationId } from "../../src/proxy/index.js";
import { json, serve } from "../support/server.js";
import { visitorOf } from "./proxies.js";

const ALLOWED = [
  "movies.details",
  "movies.credits",
  "tvSeries.details",
  "tvSeasons.details",
  "find.byId",
  "search.multi",
  "movies.addRating",
  "authentication.createSession",
] as const satisfies readonly OperationId[];

/** Creates a service that responds to every request, and a visitor of a proxy that allows some operations. */
async function start() {
  const server = await serve(json(200, { id: 1 }));
  return { ...visitorOf(server, ALLOWED), seen: server.seen };
}

test.each([
  ["/3/movie/701", "/3/movie/701"],
  [
    "/3/movie/701?language=de&append_to_response=credits",
    "/3/movie/701?language=de&append_to_response=credits",
  ],
  [
    "/3/tv/901?append_to_response=season/1,season/2",
    "/3/tv/901?append_to_response=season%2F1%2Cseason%2F2",
  ],
  [
    "/3/tv/901?append_to_response=season/1&append_to_response=season/2",
    "/3/tv/901?append_to_response=season%2F1,season%2F2",
  ],
  ["/3/search/multi?query=a%20%26%20b+c&page=2", "/3/search/multi?query=a%20%26%20b%20c&page=2"],
  [
    "/3/find/%40caf%C3%A9.x?external_source=twitter_id",
    "/3/find/%40caf%C3%A9.x?external_source=twitter_id",
  ],
  ["/3/movie/701-night-ferry", "/3/movie/701-night-ferry"],
])("%s of an allowed operation is passed on as %s", async (path, url) => {
  const { visit, seen } = await start();
  const response = await visit(path);
  expect([response.status, await response.json()]).toEqual([200, { id: 1 }]);
  expect(seen.map((each) => [each.method, each.url])).toEqual([["GET", url]]);
});

test.each([
  ["an operation that is not in the list", "GET", "/3/movie/701/videos"],
  ["an unknown path", "GET", "/3/movies/701"],
  ["a path of another version", "GET", "/4/movie/701"],
  ["no path", "GET", ""],
  ["a method without an operation", "POST", "/3/movie/701"],
  ["HEAD", "HEAD", "/3/movie/701"],
  ["OPTIONS", "OPTIONS", "/3/movie/701"],
  ["a method that no operation has", "PATCH", "/3/movie/701"],
  ["a name in place of an identifier", "GET", "/3/movie/latest"],
  ["an encoded name", "GET", "/3/movie/%6Catest"],
  ["a name in another case", "GET", "/3/movie/Latest"],
  ["an encoded name in another case", "GET", "/3/movie/%4Catest"],
  ["a name with an extension", "GET", "/3/movie/latest.json"],
  ["a name with an encoded extension", "GET", "/3/movie/popular%2Ejson"],
  ["an encoded slash", "GET", "/3/movie/701%2Fvideos"],
  ["an encoded slash in lower case", "GET", "/3/find/a%2fb"],
  ["a slash that is encoded twice", "GET", "/3/movie/701%252Fvideos"],
  ["an encoded backslash", "GET", "/3/movie/701%5Cvideos"],
  ["an encoded question mark", "GET", "/3/movie/701%3Fa=1"],
  ["an encoded hash", "GET", "/3/movie/701%23"],
  ["a matrix parameter", "GET", "/3/movie/701;a=1"],
  ["an encoded line break", "GET", "/3/movie/701%0D%0Ax"],
  ["an encoded null character", "GET", "/3/movie/701%00"],
  ["an encoded space", "GET", "/3/movie/latest%20"],
  ["an invalid encoding", "GET", "/3/movie/%E0%A4"],
  ["dot segments that are encoded twice", "GET", "/3/movie/%252e%252e"],
  ["a trailing slash", "GET", "/3/movie/701/"],
  ["an empty segment", "GET", "/3//movie/701"],
  ["an empty identifier", "GET", "/3/movie/"],
  ["a dot segment to another operation", "GET", "/3/movie/701/../../account/1"],
  ["an encoded dot segment to another operation", "GET", "/3/movie/%2e%2e/account"],
])("%s (%s %s) is not found, and nothing reaches the service", async (_, method, path) => {
  const { visit, seen } = await start();
  const response = await visit(path, { method });
  expect(response.status).toBe(404);
  expect(response.headers.get("cache-control")).toBe("no-store");
  if (method !== "HEAD") expect(await response.json()).toHaveProperty("status_message");
  expect(seen).toEqual([]);
});

test("a dot segment that a custom Request has not resolved is not found", () => {
  const allow = new Set<OperationId>(["movies.details"]);
  const resolve = (path: string) =>
    resolveRequest({ method: "GET", url: `https://app.example/api${path}` }, "/api", allow);
  expect(resolve("/3/movie/701").operation).toBe("movies.details");
  for (const path of [
    "/3/x/../movie/701",
    "/./3/movie/701",
    "/3/movie/%2E%2E/movie/701",
    "\\3\\movie\\701",
  ])
    expect(() => resolve(path)).toThrow(expect.objectContaining({ status: 404 }));
  const outside = { method: "GET", url: "https://app.example/other/3/movie/701" };
  expect(() => resolveRequest(outside, "/api", allow)).toThrow("the proxy's prefix, /api/");
  const relative = { method: "GET", url: "/api/3/movie/701" };
  expect(() => resolveRequest(relative, "/api", allow)).toThrow(
    expect.objectContaining({ status: 404 }),
  );
});

test("each operation is found by its method and path, and not by those of another operation", () => {
  const found = Object.values(operations).map(({ method, path }) => {
    const route = findRoute(method, path.replace(/\{[^}]+\}/g, "701"));
    return [route?.operation, Object.values(route?.values ?? {}).every((value) => value === "701")];
  });
  expect(found).toEqual(Object.keys(operations).map((operation) => [operation, true]));
});

test("each appended part that depends on the visitor has a private operation", () => {
  for (const [operation, entry] of Object.entries(operations)) {
    if (!("privateParts" in entry)) continue;
    const path = entry.path.replace(/\{[^}]+\}/g, "1");
    for (const part of entry.privateParts.split(" "))
      expect([operation, findRoute("GET", `${path}/${part}`)?.entry.isPrivate]).toEqual([
        operation,
        true,
      ]);
  }
});

test.each([
  ["/3/movie/701?api_key=mine", 'movies.details has no query parameter "api_key"'],
  ["/3/movie/701?Language=de", '"Language"'],
  ["/3/movie/701?language[]=de", '"language[]"'],
  ["/3/movie/701?__proto__=x", '"__proto__"'],
  ["/3/movie/701?language=de&toString=x", '"toString"'],
  ["/3/movie/701?=x", '""'],
  [
    "/3/movie/701?append_to_response=videos",
    'the appended part "videos" needs "movies.videos" in the proxy\'s allow list',
  ],
  ["/3/movie/701?append_to_response=credits,account_states", '"movies.accountStates"'],
  ["/3/movie/701?append_to_response=credits&append_to_response=videos", '"movies.videos"'],
  ["/3/movie/701?append_to_response=credits%2Cvideos", '"movies.videos"'],
  ["/3/movie/701?append_to_response=%2563redits", 'the appended part "%63redits" has no operation'],
  ["/3/movie/701?append_to_response=Credits", '"Credits" has no operation'],
  ["/3/movie/701?append_to_response=credits,%20", '" " has no operation'],
  ["/3/movie/701?append_to_response=../../account", '"../../account" has no operation'],
  ["/3/movie/701?append_to_response=credits/", '"credits/" has no operation'],
  ["/3/movie/701?append_to_response=", '"" has no operation'],
  ["/3/tv/901?append_to_response=season/1/credits", '"tvSeasons.credits"'],
  ["/3/tv/901?append_to_response=season/1,season/1/episode/2", '"tvEpisodes.details"'],
])("%s is a bad request (%s), and nothing reaches the service", async (path, problem) => {
  const { visit, seen } = await start();
  const response = await visit(path);
  expect(response.status).toBe(400);
  expect(((await response.json()) as { status_message: string }).status_message).toContain(problem);
  expect(seen).toEqual([]);
});

describe("request bodies", () => {
  const type = { "content-type": "application/json" };
  const post = (body: BodyInit | null, headers: HeadersInit = type) =>
    ({ method: "POST", body, headers, duplex: "half" }) as RequestInit;
  const rating = "/3/movie/701/rating";
  /** Returns JSON of a given size in bytes. */
  const padded = (size: number) => `{"value":7}${" ".repeat(size - 11)}`;
  /** Sends text in chunks of 16 kB, without a content-length. @returns the stream, and the number of chunks that were read */
  const chunked = (text: string) => {
    const read: number[] = [];
    let rest = new TextEncoder().encode(text);
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (rest.length === 0) return controller.close();
          read.push(read.length);
          controller.enqueue(rest.slice(0, 16_384));
          rest = rest.slice(16_384);
        },
      },
      { highWaterMark: 0 },
    );
    return { stream, read };
  };

  test("the JSON in a body of up to 64 kB is passed on, and with its own headers only", async () => {
    const { visit, seen } = await start();
    const bodies = [
      '{"value":8.5}',
      `{"value":"${"é\\u0000".repeat(10)}"}`,
      padded(65_536),
      `${"[".repeat(256)}${"]".repeat(256)}`,
    ];
    for (const body of bodies) expect((await visit(rating, post(body))).status).toBe(200);
    const streamed = post(chunked(padded(65_536)).stream, {
      "content-type": 'Application/JSON; charset="UTF-8"',
    });
    expect((await visit(rating, streamed)).status).toBe(200);
    expect(seen.map(({ body }) => body)).toEqual(
      [...bodies, padded(65_536)].map((body) => body.trim()),
    );
    expect(new Set(seen.map(({ headers }) => headers["content-type"]))).toEqual(
      new Set(["application/json"]),
    );
  });

  test("a body without bytes needs no content type", async () => {
    const { visit, seen } = await start();
    expect((await visit(rating, post(chunked("").stream, {}))).status).toBe(200);
    expect((await visit(rating, { method: "POST" })).status).toBe(200);
    expect(seen.map(({ body }) => body)).toEqual(["", ""]);
  });

  type Row = [name: string, status: number, init: RequestInit];
  test.each<Row>([
    ["is larger than 64 kB", 413, post(padded(65_537))],
    ["has no content type", 415, post(new Blob(["{}"]), {})],
    ["is text", 415, post("{}", { "content-type": "text/plain" })],
    ["is a form", 415, post(new URLSearchParams({ value: "7" }), {})],
    ["is multipart", 415, post(new FormData(), {})],
    [
      "has another media type that contains JSON",
      415,
      post("{}", { "content-type": "application/json, text/plain" }),
    ],
    ["has another charset", 415, post("{}", { "content-type": "application/json; charset=utf-7" })],
    ["is compressed", 415, post("{}", { ...type, "content-encoding": "gzip" })],
    ["is not JSON", 400, post("{value: 7}")],
    ["is cut off", 400, post('{"value":')],
    ["is nested too deeply", 400, post("[".repeat(257) + "]".repeat(257))],
    ["is nested much too deeply", 400, post("[".repeat(4117) + "]".repeat(4117))],
    ["is not UTF-8", 400, post(new Uint8Array([0x22, 0xff, 0x22]))],
  ])(
    "a body that %s is rejected with %i, and nothing reaches the service",
    async (_, status, init) => {
      const { visit, seen, errors } = await start();
      expect((await visit(rating, init)).status).toBe(status);
      expect([seen, errors]).toEqual([[], []]);
    },
  );

  test("a body without a length is not read further than 64 kB", async () => {
    const { visit, seen } = await start();
    const { stream, read } = chunked("x".repeat(10_000_000));
    expect((await visit(rating, post(stream))).status).toBe(413);
    expect([read.length, seen]).toEqual([5, []]);
  });

  test("a body that never ends is canceled after the timeout", async () => {
    const cancel = vi.fn();
    const { url, seen } = await serve(json(200, {}));
    const { visit } = visitorOf({ url }, ALLOWED, { timeout: 20 });
    const response = await visit(rating, post(new ReadableStream({ cancel })));
    expect(response.status).toBe(408);
    expect([cancel.mock.calls.length, seen]).toEqual([1, []]);
  });

  test("the body for an operation that takes none is not passed on", async () => {
    const { url, seen } = await serve(json(200, {}));
    const { visit } = visitorOf({ url }, ["movies.deleteRating"]);
    await visit(rating, { ...post('{"value":7}'), method: "DELETE" });
    expect(seen.map(({ method, body }) => [method, body])).toEqual([["DELETE", ""]]);
  });
});

test("of the visitor's headers, only If-None-Match reaches the service", async () => {
  const { visit, seen } = await start();
  await visit("/3/movie/701", {
    headers: {
      cookie: "session=1",
      authorization: "Bearer visitor",
      "if-none-match": '"v1"',
      "if-modified-since": "Sat, 28 Nov 2026 08:00:00 GMT",
      "x-forwarded-for": "10.0.0.1",
      "x-http-method-override": "DELETE",
      range: "bytes=0-1",
      origin: "https://evil.example",
      referer: "https://app.example/secret",
      "accept-language": "de",
    },
  });
  const { headers } = seen[0]!;
  const OF_CONNECTION = ["host", "connection", "user-agent", "accept-encoding"];
  for (const name of OF_CONNECTION) delete headers[name];
  expect(headers).toEqual({
    accept: "application/json",
    "accept-language": "*",
    authorization: expect.stringContaining("canary"),
    "if-none-match": '"v1"',
    // As the Fetch standard requires for a conditional request.
    "cache-control": "no-cache",
    pragma: "no-cache",
    "sec-fetch-mode": "cors",
  });
});

test.each([
  ["/api/catalogue/", "/api/catalogue/3/movie/701", 200],
  ["/api/catalogue", "/api/catalogue//3/movie/701", 404],
  ["/api/catalogue", "/API/catalogue/3/movie/701", 404],
  ["/api/catalogue", "/api/%63atalogue/3/movie/701", 404],
  ["/api/catalogue", "/api/catalogue2/3/movie/701", 404],
  ["/api/catalogue", "/3/movie/701", 404],
  ["/api/catalogue", "/x/api/catalogue/3/movie/701", 404],
  ["", "/3/movie/701", 200],
  ["/", "/3/movie/701", 200],
  ["/~me/a.b", "/~me/a.b/3/movie/701", 200],
  ["/a.b", "/aXb/3/movie/701", 404],
])("with the prefix %j, %s has the status %i", async (prefix, path, status) => {
  const server = await serve(json(200, {}));
  const { visit } = visitorOf(server, ALLOWED, { prefix });
  expect((await visit(path, {}, "")).status).toBe(status);
});
