import { expect, test } from "vitest";
import { BodyError, type ApiError, type Catalogue } from "../../src/index.js";
import { expectNoSecret, tracesOf, UnreadableError } from "../support/canary.js";
import { clientOf, json, rejection, serve, skipPauses, TOKEN } from "../support/server.js";
import type { Responder } from "../support/server.js";

const bearer = `Bearer ${TOKEN}`;
const offline = { url: "https://catalogue.example" };

const LONG = "x".repeat(190) + TOKEN;
test.each<[name: string, status: number, body: unknown]>([
  ["the excerpt of a BodyError", 200, LONG],
  ["the excerpt of an ApiError", 403, LONG],
  ["a shortened message", 403, { status_message: LONG }],
])("no token remains at the end of %s", async (_, status, body) => {
  const error = await rejection(clientOf(await serve(json(status, body))).movies.latest());
  expect(tracesOf(error)).toContain("[redacted]");
  expectNoSecret(error);
});

const ODD = `aBc+"def/ghi\\==~!'()*.canary`;
test.each([
  ["in lower case", encodeURIComponent(ODD).replace(/%../g, (code) => code.toLowerCase())],
  ["as a form", new URLSearchParams({ t: ODD }).toString()],
])("no error contains a token that is percent-encoded %s", async (_, text) => {
  const error = await rejection(
    clientOf(await serve(json(400, text)), { token: ODD }).movies.latest(),
  );
  expect(String((error as ApiError).body).replace(/^t=/, "")).toBe("[redacted]");
});

test("no error contains a query's secret that is percent-encoded as sent, but in lower case", async () => {
  const echo: Responder = (response, { url = "" }) =>
    response.writeHead(404).end(url.replace(/%../g, (code) => code.toLowerCase()));
  const query = { session_id: "the canary's/session" };
  const error = await rejection(clientOf(await serve(echo)).movies.latest({ query }));
  expect(error).toMatchObject({ body: "/3/movie/latest?session_id=[redacted]" });
});

test("no error contains the token as part of a header's name", async () => {
  const fetch = async () =>
    new Response("", { status: 404, headers: { [TOKEN]: "1", "x-a": "1" } });
  const error = (await rejection(clientOf(offline, { fetch }).movies.latest())) as ApiError;
  expect(Object.fromEntries(error.headers)).toMatchObject({ "x-a": "1" });
  expectNoSecret(error);
});

test("a token that starts with another token is redacted completely", async () => {
  const tokens = ["canary-token", "canary-token-SECOND-HALF"];
  const echo: Responder = (response, { headers }) =>
    response.writeHead(404, { "content-type": "text/plain" }).end(headers.authorization);
  skipPauses();
  const server = await serve(json(503, {}), echo);
  const catalogue = clientOf(server, { token: () => tokens.shift()! });
  expect(await rejection(catalogue.movies.latest())).toMatchObject({ body: "Bearer [redacted]" });
});

test("the token and a query are redacted if middleware responds without a request", async () => {
  const catalogue = clientOf(offline);
  const echo = `${TOKEN} and canary-session-id`;
  catalogue.http.use({ onRequest: () => new Response(echo, { status: 404 }) });
  const error = await rejection(
    catalogue.movies.latest({ query: { session_id: "canary-session-id" } }),
  );
  expect(error).toMatchObject({ status: 404, body: "[redacted] and [redacted]" });
});

test("escapes in text that is not JSON remain, unless they hide a secret", async () => {
  for (const [text, expected] of [
    ['{"a":"b\\n"', '{"a":"b\\n"'],
    [`{"a":"b\\n${TOKEN.replace("c", "\\u0063")}"`, '{"a":"b\n[redacted]"'],
  ] as const) {
    const error = await rejection(clientOf(await serve(json(404, text))).movies.latest());
    expect(error).toMatchObject({ body: expected });
  }
});

test("a secret number is redacted even if the service returns it as a number", async () => {
  const server = await serve(json(404, { session: 123456789012, id: 603, rest: [-1.5e-3] }));
  const query = { session_id: 123456789012 };
  const error = await rejection(clientOf(server).movies.latest({ query }));
  expect(error).toMatchObject({ body: { session: "[redacted]", id: 603, rest: [-0.0015] } });
});

test("a secret of eight characters is redacted, but not a shorter one", async () => {
  const server = await serve((response, { url }) => response.writeHead(404).end(url));
  const query = { session_id: "sevenet", api_key: "eightlet" };
  const error = await rejection(clientOf(server).movies.latest({ query }));
  expect(error).toMatchObject({ body: "/3/movie/latest?session_id=sevenet&api_key=[redacted]" });
});

const SECRET = "canary-5e11-secret";
const echo: Responder = (response, { url, body: sent }) => response.end(`<p>${url} ${sent}`);

test.each([
  "access_token",
  "session_id",
  "guest_session_id",
  "request_token",
  "api_key",
  "password",
])("no error contains the %s of a query or a body that the service echoes", async (name) => {
  const { http, movies } = clientOf(await serve(echo));
  for (const call of [
    movies.latest({ query: { [name]: SECRET } }),
    http.POST("/3/authentication/session/convert/4", {
      body: { note: null, [name]: SECRET } as never,
    }),
  ]) {
    expect(await rejection(call)).toMatchObject({ body: expect.stringContaining("[redacted]") });
    expectNoSecret(await rejection(call), SECRET);
  }
});

