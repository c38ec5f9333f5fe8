import { expect, test } from "vitest";
import type { CatalogueOptions } from "../../src/index.js";
import { clientOf, rejection, skipPauses } from "../support/server.js";

const anywhere = { url: "https://catalogue.example" };
const client = (fetch: () => Promise<Response>, options: Partial<CatalogueOptions> = {}) =>
  clientOf(anywhere, { fetch, ...options });

/** Creates a response like SvelteKit's `load` functions: reading `body` locks the original, and `get` can throw. */
function svelteKitResponse(status: number, text: string, headers: Record<string, string> = {}) {
  const response = new Response(text, { status, headers });
  response.headers.get = (name) => {
    throw new Error(`Failed to get response header "${name}"`);
  };
  let body: ReadableStream | null = null;
  return new Proxy(response, {
    get(target, name) {
      if (name === "body") return (body ??= target.body && target.body.tee()[0]);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value as () => void).bind(target) : value;
    },
  });
}

/** Creates a response whose `bodyUsed` is always true, like those of expo/fetch. */
function expoResponse(status: number, text: string, read?: (text: string) => string) {
  const response = new Response(text, { status, headers: { "content-type": "application/json" } });
  return Object.defineProperties(response, {
    bodyUsed: { value: true },
    ...(read && { body: { value: null }, text: { value: async () => read(text) } }),
  });
}

const KINDS: [name: string, create: (status: number, text: string) => Response][] = [
  ["SvelteKit's `load` fetch", svelteKitResponse],
  ["expo/fetch", expoResponse],
  ["expo/fetch without streams", (status, text) => expoResponse(status, text, (it) => it)],
  [
    "a library whose `body` getter throws",
    (status, text) =>
      Object.defineProperty(new Response(text, { status }), "body", {
        get() {
          throw new Error("not supported");
        },
      }),
  ],
  [
    "a library without streams, whose getters throw errors",
    (status, text) => {
      const get = () => {
        throw new Error("not supported");
      };
      const names = ["body", "bodyUsed", "statusText", "type", "url", "redirected"];
      const getters = Object.fromEntries(names.map((name) => [name, { get }]));
      return Object.defineProperties(new Response(text, { status }), getters);
    },
  ],
  [
    "a `fetch` whose responses have only the properties that the client needs",
    (status, text) =>
      ({
        ok: status < 300,
        status,
        headers: { get: () => null },
        text: async () => text,
      }) as unknown as Response,
  ],
  [
    "a library whose `body` getter returns a new stream each time",
    (status, text) => {
      let streams = 0;
      return Object.defineProperty(new Response(text, { status }), "body", {
        get: () => new Response(streams++ === 0 ? text : "second").body,
      });
    },
  ],
];

test.each(KINDS)("the client reads responses from %s", async (_, create) => {
  for (const withMiddleware of [false, true]) {
    const bodies = [create(200, '{"id":1}'), create(404, '{"status_code":34}')];
    const responses = [...bodies, create(200, '{"id":2}'), create(404, '{"status_code":7}')];
    const { http, movies } = client(async () => responses.shift()!);
    if (withMiddleware) http.use({ onResponse: () => {} });
    expect(await movies.latest()).toEqual({ id: 1 });
    expect(await rejection(movies.latest())).toMatchObject({ status: 404, serviceCode: 34 });
    expect((await http.GET("/3/movie/latest")).data).toEqual({ id: 2 });
    expect((await http.GET("/3/movie/latest")).error).toEqual({ status_code: 7 });
  }
});

test.each(KINDS)("the client accepts empty responses from %s", async (_, create) => {
  skipPauses();
  const { movies } = client(async () => create(503, ""), { retries: 1 });
  expect(await rejection(movies.latest())).toMatchObject({ name: "ApiError", status: 503 });
});

// Symptom: a response without a stream had no data.
test.each(KINDS.filter(([name]) => name !== "expo/fetch without streams"))(
  "the client reads a stream from %s",
  async (_, create) => {
    for (const withMiddleware of [false, true]) {
      const { http } = client(async () => create(200, "text"));
      if (withMiddleware) http.use({ onResponse: () => {} });
      const { data } = await http.GET("/3/movie/latest", { parseAs: "stream" });
      expect(await new Response(data).text()).toBe("text");
    }
  },
);

