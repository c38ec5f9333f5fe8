import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import {
  ApiError,
  createCatalogue,
  paginate,
  type MovieDetail,
  type MultiSearchResults,
  type PopularPeople,
} from "../src/index.js";
import { validateResponse } from "../src/contract/validate-response.js";
import {
  createSandbox as createFullSandbox,
  type AccountRatedMoviesResponse,
} from "../src/full/index.js";
import { chooseExchange } from "../src/sandbox/choose-exchange.js";
import { createSandbox, type ExampleExchange, type SandboxOptions } from "../src/sandbox/index.js";
import { createSandboxFor } from "../src/sandbox/sandbox.js";
import { serveSandbox } from "../src/sandbox/serve.js";
import { serveHandler } from "./support/app.js";
import { root } from "./support/paths.js";
import { exampleResponses, type ExampleResponse } from "./support/example-responses.js";
import { validatorAt } from "./support/validators.js";

const { fetch: sandboxFetch } = createSandbox();
const token = { authorization: "Bearer any-token" };
const convert = "/3/authentication/session/convert/4";
const isEnvelope = validatorAt("#/components/responses/Error/content/application~1json/schema");

const send = (path: string, headers: Record<string, string> = token, init: RequestInit = {}) =>
  sandboxFetch(`http://sandbox.test${path}`, { ...init, headers });
const post = (path: string, body: string) => send(path, token, { method: "POST", body });

describe("example responses", () => {
  const transfer = new Set(["content-encoding", "content-length", "transfer-encoding"]);

  async function expectReplay(example: ExampleResponse, headers: Record<string, string>) {
    const { method, path, query = {}, body } = example.request;
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, `${value}`]),
    );
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await send(`${path}?${search}`, headers, init);
    const { status, headers: replayed, body: expected } = example.response;
    expect([response.status, await response.json()], example.name).toEqual([status, expected]);
    for (const [name, value] of Object.entries(replayed)) {
      // The sandbox omits transfer headers, because it sends response bodies uncompressed.
      expect(response.headers.get(name)).toBe(transfer.has(name) ? null : value);
    }
  }

  /** Ranks examples with the same request: `typical` comes first, then successful responses. */
  const rank = ({ name, response }: ExampleResponse) =>
    name.endsWith("/typical") ? 0 : response.status < 300 ? 1 : 2;

  it("the sandbox responds to an example's request with the example's response", async () => {
    const ranked = exampleResponses.toSorted(
      (a, b) => rank(b) - rank(a) || exampleResponses.indexOf(b) - exampleResponses.indexOf(a),
    );
    const byRequest = new Map(ranked.map((each) => [JSON.stringify(each.request), each]));
    expect(byRequest.size).toBeGreaterThan(
      new Set(exampleResponses.map(({ operation }) => operation)).size,
    );
    for (const example of byRequest.values()) await expectReplay(example, token);
  });

  it("the sandbox returns the example response that the `sandbox-example` header names", async () => {
    for (const example of exampleResponses) {
      await expectReplay(example, { ...token, "sandbox-example": example.name.split("/")[1]! });
    }
  });

  it("the sandbox returns the example named `typical` if no example has the ID in the path", async () => {
    const response = await send("/3/movie/424242/lists");
    expect([response.status, await response.json()]).toMatchObject([200, { id: 603, page: 1 }]);
  });
});

describe("rejected requests", () => {
  const rejected: [what: string, status: number, call: () => Promise<Response>][] = [
    ["without a token", 401, () => send("/3/movie/603/lists", {})],
    ["with an unknown path", 404, () => send("/3/movies/603/lists")],
    ["with an empty ID", 404, () => send("/3/movie//lists")],
    ["with an encoded slash in the path", 404, () => send("/3/movie/603%2Flists")],
    ["with invalid percent-encoding", 404, () => send("/3/movie/%zz/lists")],
    ["with an undocumented method", 405, () => post("/3/movie/603/lists", "{}")],
    ["with a body that is not JSON", 400, () => post(convert, "access_token=x")],
    ["with a body that is not an object", 422, () => post(convert, '["access_token"]')],
    ["with a body without `access_token`", 422, () => post(convert, '{"token":"x"}')],
    [
      "with an invalid body and the name of an example",
      422,
      () => {
        const init = { method: "POST", body: '{"token":"x"}' };
        return send(convert, { ...token, "sandbox-example": "typical" }, init);
      },
    ],
    [
      "with an unknown example name",
      400,
      () => send("/3/movie/latest", { ...token, "sandbox-example": "nope" }),
    ],
  ];

  it.each(rejected)(
    "a request %s receives status %i and an error body that matches the description",
    async (_, status, call) => {
      const response = await call();
      const body: unknown = await response.json();
      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toMatch(/^application\/json/);
      expect(isEnvelope(body), JSON.stringify(isEnvelope.errors)).toBe(true);
    },
  );

  it("the sandbox suggests a fix in its error responses", async () => {
    const anonymous = await send("/3/movie/latest", {});
    expect(anonymous.headers.get("www-authenticate")).toBe("Bearer");
    const head = await send("/3/movie/latest", token, { method: "HEAD" });
    expect([head.status, head.headers.get("allow"), await head.text()]).toEqual([405, "GET", ""]);
    expect(await (await post(convert, "{}")).text()).toContain(
      "/access_token is absent, expected present",
    );
    const unknown = await send("/3/movie/latest", { ...token, "sandbox-example": "nope" });
    expect(await unknown.text()).toContain("typical");
  });
});

