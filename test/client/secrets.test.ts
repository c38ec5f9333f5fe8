import { describe, expect, test } from "vitest";
import { ContractError, validateResponse } from "../../src/contract/validate.js";
import { ApiError, BodyError, createCatalogue, isCatalogueError } from "../../src/index.js";
import type { Catalogue, Http } from "../../src/index.js";
import { expectNoSecret, tracesOf } from "../support/canary.js";
import { clientOf, json, rejection, reset, serve, stall, TOKEN } from "../support/server.js";
import type { Answer } from "../support/server.js";

const bearer = `Bearer ${TOKEN}`;
const convert = { access_token: TOKEN };

/** Servers that send back what they were sent, wherever HTTP has room for it. */
const ECHOES: [where: string, answer: Answer][] = [
  [
    "a JSON value",
    json(401, { status_message: `no ${bearer}`, status_code: 7, deep: [{ TOKEN }] }),
  ],
  ["a JSON key", json(401, { status_code: 7, [TOKEN]: 1 })],
  [
    "JSON with escaped characters",
    json(401, `{"status_code":7,"a":"${TOKEN.replace("y", "\\u0079")}"}`),
  ],
  ["text", json(500, `You sent ${bearer}`)],
  ["HTML beyond the excerpt's end", json(403, "x".repeat(190) + TOKEN)],
  ["the name of a header", json(401, {}, { [`x-${TOKEN}`]: "1" })],
  ["a body that is cut off within it", json(200, `{"sent":"${bearer.slice(0, -1)}`)],
  ["text, without its end", json(500, `You sent ${bearer.slice(0, -3)}`)],
  ["a header", json(401, {}, { "x-sent": bearer, "set-cookie": `t=${TOKEN}` })],
  ["the percent-encoded target of a redirect", json(302, "", { location: `/?t=${TOKEN}` })],
  ["the content type of a success", json(200, "{}", { "content-type": `text/plain; t=${TOKEN}` })],
  ["a success that is nothing but the token", json(200, TOKEN)],
  ["the body of a success that is not JSON", json(200, `{"sent":"${bearer}"`)],
  [
    "the reason phrase",
    (response) => response.writeHead(401, `No ${bearer}`, { "content-length": 0 }).end(),
  ],
];

describe.each(ECHOES)("a token that is echoed in %s", (_, answer) => {
  test("is on no error", async () => {
    const catalogue = clientOf(await serve(answer), { retries: 0 });
    const error = await rejection(catalogue.movies.latest());
    expect(isCatalogueError(error)).toBe(true);
    expectNoSecret(error);
  });

  test("is on no error of a call through http", async () => {
    const { http } = clientOf(await serve(answer), { retries: 0 });
    // Pairs of data and error are what the service sent; an error that is thrown is ours.
    await http.GET("/3/movie/latest").catch((error: unknown) => expectNoSecret(error));
  });

  test("is on no error where it was sent in a body", async () => {
    const catalogue = clientOf(await serve(answer), { token: "another-token", retries: 0 });
    expectNoSecret(await rejection(catalogue.authentication.convertV4Session({ body: convert })));
  });
});

test("a token that begins like another leaves no end of it", async () => {
  const tokens = ["canary-token", "canary-token-SECOND-HALF"];
  const echo: Answer = (response, { headers }) =>
    response.writeHead(404, { "content-type": "text/plain" }).end(headers.authorization);
  const catalogue = clientOf(await serve(json(503, {}), echo), {
    token: () => tokens.shift()!,
    retryDelay: () => 1,
  });
  expect(await rejection(catalogue.movies.latest())).toMatchObject({ body: "Bearer [redacted]" });
});

