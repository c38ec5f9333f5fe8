import { expect, test, vi } from "vitest";
import { eventually, json, reset, serve, stall, TOKEN, type Responder } from "../support/server.js";
import { visitorOf } from "./proxies.js";

/** A key as the service issues them. */
const KEY = "0123456789abcdef0123456789abcdef";
const headersOf = ({ headers }: Response) => Object.fromEntries(headers);

test("a public response is passed back byte for byte, with its type, ETag, Cache-Control, and Age", async () => {
  const text = '{ "id": 701, "id": 702, "title": "Gr\\u00f6\\/\\u00dfe", "n": 1e400 }';
  const server = await serve(
    json(200, text, {
      etag: 'W/"v1"',
      "cache-control": "public, max-age=60",
      age: "7",
      "set-cookie": "session=1",
      "content-type": "application/json;charset=utf-8",
      "content-disposition": "inline",
      "last-modified": "Sat, 28 Nov 2026 08:00:00 GMT",
      "access-control-allow-origin": "*",
      server: "openresty",
      "x-memc": "HIT",
    }),
  );
  const response = await visitorOf(server, ["movies.details"]).visit("/3/movie/701");
  expect([response.status, await response.text()]).toEqual([200, text]);
  expect(headersOf(response)).toEqual({
    "content-type": "application/json",
    etag: 'W/"v1"',
    "cache-control": "public, max-age=60",
    age: "7",
    "x-content-type-options": "nosniff",
  });
});

test("a 304 response is passed back", async () => {
  const server = await serve((response, { headers }) =>
    response
      .writeHead(headers["if-none-match"] === '"v1"' ? 304 : 500, {
        etag: '"v1"',
        "cache-control": "max-age=9",
        "set-cookie": "a=1",
      })
      .end(),
  );
  const { visit } = visitorOf(server, ["movies.details"]);
  const response = await visit("/3/movie/701", { headers: { "if-none-match": '"v1"' } });
  expect([response.status, await response.text(), headersOf(response)]).toEqual([
    304,
    "",
    { etag: '"v1"', "cache-control": "max-age=9" },
  ]);
});

