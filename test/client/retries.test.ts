import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ConnectionError, createCatalogue, TimeoutError } from "../../src/index.js";
import { clientOf, empty, json, rejection, reset, serve, TOKEN } from "../support/server.js";
import type { Answer } from "../support/server.js";

const RETRIED = [408, 429, 500, 502, 503, 504];
const body = { access_token: "abc" };
/** A failure that may be retried at once. */
const busy = empty(503, { "retry-after": "0" });
const half: Answer = (response) =>
  response.writeHead(200, { "content-length": 9 }).write("{", () => response.destroy());

/** Collects the delays of all timers except the deadline; these timers fire immediately. */
function watchPauses(timeout: number): number[] {
  const pauses: number[] = [];
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((
    run: () => void,
    ms: number,
  ) => {
    if (ms === timeout) return undefined;
    pauses.push(ms);
    return queueMicrotask(run);
  }) as unknown as typeof setTimeout);
  onTestFinished(() => spy.mockRestore());
  return pauses;
}

test.each(RETRIED)(
  "a GET and a DELETE are retried twice after a %i response, but a POST never is",
  async (status) => {
    const server = await serve(empty(status, { "retry-after": "0" }));
    const { movies, authentication } = clientOf(server);
    const methods = () => server.seen.splice(0).map(({ method }) => method);
    expect(await rejection(movies.latest())).toMatchObject({ name: "ApiError", status });
    expect(methods()).toEqual(["GET", "GET", "GET"]);
    expect(await rejection(movies.deleteRating(1))).toMatchObject({ name: "ApiError", status });
    expect(methods()).toEqual(["DELETE", "DELETE", "DELETE"]);
    expect(await rejection(authentication.convertV4Session({ body }))).toMatchObject({ status });
    expect(methods()).toEqual(["POST"]);
  },
);

test.each([400, 401, 404, 409, 421, 425, 501, 505])(
  "a %i response is not retried",
  async (status) => {
    const server = await serve(empty(status, { "retry-after": "0" }));
    await rejection(clientOf(server).movies.latest());
    // fetch itself retries a 421 on another connection.
    expect(server.seen.length).toBe(status === 421 ? 2 : 1);
  },
);

test.each([
  ["before the headers", reset],
  ["in the body", half],
])("a GET is retried if the connection is lost %s, but a POST is not", async (_, fault) => {
  const server = await serve(fault, json(200, { id: 1 }));
  expect(await clientOf(server).movies.latest()).toEqual({ id: 1 });
  const other = await serve(fault, json(200, {}));
  const call = clientOf(other, { retries: 10 }).authentication.convertV4Session({ body });
  expect(await rejection(call)).toBeInstanceOf(ConnectionError);
  expect(other.seen).toHaveLength(1);
});

test("the retries option of a call overrides that of the client; 0 disables retries", async () => {
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

test("the token function is called for every attempt", async () => {
  const server = await serve(busy, busy, json(200, {}));
  let calls = 0;
  await clientOf(server, { token: async () => `token-${(calls += 1)}` }).movies.latest();
  const tokens = server.seen.map(({ headers }) => headers.authorization);
  expect(tokens).toEqual(["Bearer token-1", "Bearer token-2", "Bearer token-3"]);
});

test("the pause doubles from half a second up to 8 seconds, with up to 50% jitter", async () => {
  const timeout = 2_000_000;
  const pauses = watchPauses(timeout);
  const fetch = async () => new Response(null, { status: 503 });
  const baseUrl = "http://localhost";
  const catalogue = createCatalogue({ baseUrl, token: TOKEN, retries: 10, timeout, fetch });
  for (let call = 0; call < 200; call += 1) await rejection(catalogue.movies.latest());
  expect(pauses).toHaveLength(2000);
  for (let retry = 0; retry < 10; retry += 1) {
    const drawn = pauses.filter((_, index) => index % 10 === retry);
    const longest = Math.min(500 * 2 ** retry, 8000);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(longest);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(longest / 2);
    expect(Math.max(...drawn) - Math.min(...drawn)).toBeGreaterThan(longest / 4);
  }
});

describe("Retry-After", () => {
  /** The pause before the retry; undefined without a retry. */
  async function pauseAfter(value: string, timeout = 99_999): Promise<number | undefined> {
    const pauses = watchPauses(timeout);
    const headers = { "retry-after": value };
    const responses = [new Response(null, { status: 429, headers }), Response.json({})];
    const fetch = async () => responses.shift()!;
    const options = { baseUrl: "http://localhost", token: TOKEN, timeout, fetch };
    await createCatalogue(options)
      .movies.latest()
      .catch(() => {});
    return pauses[0];
  }
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

  test.each([
    ["0", 0],
    ["1", 1000],
    ["0.2", 200],
    ["30", 30_000],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ])("%j pauses for %i ms", async (value, ms) => expect(await pauseAfter(value)).toBe(ms));

  test.each([
    ...["-1", "soon", "1s", "1, 2", "+1", "0x1", "1e1", "Infinity", "1994-11-06", "Sunday"],
    ...["in 10", "try after 12"],
  ])("%j is ignored", async (value) => {
    const pause = await pauseAfter(value);
    expect(pause).toBeGreaterThanOrEqual(250);
    expect(pause).toBeLessThanOrEqual(500);
  });

  test.each([["31"], ["9".repeat(400)], [inSeconds(600)], ["Fri, 31 Dec 2100 23:59:59 GMT"]])(
    "%j is too long, so the call is not retried",
    async (value) => expect(await pauseAfter(value)).toBeUndefined(),
  );

  test("all three date formats are read as GMT in any time zone", async () => {
    vi.useFakeTimers({ now: Date.UTC(2030, 10, 6, 8, 49, 0), toFake: ["Date"] });
    const zone = process.env["TZ"];
    process.env["TZ"] = "America/New_York";
    onTestFinished(() => {
      vi.useRealTimers();
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    });
    for (const date of [
      "Wed, 06 Nov 2030 08:49:10 GMT",
      "Wednesday, 06-Nov-30 08:49:10 GMT",
      "Wed Nov  6 08:49:10 2030",
    ]) {
      expect(await pauseAfter(date)).toBe(10_000);
    }
  });
});

test.each<[name: string, headers: Record<string, string>, timeout: number]>([
  ["a Retry-After", { "retry-after": "29" }, 20_000],
  ["a backoff", {}, 200],
])(
  "%s beyond the remaining time rejects immediately with the response",
  async (_, headers, timeout) => {
    const server = await serve(json(503, { status_code: 9 }, headers));
    const error = await rejection(clientOf(server, { timeout }).movies.latest());
    expect(error).toMatchObject({
      name: "ApiError",
      status: 503,
      code: 9,
      body: { status_code: 9 },
    });
    expect(server.seen).toHaveLength(1);
  },
);

test("a TimeoutError has the error of the last failed attempt as its cause", async () => {
  const server = await serve(busy, () => {});
  const error = await rejection(clientOf(server, { timeout: 400 }).movies.latest());
  expect(error).toBeInstanceOf(TimeoutError);
  expect((error as Error).cause).toMatchObject({ name: "ApiError", status: 503 });
  const silent = await serve(() => {});
  const alone = await rejection(clientOf(silent, { timeout: 50 }).movies.latest());
  expect(alone).not.toHaveProperty("cause");
});
