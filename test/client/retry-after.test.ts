import { expect, test, vi } from "vitest";
import { createCatalogue } from "../../src/index.js";
import { clientOf, empty, json, rejection, serve } from "../support/server.js";

/** What the client waits where it has to find a pause of its own. */
const OWN = 200;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

/** The pause that an answer with this header makes, or the status of the error. */
async function pauseOf(retryAfter: string, status = 429): Promise<number> {
  const server = await serve(empty(status, { "retry-after": retryAfter }), json(200, {}));
  await clientOf(server, { retryDelay: () => OWN, retries: 1 }).movies.latest();
  return server.seen[1]!.at - server.seen[0]!.at;
}

test.each([
  ["1", 1000],
  ["0.2", 200],
  ["1.0", 1000],
])("%s seconds are waited for", async (value, ms) => {
  expect(await pauseOf(value)).toBeGreaterThanOrEqual(ms - 5);
  expect(await pauseOf(value)).toBeLessThan(ms + 500);
});

test.each([["0"], ["0.0"], ["00"], ["Sun, 06 Nov 1994 08:49:37 GMT"]])(
  "%s means at once",
  async (value) => expect(await pauseOf(value)).toBeLessThan(OWN - 50),
);

test("a date is waited for", async () => {
  const pause = await pauseOf(inSeconds(2));
  expect(pause).toBeGreaterThan(900);
  expect(pause).toBeLessThan(2200);
});

test.each([
  ["-1"],
  ["soon"],
  ["1s"],
  ["1, 2"],
  ["+1"],
  ["0x1"],
  ["1e1"],
  ["Infinity"],
  ["NaN"],
  ["1994-11-06"],
  ["Sun, 99 Foo 1994 08:49:37 GMT"],
  ["Sunday"],
  [" "],
  ["١"],
])("%j is no pause, so the client takes its own", async (value) => {
  const latin1 = Buffer.from(value).toString("latin1");
  const pause = await pauseOf(latin1);
  expect(pause).toBeGreaterThanOrEqual(OWN - 5);
  expect(pause).toBeLessThan(OWN + 500);
});

test.each([
  ["31"],
  ["30.001"],
  ["3600"],
  ["9".repeat(30)],
  ["9".repeat(400)],
  [inSeconds(600)],
  ["Fri, 31 Dec 2100 23:59:59 GMT"],
])("%s is longer than 30 seconds, so the error comes at once", async (value) => {
  const server = await serve(empty(503, { "retry-after": value }), json(200, {}));
  const start = performance.now();
  expect(await rejection(clientOf(server).movies.latest())).toMatchObject({ status: 503 });
  expect(performance.now() - start).toBeLessThan(500);
  expect(server.seen).toHaveLength(1);
});

test("30 seconds are still waited for, and the deadline bounds the wait", async () => {
  const server = await serve(empty(429, { "retry-after": "30" }));
  const start = performance.now();
  const error = await rejection(clientOf(server, { timeout: 80 }).movies.latest());
  expect(error).toMatchObject({ name: "TimeoutError" });
  expect(performance.now() - start).toBeLessThan(300);
});

test("every form of date that RFC 9110 knows is read as GMT, in any time zone", async () => {
  vi.useFakeTimers({ now: Date.UTC(2030, 10, 6, 8, 49, 0), toFake: ["Date"] });
  const zone = process.env["TZ"];
  process.env["TZ"] = "America/New_York";
  const pauses: number[] = [];
  const timer = vi.spyOn(globalThis, "setTimeout").mockImplementation(((
    run: () => void,
    ms: number,
  ) => {
    if (ms !== 99_999) pauses.push(ms);
    return ms === 99_999 ? undefined : queueMicrotask(run);
  }) as unknown as typeof setTimeout);
  const dates = [
    "Wed, 06 Nov 2030 08:49:10 GMT",
    "Wednesday, 06-Nov-30 08:49:10 GMT",
    "Wed Nov  6 08:49:10 2030",
  ];
  try {
    for (const date of dates) {
      const answers = [new Response(null, { status: 429, headers: { "retry-after": date } })];
      const catalogue = createCatalogue({
        baseUrl: "http://localhost",
        token: "token",
        timeout: 99_999,
        fetch: async () => answers.pop() ?? Response.json({}),
      });
      await catalogue.movies.latest();
    }
  } finally {
    timer.mockRestore();
    vi.useRealTimers();
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
  expect(pauses).toEqual([10_000, 10_000, 10_000]);
});