test.each([
  ["a private operation", "/3/account/1"],
  ["an operation that creates a session", "/3/authentication/guest_session/new"],
  ["a list", "/3/list/401"],
  [
    "an appended part that depends on the visitor",
    "/3/movie/701?append_to_response=credits,account_states",
  ],
])("no browser or CDN may store the response of %s", async (_, path) => {
  const server = await serve(
    json(200, {}, { etag: '"v1"', "cache-control": "public, max-age=60", age: "7" }),
  );
  const { visit } = visitorOf(server, [
    "account.details",
    "authentication.createGuestSession",
    "lists.details",
    "movies.details",
    "movies.credits",
    "movies.accountStates",
  ]);
  const response = await visit(path);
  expect([response.status, headersOf(response)]).toEqual([
    200,
    {
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  ]);
});

test.each([400, 401, 404, 422, 429, 500, 503])(
  "an error response with the status %i is passed back as JSON, and must not be stored",
  async (status) => {
    const body = { success: false, status_code: 34, status_message: "No." };
    const server = await serve(
      json(status, body, {
        "retry-after": "3",
        etag: '"v1"',
        "cache-control": "public, max-age=60",
        "www-authenticate": "Bearer",
      }),
    );
    const { visit, errors } = visitorOf(server, ["movies.details"]);
    const response = await visit("/3/movie/701");
    expect([
      response.status,
      await response.json(),
      headersOf(response),
      errors,
      server.seen.length,
    ]).toEqual([
      status,
      body,
      {
        "content-type": "application/json",
        "cache-control": "no-store",
        "retry-after": "3",
        "x-content-type-options": "nosniff",
      },
      [],
      1,
    ]);
  },
);

const text =
  (status: number, body: string, headers = {}): Responder =>
  (response) =>
    response.writeHead(status, { "content-type": "text/html", ...headers }).end(body);

test.each([
  ["HTML", text(200, "<h1>Hello</h1>"), 502],
  ["HTML with the content type of JSON", json(200, "<script>"), 502],
  ["a JSON string", json(200, '"text"'), 502],
  ["nothing", json(200, ""), 502],
  ["no content", text(204, ""), 502],
  ["cut-off JSON", json(200, '{"id":'), 502],
  ["an error page", text(503, "<h1>Maintenance</h1>"), 503],
  ["a 404 page", text(404, "Not found"), 404],
  ["a redirect", text(302, "", { location: `https://evil.example/?token=${TOKEN}` }), 502],
  ["a status that does not exist", text(799, "{}"), 502],
  ["no response, because the connection is lost", reset, 502],
])(
  "if the service responds with %s, the visitor receives only a short message",
  async (_, respond, status) => {
    const server = await serve(respond as Responder);
    const { visit, errors } = visitorOf(server, ["movies.details"]);
    const response = await visit("/3/movie/701");
    const body = await response.text();
    expect([response.status, headersOf(response)]).toEqual([
      status,
      {
        "content-type": "application/json",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    ]);
    expect(JSON.parse(body)).toEqual({
      success: false,
      status_message: expect.stringMatching(/^the (service|proxy) \D+(302|799)?$/),
    });
    expect(errors).toHaveLength(status >= 500 ? 1 : 0);
    expect([body, String(errors), JSON.stringify(errors)].join()).not.toContain(TOKEN);
    // The visitor's own client retries.
    expect(server.seen).toHaveLength(1);
  },
);

test("a request that exceeds the timeout has the status 504, and does not reach the service any longer", async () => {
  const server = await serve(stall);
  const { visit, errors } = visitorOf(server, ["movies.details"], { timeout: 50 });
  expect((await visit("/3/movie/701")).status).toBe(504);
  expect(errors).toEqual([expect.objectContaining({ name: "TimeoutError" })]);
  expect(await eventually(() => server.busy() === 0)).toBe(true);
});

test("a request that the visitor cancels is canceled at the service, and is no error", async () => {
  const server = await serve(stall);
  const { visit, errors } = visitorOf(server, ["movies.details"]);
  const controller = new AbortController();
  const pending = visit("/3/movie/701", { signal: controller.signal });
  await vi.waitFor(() => expect(server.seen).toHaveLength(1));
  controller.abort();
  expect((await pending).status).toBe(499);
  expect(await eventually(() => server.busy() === 0)).toBe(true);
  expect(errors).toEqual([]);
});

const escaped = (secret: string) =>
  [...secret].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

test.each([
  ["a token", TOKEN, {}],
  ["an API key", KEY, { apiKey: KEY }],
])(
  "%s that the service sends back in a body or a header is redacted",
  async (_, secret, options) => {
    const echo = `{"a":"Bearer ${secret}","b":[{"${secret}":"${escaped(secret)}"}],"c":"https://x.example/?api_key=${secret}&x","d":"${encodeURIComponent(secret)}","e":"\\/${secret}"}`;
    const headers = {
      etag: `"${secret}"`,
      "cache-control": `private="${secret}"`,
      "retry-after": secret,
      [`x-${secret}`]: secret,
    };
    for (const status of [200, 401, 500]) {
      const server = await serve(json(status, echo, headers));
      const { visit } = visitorOf(server, ["movies.details"], options);
      const response = await visit("/3/movie/701");
      const body = await response.text();
      expect(response.status).toBe(status);
      expect(JSON.stringify([JSON.parse(body), headersOf(response)])).not.toContain(secret);
      expect(JSON.parse(body)).toMatchObject({ a: expect.stringContaining("[redacted]") });
    }
  },
);

test.each([
  ["with codes for its letters", `{"a":"${escaped(TOKEN)}"}`],
  ["with a code for one letter", `{"a":"${escaped("c")}${TOKEN.slice(1)}"}`],
  ["as a property name", `{"a${escaped(TOKEN)}":1}`],
  ["in a value that a later value replaces", `{"a":"${escaped(TOKEN)}","a":1}`],
  ["in JSON in JSON", JSON.stringify({ a: `{"b":"${escaped(TOKEN)}"}` })],
])("a token that the service sends back %s is redacted", async (_, echo) => {
  const server = await serve(json(200, echo));
  const response = await visitorOf(server, ["movies.details"]).visit("/3/movie/701");
  const body = await response.text();
  const decoded = body.replace(/\\+u([\da-f]{4})/g, (_all, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  expect(response.status).toBe(200);
  expect([body, decoded].join()).not.toContain(TOKEN);
});

// Symptom: the visitor received text that is not JSON, with the status 200 and the content type of JSON.
test.each([
  ["that is too deep for JSON.stringify", KEY, `"b\\"${KEY.replace("0", "\\u0030")}"`, 20_000],
  ["whose syntax is part of the key", 'abcd":"efgh1', '{"abcd":"efgh1","n":1}', 0],
])(
  "the visitor receives an error in JSON instead of a key in JSON %s",
  async (_, apiKey, echo, depth) => {
    const server = await serve(json(200, "[".repeat(depth) + echo + "]".repeat(depth)));
    const { visit, errors } = visitorOf(server, ["movies.details"], { apiKey });
    const response = await visit("/3/movie/701");
    const body = { success: false, status_message: "the proxy could not redact the response" };
    expect([response.status, await response.json()]).toEqual([500, body]);
    expect(errors).toHaveLength(1);
  },
);

test("an API key goes to the service in the query, and only there", async () => {
  const server = await serve(json(200, {}));
  const { visit } = visitorOf(server, ["movies.details"], { apiKey: KEY });
  await visit("/3/movie/701?language=de");
  expect(server.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    [`/3/movie/701?language=de&api_key=${KEY}`, undefined],
  ]);
});

test("a token function is called again after a 401, and no token of it reaches the visitor", async () => {
  const tokens = ["first-token-1", "second-token-2"];
  const server = await serve(
    json(401, { status_code: 7 }),
    json(200, { first: tokens[0], second: tokens[1] }),
  );
  const { visit } = visitorOf(server, ["movies.details"], {
    token: () => tokens[Math.min(server.seen.length, 1)]!,
  });
  const response = await visit("/3/movie/701");
  expect([response.status, await response.json()]).toEqual([
    200,
    { first: "[redacted]", second: "[redacted]" },
  ]);
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(
    tokens.map((each) => `Bearer ${each}`),
  );
});

test.each([
  [
    "throws an error",
    () => {
      throw new Error(`cannot decrypt ${TOKEN}`);
    },
  ],
  ["returns an invalid token", () => `${TOKEN} and more`],
])(
  "if the token function %s, the visitor sees no details, and onError receives the error",
  async (_, token) => {
    const server = await serve(json(200, {}));
    const { visit, errors } = visitorOf(server, ["movies.details"], { token });
    const response = await visit("/3/movie/701");
    expect([response.status, await response.json()]).toEqual([
      500,
      { success: false, status_message: "the proxy failed" },
    ]);
    expect(errors).toEqual([expect.any(Error)]);
    expect(server.seen).toEqual([]);
  },
);
