import { describe, expect, test } from "vitest";
import { createCatalogue, paginate } from "../../src/index.js";
import type { CatalogueOptions } from "../../src/index.js";
import { expectNoSecret } from "../support/canary.js";
import { clientOf, json, rejection, serve, TOKEN } from "../support/server.js";

const fine: CatalogueOptions = { baseUrl: "https://catalogue.example", token: TOKEN };
const NO_URL = "baseUrl is not an absolute http(s) URL";
const PLAIN = "baseUrl is plain http, which shows the token; use https or set allowInsecure";
const QUERY = "baseUrl holds a query or a fragment; remove it";
const LOGIN = "baseUrl holds credentials; remove them";
const TIMEOUT = "timeout is not a whole number from 1 to 2147483647";
const RETRIES = "retries is not a whole number from 0 to 10";
const BARE = "token holds a space, a control or a non-ASCII character; give the bare access token";

const REFUSED: [options: Record<string, unknown>, message: string][] = [
  ...[
    "",
    "/3",
    "//a.example",
    "a.example",
    "ftp://a.example",
    "file:///etc",
    "javascript:1",
    " https://a.example",
    "https://",
    "https:/a.example",
    "https://a b",
    "https://a:99999",
    undefined,
    null,
    1,
    {},
    new URL("https://a.example"),
  ].map((baseUrl): [Record<string, unknown>, string] => [{ baseUrl }, NO_URL]),
  ...[
    "https://a.example?x=1",
    "https://a.example/#x",
    "https://a.example?",
    "https://a.example#",
  ].map((baseUrl): [Record<string, unknown>, string] => [{ baseUrl }, QUERY]),
  [{ baseUrl: `https://me:${TOKEN}@a.example` }, LOGIN],
  [{ baseUrl: `https://${TOKEN}@a.example` }, LOGIN],
  ...[
    "http://a.example",
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example",
    "http://10.0.0.1",
    "http://0.0.0.0",
    "HTTP://A.EXAMPLE",
    "http://notlocalhost",
    "http://[::2]",
  ].map((baseUrl): [Record<string, unknown>, string] => [{ baseUrl }, PLAIN]),
  [{ baseUrl: "http://a.example", allowInsecure: "false" }, PLAIN],
  [{ token: "" }, "token is empty; give the access token"],
  [{ token: undefined }, "token is undefined; give a string"],
  [{ token: null }, "token is null; give a string"],
  [{ token: 12345678 }, "token is number; give a string"],
  [{ token: { TOKEN } }, "token is an object; give a string"],
  [{ token: `Bearer ${TOKEN}` }, BARE],
  [{ token: `${TOKEN}\n` }, BARE],
  [{ token: `${TOKEN}\r\nx-a: 1` }, BARE],
  [{ token: `${TOKEN}\u00e9` }, BARE],
  ...[0, -1, 1.5, NaN, Infinity, 2 ** 31, "1000", {}, true].map(
    (timeout): [Record<string, unknown>, string] => [{ timeout }, TIMEOUT],
  ),
  ...[-1, 11, 0.5, NaN, Infinity, "2", {}, false].map(
    (retries): [Record<string, unknown>, string] => [{ retries }, RETRIES],
  ),
  [{ retryDelay: 100 }, "retryDelay is number; give a function"],
  [{ fetch: "fetch" }, "fetch is string; give a function"],
  [{ fetch: null }, "fetch is null; give a function"],
  [{ validate: {} }, "validate is an object; give a function"],
  [{ headers: "x: 1" }, "headers are string; give a plain object of names and strings"],
  [{ headers: [["x-a", "1"]] }, "headers are an array; give a plain object of names and strings"],
  [
    { headers: new Map([["x-a", "1"]]) },
    "headers are an object; give a plain object of names and strings",
  ],
  [{ headers: { "x a": "1" } }, 'headers holds "x a", which cannot be sent'],
  [{ headers: { "": "1" } }, 'headers holds "", which cannot be sent'],
  [{ headers: { "x-a": `1\r\nx-b: ${TOKEN}` } }, 'headers holds "x-a", which cannot be sent'],
  [{ headers: { "x-a": "✓" } }, 'headers holds "x-a", which cannot be sent'],
  [{ headers: { "x-a": null } }, 'headers holds "x-a", which cannot be sent'],
  [{ headers: { "x-a": ["1"] } }, 'headers holds "x-a", which cannot be sent'],
  [{ headers: { "x-a": Symbol("1") } }, 'headers holds "x-a", which cannot be sent'],
];

test.each(REFUSED)("%o is refused", (options, message) => {
  const error = thrownBy(() => createCatalogue({ ...fine, ...options } as CatalogueOptions));
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toBe(`createCatalogue: ${message}`);
  expectNoSecret(error);
});

test.each([[undefined], [null], ["https://catalogue.example"], [[]], [() => fine]])(
  "%o instead of options is refused",
  (options) => {
    const make = () => createCatalogue(options as unknown as CatalogueOptions);
    expect(make).toThrow(/^createCatalogue: options are .+; give an object$/);
  },
);

test("options may be inherited, as from an object of defaults", async () => {
  const server = await serve(json(200, { id: 1 }));
  const defaults = { baseUrl: server.url, token: TOKEN };
  const catalogue = createCatalogue(Object.create(defaults) as CatalogueOptions);
  expect(await catalogue.movies.latest()).toEqual({ id: 1 });
});

