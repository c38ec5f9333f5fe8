import Bottleneck from "bottleneck";
import pLimit from "p-limit";
import pThrottle from "p-throttle";
import { expect, onTestFinished, test, vi } from "vitest";
import { limit } from "../../src/interceptors/index.js";
import { rejection, skipPauses } from "../support/server.js";
import { clientWith, wait } from "./support.js";

// Symptom: 100 of 500 calls timed out in the queue of a throttled `fetch`.
test("500 calls through p-throttle do not time out in the queue", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const throttle = pThrottle({ limit: 40, interval: 1000 });
  // The queue takes 12 s, which is longer than the timeout.
  const { movies, urls } = clientWith([limit(throttle((call) => call()))], { timeout: 10_000 });
  const calls = Promise.all(Array.from({ length: 500 }, (_, id) => movies.details(id)));
  await vi.advanceTimersByTimeAsync(11_000);
  expect(urls).toHaveLength(480);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await calls).toHaveLength(500);
  expect(urls).toHaveLength(500);
});

test("at most 3 calls run at the same time with p-limit, and the retries of a call are part of its run", async () => {
  skipPauses();
  let running = 0;
  let most = 0;
  const failed = new Set<string>();
  const { movies, urls } = clientWith([limit(pLimit(3))], {
    respond: async (url) => {
      most = Math.max(most, (running += 1));
      await wait(2);
      running -= 1;
      if (failed.has(url)) return Response.json({});
      failed.add(url);
      return new Response("", { status: 503 });
    },
  });
  await Promise.all(Array.from({ length: 10 }, (_, id) => movies.details(id)));
  expect([most, urls.length]).toEqual([3, 20]);
});

test("a Bottleneck can schedule the calls", async () => {
  const bottleneck = new Bottleneck({ maxConcurrent: 1 });
  const { movies, urls } = clientWith([limit((call) => bottleneck.schedule(call))]);
  await Promise.all([1, 2, 3].map((id) => movies.details(id)));
  expect(urls).toEqual([1, 2, 3].map((id) => `/3/movie/${id}`));
});

test("a call that is aborted in the queue ends at once, and sends nothing", async () => {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { movies, urls } = clientWith([limit(pLimit(1))], {
    respond: async () => (await released, Response.json({})),
  });
  const busy = movies.details(1);
  const controller = new AbortController();
  const queued = rejection(movies.details(2, { signal: controller.signal }));
  await wait(5);
  controller.abort("left");
  expect(await queued).toBe("left");
  release();
  await busy;
  await movies.details(3);
  expect(urls).toEqual(["/3/movie/1", "/3/movie/3"]);
});

test("limit rejects an argument that is not a function", () => {
  expect(() => limit({} as never)).toThrow(
    new TypeError("limit: the argument must be a function that runs a call, not an object"),
  );
});
