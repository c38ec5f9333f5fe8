import { expect, test } from "vitest";
import { ApiError, BodyError, type Catalogue } from "../../src/index.js";
import { expectNoSecret, tracesOf } from "../support/canary.js";
import { clientOf, json, rejection, reset, serve, stall, TOKEN } from "../support/server.js";
import type { Answer } from "../support/server.js";

const bearer = `Bearer ${TOKEN}`;
const body = { access_token: TOKEN };
const offline = { url: "https://catalogue.example" };

test.each<[where: string, answer: Answer]>([
  [
    "a JSON value",
    json(401, { status_message: `no ${bearer}`, status_code: 7, deep: [{ TOKEN }] }),
  ],
  ["text", json(500, `You sent ${bearer}`)],
  ["text at the end of the excerpt", json(403, "x".repeat(190) + TOKEN)],
  ["a header", json(401, {}, { "x-sent": bearer, "set-cookie": `t=${TOKEN}` })],
  ["the target of a redirect", json(302, "", { location: `/?t=${TOKEN}` })],
  ["a content type", json(200, "<", { "content-type": `text/plain; t=${TOKEN}` })],
  ["a body that is not JSON", json(200, `{"sent":"${bearer}"`)],
  ["a reason phrase", (response) => response.writeHead(401, `No ${bearer}`).end()],
])("no error contains a token that the service echoes in %s", async (_, answer) => {
  const catalogue = clientOf(await serve(answer), { retries: 0 });
  const error = await rejection(catalogue.movies.latest());
  expect(error).toBeInstanceOf(ApiError);
  expectNoSecret(error);
  const other = clientOf(await serve(answer), { token: "another-token", retries: 0 });
  expectNoSecret(await rejection(other.authentication.convertV4Session({ body })));
  await catalogue.http.GET("/3/movie/latest").catch((thrown: unknown) => expectNoSecret(thrown));
});

const ODD = `abc+"def/ghi\\==~!'()*.canary`;
test.each([
  ["exact", ODD],
  ["JSON-escaped", JSON.stringify(ODD)],
  ["JSON-escaped, slashes too", JSON.stringify(ODD).replaceAll("/", "\\/")],
  ["percent-encoded", encodeURIComponent(ODD)],
  ["percent-encoded in lower case", encodeURIComponent(ODD).toLowerCase()],
  ["percent-encoded as a form", new URLSearchParams({ t: ODD }).toString()],
])("no error contains a token with special characters, %s", async (_, text) => {
  for (const answer of [json(400, text), json(400, { status_message: text })]) {
    const catalogue = clientOf(await serve(answer), { token: ODD });
    const traces = tracesOf(await rejection(catalogue.movies.latest()));
    expect(traces).toContain("[redacted]");
    expect(traces).not.toMatch(/canary|abc|ghi/i);
  }
});

test("a token that starts with another token is redacted completely", async () => {
  const tokens = ["canary-token", "canary-token-SECOND-HALF"];
  const echo: Answer = (response, { headers }) =>
    response.writeHead(404, { "content-type": "text/plain" }).end(headers.authorization);
  const server = await serve(json(503, {}, { "retry-after": "0" }), echo);
  const catalogue = clientOf(server, { token: () => tokens.shift()! });
  expect(await rejection(catalogue.movies.latest())).toMatchObject({ body: "Bearer [redacted]" });
});

test("two tokens that share their first 200 characters are redacted completely", async () => {
  const shared = "e".repeat(220);
  const tokens = [`${shared}.canary-one`, `${shared}.canary-two`];
  const echo: Answer = (response, { headers }) =>
    response.writeHead(503, { "retry-after": "0" }).end(headers.authorization);
  const catalogue = clientOf(await serve(echo), { token: () => tokens.shift()!, retries: 1 });
  expect(await rejection(catalogue.movies.latest())).toMatchObject({ body: "Bearer [redacted]" });
});

test("the token and a query are redacted if a hook responds without a request", async () => {
  const catalogue = clientOf(offline);
  const echo = `${TOKEN} and canary-session-id`;
  catalogue.http.use({ onRequest: () => new Response(echo, { status: 404 }) });
  const error = await rejection(
    catalogue.movies.latest({ query: { session_id: "canary-session-id" } }),
  );
  expect(error).toMatchObject({ status: 404, body: "[redacted] and [redacted]" });
});

test("a number sent as a secret is redacted when the service returns it as a number", async () => {
  const server = await serve(json(404, { session: 123456789012, id: 603 }));
  const query = { session_id: 123456789012 };
  const error = await rejection(clientOf(server).movies.latest({ query }));
  expect(error).toMatchObject({ body: { session: "[redacted]", id: 603 } });
});