const ODD_TOKEN = "abc+def/ghi==~!'()*.canary";
test.each([
  ["percent-encodes it in lower case", encodeURIComponent(ODD_TOKEN).toLowerCase()],
  ["encodes it as a form", new URLSearchParams({ t: ODD_TOKEN }).toString()],
  ["percent-encodes all of it", Buffer.from(ODD_TOKEN).toString("hex").replace(/../g, "%$&")],
  [
    "writes it by numbers",
    `"${ODD_TOKEN.replace(/\W/g, (sign) => `\\u00${Buffer.from(sign).toString("hex")}`)}`,
  ],
  ["writes it in capitals", ODD_TOKEN.toUpperCase()],
  [
    "writes it as HTML with names and numbers",
    ODD_TOKEN.replace("'", "&apos;").replace(/\+|=/g, (sign) => `&#${sign.charCodeAt(0)};`),
  ],
  [
    "writes it as HTML with hexadecimal numbers",
    ODD_TOKEN.replace(/\W/g, (sign) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`),
  ],
])("a token with signs is not on an error where a service %s", async (_, text) => {
  const catalogue = clientOf(await serve(json(400, text)), { token: ODD_TOKEN });
  const traces = tracesOf(await rejection(catalogue.movies.latest()));
  expect(traces).toContain("[redacted]");
  expect(traces).not.toMatch(/canary|abc|ghi|%63/i);
});

describe("an answer that contradicts the description where it echoes the token", () => {
  const long = `${TOKEN}-${"0123456789".repeat(20)}`;
  const refuse = (_: string, body: unknown) => {
    throw new Error(`this is no movie: ${JSON.stringify(body)}`);
  };
  test.each([
    ["a value", { id: `Bearer ${long}`, results: {} }],
    ["a key", { id: 1, results: { [long]: 5 } }],
  ])("is a ContractError without it, be it in %s", async (_, body) => {
    const options = { token: long, validate: validateResponse };
    const error = await rejection(
      clientOf(await serve(json(200, body)), options).movies.watchProviders(1),
    );
    expect(error).toBeInstanceOf(ContractError);
    expectNoSecret(error, TOKEN);
    const own = clientOf(await serve(json(200, body)), { token: long, validate: refuse });
    expectNoSecret(await rejection(own.movies.watchProviders(1)), TOKEN);
  });
});

test.each([
  ["escapes its slashes", json(200, '{"t":"canary\\/4f1d+8c2b\\/9e7a==",')],
  ["percent-encodes it", json(302, "", { location: "/?t=canary%2F4f1d%2B8c2b%2F9e7a%3D%3D" })],
])("a token with slashes is not on an error either where a service %s", async (_, answer) => {
  const catalogue = clientOf(await serve(answer), { token: "canary/4f1d+8c2b/9e7a==" });
  expect(tracesOf(await rejection(catalogue.movies.latest()))).not.toMatch(/4f1d|9e7a/);
});

test.each([5_000, 500_000])("a token of %i characters is not on an error", async (length) => {
  const token = `${TOKEN}${"k3jd9".repeat(length / 5)}`;
  const server = { url: "https://catalogue.example" };
  for (const body of [`no ${token} `, JSON.stringify({ sent: `no ${token} ` })]) {
    const fetch = async () => new Response(body, { status: 401 });
    const error = await rejection(clientOf(server, { token, fetch }).movies.latest());
    expect(error).toBeInstanceOf(ApiError);
    expectNoSecret(error);
    expect(tracesOf(error)).not.toContain("k3jd9");
  }
});

test("a secret of backslashes that is echoed in part is searched for in good time", async () => {
  const secret = `${"\\".repeat(60)}y`;
  const echo: Answer = (response, { body }) =>
    json(400, `no ${body.slice(0, 100)}`)(response, body as never);
  const catalogue = clientOf(await serve(echo));
  const call = catalogue.authentication.convertV4Session({ body: { access_token: secret } });
  expect(await rejection(call)).toMatchObject({ status: 400 });
});

test("a long body takes no longer to be searched than its start", async () => {
  const fetch = async () => new Response("a".repeat(30_000_000), { status: 400 });
  const token = `${"a".repeat(300)}b`;
  const catalogue = clientOf({ url: "https://catalogue.example" }, { token, fetch });
  expect(await rejection(catalogue.movies.latest())).toMatchObject({ status: 400 });
});

test("a body of many short texts is searched in good time for a long token", async () => {
  const body = JSON.stringify(Array.from({ length: 2_000_000 }, () => "v"));
  const fetch = async () => new Response(body, { status: 400 });
  const token = "k3jd9".repeat(60);
  const catalogue = clientOf({ url: "https://catalogue.example" }, { token, fetch });
  expect(await rejection(catalogue.movies.latest())).toMatchObject({ status: 400 });
}, 15_000);

test("of a request with thousands of secrets none is on the error, which keeps its kind", async () => {
  const sent = Array.from({ length: 5000 }, (_, at) => ({ token: `${TOKEN}-${at}` }));
  const { http } = clientOf(await serve(reset), { retries: 0 });
  const error = await rejection(http.POST("/3/any" as never, { body: sent } as never));
  expect(error).toMatchObject({ name: "ConnectionError", operation: "POST /3/any" });
  expectNoSecret(error);
});

const SECRET = "canary-5e11-secret";
class Login {
  access_token = SECRET;
}
test.each<[where: string, call: (catalogue: Catalogue) => Promise<unknown>]>([
  ["a query", ({ movies }) => movies.deleteRating(1, { query: { session_id: SECRET } })],
  ["a repeated parameter", ({ movies }) => movies.latest({ query: { session_id: ["1", SECRET] } })],
  ["a body", (catalogue) => posted(catalogue, { access_token: SECRET })],
  ["a body of a class", (catalogue) => posted(catalogue, new Login())],
  ["a body within another", (catalogue) => posted(catalogue, { login: { password: SECRET } })],
  ["a header", ({ movies }) => movies.latest({ headers: { "x-api-key": SECRET } })],
  ["a form", ({ http }) => form(http, new URLSearchParams({ access_token: SECRET }))],
  [
    "a query that a hook adds",
    ({ http, movies }) => {
      const added = `?api_key=${SECRET}`;
      http.use({ onRequest: ({ request }) => new Request(request.url + added, request) });
      return movies.latest();
    },
  ],
  [
    "a header that a hook adds",
    ({ http, movies }) => {
      http.use({ onRequest: ({ request }) => request.headers.set("x-api-key", SECRET) });
      return movies.latest();
    },
  ],
])("a secret in %s that is echoed is not on an error", async (_, call) => {
  const echo: Answer = (response, { url, headers, body }) =>
    json(200, `<p>${url} ${headers["x-api-key"]} ${body.replaceAll('"', "'")}`)(
      response,
      undefined as never,
    );
  const error = await rejection(call(clientOf(await serve(echo))));
  expect(error).toBeInstanceOf(BodyError);
  expectNoSecret(error, SECRET);
});

const posted = ({ authentication }: Catalogue, body: object) =>
  authentication.convertV4Session({ body: body as typeof convert });

const form = (http: Http, body: URLSearchParams) =>
  http.POST("/3/authentication/session/convert/4", { body: body as never, bodySerializer: String });

test("a query in the path of a call through http is on no error", async () => {
  const { http } = clientOf(await serve(reset), { retries: 0 });
  const path = `/3/movie/latest?session_id=${SECRET}` as "/3/movie/latest";
  const error = await rejection(http.GET(path));
  expect(error).toMatchObject({ operation: "GET /3/movie/latest" });
  expectNoSecret(error, SECRET);
});

test("what was just issued is not on the error of a body that is cut off", async () => {
  const server = await serve(json(200, `{"success":true,"session_id":"a\\"${SECRET}","x":[`));
  const call = clientOf(server).authentication.convertV4Session({ body: convert });
  const error = await rejection(call);
  expect(error).toMatchObject({ body: '{"success":true,"session_id":"[redacted]","x":[' });
  expectNoSecret(error, SECRET);
});

test("a token of digits that comes as a number is not on an error", async () => {
  const token = "1234567890123456";
  const server = await serve(json(401, `{"sent":${token},"other":${token}7}`));
  expect(await rejection(clientOf(server, { token }).movies.latest())).toMatchObject({
    body: { sent: "[redacted]", other: Number(`${token}7`) },
  });
});

test("a token of digits alone, or of punctuation, leaves the rest of a body as it was", async () => {
  const body = { status_code: 7, id: 12345678901, a: { b: [null, true, 1.5] }, t: "1234567890" };
  for (const token of ["1234567890", '":{"b":[n']) {
    const catalogue = clientOf(await serve(json(404, body)), { token });
    const clean = { ...body, t: token === body.t ? "[redacted]" : body.t };
    expect(await rejection(catalogue.movies.latest())).toMatchObject({ status: 404, body: clean });
  }
});

test("lost connections and timeouts carry neither token nor request", async () => {
  for (const answer of [reset, stall]) {
    const catalogue = clientOf(await serve(answer), { timeout: 100 });
    expectNoSecret(await rejection(catalogue.movies.latest()));
    expectNoSecret(await rejection(catalogue.authentication.convertV4Session({ body: convert })));
  }
});

const thrown: [what: string, error: (request: unknown, init: unknown) => unknown][] = [
  [
    "an error that carries the request",
    (request, init) => Object.assign(new Error("no"), { request, init }),
  ],
  ["an error with the token in its words", (_, init) => new Error(`sent ${authorizationOf(init)}`)],
  [
    "an error with the token in name and code",
    (_, init) =>
      Object.assign(new Error("no"), { name: authorizationOf(init), code: authorizationOf(init) }),
  ],
  [
    "a chain of causes",
    (_, init) =>
      new Error("a", {
        cause: new TypeError("b", { cause: { init, message: authorizationOf(init) } }),
      }),
  ],
  ["an aggregate", (_, init) => new AggregateError([new Error(authorizationOf(init))], "all")],
  ["a string", (_, init) => authorizationOf(init)],
  ["an object", (_, init) => init],
  ["an object without a prototype", () => Object.create(null)],
  [
    "an error whose fields are odd",
    (_, init) => Object.assign(new Error("no"), { message: init, stack: 1 }),
  ],
  ["nothing", () => undefined],
];

describe.each(thrown)("a custom fetch that throws %s", (_, make) => {
  const failing = (request: unknown, init: unknown) => {
    throw make(request, init);
  };
  test.each([
    ["at once", failing],
    ["later", async (request: unknown, init: unknown) => failing(request, init)],
  ])("%s is a ConnectionError without the token", async (_when, fetch) => {
    const catalogue = createCatalogue({
      baseUrl: "http://localhost",
      token: TOKEN,
      fetch: fetch as typeof globalThis.fetch,
      retryDelay: () => 0,
    });
    const error = await rejection(catalogue.movies.latest());
    expect(error).toMatchObject({ name: "ConnectionError", operation: "movies.latest" });
    expectNoSecret(error);
  });
});

test("a token that cannot be sent is refused without being shown", async () => {
  const server = await serve(json(200, {}));
  for (const token of [`${TOKEN}\nx: y`, `${TOKEN} `, `Bearer ${TOKEN}`, `${TOKEN}é`]) {
    const error = await rejection(clientOf(server, { token: () => token }).movies.latest());
    expect(error).toBeInstanceOf(TypeError);
    expectNoSecret(error);
  }
  expect(server.seen).toHaveLength(0);
});

test("what the token function throws is the caller's own and passes untouched", async () => {
  const server = await serve(json(200, {}));
  for (const reason of [new Error("signed out"), "no", 0, "", null, undefined, false, NaN]) {
    const token = () => {
      throw reason;
    };
    const later = () => Promise.reject(reason);
    expect(await rejection(clientOf(server, { token }).movies.latest())).toBe(reason);
    expect(await rejection(clientOf(server, { token: later }).movies.latest())).toBe(reason);
  }
  expect(server.seen).toHaveLength(0);
});

test("a printed client shows no token", () => {
  expectNoSecret(clientOf({ url: "http://localhost" }));
});

function authorizationOf(init: unknown): string {
  return new Headers((init as RequestInit).headers).get("authorization") ?? "";
}