test("values of other fields and parameters remain in an error", async () => {
  const { http } = clientOf(await serve(echo));
  const params = { query: { language: "a-long-language" } };
  const body = { note: "a-long-note", numbers: [1234567890] } as never;
  const call = http.POST("/3/authentication/session/convert/4", { params, body } as never);
  const sent = '?language=a-long-language {"note":"a-long-note","numbers":[1234567890]}';
  expect(await rejection(call)).toMatchObject({ body: expect.stringContaining(sent) });
});

test.each<[where: string, call: (catalogue: Catalogue) => Promise<unknown>]>([
  [
    "a parameter as the client encodes it",
    ({ movies }) => movies.latest({ query: { session_id: `${SECRET}'s!` } }),
  ],
  ["a repeated parameter", ({ movies }) => movies.latest({ query: { api_key: ["1", SECRET] } })],
  [
    "a query that middleware adds",
    ({ http, movies }) => {
      const query = `?guest_session_id=${SECRET}&request_token=${SECRET}`;
      http.use({ onRequest: ({ request }) => new Request(request.url + query, request) });
      return movies.latest();
    },
  ],
  [
    "a query that middleware moves to a body",
    ({ http, movies }) => {
      const init = { method: "POST", body: SECRET };
      http.use({ onRequest: ({ request }) => new Request(request.url.split("?")[0]!, init) });
      return movies.latest({ query: { session_id: SECRET } });
    },
  ],
  [
    "a body that middleware adds and that might be binary",
    ({ http, movies }) => {
      const init = { method: "POST", body: JSON.stringify({ password: SECRET, note: "\ufffd" }) };
      http.use({ onRequest: ({ request }) => new Request(request.url, init) });
      return movies.latest();
    },
  ],
])("no error contains a secret from %s that the service echoes", async (_, call) => {
  const error = await rejection(call(clientOf(await serve(echo))));
  expect(error).toBeInstanceOf(BodyError);
  expectNoSecret(error, SECRET);
});

// Symptom: searching an error body took 25 times as long as parsing it.
test("a 5 MB body in an error is redacted only once", async () => {
  const items = Array.from({ length: 50_000 }, (_, id) => ({ id, text: "x".repeat(80) }));
  const text = JSON.stringify({ items, sent: bearer });
  const fetch = async () => new Response(text, { status: 404 });
  const error = await rejection(clientOf(offline, { fetch }).movies.latest());
  expect(error).toMatchObject({ body: { items, sent: "Bearer [redacted]" } });
});

test("no error contains a long token or the end of one", async () => {
  const token = `${TOKEN}${"k3jd9".repeat(10_000)}`;
  for (const text of [`no ${token} `, JSON.stringify({ sent: `no ${token} ` })]) {
    const fetch = async () => new Response(text, { status: 401 });
    const error = await rejection(clientOf(offline, { token, fetch }).movies.latest());
    expectNoSecret(error);
    expect(tracesOf(error)).not.toContain("k3jd9");
  }
});

test.each([
  ["deeply nested JSON", "[".repeat(200_000) + "]".repeat(200_000)],
  ["text that is escaped 200,000 times", `\\${"u005c".repeat(200_000)}`],
])("%s in an error does not exhaust the stack", async (_, text) => {
  const error = await rejection(clientOf(await serve(json(404, text))).movies.latest());
  expect(error).toMatchObject({ name: "ApiError", status: 404 });
});

test.each<[error: string, make: (token: string) => unknown]>([
  ["the token in name and code", (t) => Object.assign(new Error("no"), { name: t, code: t })],
  ["the token in a cycle of causes", (token) => causedByItself(new Error(token))],
  ["a string", (token) => token],
  ["undefined", () => undefined],
  ["an error with a getter that throws", () => new UnreadableError()],
])("a fetch that throws %s causes a ConnectionError without the token", async (_, make) => {
  const fetch = (_url: unknown, init?: RequestInit) => {
    throw make(new Headers(init?.headers).get("authorization")!);
  };
  const error = await rejection(clientOf(offline, { fetch, retries: 0 }).movies.latest());
  expect(error).toMatchObject({ name: "ConnectionError", operation: "movies.latest" });
  expectNoSecret(error);
});

function causedByItself(error: Error): Error {
  return Object.assign(error, { cause: error });
}

test("a token that cannot be sent is rejected, without quoting it", async () => {
  const server = await serve(json(200, {}));
  for (const token of [`${TOKEN}\nx: y`, `Bearer ${TOKEN}`, `${TOKEN}é`, 5 as unknown as string]) {
    const error = await rejection(clientOf(server, { token: () => token }).movies.latest());
    expect(error).toMatchObject({ name: "TypeError" });
    expect((error as Error).message).toMatch(/^movies\.latest: token must /);
    expectNoSecret(error);
  }
  expect(server.seen).toHaveLength(0);
});

test("errors thrown by the token function or validate are rethrown unchanged", async () => {
  const server = await serve(json(200, {}));
  for (const reason of [new Error("signed out"), "no", undefined]) {
    const fail = () => {
      throw reason;
    };
    const later = () => Promise.reject(reason);
    for (const options of [{ token: fail }, { token: later }, { validate: later }]) {
      expect(await rejection(clientOf(server, options).movies.latest())).toBe(reason);
    }
  }
});
