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
import type { Answer } from "../support/server.js";

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

const stalledBody: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json" }).write('{"id":');
};
const stalledError: Answer = (response) => {
  response.writeHead(500, { "content-type": "application/json" }).write('{"id":');
};

describe.each<[when: string, answer: Answer]>([
  ["before the headers", stall],
  ["in the middle of the body", stalledBody],
  ["in the middle of the body of a failure", stalledError],
  ["in the pause before a retry", empty(503, { "retry-after": "19" })],
])("an abort %s", (_, answer) => {
  test("rejects at once with the reason itself, whatever it is", async () => {
    const server = await serve(answer);
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
  });
});

test("a signal that is aborted already rejects with its reason and sends nothing", async () => {
  const server = await serve(json(200, {}));
  for (const reason of REASONS) {
    const signal = AbortSignal.abort(reason);
    expect(await rejection(clientOf(server).movies.latest({ signal }))).toBe(reason);
    expect(await rejection(clientOf(server).http.GET("/3/movie/latest", { signal }))).toBe(reason);
  }
  expect(server.seen).toHaveLength(0);
});

test("an abort without a reason rejects with the AbortError of the platform", async () => {
  const server = await serve(stall);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  const error = await rejection(clientOf(server).movies.latest({ signal: controller.signal }));
  expect(error).toBe(controller.signal.reason);
  expect(error).toMatchObject({ name: "AbortError" });
});

test.each([false, 0, "", {}, 5, { aborted: false }])(
  "a signal that is %j is refused, and nothing is sent",
  async (signal) => {
    const server = await serve(json(200, {}));
    const options = { signal: signal as unknown as AbortSignal };
    const error = await rejection(clientOf(server).movies.latest(options));
    expect(error).toEqual(new TypeError("movies.latest: signal must be an AbortSignal"));
    expect(server.seen).toHaveLength(0);
  },
);

test("a timeout signal of the caller rejects with its own TimeoutError", async () => {
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

test("1000 calls leave no listener on a signal that they share", async () => {
  const server = await serve(json(200, {}));
  const { signal } = new AbortController();
  for (let round = 0; round < 50; round += 1) {
    await Promise.all(Array.from({ length: 20 }, () => clientOf(server).movies.latest({ signal })));
  }
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

test("an abort after the answer changes nothing", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const { data, response } = await clientOf(
    await serve(json(200, { id: 1 })),
  ).movies.latest.withResponse({ signal });
  controller.abort();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect([data, response.status]).toEqual([{ id: 1 }, 200]);
});

test("nothing is sent after an abort, also where the token comes late", async () => {
  let sent = 0;
  const late = deferred<string>();
  const controller = new AbortController();
  const catalogue = clientOf(
    { url: "http://localhost" },
    {
      token: () => late.promise,
      fetch: async () => Response.json({ sent: (sent += 1) }),
    },
  );
  const body = { access_token: "a" };
  const { signal } = controller;
  const call = rejection(catalogue.authentication.convertV4Session({ body, signal }));
  await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort("left");
  expect(await call).toBe("left");
  late.resolve("token");
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(sent).toBe(0);
});

test("what is not an AbortSignal is refused clearly, and no timer stays behind", async () => {
  const server = await serve(json(200, {}));
  expect(await eventually(() => timers() === 0)).toBe(true);
  for (const signal of [{}, "signal", 1, new AbortController()]) {
    const error = await rejection(
      clientOf(server).movies.latest({ signal: signal as AbortSignal }),
    );
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toBe("movies.latest: signal must be an AbortSignal");
  }
  expect(timers()).toBe(0);
  expect(server.seen).toHaveLength(0);
});

function deferred<Value>() {
  let resolve!: (value: Value) => void;
  const promise = new Promise<Value>((settle) => (resolve = settle));
  return { promise, resolve };
}
