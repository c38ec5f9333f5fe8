import { expect, test } from "vitest";
import { InvalidJsonError, ConnectionError, type Middleware } from "../../src/index.js";
import {
  clientOf,
  empty,
  eventually,
  json,
  rejection,
  serve,
  skipPauses,
  TOKEN,
} from "../support/server.js";
import type { Responder } from "../support/server.js";

const path = "/3/movie/latest";
/** Sends a truncated body. */
const cut: Responder = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
  response.write("{", () => response.destroy());
};

test.each(["json", "text", "blob", "arrayBuffer"] as const)(
  "a call with parseAs %s is retried and rejects with a ConnectionError if the body is cut off",
  async (parseAs) => {
    skipPauses();
    const server = await serve(cut);
    const options = { retries: 1 };
    const error = await rejection(clientOf(server, options).http.GET(path, { parseAs }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(server.seen).toHaveLength(2);
    const whole = clientOf(await serve(json(200, '{"id":1}')));
    const { data } = await whole.http.GET(path, { parseAs });
    const kinds = { json: "Object", text: "String", blob: "Blob", arrayBuffer: "ArrayBuffer" };
    expect(Object(data).constructor.name).toBe(kinds[parseAs]);
    if (data instanceof Blob) expect(data.type).toBe("application/json");
    const body = parseAs === "json" ? JSON.stringify(data) : (data as Blob);
    expect(await new Response(body).text()).toBe('{"id":1}');
  },
);

test("with parseAs stream, a 2xx response body is a stream, but an error body is parsed", async () => {
  const failure = { status_code: 34 };
  const { http } = clientOf(
    await serve(
      json(200, '{"id":1}'),
      json(404, failure),
      json(200, '{"id":1}'),
      json(404, failure),
    ),
  );
  for (let round = 0; round < 2; round += 1) {
    const { data } = await http.GET(path, { parseAs: "stream" });
    expect(await new Response(data).json()).toEqual({ id: 1 });
    const { error, response } = await http.GET(path, { parseAs: "stream" });
    expect([error, response.status]).toEqual([failure, 404]);
    http.use({ onResponse: async ({ response: it }) => void (await it.clone().text()) });
  }
});

test("a response whose content-length is 0 has no data", async () => {
  const { http } = clientOf(await serve(empty(200, { "content-length": "0" })));
  for (let round = 0; round < 2; round += 1) {
    for (const parseAs of ["text", "blob", "arrayBuffer", "stream"] as const)
      expect((await http.GET(path, { parseAs })).data).toBeUndefined();
    http.use({ onResponse: () => {} });
  }
});

test("the client cancels a response stream if middleware throws an error or replaces the response", async () => {
  let canceled = 0;
  const body = () =>
    new ReadableStream({ cancel: () => void (canceled += 1) }, { highWaterMark: 0 });
  const fetch = async () => new Response(body());
  const { http } = clientOf({ url: "https://catalogue.example" }, { fetch });
  const own = new Error("mine");
  const results = [() => Promise.reject(own), () => new Response("mine")];
  http.use({ onResponse: () => results.shift()!() });
  expect(await rejection(http.GET(path, { parseAs: "stream" }))).toBe(own);
  expect(canceled).toBe(1);
  const { data } = await http.GET(path, { parseAs: "stream" });
  expect(await new Response(data).text()).toBe("mine");
  expect(await eventually(() => canceled === 2)).toBe(true);
});

test("the client cancels a response stream that arrives after the deadline", async () => {
  let canceled = false;
  const body = () => new ReadableStream({ cancel: () => void (canceled = true) });
  const fetch = () =>
    new Promise<Response>((resolve) => setTimeout(() => resolve(new Response(body())), 30));
  const { http } = clientOf({ url: "https://catalogue.example" }, { fetch, timeout: 5 });
  expect(await rejection(http.GET(path, { parseAs: "stream" }))).toMatchObject({ timeoutMs: 5 });
  expect(await eventually(() => canceled)).toBe(true);
});

test("a call rethrows a SyntaxError from middleware, but rejects with an InvalidJsonError for invalid JSON", async () => {
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
  expect(await rejection(broken.http.GET(path))).toBeInstanceOf(InvalidJsonError);
});

test("a call sends FormData as multipart, and URL-encodes an object if the content-type header asks for a form", async () => {
  const server = await serve(json(200, {}));
  const { http } = clientOf(server);
  const convert = "/3/authentication/session/convert/4";
  const form = new FormData();
  form.set("access_token", "multi part");
  await http.POST(convert, { body: form as never });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = { access_token: "a form" };
  await http.POST(convert, { body, headers });
  const other = { "content-type": "application/json" };
  await http.POST(convert, { body, headers: other, params: { header: headers as never } });
  await clientOf(server, { headers }).authentication.convertV4Session({ body });
  const [multipart, ...encoded] = server.seen;
  expect(multipart!.headers["content-type"]).toMatch(/^multipart\/form-data;/);
  expect(multipart!.body).toContain("multi part");
  expect(encoded).toHaveLength(3);
  for (const seen of encoded) {
    expect(seen).toMatchObject({ headers, body: "access_token=a+form" });
  }
});

test("a call sends a null body as JSON", async () => {
  const server = await serve(json(200, {}));
  await clientOf(server).http.POST("/3/authentication/session/convert/4", { body: null as never });
  expect(server.seen).toMatchObject([
    { body: "null", headers: { "content-type": "application/json" } },
  ]);
});

test("the client sends binary and text request bodies from middleware unchanged", async () => {
  const bodies: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    bodies.push(init?.body);
    return Response.json({});
  };
  const catalogue = clientOf({ url: "https://catalogue.example" }, { fetch });
  const sent = [Uint8Array.of(255, 254, 0), "\ufefftext", ""];
  catalogue.http.use({
    onRequest: ({ request }) => new Request(request.url, { method: "POST", body: sent.shift()! }),
  });
  for (let call = 0; call < 3; call += 1) await catalogue.movies.latest();
  expect(new Uint8Array(bodies[0] as ArrayBuffer)).toEqual(Uint8Array.of(255, 254, 0));
  expect(bodies.slice(1)).toEqual(["\ufefftext", undefined]);
});

test("the client sends a Blob from middleware", async () => {
  const bodies: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    bodies.push(init?.body);
    return Response.json({});
  };
  const catalogue = clientOf({ url: "https://catalogue.example" }, { fetch });
  const sent = ["text", new Blob(["blob"]), ""];
  catalogue.http.use({
    onRequest: ({ request }) => new Request(request.url, { method: "POST", body: sent.shift()! }),
  });
  for (let call = 0; call < 3; call += 1) await catalogue.movies.latest();
  expect(bodies).toEqual(["text", "blob", undefined]);
});

