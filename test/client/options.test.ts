import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createCatalogue, type CatalogueOptions } from "../../src/index.js";
import { createSettings } from "../../src/client/options.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { expectNoSecret } from "../support/canary.js";
import { json, rejection, serve, TOKEN } from "../support/server.js";

const fine: CatalogueOptions = { baseUrl: "https://catalogue.example", token: TOKEN };
const NO_URL = "baseUrl must be an absolute http(s) URL";
const EXTRA = "baseUrl must not contain credentials, a query, or a fragment";
const PLAIN = "baseUrl is plain http, which exposes all requests; use https or set allowHttp";
const VERSION = "baseUrl must not end in /3; every path already starts with /3";
const BARE = "token must contain only visible ASCII without spaces";
const SET = "is the environment variable set?";
const TIMEOUT = "timeout must be a whole number from 0 to 2147483647, or Infinity";
const RETRIES = "retries must be a whole number from 0 to 10";
const NO_TOKEN = "token must be a string, or a function that returns one, or false";

test.each<[options: Record<string, unknown>, problem: string]>([
  [{ baseUrl: "" }, `${NO_URL}; ${SET}`],
  [{ baseUrl: "api.example.com" }, `${NO_URL}; start it with https://`],
  [{ baseUrl: "localhost:4010" }, `${NO_URL}; start it with http://`],
  [{ baseUrl: "127.0.0.1:4010/api" }, `${NO_URL}; start it with http://`],
  [{ baseUrl: " a.example\n" }, `${NO_URL}; start it with https://`],
  [{ baseUrl: "a.example:port" }, `${NO_URL}; start it with https://`],
  [{ baseUrl: "a.example?from=https://b.example" }, `${NO_URL}; start it with https://`],
  [{ baseUrl: "ftp://a.example" }, NO_URL],
  [{ baseUrl: "xhttps://a.example" }, NO_URL],
  [{ baseUrl: "https://a b" }, `${NO_URL}; remove the spaces`],
  [{ baseUrl: undefined }, `${NO_URL}; ${SET}`],
  [{ baseUrl: new URL("https://a.example") }, `${NO_URL}; pass a string`],
  [{ baseUrl: "https://a.example?" }, EXTRA],
  [{ baseUrl: "https://a.example/#x" }, EXTRA],
  [{ baseUrl: `https://me:${TOKEN}@a.example` }, EXTRA],
  [{ baseUrl: `https://:${TOKEN}@a.example` }, EXTRA],
  [{ baseUrl: "http://a.example" }, PLAIN],
  [{ baseUrl: "http://a.example", token: false }, PLAIN],
  [{ baseUrl: "http://localhost.evil.example" }, PLAIN],
  [{ baseUrl: "http://evillocalhost" }, PLAIN],
  [{ baseUrl: "http://127.0.0.1.evil.example" }, PLAIN],
  [
    { baseUrl: "http://a.example", allowHttp: "false" },
    "allowHttp must be a boolean, not a string",
  ],
  [{ baseUrl: "https://a.example/3" }, VERSION],
  [{ baseUrl: "https://a.example/api/3//" }, VERSION],
  [{ baseUrl: "https://a.example/4/" }, VERSION.replace("/3;", "/4;")],
  [{ token: undefined }, `${NO_TOKEN}, not undefined; ${SET}`],
  [{ token: { TOKEN } }, `${NO_TOKEN}, not an object`],
  [{ token: "" }, `token is empty; ${SET}`],
  [{ token: "\n" }, `token is empty; ${SET}`],
  [{ token: `${TOKEN}\n` }, "token starts or ends with a line break; call its trim()"],
  [{ token: `\t${TOKEN}` }, "token starts or ends with a space; call its trim()"],
  [{ token: `Bearer ${TOKEN}` }, 'token must not contain spaces; leave out "Bearer"'],
  [{ token: ` bearer ${TOKEN}` }, 'token must not contain spaces; leave out "Bearer"'],
  [{ token: `my bearer ${TOKEN}` }, BARE],
  [{ token: `${TOKEN}\r\nx-a: 1` }, BARE],
  [{ token: `${TOKEN}\u00e9` }, BARE],
  [{ timeout: -1 }, `${TIMEOUT}, not -1`],
  [{ timeout: 2 ** 31 }, `${TIMEOUT}, not 2147483648`],
  [{ timeout: "1000" }, `${TIMEOUT}, not a string`],
  [{ retries: 11 }, `${RETRIES}, not 11`],
  [{ fetch: null }, "fetch must be a function, not null"],
  [{ fetch: {} }, "fetch must be a function, not an object"],
  [
    { fetch: createSandbox() },
    "fetch must be a function, not an object; pass its `fetch` property",
  ],
  [{ validate: createSandbox() }, "validate must be a function, not an object"],
  [{ interceptors: [() => {}, "log"] }, "interceptors must be an array of functions, not an array"],
  [{ headers: "x-a: 1" }, "headers must be an object, not a string"],
  [{ headers: null }, "headers must be an object, not null"],
  [{ query: null }, "query must be a plain object, not null"],
  [{ headers: { "x a": TOKEN } }, '"x a" is not a valid header name'],
  [
    { fetchOptions: { method: "PUT" } },
    '"method" cannot be a fetch option; use another option or http.use',
  ],
  [
    { headers: { authorization: TOKEN } },
    'the client sets the "authorization" header; use the `token` option instead',
  ],
  [
    { query: { filter: {} } },
    'query parameter "filter" must be a well-formed string, finite number, boolean, or valid Date, not an object',
  ],
  [
    { retry: 2 },
    'unknown option "retry" (did you mean "retries"?); valid options: baseUrl, token, timeout, retries, query, headers, fetchOptions, fetch, validate, interceptors, allowHttp; query parameters belong in `query`',
  ],
])("createCatalogue rejects the options %o", (options, problem) => {
  let error: unknown;
  try {
    createCatalogue({ ...fine, ...options } as CatalogueOptions);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toEqual(new TypeError(`createCatalogue: ${problem}`));
  expectNoSecret(error);
});

test.each([
  "http://localhost:8080",
  "http://127.9.9.9/x",
  "http://[::1]:1",
  "http://api.localhost",
  "HTTPS://CATALOGUE.EXAMPLE/",
  "https://bücher.example/api/v1//",
  "https://catalogue.example/3/proxy",
  "https://catalogue.example/v3",
])("createCatalogue accepts the base URL %s", (baseUrl) => {
  expect(() => createCatalogue({ ...fine, baseUrl })).not.toThrow();
});

test("createCatalogue accepts a plain HTTP URL for any host if allowHttp is set", () => {
  const baseUrl = "http://a.example";
  expect(() => createCatalogue({ ...fine, baseUrl, allowHttp: true })).not.toThrow();
});

test("createCatalogue accepts inherited and undefined options, and ignores later changes to the options", async () => {
  const server = await serve(json(200, { id: 1 }));
  const names = ["timeout", "retries", "query", "headers", "fetch", "validate", "allowHttp"];
  const options = Object.assign(
    Object.create({ baseUrl: server.url, token: TOKEN }) as CatalogueOptions,
    Object.fromEntries(names.map((name) => [name, undefined])),
  );
  const catalogue = createCatalogue(options);
  options.baseUrl = "https://other.example";
  options.token = "other";
  expect(await catalogue.movies.latest()).toEqual({ id: 1 });
  expect(server.seen[0]!.headers).toMatchObject({
    accept: "application/json",
    authorization: `Bearer ${TOKEN}`,
  });
});

test("`inspect` shows the names of a client's methods, but not its token", () => {
  const catalogue = createCatalogue(fine);
  expect(inspect(catalogue.movies.lists)).toContain("movies.lists");
  expectNoSecret(catalogue);
});

test.each([
  [undefined, "undefined"],
  [{ ok: true }, "an object"],
  [{ ok: true, headers: new Headers() }, "an object"],
  [{ ok: true, text: async () => "{}" }, "an object"],
])(
  "a call rejects with a TypeError if the `fetch` option returns %j instead of a Response",
  async (response, kind) => {
    const fetch = async () => response as Response;
    const error = await rejection(createCatalogue({ ...fine, fetch }).movies.latest());
    const text = `movies.latest: the result of \`fetch\` must be a Response, not ${kind}`;
    expect(error).toEqual(new TypeError(text));
  },
);

test("createSettings still accepts an international domain name after thousands of calls", () => {
  const baseUrl = "https://bücher.example";
  // On Node 20 and 22, `URL.canParse` rejects this URL after several thousand calls.
  for (let call = 0; call < 20_000; call += 1) createSettings("test", { baseUrl, token: TOKEN });
});
