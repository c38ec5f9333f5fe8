import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  CatalogueError,
  ConnectionError,
  TimeoutError,
  type ApiError,
  type Catalogue,
} from "../../src/index.js";
import {
  clientOf,
  empty,
  json,
  rejection,
  reset,
  serve,
  skipPauses,
  stall,
  TIMEOUT,
} from "../support/server.js";
import type { Responder } from "../support/server.js";

const RETRIED = [408, 429, 500, 502, 503, 504];
const body = { access_token: "abc" };
const busy = empty(503);
/** A server address for clients whose `fetch` option sends no request. */
const anywhere = { url: "http://localhost" };
const half: Responder = (response) =>
  response.writeHead(200, { "content-length": 9 }).write("{", () => response.destroy());

test.each(RETRIED)(
  "the client retries a GET twice after a %i response, but never retries a POST",
  async (status) => {
    skipPauses();
    const server = await serve(empty(status));
    const { movies, authentication } = clientOf(server);
    const methods = () => server.seen.splice(0).map(({ method }) => method);
    expect(await rejection(movies.latest())).toMatchObject({ name: "ApiError", status });
    expect(methods()).toEqual(["GET", "GET", "GET"]);
    expect(await rejection(authentication.convertV4Session({ body }))).toMatchObject({ status });
    expect(methods()).toEqual(["POST"]);
  },
);

// Symptom: the service had deleted a rating, and the call rejected with the 404 of the retry.
test.each([
  [408, 3],
  [429, 3],
  [503, 3],
  [500, 1],
  [502, 1],
  [504, 1],
])("after a %i response, the client sends a DELETE %i times", async (status, times) => {
  skipPauses();
  const server = await serve(empty(status));
  const error = await rejection(clientOf(server).movies.deleteRating(1));
  expect(error).toMatchObject({ name: "ApiError", status });
  expect(server.seen.map(({ method }) => method)).toEqual(Array(times).fill("DELETE"));
});

test.each([
  ["a 429 response", empty(429), { name: "ApiError", status: 429 }],
  ["a lost connection", reset, { name: "ConnectionError" }],
])("the cause of an error is the error from the previous attempt: %s", async (_, first, cause) => {
  skipPauses();
  const server = await serve(first, json(503, { status_code: 9 }), json(404, { status_code: 34 }));
  const error = await rejection(clientOf(server).movies.deleteRating(1));
  expect(error).toMatchObject({ status: 404, cause: { status: 503, serviceCode: 9, cause } });
  const other = await serve(first, json(200, "<"));
  expect(await rejection(clientOf(other).movies.latest())).toMatchObject({ status: 200, cause });
  const { message } = (error as Error).cause as Error;
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ status: 404, cause: message });
});

// Symptom: the chain of causes ended at the lost connection.
test("the causes of a 404 response to a DELETE show all attempts, even before a lost connection", async () => {
  skipPauses();
  const server = await serve(json(429, { status_code: 25 }), reset, json(404, {}));
  const error = await rejection(clientOf(server).movies.deleteRating(1));
  const chain: unknown[] = [];
  for (let at = error as Error; at; at = at.cause as Error)
    if (at instanceof CatalogueError) chain.push([at.name, (at as ApiError).status]);
  expect(chain).toEqual([
    ["ApiError", 404],
    ["ConnectionError", undefined],
    ["ApiError", 429],
  ]);
});

test.each([400, 401, 404, 409, 421, 425, 501, 505])(
  "the client does not retry after a %i response",
  async (status) => {
    const server = await serve(empty(status));
    await rejection(clientOf(server).movies.latest());
    // After a 421 response, `fetch` itself retries on a different connection.
    expect(server.seen.length).toBe(status === 421 ? 2 : 1);
  },
);