test("`fetch` receives the fetch options of the client and the call, with and without middleware", async () => {
  let given: RequestInit & { next?: unknown } = {};
  const { http, movies } = clientOf(
    { url: "https://catalogue.example" },
    {
      fetchOptions: { cache: "reload", credentials: "include" },
      fetch: async (_, init) => {
        given = init;
        return Response.json({});
      },
    },
  );
  const options = { cache: "no-store", next: { tags: ["a"] } } as const;
  const expected = { ...options, credentials: "include" };
  const seen: unknown[] = [];
  const middleware: Middleware = { onRequest: ({ request }) => void seen.push(request.cache) };
  for (let round = 0; round < 2; round += 1) {
    await movies.latest({ fetchOptions: options });
    expect(given).toMatchObject(expected);
    await http.GET(path, options);
    expect(given).toMatchObject(expected);
    expect(given.headers).toMatchObject({ authorization: `Bearer ${TOKEN}` });
    await movies.latest({ fetchOptions: { cache: undefined as never } });
    expect(given).toMatchObject({ cache: "reload", credentials: "include" });
    expect(given).not.toHaveProperty("next");
    http.use(middleware);
  }
  expect(seen).toEqual(["no-store", "no-store", "reload"]);
});

test("a call with an invalid fetch option rejects with a TypeError and is not retried", async () => {
  let sent = 0;
  const beneath = (...all: Parameters<typeof fetch>) => ((sent += 1), fetch(...all));
  const server = await serve(json(200, {}));
  const { http, movies } = clientOf(server, { fetch: beneath });
  for (const calls of [1, 2]) {
    const fetchOptions = { cache: "never" as never };
    expect(await rejection(movies.latest({ fetchOptions }))).toBeInstanceOf(TypeError);
    expect(await rejection(http.TRACE(path as never))).toBeInstanceOf(TypeError);
    expect([sent, server.seen.length, calls]).toEqual([2, 0, calls]);
    http.use({ onRequest: () => {} });
  }
});

test("the client retries a DELETE request with the body that middleware added", async () => {
  skipPauses();
  const server = await serve(json(503, {}), json(200, {}));
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
