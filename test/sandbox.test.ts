import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiError, createCatalogue } from "../src/index.js";
import { createSandbox } from "../src/sandbox/index.js";
import { serveSandbox, type Listening } from "../src/sandbox/serve.js";
import { root } from "./support/paths.js";
import { recordings, type Recording } from "./support/recordings.js";
import { validatorAt } from "./support/validators.js";

const token = { authorization: "Bearer any-token" };
const convert = "/3/authentication/session/convert/4";
const isEnvelope = validatorAt("#/components/responses/Error/content/application~1json/schema");

let server: Listening;
beforeAll(async () => {
  server = await serveSandbox(createSandbox().fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = token) =>
  fetch(server.url + path, { headers });
const post = (path: string, body: string) =>
  fetch(server.url + path, { method: "POST", headers: token, body });

/** Of those that share a request, the typical one answers, then a success, then the first. */
const rank = ({ name, response }: Recording) =>
  name.endsWith("/typical") ? 0 : response.status < 300 ? 1 : 2;

describe("answers from the recordings", () => {
  const transfer = new Set(["content-encoding", "content-length", "transfer-encoding"]);

  async function expectReplay(recording: Recording, headers: Record<string, string>) {
    const { method, path, query = {}, body } = recording.request;
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, `${value}`]),
    );
    const response = await fetch(`${server.url}${path}?${search}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { status, headers: recorded, body: expected } = recording.response;
    expect({ status: response.status, body: await response.json() }).toEqual({
      status,
      body: expected,
    });
    for (const [name, value] of Object.entries(recorded)) {
      if (!transfer.has(name)) expect(response.headers.get(name)).toBe(value);
    }
  }

  const answering = new Map<string, Recording>();
  for (const each of recordings.toSorted((a, b) => rank(a) - rank(b))) {
    const key = JSON.stringify(each.request);
    if (!answering.has(key)) answering.set(key, each);
  }

  it.each([...answering.values()])("answers the request of $name as recorded", (recording) =>
    expectReplay(recording, token),
  );

  it.each(recordings)("answers with $name where the header sandbox-case names it", (recording) =>
    expectReplay(recording, { ...token, "sandbox-case": recording.name.split("/")[1]! }),
  );

  it("answers the typical case where no recording has the identifier", async () => {
    const response = await get("/3/movie/424242/lists");
    expect([response.status, await response.json()]).toMatchObject([200, { id: 603, page: 1 }]);
  });

  it("does not say that a body is compressed when only its recording was", async () => {
    const compressed = recordings.filter((each) => each.response.headers["content-encoding"]);
    expect(compressed).not.toEqual([]);
    const response = await createSandbox().fetch(
      new Request(`http://sandbox.test${compressed[0]!.request.path}`, { headers: token }),
    );
    expect(response.headers.has("content-encoding")).toBe(false);
  });
});

