import { describe, expect, test } from "vitest";
import { BodyError, ConnectionError, TimeoutError } from "../../src/index.js";
import { clientOf, json, rejection, serve, stall, TOKEN } from "../support/server.js";
import type { Answer } from "../support/server.js";

const path = "/3/movie/latest";
/** A truncated body. */
const cut: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
  response.write("{", () => response.destroy());
};

describe("the fetch option of one call", () => {
  test("receives a Request with the token, which does not follow redirects and aborts at the deadline", async () => {
    const server = await serve(json(200, { id: 1 }), stall);
    const { http } = clientOf(server, { timeout: 1000 });
    const seen: Request[] = [];
    const fetch = (request: Request) => {
      seen.push(request);
      return globalThis.fetch(request);
    };
    expect((await http.GET(path, { fetch })).data).toEqual({ id: 1 });
    expect(server.seen[0]!.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(seen[0]!.redirect).toBe("manual");
    expect(await rejection(http.GET(path, { fetch }))).toBeInstanceOf(TimeoutError);
    expect(seen[1]!.signal.aborted).toBe(true);
  });
});

test.each(["json", "text", "blob", "arrayBuffer"] as const)(
  "a connection lost while a body is read as %s is a ConnectionError, and the call is retried",
  async (parseAs) => {
    const server = await serve(cut);
    const options = { retries: 1 };
    const error = await rejection(clientOf(server, options).http.GET(path, { parseAs }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(server.seen).toHaveLength(2);
    const whole = clientOf(await serve(json(200, '{"id":1}')));
    const { data } = await whole.http.GET(path, { parseAs });
    expect(
      await new Response(parseAs === "json" ? JSON.stringify(data) : (data as Blob)).text(),
    ).toBe('{"id":1}');
  },
);

test("a 2xx response body can be a stream, but an error body is parsed", async () => {
  const failure = { status_code: 34 };
  const { http } = clientOf(await serve(json(200, '{"id":1}'), json(404, failure)));
  const { data } = await http.GET(path, { parseAs: "stream" });
  expect(await new Response(data).json()).toEqual({ id: 1 });
  const { error, response } = await http.GET(path, { parseAs: "stream" });
  expect([error, response.status]).toEqual([failure, 404]);
});

test("a SyntaxError from a hook is rethrown, but one from parsing a body becomes a BodyError", async () => {
  const own = new SyntaxError("mine");
  const { http } = clientOf(await serve(json(200, {})));
  http.use({
    onResponse() {
      throw own;
    },
  });
  expect(await rejection(http.GET(path))).toBe(own);
  const text = clientOf(await serve(json(200, "not JSON")));
  text.http.use({
    onResponse() {
      throw own;
    },
  });
  expect(await rejection(text.http.GET(path, { parseAs: "text" }))).toBe(own);
  const broken = clientOf(await serve(json(200, '{"id":')));
  expect(await rejection(broken.http.GET(path))).toBeInstanceOf(BodyError);
});

test("a call uses its own serializers", async () => {
  const server = await serve(json(200, {}));
  await clientOf(server).http.GET(path, {
    params: { query: { a: [1, 2] } },
    querySerializer: () => "mine=1",
  });
  expect(server.seen[0]!.url).toBe(`${path}?mine=1`);
});

test.each([
  ["text", "x".repeat(5_000_000)],
  ["bytes", new Uint8Array(5_000_000)],
])("a request body of 5 MB is sent as %s", async (_, body) => {
  const server = await serve(json(200, {}));
  const bodySerializer = () => body;
  const { response } = await clientOf(server).http.request(
    "post",
    "/3/authentication/session/convert/4",
    { body, bodySerializer } as never,
  );
  expect([response.status, server.seen[0]!.body.length]).toEqual([200, 5_000_000]);
});

test("fetch receives its options, whether a call or a hook sets them", async () => {
  let given: RequestInit & { next?: unknown } = {};
  const { http } = clientOf(
    { url: "https://catalogue.example" },
    {
      fetch: async (_, init = {}) => {
        given = init;
        return Response.json({});
      },
    },
  );
  await http.GET(path, {
    cache: "no-store",
    credentials: "include",
    next: { tags: ["a"] },
  } as Record<string, unknown>);
  expect(given).toMatchObject({ cache: "no-store", credentials: "include", next: { tags: ["a"] } });
  expect((given.headers as Headers).get("authorization")).toBe(`Bearer ${TOKEN}`);
  const hook = ({ request }: { request: Request }) => new Request(request, { cache: "reload" });
  http.use({ onRequest: hook });
  await http.GET(path);
  expect(given).toMatchObject({ cache: "reload" });
});

test("a DELETE with a body from a hook is retried with its body", async () => {
  const server = await serve(json(503, {}, { "retry-after": "0" }), json(200, {}));
  const catalogue = clientOf(server);
  catalogue.http.use({
    onRequest: ({ request }) => new Request(request, { method: "DELETE", body: "why" }),
  });
  await catalogue.movies.deleteRating(1);
  expect(server.seen.map(({ method, body }) => [method, body])).toEqual([
    ["DELETE", "why"],
    ["DELETE", "why"],
  ]);
});