describe("the sandbox as a `fetch` function", () => {
  const url = "http://sandbox.test/3/trending/person/%64%61%79";
  const lower = { authorization: "bEARER x" };

  it.each<[string, () => Promise<Response>]>([
    ["a string and options", () => sandboxFetch(url, { headers: lower })],
    ["a URL and options", () => sandboxFetch(new URL(url), { headers: token })],
    ["a Request", () => sandboxFetch(new Request(url, { headers: token }))],
    ["a Request and options", () => sandboxFetch(new Request(url), { headers: token })],
  ])("the sandbox's `fetch` function accepts %s", async (_, call) => {
    const response = await call();
    expect(await response.json()).toEqual(await (await send("/3/trending/person/day")).json());
  });

  it("the client can call the sandbox both without a network and over HTTP", async () => {
    const offline = { baseUrl: "http://sandbox.localhost", fetch: sandboxFetch };
    for (const options of [offline, { baseUrl: await serveHandler() }]) {
      const catalogue = createCatalogue({ token: "any-token", ...options });
      expect((await catalogue.movies.lists(603)).id).toBe(603);
      const body = { access_token: "sandbox-access-token-0002" };
      const failing = catalogue.authentication.convertV4Session({ body });
      const error: unknown = await failing.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ serviceCode: 36 });
    }
  });

  it("the sandbox accepts a base URL with a path", async () => {
    for (const baseUrl of ["http://sandbox.localhost/api/v2", `${await serveHandler()}/v1/`]) {
      const offline = baseUrl.includes("localhost") ? { fetch: sandboxFetch } : {};
      const catalogue = createCatalogue({ token: "any-token", baseUrl, ...offline });
      expect((await catalogue.movies.lists(603)).id).toBe(603);
    }
  });

  const hasIPv6 = networkInterfaces()["lo"]?.some(({ address }) => address === "::1");
  it.skipIf(!hasIPv6)("the sandbox listens on an IPv6 address", async () => {
    const server = await serveSandbox(sandboxFetch, { host: "::1", port: 0 });
    onTestFinished(server.close);
    expect((await fetch(`${server.url}/3/movie/latest`, { headers: token })).status).toBe(200);
  });

  it("the sandbox's `fetch` function rejects with the reason of an aborted signal", async () => {
    const signal = AbortSignal.abort(0);
    const { fetch: unused } = createSandbox({
      respond: { "trending.people": () => expect.unreachable() },
    });
    await expect(unused(url, { headers: token, signal })).rejects.toBe(0);
  });

  it("the sandbox uses no Node APIs", async () => {
    const bundle = build({
      entryPoints: [join(root, "src/sandbox/index.ts")],
      platform: "browser",
      bundle: true,
      write: false,
      logLevel: "silent",
    });
    await expect(bundle).resolves.toMatchObject({ errors: [], warnings: [] });
  });
});