describe("refuses with a status envelope", () => {
  const refused: [what: string, status: number, send: () => Promise<Response>][] = [
    ["no token", 401, () => get("/3/movie/603/lists", {})],
    ["an empty token", 401, () => get("/3/movie/603/lists", { authorization: "Bearer " })],
    ["another scheme", 401, () => get("/3/movie/603/lists", { authorization: "Basic eDp5" })],
    ["a token of two words", 401, () => get("/3/movie/603/lists", { authorization: "Bearer a b" })],
    ["an unknown path", 404, () => get("/3/movies/603/lists")],
    ["a path without version", 404, () => get("/movie/603/lists")],
    ["a trailing slash", 404, () => get("/3/movie/603/lists/")],
    ["an empty identifier", 404, () => get("/3/movie//lists")],
    ["a broken percent-encoding", 404, () => get("/3/movie/%zz/lists")],
    ["a wrong method", 405, () => post("/3/movie/603/lists", "{}")],
    ["a body that is not JSON", 400, () => post(convert, "access_token=x")],
    ["an empty body", 400, () => post(convert, "")],
    ["a body that is no object", 422, () => post(convert, '["access_token"]')],
    ["a body that is null", 422, () => post(convert, "null")],
    ["a body without access_token", 422, () => post(convert, '{"token":"x"}')],
    ["an access_token that is no string", 422, () => post(convert, '{"access_token":1}')],
    ["an unknown case", 400, () => get("/3/movie/latest", { ...token, "sandbox-case": "nope" })],
  ];

  it.each(refused)("%s: %i", async (_, status, send) => {
    const response = await send();
    const body: unknown = await response.json();
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(isEnvelope(body), JSON.stringify(isEnvelope.errors)).toBe(true);
    expect(body).toMatchObject({ success: false, failure: true });
  });

  it("says how to authenticate, and which methods are allowed", async () => {
    expect((await get("/3/movie/latest", {})).headers.get("www-authenticate")).toBe("Bearer");
    expect((await post("/3/movie/latest", "{}")).headers.get("allow")).toBe("GET");
  });

  it("treats HEAD as any other method that is not described, without a body", async () => {
    const request = new Request("http://sandbox.test/3/movie/latest", {
      method: "HEAD",
      headers: token,
    });
    const response = await createSandbox().fetch(request);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"]);
    expect(await response.text()).toBe("");
  });

  it("says what is wrong with a body", async () => {
    expect(await (await post(convert, "[]")).text()).toContain("the body is not a JSON object");
    expect(await (await post(convert, "{}")).text()).toContain("no access_token of type string");
  });

  it("names the cases that there are for one that there is not", async () => {
    const response = await get("/3/movie/latest", { ...token, "sandbox-case": "nope" });
    expect(await response.text()).toContain("typical");
  });
});

describe("reads paths and headers as HTTP does", () => {
  it("decodes the values of a path", async () => {
    const response = await get("/3/trending/person/%64%61%79");
    expect(await response.json()).toEqual(await (await get("/3/trending/person/day")).json());
  });

  it("keeps an encoded slash inside its segment", async () => {
    expect((await get("/3/movie/603%2Flists")).status).toBe(404);
    expect((await get("/3/movie/6%2F03/lists")).status).toBe(200);
  });

  it("takes the name of the scheme in any case", async () => {
    expect((await get("/3/movie/latest", { authorization: "bEARER x" })).status).toBe(200);
  });
});

describe("stands in for fetch", () => {
  const { fetch: sandboxFetch } = createSandbox();
  const url = "http://sandbox.test/3/movie/603/lists";

  it("answers the client without a network, taken off its object", async () => {
    const catalogue = createCatalogue({
      baseUrl: "http://sandbox.localhost",
      token: "any-token",
      fetch: sandboxFetch,
    });
    expect((await catalogue.movies.lists(603)).id).toBe(603);
    const failing = catalogue.authentication.convertV4Session({
      body: { access_token: "sandbox-access-token-0002" },
    });
    const error: unknown = await failing.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 36 });
  });

  it.each<[string, () => Promise<Response>]>([
    ["a text and an init", () => sandboxFetch(url, { headers: token })],
    ["a URL and an init", () => sandboxFetch(new URL(url), { headers: token })],
    ["a Request", () => sandboxFetch(new Request(url, { headers: token }))],
    ["a Request and an init", () => sandboxFetch(new Request(url), { headers: token })],
  ])("takes %s", async (_, call) => {
    expect((await call()).status).toBe(200);
  });

  it("rejects with the reason of a signal that is aborted", async () => {
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    await expect(sandboxFetch(url, { headers: token, signal })).rejects.toBe(reason);
  });

  it("gives each answer a body of its own", async () => {
    const [first, second] = await Promise.all([get("/3/movie/latest"), get("/3/movie/latest")]);
    expect(await first.json()).toEqual(await second.json());
  });

  it("needs nothing of Node", async () => {
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