test("an option that is undefined is its default", async () => {
  const [timeout, retries, limit]: (number | undefined)[] = [];
  const server = await serve(json(200, { page: 1, results: [] }));
  const catalogue = createCatalogue({ baseUrl: server.url, token: TOKEN, timeout, retries });
  const people = paginate((page) => catalogue.people.popular({ query: { page } }), { limit });
  for await (const person of people) expect.unreachable(person.name);
  expect(server.seen).toHaveLength(1);
});

const cyclic: Record<string, unknown> = {};
cyclic["itself"] = cyclic;
test.each([false, true])(
  "a body that has no JSON is refused by name (with a hook: %j)",
  async (hooked) => {
    const server = await serve(json(200, {}));
    const catalogue = clientOf(server);
    if (hooked) catalogue.http.use({ onRequest: () => undefined });
    for (const body of [cyclic, { access_token: 1n }, () => 1, Symbol("1"), { toJSON() {} }]) {
      const call = catalogue.authentication.convertV4Session({ body: body as never });
      const error = await rejection(call);
      expect(error).toBeInstanceOf(TypeError);
      const message = "authentication.convertV4Session: body cannot be sent as JSON";
      expect((error as Error).message).toBe(message);
    }
    expect(server.seen).toHaveLength(0);
  },
);

test.each([
  "http://localhost:8080",
  "http://127.0.0.1",
  "http://127.9.9.9/x",
  "http://[::1]:1",
  "http://api.localhost",
  "http://2130706433",
  "HTTPS://CATALOGUE.EXAMPLE/",
  "https://catalogue.example/api/v1//",
  "https://bücher.example",
])("%s is a base URL", (baseUrl) => {
  expect(() => createCatalogue({ ...fine, baseUrl })).not.toThrow();
});

test("plain http to a host that is not loopback is taken where it is allowed", () => {
  expect(() =>
    createCatalogue({ ...fine, baseUrl: "http://a.example", allowInsecure: true }),
  ).not.toThrow();
});

test("undefined options stand for their defaults", async () => {
  const server = await serve(json(200, { id: 1 }));
  const names = [
    "timeout",
    "retries",
    "retryDelay",
    "fetch",
    "validate",
    "headers",
    "allowInsecure",
  ];
  const options = Object.fromEntries(names.map((name) => [name, undefined]));
  const catalogue = createCatalogue({
    ...fine,
    ...options,
    baseUrl: server.url,
  } as CatalogueOptions);
  const nothing = { query: undefined, signal: undefined, timeout: undefined, headers: undefined };
  expect(await catalogue.movies.latest(nothing)).toEqual({ id: 1 });
  expect(server.seen[0]!.headers.accept).toBe("application/json");
});

describe("the options of a call", () => {
  test.each<[options: unknown, message: string]>([
    [603, "options are number; give an object"],
    ["en", "options are string; give an object"],
    [[], "options are an array; give an object"],
    [{ timeout: 0 }, TIMEOUT],
    [{ timeout: NaN }, TIMEOUT],
    [{ timeout: null }, TIMEOUT],
    [{ headers: { "x-a": `1\n${TOKEN}` } }, 'headers holds "x-a", which cannot be sent'],
    [{ headers: { "x\na": "1" } }, 'headers holds "x\\na", which cannot be sent'],
    [{ headers: null }, "headers are null; give a plain object of names and strings"],
    ...["connection", "Content-Length", "expect", "keep-alive", "transfer-encoding", "upgrade"].map(
      (name): [object, string] => [
        { headers: { [name]: "1" } },
        `headers holds "${name}", which cannot be sent`,
      ],
    ),
    [{ headers: "a" }, "headers are string; give a plain object of names and strings"],
  ])("%o are refused before anything is sent", async (options, message) => {
    const server = await serve(json(200, {}));
    const error = await rejection(clientOf(server).movies.latest(options as object));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toBe(`movies.latest: ${message}`);
    expect(server.seen).toHaveLength(0);
  });

  test("headers stand over those of the client, which stand over the defaults", async () => {
    const server = await serve(json(200, {}));
    const headers = { "x-a": "client", "x-b": "client", Accept: "application/json;v=1" };
    const catalogue = clientOf(server, { headers });
    await catalogue.movies.latest({ headers: { "X-B": "call", "x-c": undefined } as never });
    expect(server.seen[0]!.headers).toMatchObject({
      "x-a": "client",
      "x-b": "call",
      accept: "application/json;v=1",
    });
    expect(server.seen[0]!.headers).not.toHaveProperty("x-c");
  });

  test("a Headers object is taken too, not dropped in silence", async () => {
    const server = await serve(json(200, {}));
    const headers = new Headers({ "x-a": "1" }) as never;
    await clientOf(server, { headers }).movies.latest();
    await clientOf(server).movies.latest({ headers });
    expect(server.seen.map((each) => each.headers["x-a"])).toEqual(["1", "1"]);
  });

  test("no header can put another token in place of the client's", async () => {
    const server = await serve(json(200, {}));
    await clientOf(server, { headers: { authorization: "a" } }).movies.latest({
      headers: { Authorization: "b" },
    });
    expect(server.seen[0]!.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });
});

test("later changes of the options and headers given change nothing", async () => {
  const server = await serve(json(200, {}));
  const options = { ...fine, baseUrl: server.url, headers: { "x-a": "1" } };
  const catalogue = createCatalogue(options);
  options.baseUrl = "https://other.example";
  options.token = "other";
  options.headers["x-a"] = "2";
  await catalogue.movies.latest();
  expect(server.seen[0]!.headers).toMatchObject({ "x-a": "1", authorization: `Bearer ${TOKEN}` });
});

function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("it did not throw");
}