test.each(KINDS)("the client reads a Blob and an ArrayBuffer from %s", async (_, create) => {
  const { http } = client(async () => create(200, "text"));
  const blob = await http.GET("/3/movie/latest", { parseAs: "blob" });
  expect(await blob.data!.text()).toBe("text");
  const buffer = await http.GET("/3/movie/latest", { parseAs: "arrayBuffer" });
  expect(new TextDecoder().decode(buffer.data)).toBe("text");
});

// Symptom: the middleware threw a TypeError, because a response with status 204 cannot have a stream.
test("middleware can copy the empty body of a 204 response that has only `text`", async () => {
  const empty = { ok: true, status: 204, headers: { get: () => null }, text: async () => "" };
  const { http } = client(async () => empty as unknown as Response);
  http.use({
    onResponse: ({ response: { status, body } }) => new Response(body, { status }),
  });
  const { response } = await http.GET("/3/movie/latest", { parseAs: "stream" });
  expect(response.status).toBe(204);
});

// Symptom: a 503 response was not retried, because `headers.get("retry-after")` threw an error in SvelteKit.
test("the client honors a Retry-After header that only iterating the headers shows", async () => {
  const pauses = skipPauses();
  for (const withMiddleware of [false, true]) {
    const responses = [
      svelteKitResponse(503, "{}", { "retry-after": "3", "content-length": "2" }),
      svelteKitResponse(200, '{"id":1}', { "content-length": "8" }),
    ];
    const { http, movies } = client(async () => responses.shift()!);
    if (withMiddleware) http.use({ onResponse: () => {} });
    expect(await movies.latest()).toEqual({ id: 1 });
    expect(pauses.splice(0).map((ms) => Math.floor(ms / 1000))).toEqual([3]);
  }
});

test("an InvalidJsonError contains a content type that only iterating the headers shows", async () => {
  const html = svelteKitResponse(200, "<html>", { "content-type": "text/html" });
  const message = expect.stringContaining("(text/html)") as string;
  expect(await rejection(client(async () => html).movies.latest())).toMatchObject({ message });
});

test.each([
  ["the response's `text` method", async () => '{"id":1}', { id: 1 }],
  [
    "a ConnectionError, if `text` fails, too",
    async () => Promise.reject(new Error("no reader")),
    { name: "ConnectionError", cause: { message: "no reader" } },
  ],
])(
  "if the `getReader` method of a body throws an error, the call uses %s",
  async (_, text, expected) => {
    const getReader = () => {
      throw new Error("not implemented");
    };
    const fetch = async () =>
      ({ ok: true, status: 200, headers: new Headers(), body: { getReader }, text }) as never;
    const { movies } = clientOf({ url: "https://catalogue.example" }, { fetch, retries: 0 });
    expect(await movies.latest().catch((error: unknown) => error)).toMatchObject(expected);
  },
);

test("a call rejects with an InvalidJsonError if `text` of a mock returns an object", async () => {
  const fetch = async () =>
    ({ ok: true, status: 200, headers: new Headers(), text: async () => ({ id: 1 }) }) as never;
  const error = await rejection(client(fetch).movies.latest());
  expect(error).toMatchObject({ name: "InvalidJsonError", body: "[object Object]" });
});

test("a connection that is lost while reading from expo/fetch is retried", async () => {
  skipPauses();
  const lost = () => {
    const body = new ReadableStream({ pull: (it) => it.error(new Error("reset")) });
    return Object.defineProperty(new Response(body), "bodyUsed", { value: true });
  };
  const responses = [lost(), Response.json({ id: 1 })];
  expect(await client(async () => responses.shift()!).movies.latest()).toEqual({ id: 1 });
});

// Symptom: Next.js sent two requests for two equal calls, because it memoizes only requests without a signal.
test("`fetch` receives a signal only if the call has a timeout or a signal", async () => {
  const inits: (RequestInit | undefined)[] = [];
  const fetch: CatalogueOptions["fetch"] = async (_, init) => {
    inits.push(init);
    return Response.json({});
  };
  const { http, movies } = clientOf(anywhere, { fetch, timeout: 0 });
  for (let round = 0; round < 2; round += 1) {
    await movies.latest();
    await movies.latest({ timeout: Infinity });
    await movies.latest({ timeout: 5000 });
    await movies.latest({ signal: new AbortController().signal });
    expect(inits.splice(0).map((init) => init !== undefined && "signal" in init)).toEqual([
      false,
      false,
      true,
      true,
    ]);
    http.use({ onRequest: () => {} });
  }
});
