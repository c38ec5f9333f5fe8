import { getEventListeners } from "node:events";
import { AbortController as OldController } from "abort-controller";
import { expect, onTestFinished, test, vi } from "vitest";
import { clientOf, eventually, rejection, serve, stall } from "../support/server.js";

test("one abort rejects all calls that share the signal", async () => {
  const server = await serve(stall);
  const controller = new AbortController();
  const { signal } = controller;
  const remove = vi.spyOn(signal, "removeEventListener");
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
  expect(remove).toHaveBeenCalledTimes(1);
});

test("a call that is aborted during a pause leaves no timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const controller = new AbortController();
  const fetch = async () => new Response("", { status: 503 });
  const { movies } = clientOf({ url: "http://localhost" }, { fetch });
  const outcome = rejection(movies.latest({ signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(100);
  // One timer for the timeout, and one for the pause.
  expect(vi.getTimerCount()).toBe(2);
  controller.abort("left");
  expect(await outcome).toBe("left");
  expect(vi.getTimerCount()).toBe(0);
});

test("an aborted call is not retried, even if an app's listener stops the propagation of the abort event", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  signal.addEventListener("abort", (event) => event.stopImmediatePropagation());
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    controller.abort("left");
    return new Response(null, { status: 503 });
  };
  const call = clientOf({ url: "http://localhost" }, { fetch, timeout: 0 }).movies.latest({
    signal,
  });
  const late = new Promise((resolve) => setTimeout(resolve, 5000, "late"));
  expect(await Promise.race([rejection(call), late])).toBe("left");
  expect(sent).toBe(1);
});

test("calls with the same signal share one listener, which is removed when all calls have settled", async () => {
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

test("an abort ends a call that shares the signal with a call that has already settled", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const responses = [Promise.resolve(Response.json({})), new Promise<never>(() => {})];
  const fetch = () => responses.shift()!;
  const { movies } = clientOf({ url: "http://localhost" }, { fetch });
  const first = movies.latest({ signal });
  const second = rejection(movies.latest({ signal }));
  await first;
  controller.abort("left");
  expect(await second).toBe("left");
});

test("a call rejects with an AbortError if a polyfilled signal is aborted, which has no reason", async () => {
  for (const abortsBefore of [true, false]) {
    const controller = new OldController();
    const signal = controller.signal as AbortSignal;
    if (abortsBefore) controller.abort();
    const fetch = () => new Promise<never>(() => controller.abort());
    const error = await rejection(
      clientOf({ url: "http://localhost" }, { fetch }).movies.latest({ signal }),
    );
    expect(error).toEqual(
      Object.assign(new Error("This operation was aborted"), { name: "AbortError" }),
    );
  }
});

test("a call whose signal is already aborted runs neither interceptors nor middleware", async () => {
  const ran: string[] = [];
  const hang = (name: string) => () => {
    ran.push(name);
    return new Promise<never>(() => {});
  };
  const signal = AbortSignal.abort("left");
  const interceptors = [hang("interceptor")];
  const { movies } = clientOf({ url: "http://localhost" }, { interceptors });
  expect(await rejection(movies.latest({ signal }))).toBe("left");
  const { http } = clientOf({ url: "http://localhost" });
  http.use({ onRequest: hang("middleware") });
  expect(await rejection(http.GET("/3/movie/latest", { signal }))).toBe("left");
  expect(ran).toEqual([]);
});
