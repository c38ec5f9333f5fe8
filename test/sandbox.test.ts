import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import {
  ApiError,
  createCatalogue,
  paginate,
  type MultiSearchResults,
  type Page,
  type PopularPeople,
} from "../src/index.js";
import { operations } from "../src/generated/full-operations.js";
import { operations as specifiedOperations } from "../src/generated/operations.js";
import { validateResponse as validateFullResponse } from "../src/full/validate.js";
import { createCatalogue as createFullCatalogue, type MovieDetails } from "../src/full/index.js";
import { chooseExchange } from "../src/sandbox/choose-exchange.js";
import { createSandbox, type ExampleExchange, type SandboxOptions } from "../src/sandbox/index.js";
import { createSandboxFor } from "../src/sandbox/sandbox.js";
import { serveSandbox } from "../src/cli/serve-sandbox.js";
import { serveHandler } from "./support/app.js";
import { root } from "./support/paths.js";
import { listExamples } from "../scripts/shared/list-examples.js";

const { fetch: sandboxFetch } = createSandbox();
const token = { authorization: "Bearer any-token" };
const json = { ...token, "content-type": "application/json" };
const convert = "/3/authentication/session/convert/4";
const envelope = {
  success: false,
  status_code: expect.any(Number),
  status_message: expect.stringMatching(/./),
};

const guest = "guest_session_id=671dce6b8631be8d0b08150b7596b676";

const send = (path: string, headers: Record<string, string> = token, init: RequestInit = {}) =>
  sandboxFetch(`http://sandbox.test${path}`, { ...init, headers });
const post = (path: string, body: string) => send(path, json, { method: "POST", body });

describe("example responses", () => {
  const examples = listExamples();
  const transfer = new Set(["content-encoding", "content-length", "transfer-encoding"]);

  async function expectReplay(example: ExampleExchange, headers: Record<string, string>) {
    const { method, path, query = {}, body: given } = example.request;
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, `${value}`]),
    );
    const init = { method, ...(given !== undefined && { body: JSON.stringify(given) }) };
    const response = await send(`${path}?${search}`, headers, init);
    const { status, headers: replayed, body: expected } = example.response;
    const name = `${example.operation}/${example.name}`;
    const text = await response.text();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    expect([response.status, body], name).toEqual([status, expected]);
    for (const [header, value] of Object.entries(replayed)) {
      // The sandbox omits transfer headers, because it sends response bodies uncompressed.
      expect(response.headers.get(header)).toBe(transfer.has(header) ? null : value);
    }
  }

  it("the sandbox responds to the request of each successful example without a note", async () => {
    expect([...new Set(examples.map(({ operation }) => operation))].toSorted()).toEqual(
      Object.keys(operations).toSorted(),
    );
    for (const { operation, name, request, response } of examples) {
      if (response.status >= 300) continue;
      const { method, path, query = {}, body } = request;
      const search = new URLSearchParams(query as Record<string, string>);
      const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const sent = await send(`${path}?${search}`, json, init);
      const where = `${operation}/${name}`;
      expect([sent.status < 300, sent.headers.get("sandbox-note")], where).toEqual([true, null]);
    }
  });

  it("the sandbox returns the example response that the `sandbox-example` header names", async () => {
    for (const example of examples)
      await expectReplay(example, { ...json, "sandbox-example": example.name });
  });

  it("an error that an operation borrows from another operation has a message that fits", async () => {
    const own = await send("/3/certification/movie/list", {
      ...token,
      "sandbox-example": "service-offline",
    });
    expect((await own.json()).status_message).toMatch(/ertifications/);
    const other = await send("/3/movie/701", { ...token, "sandbox-example": "service-offline" });
    expect([other.status, (await other.json()).status_message]).toEqual([
      503,
      "The sandbox-example header selects this error: service-offline.",
    ]);
  });
});