test.each([
  ["before the headers", reset],
  ["while reading the body", half],
])("the client retries a GET but not a POST if the connection is lost %s", async (_, fault) => {
  skipPauses();
  const server = await serve(fault, json(200, { id: 1 }));
  expect(await clientOf(server).movies.latest()).toEqual({ id: 1 });
  const other = await serve(fault, json(200, {}));
  const call = clientOf(other, { retries: 10 }).authentication.convertV4Session({ body });
  expect(await rejection(call)).toBeInstanceOf(ConnectionError);
  expect(other.seen).toHaveLength(1);
});

test("a call's `retries` option overrides the client's `retries` option, and 0 disables retries", async () => {
  skipPauses();
  const server = await serve(busy);
  const { movies, http } = clientOf(server, { retries: 1 });
  const count = async (call: Promise<unknown>) => {
    await call.catch(() => {});
    return server.seen.splice(0).length;
  };
  expect(await count(movies.latest())).toBe(2);
  expect(await count(movies.latest({ retries: 3 }))).toBe(4);
  expect(await count(movies.latest({ retries: 0 }))).toBe(1);
  expect(await count(http.GET("/3/movie/latest", { retries: 2 }))).toBe(3);
});

test("the client calls the token function for every attempt, even if calls run in parallel", async () => {
  skipPauses();
  const server = await serve(busy, busy, json(200, {}));
  // Symptom: the third attempt sent the token of another tenant.
  const tokens = ["token-a", "token-b", "token-a", "token-c", "token-d"];
  const left = [...tokens];
  const { movies } = clientOf(server, { token: async () => left.shift()! });
  await movies.latest();
  await Promise.all([movies.latest(), movies.latest()]);
  const sent = server.seen.map(({ headers }) => headers.authorization);
  // The parallel calls can arrive in any order.
  const inOrder = [...sent.slice(0, 3), ...sent.slice(3).toSorted()];
  expect(inOrder).toEqual(tokens.map((token) => `Bearer ${token}`));
});

test("the pause between attempts doubles from 500 ms up to 8 s, with up to 50% jitter", async () => {
  const pauses = skipPauses();
  const random = vi.spyOn(Math, "random");
  onTestFinished(() => random.mockRestore());
  const fetch = async () => new Response(null, { status: 503 });
  const catalogue = clientOf(anywhere, { retries: 10, timeout: 2_000_000, fetch });
  const longest = [500, 1000, 2000, 4000, ...Array<number>(6).fill(8000)];
  for (const drawn of [0, 0.25, 0.5]) {
    random.mockReturnValue(drawn);
    await rejection(catalogue.movies.latest());
    expect(pauses.splice(0)).toEqual(longest.map((ms) => ms * (1 - drawn / 2)));
  }
});

// Symptom: 40 calls came back within 50 ms of each other.
test("a Retry-After delay has jitter, too", async () => {
  const pauses = skipPauses();
  const limited = { status: 429, headers: { "retry-after": "1" } };
  const responses = [...Array.from({ length: 40 }, () => new Response(null, limited))];
  const fetch = async () => responses.shift() ?? Response.json({});
  const { movies } = clientOf(anywhere, { fetch });
  await Promise.all(Array.from({ length: 40 }, () => movies.latest()));
  expect(pauses).toHaveLength(40);
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1000);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(1250);
  expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(100);
});

