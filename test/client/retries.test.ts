import { describe, expect, test, vi } from "vitest";
import { ApiError, ConnectionError, createCatalogue } from "../../src/index.js";
import {
  clientOf,
  empty,
  eventually,
  json,
  rejection,
  reset,
  serve,
  TOKEN,
} from "../support/server.js";
import type { Answer } from "../support/server.js";

const RETRIED = [408, 429, 500, 502, 503, 504];
const body = { access_token: "abc" };

/** Cuts the connection in the middle of a body. */
const half: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": 8 });
  response.write('{"id"', () => response.socket?.resetAndDestroy());
};
/** A failure whose body has no end. */
const endless: Answer = (response) => {
  response.writeHead(503);
  const drip = setInterval(() => response.write("x"), 5);
  response.on("close", () => clearInterval(drip));
};

test.each(RETRIED)("a GET is sent again twice after a %i", async (status) => {
  const server = await serve(empty(status), empty(status), json(200, { id: 1 }));
  expect(await clientOf(server).movies.latest()).toEqual({ id: 1 });
  expect(server.seen).toHaveLength(3);
});

test("after two retries the last answer stands", async () => {
  const server = await serve(empty(500), empty(502), json(503, { status_code: 9 }), json(200, {}));
  const error = await rejection(clientOf(server).movies.latest());
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 503, code: 9 });
  expect(server.seen).toHaveLength(3);
});

test.each([400, 401, 403, 404, 409, 410, 418, 422, 425, 501, 505])(
  "a %i is not retried",
  async (status) => {
    const server = await serve(empty(status), json(200, {}));
    expect(await rejection(clientOf(server).movies.latest())).toMatchObject({ status });
    expect(server.seen).toHaveLength(1);
  },
);

test("a lost connection is retried, before and in the middle of the body", async () => {
  const server = await serve(reset, half, json(200, '{"id":1}'));
  expect(await clientOf(server).movies.latest()).toEqual({ id: 1 });
  expect(server.seen).toHaveLength(3);
});

test("a DELETE is retried", async () => {
  const server = await serve(empty(503), reset, json(200, { success: true }));
  expect(await clientOf(server).movies.deleteRating(1)).toEqual({ success: true });
  expect(server.seen.map(({ method }) => method)).toEqual(["DELETE", "DELETE", "DELETE"]);
});

test("a HEAD through http is retried, a PUT is not", async () => {
  const server = await serve(empty(503), empty(200), empty(503));
  const http = clientOf(server).http as unknown as Record<
    string,
    (path: string) => Promise<unknown>
  >;
  await http["HEAD"]!("/x");
  await http["PUT"]!("/x");
  expect(server.seen.map(({ method }) => method)).toEqual(["HEAD", "HEAD", "PUT"]);
});

test("a POST is never sent twice, whatever happens to it", async () => {
  for (const answer of [
    ...RETRIED.map((status) => empty(status, { "retry-after": "0" })),
    reset,
    half,
  ]) {
    const server = await serve(answer, json(200, {}));
    await rejection(clientOf(server).authentication.convertV4Session({ body }));
    await rejection(
      clientOf(server, { retries: 10 }).authentication.convertV4Session({ body }),
    ).catch(
      () => {}, // the second call is the second request, which succeeds
    );
    expect(server.seen.map(({ method }) => method)).toEqual(["POST", "POST"]);
  }
});

test("retries: 0 turns retries off", async () => {
  for (const answer of [empty(503), reset]) {
    const server = await serve(answer, json(200, {}));
    await rejection(clientOf(server, { retries: 0 }).movies.latest());
    expect(server.seen).toHaveLength(1);
  }
});

test("the token function is asked for every attempt", async () => {
  const server = await serve(empty(503), reset, json(200, {}));
  let asked = 0;
  await clientOf(server, { token: async () => `token-${(asked += 1)}` }).movies.latest();
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer token-1",
    "Bearer token-2",
    "Bearer token-3",
  ]);
});

test("the pause grows from half a second to 8 seconds, less a random part up to a half", async () => {
  const pauses: number[] = [];
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((
    run: () => void,
    ms: number,
  ) => {
    if (ms !== 2_000_000) pauses.push(ms);
    return ms === 2_000_000 ? undefined : queueMicrotask(run);
  }) as unknown as typeof setTimeout);
  const catalogue = createCatalogue({
    baseUrl: "http://localhost",
    token: TOKEN,
    retries: 10,
    timeout: 2_000_000,
    fetch: async () => new Response(null, { status: 503 }),
  });
  for (let call = 0; call < 200; call += 1) await rejection(catalogue.movies.latest());
  spy.mockRestore();
  expect(pauses).toHaveLength(2000);
  for (let retry = 0; retry < 10; retry += 1) {
    const drawn = pauses.filter((_, index) => index % 10 === retry);
    const longest = Math.min(500 * 2 ** retry, 8000);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(longest);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(longest / 2);
    expect(Math.max(...drawn) - Math.min(...drawn)).toBeGreaterThan(longest / 4);
  }
});

test("retryDelay is asked with the number of the retry, from 0", async () => {
  const asked: number[] = [];
  const server = await serve(empty(503));
  const retryDelay = (retry: number) => asked.push(retry);
  await rejection(clientOf(server, { retries: 3, retryDelay }).movies.latest());
  expect(asked).toEqual([0, 1, 2]);
});

test("a retryDelay that throws ends the call with its own error, and leaves no connection", async () => {
  const server = await serve((response) => response.writeHead(503).write("{"));
  const own = new Error("no");
  const retryDelay = () => {
    throw own;
  };
  expect(await rejection(clientOf(server, { retryDelay }).movies.latest())).toBe(own);
  expect(await eventually(() => server.busy() === 0)).toBe(true);
});

test.each([
  [NaN, "NaN"],
  [-1, "-1"],
  ["soon", "string"],
  [undefined, "undefined"],
  [Promise.resolve(1), "an object"],
])("a retryDelay of %o is refused, it does not retry at once", async (delay, said) => {
  for (const answer of [empty(503), reset]) {
    const server = await serve(answer);
    const error = await rejection(
      clientOf(server, { retryDelay: () => delay as number }).movies.latest(),
    );
    expect(error).toEqual(
      new TypeError(`movies.latest: retryDelay gave ${said}; give milliseconds`),
    );
    expect(server.seen).toHaveLength(1);
  }
});

test("an endless retryDelay waits until the deadline, it does not retry at once", async () => {
  const server = await serve(empty(503));
  const catalogue = clientOf(server, { timeout: 100, retryDelay: () => Infinity });
  expect(await rejection(catalogue.movies.latest())).toMatchObject({
    name: "TimeoutError",
    ms: 100,
  });
  expect(server.seen).toHaveLength(1);
});

describe("an answer that is not read", () => {
  test("is let go of, so that no connection stays busy", async () => {
    const server = await serve(endless, endless, json(200, {}, { connection: "close" }));
    await clientOf(server).movies.latest();
    expect(await eventually(() => server.busy() === 0)).toBe(true);
  });

  test("is let go of also where the connection is lost for good", async () => {
    const server = await serve(empty(503, { connection: "close" }), reset);
    expect(await rejection(clientOf(server).movies.latest())).toBeInstanceOf(ConnectionError);
    expect(await eventually(() => server.busy() === 0)).toBe(true);
  });
});
