import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import {
  clientOf,
  empty,
  eventually,
  json,
  rejection,
  serve,
  stall,
  timers,
} from "../support/server.js";
import type { Responder } from "../support/server.js";

const REASONS = [
  new Error("left"),
  "left",
  0,
  "",
  null,
  false,
  NaN,
  Symbol("left"),
  { left: true },
];

const stalledBody: Responder = (response) => {
  response.writeHead(200, { "content-type": "application/json" }).write('{"id":');
};
const stalledError: Responder = (response) => {
  response.writeHead(500, { "content-type": "application/json" }).write('{"id":');
};

describe.each<[when: string, responder: Responder]>([
  ["before the headers", stall],
  ["in the middle of the body", stalledBody],
  ["in the middle of an error body", stalledError],
  ["during the pause before a retry", empty(503, { "retry-after": "19" })],
])("an abort %s", (_, responder) => {
  test("rejects immediately with exactly the signal's reason", async () => {
    const server = await serve(responder);
    const catalogue = clientOf(server, { retries: 1 });
    for (const reason of REASONS) {
      const controller = new AbortController();
      const call = rejection(catalogue.movies.latest({ signal: controller.signal }));
      const before = server.seen.length;
      await eventually(() => server.seen.length > before);
      await new Promise((resolve) => setTimeout(resolve, 10));
      controller.abort(reason);
      expect(await call).toBe(reason);
      expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
    }
    expect(await eventually(() => server.busy() === 0)).toBe(true);
    expect(timers()).toBe(0);
  });
});

test("a call with an aborted signal rejects with the signal's reason, and nothing is sent", async () => {
  const server = await serve(json(200, {}));
  for (const reason of REASONS) {
    const signal = AbortSignal.abort(reason);
    expect(await rejection(clientOf(server).movies.latest({ signal }))).toBe(reason);
    expect(await rejection(clientOf(server).http.GET("/3/movie/latest", { signal }))).toBe(reason);
  }
  expect(server.seen).toHaveLength(0);
});

test("an abort without a reason rejects the call with the platform's AbortError", async () => {
  const server = await serve(stall);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  const error = await rejection(clientOf(server).movies.latest({ signal: controller.signal }));
  expect(error).toBe(controller.signal.reason);
  expect(error).toMatchObject({ name: "AbortError" });
});

test("a call rejects with the TimeoutError from the caller's timeout signal", async () => {
  const signal = AbortSignal.timeout(30);
  const error = await rejection(clientOf(await serve(stall)).movies.latest({ signal }));
  expect(error).toBe(signal.reason);
  expect(error).toBeInstanceOf(DOMException);
});

test("one abort ends all calls that share the signal", async () => {
  const server = await serve(stall);
  const controller = new AbortController();
  const { signal } = controller;
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  const calls = Array.from({ length: 40 }, () => clientOf(server).movies.latest({ signal }));
  const settled = Promise.allSettled(calls);
  await eventually(() => server.seen.length === 40);
  controller.abort("all");
  for (const each of await settled) expect(each).toEqual({ status: "rejected", reason: "all" });
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
  expect(await eventually(() => server.busy() === 0)).toBe(true);
});

test("1,000 calls with one signal share one listener, which is removed afterward", async () => {
  const { signal } = new AbortController();
  const listeners = () => getEventListeners(signal, "abort").length;
  const during = new Set<number>();
  const fetch = async () => {
    during.add(listeners());
    return Response.json({});
  };
  const catalogue = clientOf({ url: "http://localhost" }, { fetch });
  for (let round = 0; round < 10; round += 1) {
    const calls = Array.from({ length: 100 }, () => catalogue.movies.latest({ signal }));
    expect(listeners()).toBe(1);
    await Promise.all(calls);
    expect(listeners()).toBe(0);
  }
  expect([...during]).toEqual([1]);
});

test("the client sends nothing after an abort, even if the token arrives late", async () => {
  let sent = 0;
  let giveToken!: (token: string) => void;
  const token = new Promise<string>((resolve) => (giveToken = resolve));
  const controller = new AbortController();
  const catalogue = clientOf(
    { url: "http://localhost" },
    {
      token: () => token,
      fetch: async () => Response.json({ sent: (sent += 1) }),
    },
  );
  const body = { access_token: "a" };
  const { signal } = controller;
  const call = rejection(catalogue.authentication.convertV4Session({ body, signal }));
  await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort("left");
  expect(await call).toBe("left");
  giveToken("token");
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(sent).toBe(0);
});

test("a value that is not an AbortSignal is rejected, and no timer remains", async () => {
  const server = await serve(json(200, {}));
  expect(await eventually(() => timers() === 0)).toBe(true);
  for (const signal of [{}, { aborted: false }, "left", new AbortController()]) {
    const error = await rejection(
      clientOf(server).movies.latest({ signal: signal as AbortSignal }),
    );
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(
      /^movies\.latest: signal must be an AbortSignal, not /,
    );
  }
  expect(timers()).toBe(0);
  expect(server.seen).toHaveLength(0);
});