describe("choice of an example response", () => {
  const exchange = (
    name: string,
    path: string,
    query: Record<string, string>,
    status = 200,
  ): ExampleExchange => ({
    operation: "things.list",
    name,
    request: { method: "GET", path, query },
    response: { status, headers: {}, body: name },
  });
  const cases = [
    exchange("a-failure", "/things/1", { lang: "de" }, 500),
    exchange("b-page", "/things/1", { page: "2" }),
    exchange("c-page-lang", "/things/1", { page: "2", lang: "de" }),
    exchange("d-gone", "/things/2", {}, 404),
    exchange("e-sorted", "/things/3", { sort: "up" }),
    exchange("f-limited", "/things/3", { sort: "down" }, 429),
    exchange("typical", "/things/1", {}),
  ];

  it.each([
    ["the `typical` example for a request without a query", "/things/1", "", "typical"],
    ["the example with the most similar query", "/things/1", "page=2&lang=de&x=1", "c-page-lang"],
    [
      "an example with a similar query if a parameter is repeated",
      "/things/1",
      "page=0&page=2&x=1",
      "b-page",
    ],
    ["an error response if the whole request matches", "/things/1", "lang=de", "a-failure"],
    [
      "no error response if the request has an additional parameter",
      "/things/1",
      "lang=de&x=1",
      "typical",
    ],
    ["an error response if no other example has the requested path", "/things/2", "x=1", "d-gone"],
    ["a successful response for an unknown query", "/things/3", "sort=odd", "e-sorted"],
    ["the `typical` example for an unknown path", "/things/4", "page=2", "typical"],
  ])("if an operation has several examples, the sandbox chooses %s", (_, path, search, name) => {
    const query = new URLSearchParams(search);
    const chosen = chooseExchange(cases, { path: path.split("/"), query, body: undefined });
    expect(chosen?.exchange.name).toBe(name);
  });
});

describe("requests without a matching example", () => {
  const noteOf = async (path: string) => (await send(path)).headers.get("sandbox-note");
  const typical = (part: string) => `no example for this ${part}; responding with "typical"`;

  it("the sandbox sends a `sandbox-note` header if no example matches the request", async () => {
    expect(await noteOf("/3/search/multi?query=other")).toBe(typical("query"));
    expect(await noteOf("/3/movie/latest?language=de")).toBe(typical("query"));
    expect(await noteOf("/3/movie/424242/lists")).toBe(typical("path"));
    const headers = { ...token, "sandbox-example": "typical" };
    expect((await send("/3/movie/42/lists", headers)).headers.get("sandbox-note")).toBeNull();
    const other = await post(convert, '{"access_token":"other"}');
    expect(other.headers.get("sandbox-note")).toBe(typical("body"));
  });

  it.each([
    ["/3/movie/latest"],
    ["/3/person/popular?page=1"],
    ["/3/search/multi?query=arrow&page=2"],
    ["/3/search/multi?page=2&query=arrow"],
  ])(
    "the sandbox sends no `sandbox-note` header for %s, because an example matches",
    async (path) => expect(await noteOf(path)).toBeNull(),
  );

  it("the sandbox responds with an empty page if no example has the page number, so that paging ends", async () => {
    const paged = exampleResponses.filter(({ response }) => "results" in Object(response.body));
    let count = 0;
    for (const { operation, request, response } of paged) {
      const example = response.body as { page?: number; results: unknown };
      if (example.page === undefined) continue;
      count += 1;
      const query = new URLSearchParams({ ...(request.query as {}), page: "77" });
      const found = await send(`${request.path}?${query}`);
      expect(found.headers.get("sandbox-note")).toBe(
        "no example for this page; responding with an empty page",
      );
      const body = (await found.json()) as object;
      expect(body).toMatchObject({ page: 77, results: [] });
      validateResponse(operation, body, found);
    }
    expect(count).toBeGreaterThan(10);
    const { total_results } = await (await send("/3/search/multi?query=arrow")).json();
    expect(total_results).toBeGreaterThan(0);
    const empty = await send("/3/search/multi?query=arrow&page=9");
    expect(await empty.json()).toMatchObject({ page: 9, total_results });

    const { fetch } = createSandbox();
    const catalogue = createCatalogue({ baseUrl: "https://sandbox.test", token: "any", fetch });
    const all = paginate((page) => catalogue.search.multi({ query: { query: "other", page } }));
    const pages: number[] = [];
    for await (const { page } of all.pages()) pages.push(page);
    expect(pages).toEqual([1]);
  });

  it.each(["0", "-1", "1.5", "x", ""])(
    "the sandbox ignores the invalid page number %j",
    async (page) => {
      const response = await send(`/3/person/popular?page=${page}`);
      expect(response.headers.get("sandbox-note")).toBe(typical("query"));
      expect(await response.json()).toMatchObject({ page: 1 });
    },
  );
});