const SECRET = "canary-5e11-secret";
test.each<[where: string, call: (catalogue: Catalogue) => Promise<unknown>]>([
  ["a query", ({ movies }) => movies.deleteRating(1, { query: { session_id: SECRET } })],
  [
    "a path parameter",
    ({ http }) =>
      http.GET(
        "/3/guest_session/{guest_session_id}" as never,
        {
          params: { path: { guest_session_id: SECRET } },
        } as never,
      ),
  ],
  ["a repeated parameter", ({ movies }) => movies.latest({ query: { api_key: ["1", SECRET] } })],
  ["a header", ({ movies }) => movies.latest({ headers: { "x-api-key": SECRET } })],
  [
    "a body",
    ({ authentication }) => authentication.convertV4Session({ body: { access_token: SECRET } }),
  ],
  [
    "a form",
    ({ http }) =>
      http.POST("/3/authentication/session/convert/4", {
        body: { access_token: SECRET },
        headers: { "content-type": "application/x-www-form-urlencoded" },
      }),
  ],
  [
    "a query that a hook adds",
    ({ http, movies }) => {
      const query = `?guest_session_id=${SECRET}&request_token=${SECRET}`;
      http.use({ onRequest: ({ request }) => new Request(request.url + query, request) });
      return movies.latest();
    },
  ],
])("no error contains a secret from %s that the service echoes", async (_, call) => {
  const echo: Answer = (response, { url, headers, body: sent }) =>
    response.end(`<p>${url} ${headers["x-api-key"]} ${sent}`);
  const error = await rejection(call(clientOf(await serve(echo))));
  expect(error).toBeInstanceOf(BodyError);
  expectNoSecret(error, SECRET);
});

// Symptom: every "production" in an error was "[redacted]".
test("a header whose name only resembles the name of a secret is not redacted", async () => {
  const server = await serve(json(400, { status_message: "no such tier in production" }));
  const headers = { "x-session-env": "production", "x-tokenizer": "no such tier" };
  const error = await rejection(clientOf(server).movies.latest({ headers }));
  expect(error).toMatchObject({ message: "movies.latest: 400 no such tier in production" });
});

// Symptom: a self-overlapping token and a body of 1 MB blocked the event loop for 14 s.
test.each([255, 8000])(
  "redaction of a token of %i characters takes linear time",
  async (length) => {
    const half = "a".repeat(length / 2);
    const timeFor = async (characters: number) => {
      const fetch = async () => new Response("a".repeat(characters), { status: 400 });
      const start = performance.now();
      const error = await rejection(
        clientOf(offline, { token: `${half}b${half}`, fetch }).movies.latest(),
      );
      expect(error).toMatchObject({ status: 400 });
      return performance.now() - start;
    };
    await timeFor(100_000);
    // Quadratic time would take 20 s or more.
    expect(await timeFor(4_000_000)).toBeLessThan(5000);
  },
);

test("no error contains a long token or the end of it", async () => {
  const token = `${TOKEN}${"k3jd9".repeat(10_000)}`;
  for (const text of [`no ${token} `, JSON.stringify({ sent: `no ${token} ` })]) {
    const fetch = async () => new Response(text, { status: 401 });
    const error = await rejection(clientOf(offline, { token, fetch }).movies.latest());
    expectNoSecret(error);
    expect(tracesOf(error)).not.toContain("k3jd9");
  }
});

test("deeply nested JSON in an error does not exhaust the stack", async () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const error = await rejection(clientOf(await serve(json(404, deep))).movies.latest());
  expect(error).toMatchObject({ name: "ApiError", status: 404 });
});

test("a ConnectionError or TimeoutError contains neither the token nor the request", async () => {
  for (const answer of [reset, stall]) {
    const catalogue = clientOf(await serve(answer), { timeout: 100 });
    expectNoSecret(await rejection(catalogue.movies.latest()));
    expectNoSecret(await rejection(catalogue.authentication.convertV4Session({ body })));
  }
});

test.each<[error: string, make: (request: unknown, token: string) => unknown]>([
  ["the request", (request) => Object.assign(new Error("no"), { request })],
  ["the token in its message", (_, token) => new Error(`sent ${token}`)],
  ["the token in name and code", (_, t) => Object.assign(new Error("no"), { name: t, code: t })],
  ["the token in a cause", (_, token) => new Error("a", { cause: { message: token } })],
  ["a string", (_, token) => token],
  ["undefined", () => undefined],
])("a fetch that throws %s causes a ConnectionError without the token", async (_, make) => {
  const fetch = (_url: unknown, init?: RequestInit) => {
    throw make(init, new Headers(init?.headers).get("authorization")!);
  };
  const error = await rejection(clientOf(offline, { fetch, retries: 0 }).movies.latest());
  expect(error).toMatchObject({ name: "ConnectionError", operation: "movies.latest" });
  expectNoSecret(error);
});

test("a token that cannot be sent is refused, without quoting it", async () => {
  const server = await serve(json(200, {}));
  for (const token of [`${TOKEN}\nx: y`, `Bearer ${TOKEN}`, `${TOKEN}é`, 5 as unknown as string]) {
    const error = await rejection(clientOf(server, { token: () => token }).movies.latest());
    expect(error).toMatchObject({ name: "TypeError" });
    expect((error as Error).message).toMatch(/^movies\.latest: token must be /);
    expectNoSecret(error);
  }
  expect(server.seen).toHaveLength(0);
});

test("errors thrown by the token function or validate are rethrown unchanged", async () => {
  const server = await serve(json(200, {}));
  for (const reason of [new Error("signed out"), "no", 0, "", null, undefined, false, NaN]) {
    const fail = () => {
      throw reason;
    };
    const later = () => Promise.reject(reason);
    for (const options of [{ token: fail }, { token: later }, { validate: later }]) {
      expect(await rejection(clientOf(server, options).movies.latest())).toBe(reason);
    }
  }
});
