import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { ApiError, createCatalogue } from "../src/index.js";
import { operations } from "../src/generated/operations.js";
import { chooseExchange } from "../src/sandbox/example-exchange.js";
import { createSandbox, type ExampleExchange } from "../src/sandbox/index.js";
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

describe("the sandbox replays the example responses", () => {
  const transfer = new Set(["content-encoding", "content-length", "transfer-encoding"]);

  async function expectReplay(example: ExampleResponse, headers: Record<string, string>) {
    const { method, path, query = {}, body } = example.request;
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, `${value}`]),
    );
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await send(`${path}?${search}`, headers, init);
    const { status, headers: recorded, body: expected } = example.response;
    expect([response.status, await response.json()], example.name).toEqual([status, expected]);
    for (const [name, value] of Object.entries(recorded)) {
      // The body is not compressed, even if the recorded one was.
      expect(response.headers.get(name)).toBe(transfer.has(name) ? null : value);
    }
  }

  /** Example responses that share a request: the typical one comes first, then a success. */
  const rank = ({ name, response }: ExampleResponse) =>
    name.endsWith("/typical") ? 0 : response.status < 300 ? 1 : 2;

  it("by request", async () => {
    const ranked = exampleResponses.toSorted(
      (a, b) => rank(b) - rank(a) || exampleResponses.indexOf(b) - exampleResponses.indexOf(a),
    );
    const byRequest = new Map(ranked.map((each) => [JSON.stringify(each.request), each]));
    expect(byRequest.size).toBeGreaterThan(Object.keys(operations).length);
    for (const example of byRequest.values()) await expectReplay(example, token);
  });

  it("by the name in the `sandbox-case` header", async () => {
    for (const example of exampleResponses) {
      await expectReplay(example, { ...token, "sandbox-case": example.name.split("/")[1]! });
    }
  });

  it("with the typical case for an unknown identifier", async () => {
    const response = await send("/3/movie/424242/lists");
    expect([response.status, await response.json()]).toMatchObject([200, { id: 603, page: 1 }]);
  });
});

describe("the sandbox refuses with a status envelope", () => {
  const refused: [what: string, status: number, call: () => Promise<Response>][] = [
    ["no token", 401, () => send("/3/movie/603/lists", {})],
    ["an unknown path", 404, () => send("/3/movies/603/lists")],
    ["an empty identifier", 404, () => send("/3/movie//lists")],
    ["an encoded slash", 404, () => send("/3/movie/603%2Flists")],
    ["a broken percent-encoding", 404, () => send("/3/movie/%zz/lists")],
    ["an undescribed method", 405, () => post("/3/movie/603/lists", "{}")],
    ["a body that is not JSON", 400, () => post(convert, "access_token=x")],
    ["a body that is not an object", 422, () => post(convert, '["access_token"]')],
    ["a body without access_token", 422, () => post(convert, '{"token":"x"}')],
    ["an unknown case", 400, () => send("/3/movie/latest", { ...token, "sandbox-case": "nope" })],
  ];

  it.each(refused)("%s: %i", async (_, status, call) => {
    const response = await call();
    const body: unknown = await response.json();
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(isEnvelope(body), JSON.stringify(isEnvelope.errors)).toBe(true);
  });

  it("whose message says what to do", async () => {
    const anonymous = await send("/3/movie/latest", {});
    expect(anonymous.headers.get("www-authenticate")).toBe("Bearer");
    const head = await send("/3/movie/latest", token, { method: "HEAD" });
    expect([head.status, head.headers.get("allow"), await head.text()]).toEqual([405, "GET", ""]);
    expect(await (await post(convert, "{}")).text()).toContain(
      "no field access_token of type string",
    );
    const unknown = await send("/3/movie/latest", { ...token, "sandbox-case": "nope" });
    expect(await unknown.text()).toContain("typical");
  });
});

describe("the sandbox as a `fetch` function", () => {
  const url = "http://sandbox.test/3/trending/person/%64%61%79";
  const lower = { authorization: "bEARER x" };

  it.each<[string, () => Promise<Response>]>([
    ["a string and an init", () => sandboxFetch(url, { headers: lower })],
    ["a URL and an init", () => sandboxFetch(new URL(url), { headers: token })],
    ["a Request", () => sandboxFetch(new Request(url, { headers: token }))],
    ["a Request and an init", () => sandboxFetch(new Request(url), { headers: token })],
  ])("takes %s", async (_, call) => {
    const response = await call();
    expect(await response.json()).toEqual(await (await send("/3/trending/person/day")).json());
  });

  it("serves the client both without a network and over HTTP", async () => {
    const offline = { baseUrl: "http://sandbox.localhost", fetch: sandboxFetch };
    for (const options of [offline, { baseUrl: await serveHandler() }]) {
      const catalogue = createCatalogue({ token: "any-token", ...options });
      expect((await catalogue.movies.lists(603)).id).toBe(603);
      const body = { access_token: "sandbox-access-token-0002" };
      const failing = catalogue.authentication.convertV4Session({ body });
      const error: unknown = await failing.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code: 36 });
    }
  });

  it("serves a base URL with a path", async () => {
    for (const baseUrl of ["http://sandbox.localhost/api/v2", `${await serveHandler()}/v1/`]) {
      const offline = baseUrl.includes("localhost") ? { fetch: sandboxFetch } : {};
      const catalogue = createCatalogue({ token: "any-token", baseUrl, ...offline });
      expect((await catalogue.movies.lists(603)).id).toBe(603);
    }
  });

  const hasIPv6 = networkInterfaces()["lo"]?.some(({ address }) => address === "::1");
  it.skipIf(!hasIPv6)("listens on an IPv6 address", async () => {
    const server = await serveSandbox(sandboxFetch, { host: "::1", port: 0 });
    onTestFinished(server.close);
    expect((await fetch(`${server.url}/3/movie/latest`, { headers: token })).status).toBe(200);
  });

  it("takes no options", () => {
    // @ts-expect-error: there are no options
    expect(() => createSandbox({ case: "not-found" })).toThrow(
      'createSandbox: unknown option "case"',
    );
    expect(() => createSandbox({})).not.toThrow();
  });

  it("rejects with an aborted signal's reason", async () => {
    const signal = AbortSignal.abort(0);
    await expect(sandboxFetch(url, { headers: token, signal })).rejects.toBe(0);
  });

  it("uses no Node APIs", async () => {
    const bundle = build({
      entryPoints: [join(root, "src/sandbox/index.ts")],
      ...{ platform: "browser", bundle: true, write: false, logLevel: "silent" },
    });
    await expect(bundle).resolves.toMatchObject({ errors: [], warnings: [] });
  });
});

describe("among the example responses of an operation, the sandbox chooses", () => {
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
    ["the typical case", "/things/1", "", "typical"],
    ["the most similar query", "/things/1", "page=2&lang=de&x=1", "c-page-lang"],
    ["a failure for an identical request", "/things/1", "lang=de", "a-failure"],
    ["no failure for a longer query", "/things/1", "lang=de&x=1", "typical"],
    ["a failure if it is the only example response of the path", "/things/2", "x=1", "d-gone"],
    ["a success with the same path for an unknown query", "/things/3", "sort=odd", "e-sorted"],
    ["the typical case for an unknown path", "/things/4", "page=2", "typical"],
  ])("%s", (_, path, search, name) => {
    const query = new URLSearchParams(search);
    const chosen = chooseExchange(cases, { path: path.split("/"), query, body: undefined });
    expect(chosen?.name).toBe(name);
  });
});