describe("Retry-After", () => {
  /** Returns the pause before the retry without its jitter, or undefined if the client does not retry. */
  async function pauseAfter(value: string): Promise<number | undefined> {
    const pauses = skipPauses();
    const random = vi.spyOn(Math, "random").mockReturnValue(1);
    onTestFinished(() => random.mockRestore());
    const headers = { "retry-after": value };
    const responses = [new Response(null, { status: 429, headers }), Response.json({})];
    const fetch = async () => responses.shift()!;
    await clientOf(anywhere, { timeout: 99_999, fetch })
      .movies.latest()
      .catch(() => {});
    return pauses[0];
  }
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

  test.each([
    ["1", 1000],
    ["1.25", 1250],
    ["30", 30_000],
    ["2, 2", 2000],
  ])("a Retry-After of %j makes the client pause for %i ms", async (value, ms) =>
    expect(await pauseAfter(value)).toBe(ms),
  );

  test.each(["0", "0.2", "Sun, 06 Nov 1994 08:49:37 GMT", "soon", "in 40", "-1", "1994-11-06"])(
    "a Retry-After of %j does not shorten the backoff",
    async (value) => {
      expect(await pauseAfter(value)).toBe(250);
    },
  );

  test.each([
    ["31"],
    ["31, 31"],
    ["9".repeat(400)],
    [inSeconds(600)],
    ["Fri, 31 Dec 2100 23:59:59 GMT"],
  ])("the client does not retry if Retry-After is %j, which exceeds 30 s", async (value) =>
    expect(await pauseAfter(value)).toBeUndefined(),
  );

  test.each([
    "Wed, 06 Nov 2030 08:49:10 GMT",
    "Wednesday, 06-Nov-30 08:49:10 GMT",
    "Wed Nov  6 08:49:10 2030",
  ])("the client pauses until the Retry-After date %j, in any time zone", async (date) => {
    vi.useFakeTimers({ now: Date.UTC(2030, 10, 6, 8, 49, 0), toFake: ["Date"] });
    vi.stubEnv("TZ", "America/New_York");
    onTestFinished(() => void vi.useRealTimers().unstubAllEnvs());
    expect(await pauseAfter(date)).toBe(10_000);
  });
});

test.each<[name: string, headers: Record<string, string>, timeout: number]>([
  ["Retry-After delay", { "retry-after": "29" }, TIMEOUT],
  ["backoff", {}, 200],
])(
  "a call rejects immediately with an ApiError if the %s exceeds the remaining time",
  async (_, headers, timeout) => {
    const server = await serve(json(503, { status_code: 9 }, headers));
    const error = await rejection(clientOf(server, { timeout }).movies.latest());
    expect(error).toMatchObject({
      name: "ApiError",
      status: 503,
      serviceCode: 9,
      body: { status_code: 9 },
    });
    expect(server.seen).toHaveLength(1);
  },
);

test("a TimeoutError has no cause if no attempt failed before the timeout", async () => {
  const error = await rejection(clientOf(await serve(stall), { timeout: 50 }).movies.latest());
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).not.toHaveProperty("cause");
});

test("a method call and a call through http reject if the connection is lost during a retry", async () => {
  skipPauses();
  for (const call of [
    (it: Catalogue) => it.movies.latest({ retries: 1 }),
    (it: Catalogue) => it.http.GET("/3/movie/latest", { retries: 1 }),
  ]) {
    const error = await rejection(call(clientOf(await serve(busy, reset))));
    expect(error).toMatchObject({ name: "ConnectionError" });
  }
});

test.each(["PUT", "PATCH", "POST"])(
  "the client does not retry a %s request through http",
  async (method) => {
    const server = await serve(busy);
    const request = clientOf(server).http.request as (...all: unknown[]) => Promise<unknown>;
    expect(await request(method, "/3/movie/latest", { body: {} })).toMatchObject({
      response: { status: 503 },
    });
    expect(server.seen.map((each) => each.method)).toEqual([method]);
  },
);

test("the client retries before middleware sees the response", async () => {
  skipPauses();
  const server = await serve(busy);
  const catalogue = clientOf(server);
  const mine = new Error("mine");
  const seen: unknown[] = [];
  const results = [() => Promise.reject(mine), () => Response.json({ stale: true })];
  catalogue.http.use({
    onResponse({ response }) {
      seen.push(response.status);
      return results.shift()!();
    },
  });
  expect(await rejection(catalogue.movies.latest())).toBe(mine);
  expect(await catalogue.movies.latest({ retries: 1 })).toEqual({ stale: true });
  expect([seen, server.seen.length]).toEqual([[503, 503], 5]);
});