describe("invalid identifiers", () => {
  it.each([
    ["/3/movie/abc/lists", "No movie has this identifier."],
    ["/3/tv/1396/season/1/episode/-1/images", "no such episode"],
    ["/3/movie/999999999/translations", "No resource has this movie_id."],
    ["/3/person/x/translations", "No resource has this person_id."],
    ["/3/person/1%2F/translations", "No resource has this person_id."],
  ])("the sandbox rejects the invalid ID in %s with the message %j", async (path, message) => {
    const response = await send(path);
    const body = await response.json();
    expect([response.status, body.status_code]).toEqual([404, 34]);
    expect(isEnvelope(body)).toBe(true);
    expect(body.status_message).toContain(message);
  });

  it("the sandbox accepts an ID that is not a number if an example has the ID, or if the ID can be text", async () => {
    for (const path of ["account/sandbox-user-three/rated/movies", "trending/person/month"]) {
      expect((await send(`/3/${path}`)).status).toBe(200);
    }
    expect((await send("/3/account/sandbox-user-four/favorite/tv")).status).toBe(200);
  });
});

describe("overrides", () => {
  const overridden = (respond: SandboxOptions["respond"]) => {
    const { fetch } = createSandbox({ respond });
    const options = { baseUrl: "https://sandbox.test", token: "any", fetch, retries: 0 };
    return createCatalogue({ ...options, validate: validateResponse });
  };

  it("an override replaces the body of one operation", async () => {
    const catalogue = overridden({
      "movies.latest": (example) => ({ ...example, title: "Other" }),
    });
    const [latest, typical] = [
      await catalogue.movies.latest(),
      await (await send("/3/movie/latest")).json(),
    ];
    expect(latest).toEqual({ ...typical, title: "Other" });
    expect((await catalogue.movies.lists(603)).id).toBe(603);
  });

  it("an override does not change a response without a body", async () => {
    const clear: ExampleExchange = {
      operation: "lists.clear",
      name: "typical",
      request: { method: "DELETE", path: "/3/list" },
      response: { status: 204, headers: {} },
    };
    const { fetch } = createSandboxFor(
      {
        operations: { "lists.clear": ["delete", "/3/list", [204]] },
        exampleResponses: [clear],
        requestValidators: { "lists.clear": { parameters: [] } },
      },
      { respond: { "lists.clear": () => "text" } },
    );
    const url = "https://sandbox.test/3/list";
    const response = await fetch(url, { method: "DELETE", headers: token });
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });

  it("the sandbox fills in missing fields of items that an override adds to an empty page", async () => {
    const catalogue = overridden({
      "people.popular": (example) => ({ ...example, results: [{ name: "Ada" }] }),
    });
    const { results } = await catalogue.people.popular({ query: { page: 2 } });
    expect(results).toMatchObject([{ name: "Ada", id: expect.any(Number) }]);
  });

  it("the sandbox fills in missing fields of an object in an override's list from the most similar object in the example", async () => {
    const typical: MultiSearchResults = await (await send("/3/search/multi?query=arrow")).json();
    const person = typical.results.find((each) => each.media_type === "person")!;
    const catalogue = overridden({
      "search.multi": (example) => ({
        ...example,
        results: [{ title: "Ada" }, { media_type: "person", name: "Ada" }, { id: 1 }, { id: 2 }],
      }),
      "people.popular": (example) => ({
        ...example,
        results: [{ known_for: [{ title: "First" }] }],
      }),
      "configuration.languages": () => [{ name: "Deutsch" }],
    });
    const { results } = await catalogue.search.multi({ query: { query: "arrow" } });
    expect(results).toEqual([
      { ...typical.results[0], title: "Ada" },
      { ...person, name: "Ada" },
      { ...typical.results[2], id: 1 },
      { ...typical.results[0], id: 2 },
    ]);
    const people = (await catalogue.people.popular()).results;
    const example = ((await (await send("/3/person/popular")).json()) as PopularPeople).results[0]!;
    const [known] = example.known_for;
    expect(people).toEqual([{ ...example, known_for: [{ ...known, title: "First" }] }]);
    const languages = await catalogue.configuration.languages();
    expect(languages).toMatchObject([{ name: "Deutsch", iso_639_1: expect.any(String) }]);
  });

  it("the sandbox removes undefined fields from an override, and fills in missing fields only for objects in lists", async () => {
    const catalogue = overridden({
      "people.popular": (example) => ({ ...example, results: [{ adult: undefined }] }),
      "movies.watchProviders": ({ id, results: { US } }) => ({ id, results: { US: US! } }),
    });
    await expect(catalogue.people.popular()).rejects.toMatchObject({ pointer: "/results/0/adult" });
    const { results } = await catalogue.movies.watchProviders(106646);
    expect(Object.keys(results)).toEqual(["US"]);
  });

  it("an override receives the request with its unread body, and a copy of the example body", async () => {
    const seen: unknown[] = [];
    const catalogue = overridden({
      "people.popular": async (example, request) => {
        seen.push(example.page, new URL(request.url).search, request.method);
        example.results.length = 0;
        return example;
      },
      "authentication.convertV4Session": async (_, request) => {
        seen.push(await request.json());
        return { session_id: "sandbox-session" };
      },
    });
    await catalogue.people.popular({ query: { page: 3 } });
    expect((await catalogue.people.popular()).results).toEqual([]);
    const body = { access_token: "a" };
    expect(await catalogue.authentication.convertV4Session({ body })).toEqual({
      session_id: "sandbox-session",
    });
    expect(seen).toEqual([3, "?page=3", "GET", 1, "", "GET", body]);
    expect((await (await send("/3/person/popular")).json()).results).not.toEqual([]);
  });

  it("the sandbox sends the result of an override as JSON, and never overrides an error response", async () => {
    const date = new Date(0);
    const { fetch } = createSandbox({
      respond: { "authentication.convertV4Session": () => ({ date, gone: undefined }) },
    });
    const init = { method: "POST", headers: token, body: '{"access_token":"a"}' };
    const response = await fetch(`https://sandbox.test${convert}`, init);
    expect(await response.json()).toEqual({ date: "1970-01-01T00:00:00.000Z" });
    const failing = overridden({ "movies.lists": () => expect.unreachable() });
    await expect(failing.movies.lists(999999999)).rejects.toMatchObject({ status: 404 });
  });

  it("the sandbox's `fetch` function rejects if an override throws an error or returns undefined", async () => {
    const cause = new Error("lost");
    const respond = {
      "movies.latest": () => {
        throw cause;
      },
      "authentication.convertV4Session": () => undefined,
    };
    const { fetch } = createSandbox({ respond });
    await expect(fetch("https://x.test/3/movie/latest", { headers: token })).rejects.toBe(cause);
    const init = { method: "POST", headers: token, body: '{"access_token":"a"}' };
    await expect(fetch(`https://x.test${convert}`, init)).rejects.toThrow(
      'createSandbox: respond["authentication.convertV4Session"] must return a JSON value, not undefined',
    );
  });

  it("createSandbox throws a TypeError if an override is not a function or its operation is unknown", () => {
    const invalid: [options: unknown, message: string][] = [
      [null, "createSandbox: options must be an object, not null"],
      [{ case: "typical" }, 'createSandbox: unknown option "case"; valid options: respond'],
      [{ respond: [] }, "createSandbox: respond must be an object, not an array"],
      [
        { respond: { "movies.lastest": () => {} } },
        'createSandbox: respond: unknown operation "movies.lastest"; did you mean "movies.latest"?',
      ],
      [
        { respond: { "movies.latest": { title: "Other" } } },
        'createSandbox: respond["movies.latest"] must be a function, not an object',
      ],
    ];
    for (const [options, message] of invalid) {
      expect(() => createSandbox(options as {})).toThrow(new TypeError(message));
    }
    for (const options of [
      undefined,
      {},
      { respond: undefined },
      { respond: { "movies.latest": undefined } },
    ]) {
      createSandbox(options);
    }
  });

  it("the types of an override come from the description", () => {
    createSandbox({
      respond: {
        "movies.latest": (example) => {
          expectTypeOf(example).toEqualTypeOf<MovieDetail>();
          return example;
        },
        // @ts-expect-error: the name must be a string
        "people.popular": (example) => ({ ...example, results: [{ name: 1 }] }),
        // @ts-expect-error: `total_pages` and `total_results` are missing
        "movies.lists": ({ id, page, results }) => ({ id, page, results }),
      },
    });
    // @ts-expect-error: the operation does not exist
    expect(() => createSandbox({ respond: { "movies.oldest": () => ({}) } })).toThrow();
    // In the sandbox of the full description, the types of an override come from the full description.
    createFullSandbox({
      respond: {
        "account.ratedMovies": (example) => {
          expectTypeOf(example).toEqualTypeOf<AccountRatedMoviesResponse>();
          return { ...example, results: [{ title: "Other" }] };
        },
      },
    });
  });
});