describe("rejected requests", () => {
  const rejected: [what: string, status: number, call: () => Promise<Response>][] = [
    ["without a token", 401, () => send("/3/movie/701/lists", {})],
    ["with an unknown path", 404, () => send("/3/movies/701/lists")],
    ["with an empty ID", 404, () => send("/3/movie//lists")],
    ["with invalid percent-encoding", 404, () => send("/3/movie/%zz/lists")],
    ["with an undocumented method", 405, () => post("/3/movie/701/lists", "{}")],
    ["with a body that is not JSON", 400, () => post(convert, "access_token=x")],
    [
      "with a body of another media type",
      415,
      () => send(convert, token, { method: "POST", body: '{"access_token":"x"}' }),
    ],
    ["with a body without `access_token`", 400, () => post(convert, '{"token":"x"}')],
    [
      "with an invalid body and the name of an example",
      400,
      () => {
        const init = { method: "POST", body: '{"token":"x"}' };
        return send(convert, { ...json, "sandbox-example": "typical" }, init);
      },
    ],
    [
      "with a body that is nested too deeply",
      400,
      () => post(convert, `{"access_token":"x","a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
    ],
    ["with a rating of 11", 400, () => post(`/3/movie/701/rating?${guest}`, '{"value":11}')],
    ["with page 501", 400, () => send("/3/movie/popular?page=501")],
    ["with an unknown query parameter", 422, () => send("/3/movie/popular?pgae=2")],
    ["with a query that the operation does not take", 422, () => send("/3/movie/latest?region=DE")],
    ["with an unknown part", 422, () => send("/3/movie/701?append_to_response=kredits")],
    [
      "with more than 20 parts",
      422,
      () =>
        send(
          `/3/tv/901?append_to_response=${[..."abcdefghijklmnopqrstu"].map((_, at) => `season/${at}`)}`,
        ),
    ],
    ["with a repeated parameter", 422, () => send("/3/movie/popular?region=DE&region=AT")],
    ["with a repeated list", 422, () => send("/3/discover/movie?with_genres=18&with_genres=35")],
    ["with a rating and no session", 422, () => post("/3/movie/701/rating", '{"value":8}')],
    ["with an empty session", 422, () => post("/3/movie/701/rating?session_id=", '{"value":8}')],
    [
      "with changes of 15 days",
      422,
      () => send("/3/movie/changes?start_date=2026-01-01&end_date=2026-01-16"),
    ],
    [
      "with changes that end before they start",
      422,
      () => send("/3/tv/901/changes?start_date=2026-01-02&end_date=2026-01-01"),
    ],
    ["with a filter without its region", 422, () => send("/3/discover/tv?with_watch_providers=8")],
    ["with an unknown ID", 404, () => send("/3/movie/603")],
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
      expect(body).toMatchObject(envelope);
    },
  );

  it.each([
    ["text/plain", "is text/plain"],
    ["", "is missing"],
  ])("the sandbox says which Content-Type is valid instead of %j", async (type, problem) => {
    const body = new Blob(['{"access_token":"x"}'], { type });
    const response = await send(convert, token, { method: "POST", body });
    const message = `The Content-Type of the request body ${problem}. Use application/json.`;
    expect((await response.json()).status_message).toBe(message);
  });

  it("the sandbox responds to HEAD like to GET, but without a body", async () => {
    const head = await send("/3/movie/701", token, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toMatch(/^application\/json/);
    const unsupported = await send(convert, token, { method: "HEAD" });
    expect([unsupported.status, await unsupported.text()]).toEqual([405, ""]);
  });

  it("the sandbox suggests a fix in its error responses", async () => {
    const anonymous = await send("/3/movie/latest", {});
    expect(anonymous.headers.get("www-authenticate")).toBe("Bearer");
    const put = await send("/3/movie/latest", token, { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(await (await post(convert, "{}")).text()).toContain(
      "/access_token is absent, expected present",
    );
    const unknown = await send("/3/movie/latest", { ...token, "sandbox-example": "nope" });
    expect(await unknown.text()).toContain("typical");
    expect(await (await post(`/3/movie/701/rating?${guest}`, '{"value":11}')).json()).toMatchObject(
      {
        status_code: 18,
        status_message: expect.stringContaining("/value is 11, expected a number ≤ 10"),
      },
    );
    expect((await (await send("/3/movie/popular?page=501")).json()).status_code).toBe(22);
  });

  it.each([
    ["/3/movie/popular?langauge=de", 'langauge is unknown; did you mean "language"?'],
    ["/3/movie/popular?sort=asc", "sort is unknown; expected language, page, region."],
    ["/3/movie/latest?page=1", "page is unknown: this operation has no query parameters."],
    ["/3/movie/popular?page=1&page=2", "page is repeated: send it once."],
    [
      "/3/tv/901?append_to_response=videos,kredits",
      'append_to_response is invalid: the part kredits is unknown; did you mean "credits"?',
    ],
    [
      "/3/collection/501?append_to_response=x",
      "append_to_response is invalid: the part x is unknown; expected images, translations.",
    ],
    [
      "/3/movie/701/alternative_titles?country=de",
      "country is invalid; its description says: Returns only titles in this country, an uppercase ISO 3166-1 code such as `DE`.",
    ],
    [
      "/3/discover/movie?with_genres=drama",
      'with_genres is invalid; its description says: Genre IDs. `[28, 12]` matches titles with both genres, `"28|12"` matches titles with one of them.',
    ],
    [
      "/3/movie/changes?start_date=2024",
      "start_date is invalid: expected a date such as 2027-12-31.",
    ],
    [
      "/3/movie/changes?start_date=2026-01-01&end_date=2026-02-01",
      "end_date is invalid: expected a date from start_date to 14 days later.",
    ],
    [
      "/3/movie/701/account_states",
      "guest_session_id is missing: send guest_session_id or session_id.",
    ],
    [
      "/3/discover/movie?certification=PG",
      "certification is incomplete: also send certification_country.",
    ],
  ])("the error response to %s says that the query parameter %s", async (path, problem) => {
    const response = await send(path);
    expect((await response.json()).status_message).toContain(`The query parameter ${problem}`);
  });

  it("the sandbox accepts queries at the limits of their rules", async () => {
    for (const path of [
      "/3/movie/changes?start_date=2026-01-01&end_date=2026-01-15",
      "/3/movie/changes?start_date=2026-01-01&end_date=2026-01-01",
      "/3/movie/changes?end_date=2026-01-01",
      "/3/discover/tv?with_watch_providers=8&watch_region=DE",
      "/3/movie/701/account_states?session_id=any",
    ])
      expect((await send(path)).status, path).toBe(200);
    // The specification names no session for this operation.
    expect((await send("/3/movie/701/rating", token, { method: "DELETE" })).status).toBe(200);
  });

  it.each([
    ["/3/search/movies?query=a", "/3/search/movie,"],
    ["/api/3/movies/701/credit", "/3/movie/{movie_id}/credits,"],
    ["/movie/701", "/3/movie/{movie_id},"],
  ])("the error response to the unknown path %s names similar paths", async (path, similar) => {
    const { status_message } = await (await send(path)).json();
    expect(status_message).toContain(`No operation has the path ${path.split("?")[0]}.`);
    expect(status_message.split("Similar paths: ")[1]).toContain(similar);
  });

  it("the error response names no path if none is similar", async () => {
    const { status_message } = await (await send("/3/nope")).json();
    expect(status_message).toBe(
      "No operation has the path /3/nope. media-catalogue sandbox --list lists all operations.",
    );
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
      expect((await catalogue.movies.lists(701)).id).toBe(701);
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
      expect((await catalogue.movies.lists(701)).id).toBe(701);
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
      overrides: { "trending.people": () => expect.unreachable() },
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
    ["a successful response for an unknown query", "/things/3", "sort=odd", "e-sorted"],
    ["no example if only an error response has the requested path", "/things/2", "x=1", undefined],
  ])("if an operation has several examples, the sandbox chooses %s", (_, path, search, name) => {
    const query = new URLSearchParams(search);
    const chosen = chooseExchange(cases, { path: path.split("/"), query, body: undefined });
    expect(chosen?.exchange.name).toBe(name);
  });

  it.each([
    ["with the same values in another order", { list: { tags: ["a"], id: 2 } }, "second"],
    ["with an empty list", { list: { tags: [], id: 1 } }, "empty"],
    ["whose values the request contains", { list: { tags: ["a"], id: 2, at: null } }, "second"],
    ["that is typical, for other values", { list: { tags: ["b"], id: 1 } }, "first"],
  ])("if bodies differ inside an object, the sandbox chooses the example %s", (_, body, name) => {
    const withBody = (each: string, list: { id: number; tags: string[] }): ExampleExchange => ({
      operation: "things.add",
      name: each,
      request: { method: "POST", path: "/things", body: { list } },
      response: { status: 200, headers: {}, body: each },
    });
    const examples = [
      withBody("first", { id: 1, tags: ["a"] }),
      withBody("second", { id: 2, tags: ["a"] }),
      withBody("empty", { id: 1, tags: [] }),
    ];
    const criteria = { path: ["", "things"], query: new URLSearchParams(), body };
    expect(chooseExchange(examples, criteria)?.exchange.name).toBe(name);
  });
});

describe("one catalogue", () => {
  const bodyOf = async (path: string) => (await send(path)).json();
  const noteOf = async (path: string) => (await send(path)).headers.get("sandbox-note");
  const { fetch } = createSandbox();
  const options = { baseUrl: "https://sandbox.test", token: "any", fetch };
  const catalogue = createFullCatalogue(options);

  it("a movie from a search has the same title in its details, credits, and recommendations", async () => {
    const { results } = await catalogue.search.movies({ query: { query: "night ferry" } });
    const { id, title } = results.find((each) => each.title === "Night Ferry")!;
    const movie = (await bodyOf(
      `/3/movie/${id}?append_to_response=credits,recommendations`,
    )) as MovieDetails;
    expect([movie.title, movie.credits!.cast.length > 0]).toEqual([title, true]);
    const { cast } = await catalogue.people.movieCredits(movie.credits!.cast[0]!.id);
    expect(cast.find((each) => each.id === id)?.title).toBe(title);
    const [recommended] = movie.recommendations!.results;
    expect((await catalogue.movies.details(recommended!.id)).title).toBe(recommended!.title);
  });

  it("a details response contains the parts that `append_to_response` names, and no other", async () => {
    const movie = await bodyOf("/3/movie/701");
    expect(movie).not.toHaveProperty("credits");
    const query = "append_to_response=credits,watch/providers";
    const { id, ...credits } = await bodyOf("/3/movie/701/credits");
    const { id: _, ...providers } = await bodyOf("/3/movie/701/watch/providers");
    expect(id).toBe(701);
    expect(await bodyOf(`/3/movie/701?${query}`)).toEqual({
      ...movie,
      credits,
      "watch/providers": providers,
    });
    expect(await noteOf(`/3/movie/701?${query}`)).toBeNull();
    const series = await bodyOf("/3/tv/901?append_to_response=season/1,season/9");
    expect(series["season/1"]).toEqual(await bodyOf("/3/tv/901/season/1"));
    expect(series).not.toHaveProperty("season/9");
  });

  it("an unknown ID gets a 404 response that lists the IDs that exist", async () => {
    const message = async (path: string) => {
      const response = await send(path);
      const body = await response.json();
      expect([response.status, body]).toMatchObject([404, { ...envelope, status_code: 34 }]);
      return body.status_message as string;
    };
    expect(await message("/3/movie/603")).toMatch(/^There is no movie_id 603\. .*701, 702, 703/);
    expect(await message("/3/movie/abc/credits")).toMatch(/movie_id abc\. .*701/);
    expect(await message("/3/tv/901/season/1/episode/99")).toMatch(/episode_number 99\. .*1, 2/);
    const created = await post(`/3/movie/603/rating?${guest}`, '{"value":8}');
    expect([created.status, (await created.json()).status_message]).toEqual([
      404,
      expect.stringContaining("There is no movie_id 603."),
    ]);
  });

  it("a write accepts every resource that exists, and keeps no state", async () => {
    const before = await bodyOf(`/3/movie/703/account_states?${guest}`);
    const created = await post(`/3/movie/703/rating?${guest}`, '{"value":8}');
    expect([created.status, (await created.json()).success]).toEqual([201, true]);
    expect(await bodyOf(`/3/movie/703/account_states?${guest}`)).toEqual(before);
  });

  it("a search returns the results whose title or name contains each word of the text", async () => {
    const titles = async (text: string, more = "") => {
      const query = `query=${encodeURIComponent(text)}${more}`;
      const { results } = await bodyOf(`/3/search/multi?${query}`);
      return results.map((each: { title?: string; name?: string }) => each.title ?? each.name);
    };
    expect(await titles("FERRY night")).toContain("Night Ferry");
    expect(await titles("nattfèrja")).toContain("Night Ferry");
    expect(await titles("Maren")).toEqual(["Maren Solvik"]);
    expect(await titles("matrix")).toEqual([]);
    expect(await titles(" ")).toEqual([]);
    // An example responds to "velvet" with titles for adults, and another one to "night" in every language.
    expect(await titles("velvet")).toEqual([]);
    expect(await titles("velvet hours", "&include_adult=true")).toEqual([
      "Velvet Hours",
      "Velvet Hours: Encore",
    ]);
    expect(await titles("night", "&language=de")).toEqual(["Night Ferry", "Midnight Signal"]);
    expect(await bodyOf("/3/search/multi?query=matrix")).toMatchObject({
      page: 1,
      total_results: 0,
    });
  });

  it.each([
    ["movies.popular", (page: number) => catalogue.movies.popular({ query: { page } })],
    ["people.popular", (page: number) => catalogue.people.popular({ query: { page } })],
    ["search.multi", (page: number) => catalogue.search.multi({ query: { query: "night", page } })],
  ])("%s has three pages without repeated items", async (_, list) => {
    const pages: { id: number }[][] = [];
    const all = paginate(list as (page: number) => Promise<Page<{ id: number }>>);
    for await (const { results } of all.pages()) pages.push([...results!]);
    expect(pages.map(({ length }) => length >= 2)).toEqual([true, true, true]);
    const ids = pages.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("the sandbox sends a `sandbox-note` header if no example matches the request", async () => {
    const typical = 'no example for this request; responding with "typical"';
    expect(await noteOf("/3/discover/movie?with_genres=18")).toBe(typical);
    expect(await noteOf("/3/movie/703/lists?language=fr")).toMatch(
      /^no example for this request; /,
    );
    expect(await noteOf("/3/search/multi?query=other")).toBe(
      "no example for this request; responding with the results that match the text",
    );
    const headers = { ...token, "sandbox-example": "typical" };
    expect((await send("/3/movie/latest?x=1", headers)).headers.get("sandbox-note")).toBeNull();
    const other = await post(convert, '{"access_token":"other"}');
    expect(other.headers.get("sandbox-note")).toBe(typical);
    for (const path of ["/3/movie/latest", "/3/person/popular?page=1", "/3/movie/popular?page=3"])
      expect(await noteOf(path)).toBeNull();
  });

  it("the sandbox responds with an empty page if no example has the page number, so that paging ends", async () => {
    const isPaged = ({ response }: ExampleExchange) =>
      response.status < 300 && "page" in Object(response.body);
    // A copied operation has no query parameters until somebody declares them.
    const isCopied = ({ operation }: ExampleExchange) =>
      operation in specifiedOperations &&
      !/\bpage\b/.test((operations as Record<string, { query?: string }>)[operation]?.query ?? "");
    const paged = listExamples().filter((each) => isPaged(each) && !isCopied(each));
    for (const { operation, request } of paged) {
      const query = new URLSearchParams({ ...(request.query as {}), page: "77" });
      const found = await send(`${request.path}?${query}`);
      const body = (await found.json()) as object;
      const list = operation === "lists.details" ? "items" : "results";
      expect(body, operation).toMatchObject({ page: 77, [list]: [] });
      validateFullResponse(operation, body, found);
    }
    expect(paged.length).toBeGreaterThan(30);
    const { total_results } = await bodyOf("/3/movie/popular");
    expect(await bodyOf("/3/movie/popular?page=9")).toMatchObject({ page: 9, total_results });
  });
});

describe("overrides", () => {
  const overridden = (overrides: SandboxOptions["overrides"]) => {
    const { fetch } = createSandbox({ overrides });
    const options = { baseUrl: "https://sandbox.test", token: "any", fetch, retries: 0 };
    return createFullCatalogue({ ...options, validate: validateFullResponse });
  };
  const typicalOf = async (path: string) => (await send(path)).json();

  it("an override replaces the body of one operation for both clients", async () => {
    const overrides = { "movies.latest": () => ({ title: "Other" }) };
    const latest = { ...(await typicalOf("/3/movie/latest")), title: "Other" };
    const catalogue = overridden(overrides);
    expect(await catalogue.movies.latest()).toEqual(latest);
    expect((await catalogue.movies.lists(701)).id).toBe(701);
    const { fetch } = createSandbox({ overrides });
    const specified = createCatalogue({ baseUrl: "https://sandbox.test", token: "any", fetch });
    expect(await specified.movies.latest()).toEqual(latest);
  });

  it("an override can return nested objects that omit fields, and replaces lists", async () => {
    const query = { append_to_response: "credits" };
    const catalogue = overridden({
      "movies.details": () => ({ credits: { cast: [{ name: "Ada" }] } }),
    });
    const typical = await typicalOf("/3/movie/701?append_to_response=credits");
    const expected = {
      ...typical,
      credits: { ...typical.credits, cast: [{ ...typical.credits.cast[0], name: "Ada" }] },
    };
    const body = await catalogue.http.GET("/3/movie/{movie_id}", {
      params: { path: { movie_id: 701 }, query: query as never },
    });
    expect(body.data).toEqual(expected);
    // Without `append_to_response`, the missing fields come from the part that the sandbox did not send.
    expect(await catalogue.movies.details(701)).toEqual(expected);
  });

  it("an override can respond for an ID that the sandbox does not have", async () => {
    const catalogue = overridden({
      "movies.details": (movie) => movie,
      "tvEpisodes.details": () => ({ name: "Other" }),
      "reviews.details": () => ({}),
    });
    expect(await catalogue.movies.details(603)).toMatchObject({ id: 603, title: "Night Ferry" });
    expect(await catalogue.movies.details("603-other")).toMatchObject({ id: 603 });
    expect(await catalogue.movies.details("other")).toMatchObject({ id: 701 });
    const place = { series_id: 901, season_number: 8, episode_number: 9 };
    const own = await catalogue.tvEpisodes.details({
      ...place,
      season_number: 1,
      episode_number: 1,
    });
    expect(await catalogue.tvEpisodes.details(place)).toMatchObject({
      id: own.id,
      season_number: 8,
      episode_number: 9,
    });
    expect(await catalogue.reviews.details("other")).toMatchObject({ id: "other" });
    await expect(catalogue.movies.credits(603)).rejects.toMatchObject({ status: 404 });
  });

  it("an override can return a whole response, such as an error", async () => {
    const catalogue = overridden({
      "movies.details": (_, request) =>
        request.url.includes("/701")
          ? Response.json({ status_code: 24, status_message: "Closed" }, { status: 503 })
          : { title: "Other" },
    });
    await expect(catalogue.movies.details(701, { retries: 0 })).rejects.toMatchObject({
      status: 503,
      serviceCode: 24,
    });
    expect(await catalogue.movies.details(603)).toMatchObject({ id: 603, title: "Other" });
  });

  it("an override does not change a response without a body", async () => {
    const clear: ExampleExchange = {
      operation: "lists.clear",
      name: "typical",
      request: { method: "DELETE", path: "/3/list" },
      response: { status: 204, headers: { "content-length": "9", "transfer-encoding": "chunked" } },
    };
    const { fetch } = createSandboxFor(
      {
        operations: { "lists.clear": { method: "DELETE", path: "/3/list" } },
        exampleResponses: [clear],
        parts: {},
        maps: [],
        requestValidators: { "lists.clear": { parameters: [] } },
      },
      { overrides: { "lists.clear": () => "text" } },
    );
    const url = "https://sandbox.test/3/list";
    const response = await fetch(url, { method: "DELETE", headers: token });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    // The headers of a recorded response would not fit the response that the sandbox sends.
    expect(Object.keys(Object.fromEntries(response.headers))).not.toContain("content-length");
    expect(Object.keys(Object.fromEntries(response.headers))).not.toContain("transfer-encoding");
  });

  it("the sandbox fills in missing fields of items that an override adds to an empty page", async () => {
    const catalogue = overridden({ "people.popular": () => ({ results: [{ name: "Ada" }] }) });
    const { page, results } = await catalogue.people.popular({ query: { page: 9 } });
    expect(page).toBe(9);
    expect(results).toMatchObject([{ name: "Ada", id: expect.any(Number) }]);
  });

  it("the sandbox fills in missing fields of an object in an override's list from the most similar object in the example", async () => {
    const typical: MultiSearchResults = await typicalOf("/3/search/multi?query=midnight");
    const person = (await typicalOf("/3/search/multi?query=maren")).results[0];
    const catalogue = overridden({
      "search.multi": ({ results }) => ({
        results: [{ title: "Ada" }, { id: results[0]!.id, overview: "x" }],
      }),
      "people.popular": () => ({ results: [{ known_for: [{ title: "First" }] }] }),
      "configuration.languages": () => [{ name: "Deutsch" }],
    });
    const { results } = await catalogue.search.multi({ query: { query: "midnight" } });
    const [first] = typical.results;
    expect(results).toEqual([
      { ...first, title: "Ada" },
      { ...first, overview: "x" },
    ]);
    expect(person.media_type).toBe("person");
    const people = (await catalogue.people.popular()).results;
    const example = ((await typicalOf("/3/person/popular")) as PopularPeople).results[0]!;
    const [known] = example.known_for;
    expect(people).toEqual([{ ...example, known_for: [{ ...known, title: "First" }] }]);
    const languages = await catalogue.configuration.languages();
    expect(languages).toMatchObject([{ name: "Deutsch", iso_639_1: expect.any(String) }]);
  });

  it("an override replaces a map, and the sandbox fills in the missing fields of each entry", async () => {
    const flatrate = [{ provider_name: "Other" }];
    const catalogue = overridden({
      "movies.watchProviders": () => ({ results: { FR: { flatrate } } }),
      "tvSeries.watchProviders": () => ({ results: {} }),
      "certifications.movieList": () => ({ certifications: { FR: [{ certification: "12" }] } }),
    });
    const { id, results } = await catalogue.movies.watchProviders(701);
    const { results: typical } = await typicalOf("/3/movie/701/watch/providers");
    const [first] = Object.values(typical) as { flatrate: object[] }[];
    expect([id, results]).toEqual([
      701,
      { FR: { ...first, flatrate: [{ ...first!.flatrate[0], provider_name: "Other" }] } },
    ]);
    expect((await catalogue.tvSeries.watchProviders(901)).results).toEqual({});
    const { certifications } = await catalogue.certifications.movieList();
    expect(certifications).toEqual({
      FR: [{ certification: "12", meaning: expect.any(String), order: expect.any(Number) }],
    });
  });

  it("an override with a misspelled field fails, even inside a list, but can add fields", async () => {
    const misspelled = { name: "Ada", profile_paht: null };
    const catalogue = overridden({
      "movies.details": () => ({ titel: "Other" }) as object,
      "people.popular": () => ({ results: [misspelled] }),
      "movies.latest": () => ({ awards: [], release_dates: { results: [] } }) as object,
      "movies.watchProviders": () => ({ results: { DX: {} } }),
      "tvSeries.details": () => ({ "season/17": undefined, tagline: "Last" }) as object,
      "people.details": (person) => ({ ...person, nmae: "Ada" }),
      "tvSeries.changes": () =>
        ({ changes: [{ key: "season", items: [{ value: { person_id: 5 } }] }] }) as object,
    });
    await expect(catalogue.movies.details(701)).rejects.toMatchObject({
      status: 501,
      message:
        'movies.details: 501 createSandbox: overrides["movies.details"]: unknown field "titel"; did you mean "title"? (status_code 11)',
    });
    await expect(catalogue.people.popular()).rejects.toThrow('did you mean "profile_path"?');
    expect(await catalogue.movies.latest()).toMatchObject({ awards: [], release_dates: {} });
    expect((await catalogue.movies.watchProviders(701)).results).toMatchObject({ DX: {} });
    expect(await catalogue.tvSeries.details(901)).toMatchObject({ tagline: "Last" });
    await expect(catalogue.people.details(501)).rejects.toThrow('did you mean "name"?');
    expect(JSON.stringify(await catalogue.tvSeries.changes(901))).toContain('"person_id":5');
  });

  it("an override whose body contains itself fails", async () => {
    const body: Record<string, unknown> = { title: "Other" };
    body["self"] = [body];
    const catalogue = overridden({ "movies.details": () => body });
    await expect(catalogue.movies.details(701)).rejects.toThrow(
      'overrides["movies.details"] must return a body that does not contain itself, with at most 256 levels',
    );
  });

  it("the sandbox finds nothing for an external ID of no entry", async () => {
    const query = { external_source: "imdb_id" } as const;
    const found = await overridden({}).find.byId("tt0000000", { query });
    expect(Object.values(found).flat()).toEqual([]);
  });

  it("the totals of a page count the list that an override returns, unless the override returns totals", async () => {
    const catalogue = overridden({
      "movies.popular": () => ({ results: [{ title: "a" }, { title: "b" }] }),
      "people.popular": () => ({ results: [{ name: "Ada" }], total_pages: 2, total_results: 9 }),
      "search.movies": (page) => ({ ...page, results: [{ title: "a" }] }),
    });
    const titles: string[] = [];
    for await (const movie of paginate(catalogue.movies.popular)) titles.push(movie.title);
    expect(titles).toEqual(["a", "b"]);
    const totals = { total_pages: 2, total_results: 9 };
    expect(await catalogue.people.popular()).toMatchObject(totals);
    const found = await catalogue.search.movies({ query: { query: "nothing" } });
    expect([found.results.length, found.total_results]).toEqual([1, 0]);
    expect(await catalogue.movies.popular()).toMatchObject({ total_pages: 1, total_results: 2 });
  });

  it("the sandbox removes undefined fields from the body of an override", async () => {
    const catalogue = overridden({
      "people.popular": () => ({ results: [{ known_for_department: undefined, id: undefined }] }),
    });
    await expect(catalogue.people.popular()).rejects.toMatchObject({ pointer: "/results/0/id" });
  });

  it("an override receives a copy of the body that the sandbox would have sent, and the request with its unread body", async () => {
    const seen: unknown[] = [];
    const catalogue = overridden({
      "people.popular": async (body, request) => {
        seen.push(body.page, body.results.length, new URL(request.url).search, request.method);
        body.results.length = 0;
        return body;
      },
      "movies.details": (movie) => {
        seen.push("credits" in movie, "images" in movie);
        return movie;
      },
      "authentication.convertV4Session": async (_, request) => {
        seen.push(await request.json());
        return { session_id: "sandbox-session" };
      },
    });
    await catalogue.people.popular({ query: { page: 9 } });
    await catalogue.http.GET("/3/movie/{movie_id}", {
      params: { path: { movie_id: 701 }, query: { append_to_response: "credits" as never } },
    });
    const body = { access_token: "a" };
    expect(await catalogue.authentication.convertV4Session({ body })).toMatchObject({
      session_id: "sandbox-session",
    });
    expect(seen).toEqual([9, 0, "?page=9", "GET", true, false, body]);
    expect((await typicalOf("/3/person/popular")).results).not.toEqual([]);
  });

  it("the sandbox sends the result of an override as JSON, and never overrides an error response", async () => {
    const date = new Date(0);
    const { fetch } = createSandbox({
      overrides: { "authentication.convertV4Session": () => ({ date, gone: undefined }) as {} },
    });
    const init = { method: "POST", headers: json, body: '{"access_token":"a"}' };
    const response = await fetch(`https://sandbox.test${convert}`, init);
    expect(await response.json()).toMatchObject({ date: "1970-01-01T00:00:00.000Z" });
    const failing = overridden({ "movies.lists": () => expect.unreachable() });
    const headers = { "sandbox-example": "not-found" };
    await expect(failing.movies.lists(701, { headers })).rejects.toMatchObject({ status: 404 });
  });

  it("the sandbox's `fetch` function rejects if an override throws an error", async () => {
    const cause = new Error("lost");
    const { fetch } = createSandbox({
      overrides: {
        "movies.latest": () => {
          throw cause;
        },
      },
    });
    const call = fetch("https://x.test/3/movie/latest", { headers: token });
    await expect(call).rejects.toBe(cause);
  });

  // Symptom: the client sent three requests, and reported a lost connection.
  it("a call fails at once with the reason if an override returns a value that JSON cannot represent", async () => {
    const where = 'createSandbox: overrides["movies.latest"] must return a JSON value, not';
    const invalid: [value: unknown, type: string][] = [
      [undefined, "undefined; an arrow function needs ({ … }) to return an object"],
      [() => {}, "a function"],
      [new Headers(), "an instance of Headers"],
      [new Map([["title", "x"]]), "an instance of Map"],
      [{ genres: new Set([1]) }, "an instance of Set"],
    ];
    for (const [value, type] of invalid) {
      let calls = 0;
      const { movies } = overridden({
        "movies.latest": () => {
          calls += 1;
          return value as {};
        },
      });
      await expect(movies.latest()).rejects.toMatchObject({
        name: "ApiError",
        status: 501,
        message: `movies.latest: 501 ${where} ${type} (status_code 11)`,
      });
      expect(calls).toBe(1);
    }
  });

  it("the sandbox's `fetch` function rejects with the abort reason while an override is pending", async () => {
    const controller = new AbortController();
    const { fetch } = createSandbox({
      overrides: {
        "movies.latest": () => {
          queueMicrotask(() => controller.abort(new Error("stopped")));
          return new Promise<never>(() => {});
        },
      },
    });
    const init = { headers: token, signal: controller.signal };
    await expect(fetch("https://x.test/3/movie/latest", init)).rejects.toThrow("stopped");
  });

  it("createSandbox throws a TypeError if an override is not a function or its operation is unknown", () => {
    const invalid: [options: unknown, message: string][] = [
      [null, "createSandbox: options must be an object such as { overrides }, not null"],
      [{ case: "typical" }, 'createSandbox: unknown option "case"; valid options: overrides'],
      [{ overrides: [] }, "createSandbox: overrides must be an object, not an array"],
      [
        { overrides: { "movies.lastest": () => {} } },
        'createSandbox: overrides: unknown operation "movies.lastest"; did you mean "movies.latest"?',
      ],
      [
        { overrides: { "movies.latest": { title: "Other" } } },
        'createSandbox: overrides["movies.latest"] must be a function, not an object',
      ],
    ];
    for (const [options, message] of invalid) {
      expect(() => createSandbox(options as {})).toThrow(new TypeError(message));
    }
    for (const options of [
      undefined,
      {},
      { overrides: undefined },
      { overrides: { "movies.latest": undefined } },
    ]) {
      createSandbox(options);
    }
  });

  it("the types of an override come from the full description, and every field is optional", () => {
    createSandbox({
      overrides: {
        "movies.details": (movie) => {
          expectTypeOf(movie).toEqualTypeOf<MovieDetails>();
          return { credits: { cast: [{ name: "Ada" }] } };
        },
        // @ts-expect-error: the name must be a string
        "people.popular": (people) => ({ ...people, results: [{ name: 1 }] }),
      },
    });
    // @ts-expect-error: the operation does not exist
    expect(() => createSandbox({ overrides: { "movies.oldest": () => ({}) } })).toThrow();
  });
});
