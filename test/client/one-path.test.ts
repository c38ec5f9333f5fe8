import { expect, test } from "vitest";
import { createCatalogue, type Catalogue, type CatalogueOptions } from "../../src/index.js";
import { TOKEN } from "../support/server.js";

const PATH = "/3/movie/latest";
const ok = async () => Response.json({ id: 1 });
const minimal = async () =>
  ({
    ok: true,
    status: 200,
    headers: new Headers(),
    text: async () => '{"id":1}',
  }) as unknown as Response;
const lost = async () => Promise.reject(new TypeError("fetch failed"));
const form = { headers: { "content-type": "application/x-www-form-urlencoded" } };

const CALLS: [
  name: string,
  call: (catalogue: Catalogue) => Promise<unknown>,
  fetch?: () => Promise<Response>,
][] = [
  ["a GET", ({ movies }) => movies.lists("a/b", { query: { q: "it's" }, headers: { "x-a": "1" } })],
  ["a POST", (c) => c.authentication.convertV4Session({ body: { access_token: "é" } })],
  ["a DELETE", ({ movies }) => movies.deleteRating(603)],
  ["withResponse", ({ movies }) => movies.latest.withResponse()],
  [
    "withResponse with another status",
    ({ movies }) => movies.latest.withResponse(),
    async () => Response.json({}, { status: 202 }),
  ],
  ["http.GET", ({ http }) => http.GET(PATH, { cache: "no-store", next: { tags: ["a"] } })],
  [
    "http.GET with an odd query",
    ({ http }) => http.GET(PATH, { params: { query: { q: "it's é" } } }),
  ],
  ["http.GET as text", ({ http }) => http.GET(PATH, { parseAs: "text" })],
  [
    "http.POST with a form",
    ({ http }) => http.POST("/3/x" as never, { body: { a: "b" }, ...form } as never),
  ],
  [
    "a 404",
    ({ movies }) => movies.latest(),
    async () => Response.json({ status_code: 34 }, { status: 404 }),
  ],
  [
    "a 404 through http",
    ({ http }) => http.GET(PATH),
    async () => new Response("no", { status: 404 }),
  ],
  [
    "a redirect",
    ({ movies }) => movies.latest(),
    async () => Response.redirect("https://a.example"),
  ],
  ["HTML", ({ movies }) => movies.latest(), async () => new Response("<html>")],
  ["HTML through http", ({ http }) => http.GET(PATH), async () => new Response("<html>")],
  ["an empty body", ({ movies }) => movies.latest(), async () => new Response("")],
  ["an empty body through http", ({ http }) => http.GET(PATH), async () => new Response("")],
  ["a 204", ({ movies }) => movies.latest(), async () => new Response(null, { status: 204 })],
  ["a network error", ({ movies }) => movies.latest({ retries: 0 }), lost],
  ["a network error through http", ({ http }) => http.GET(PATH, { retries: 0 }), lost],
  ["a bad path and a bad query", ({ movies }) => movies.lists("..", { query: [] as never })],
  ["a bad timeout and a bad path", ({ movies }) => movies.lists("..", { timeout: -1 })],
  [
    "a bad body and a bad query",
    (c) => c.authentication.convertV4Session({ body: 1n as never, query: [] as never }),
  ],
  ["a minimal Response", ({ movies }) => movies.latest.withResponse(), minimal],
  ["a minimal Response through http", ({ http }) => http.GET(PATH), minimal],
  ["no Response", ({ movies }) => movies.latest(), async () => ({ ok: true }) as Response],
];

/** The behavior that a caller or a custom fetch can observe. */
async function observe(
  call: (catalogue: Catalogue) => Promise<unknown>,
  fetch: () => Promise<Response>,
  isHooked: boolean,
): Promise<unknown> {
  const sent: unknown[] = [];
  const options: CatalogueOptions = { baseUrl: "https://catalogue.example", token: TOKEN };
  const catalogue = createCatalogue({
    ...options,
    fetch: async (url, init = {}) => {
      const { method, headers, body, redirect, cache } = init;
      sent.push({
        url,
        keys: Object.keys(init),
        type: typeof body,
        isArray: body instanceof ArrayBuffer,
      });
      sent.push({ method, headers: [...(headers as Headers)], redirect, cache });
      sent.push(typeof body === "string" ? body : null);
      return fetch();
    },
  });
  if (isHooked) catalogue.http.use({ onRequest: () => undefined, onResponse: () => undefined });
  try {
    const result = (await call(catalogue)) as { response?: Response };
    const { status, url, headers } = result.response ?? {};
    return { sent, result: { ...result, response: [status, url, [...(headers ?? [])]] } };
  } catch (error) {
    const { name, message, cause } = error as Error;
    return { sent, name, message, cause, body: (error as { body?: unknown }).body };
  }
}

test.each(CALLS)(
  "%s behaves the same with and without middleware that does nothing",
  async (_, call, fetch = ok) => {
    const plain = await observe(call, fetch, false);
    expect(await observe(call, fetch, true)).toEqual(plain);
    expect(plain).toMatchObject({ sent: expect.any(Array) });
  },
);
