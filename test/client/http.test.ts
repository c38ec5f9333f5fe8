import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { BodyError, ConnectionError, TimeoutError } from "../../src/index.js";
import { clientOf, eventually, json, rejection, serve, stall, TOKEN } from "../support/server.js";
import type { Answer } from "../support/server.js";

const path = "/3/movie/latest";
/** A body of which a part arrives. */
const cut: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
  response.write("{", () => response.destroy());
};

describe("a fetch that is given to one request", () => {
  test("gets a Request with the token, which follows no redirect and ends at the deadline", async () => {
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
  "a connection that is lost in a body that is read as %s is a ConnectionError, and tried again",
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

test("a body that is asked for as a stream is one, that of a failure is the error of the pair", async () => {
  const failure = { status_code: 34 };
  const { http } = clientOf(await serve(json(200, '{"id":1}'), json(404, failure)));
  const { data } = await http.GET(path, { parseAs: "stream" });
  expect(await new Response(data).json()).toEqual({ id: 1 });
  const { error, response } = await http.GET(path, { parseAs: "stream" });
  expect([error, response.status]).toEqual([failure, 404]);
});

test("a SyntaxError of a hook stays the hook's own, that of a body does not", async () => {
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

test("a body that is not JSON is a BodyError also where json() is of another realm, as in Jest", async () => {
  const fetch = async () => {
    const response = new Response("<", { headers: { "content-length": "1" } });
    const theirs = () => Promise.reject(runInNewContext("new SyntaxError()") as Error);
    return Object.assign(response, {
      clone: () => Object.assign(new Response("<", response), { json: theirs }),
    });
  };
  const { http } = clientOf({ url: "https://catalogue.example" }, { fetch });
  expect(await rejection(http.GET(path))).toBeInstanceOf(BodyError);
});

test("a hook of errors sees the error that the caller gets", async () => {
  const seen: unknown[] = [];
  const watch = { onError: ({ error }: { error: unknown }) => void seen.push(error) };
  const own = new Error("no token today");
  const reason = new Error("enough");
  const controller = new AbortController();
  const late = clientOf(await serve(stall), { timeout: 50 });
  const tokenless = clientOf(await serve(stall), { token: () => Promise.reject(own) });
  const aborted = clientOf(await serve(stall));
  for (const { http } of [late, tokenless, aborted]) http.use(watch);
  const errors = [
    await rejection(late.movies.latest()),
    await rejection(tokenless.movies.latest()),
  ];
  setTimeout(() => controller.abort(reason), 20);
  errors.push(await rejection(aborted.movies.latest({ signal: controller.signal })));
  const timeout = expect.any(TimeoutError) as unknown;
  expect(errors).toEqual([timeout, own, reason]);
  // The caller does not wait for hooks.
  expect(await eventually(() => seen.length === 3)).toBe(true);
  for (const [index, error] of errors.entries()) expect(seen[index]).toBe(error);
});

test("serializers that are given to a request are used", async () => {
  const server = await serve(json(200, {}));
  await clientOf(server).http.GET(path, {
    params: { query: { a: [1, 2] } },
    querySerializer: () => "mine=1",
  });
  expect(server.seen[0]!.url).toBe(`${path}?mine=1`);
});

test("serializers that are undefined are those of the package", async () => {
  const server = await serve(json(200, {}));
  const { http } = clientOf(server);
  const unset = { pathSerializer: undefined, querySerializer: undefined } as object;
  const lists = "/3/movie/{movie_id}/lists";
  const query = { "a&b": "1" };
  await http.GET(lists, { params: { path: { movie_id: "603" }, query }, ...unset } as never);
  expect(server.seen[0]!.url).toBe("/3/movie/603/lists?a%26b=1");
  const error = await rejection(
    http.GET(lists, { params: { path: { movie_id: ".." } }, ...unset } as never),
  );
  expect(error).toBeInstanceOf(TypeError);
  expect(server.seen).toHaveLength(1);
});

test.each([
  ["a text", "x".repeat(5_000_000)],
  ["bytes", new Uint8Array(5_000_000)],
])("a body of 5 MB that is %s is sent", async (_, body) => {
  const server = await serve(json(200, {}));
  const bodySerializer = () => body;
  const { response } = await clientOf(server).http.request(
    "post",
    "/3/authentication/session/convert/4",
    { body, bodySerializer } as never,
  );
  expect([response.status, server.seen[0]!.body.length]).toEqual([200, 5_000_000]);
});

test("options that are null are none", async () => {
  const { http } = clientOf(await serve(json(200, { id: 1 })));
  expect((await http.GET(path, null as never)).data).toEqual({ id: 1 });
});

test("what a hook asks of fetch reaches it, and what else a request was given", async () => {
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

test("a DELETE with a body that a hook made is sent again whole", async () => {
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
