import { describe, expect, test } from "vitest";
import type { ApiError, Middleware, Validate } from "../../src/index.js";
import { tracesOf, UnreadableError } from "../support/canary.js";
import {
  clientOf,
  empty,
  json,
  rejection,
  reset,
  serve,
  skipPauses,
  stall,
  TOKEN,
} from "../support/server.js";

const replace = (response: Response): Middleware => ({ onResponse: () => response });

test("middleware receives a real Request and the path template, but never the token", async () => {
  const server = await serve(json(401, { sent: 1 }));
  const catalogue = clientOf(server);
  const seen: unknown[] = [];
  catalogue.http.use({
    async onRequest({ request, schemaPath, params, options, id }) {
      expect(request).toBeInstanceOf(Request);
      expect(request.headers).toBeInstanceOf(Headers);
      expect(request.clone().url).toBe(request.url);
      expect(request.signal).toBeInstanceOf(AbortSignal);
      expect(request.headers.get("authorization")).toBeNull();
      expect(request.headers.get("accept")).toBe("application/json");
      expect(request.headers.get("x-call")).toBe("1");
      expect([options.baseUrl, typeof id]).toEqual([server.url, "string"]);
      expect(tracesOf([request, params, options])).not.toContain(TOKEN);
      seen.push(request.method, new URL(request.url).pathname, schemaPath, params);
    },
    async onResponse({ request, response }) {
      expect(response).toBeInstanceOf(Response);
      expect(response.url).toBe(request.url);
      expect(await response.clone().json()).toEqual({ sent: 1 });
      expect(response.bodyUsed).toBe(false);
      expect(tracesOf([request, response])).not.toContain(TOKEN);
      seen.push(response.status);
    },
  });
  // Calling `use` without arguments has no effect.
  catalogue.http.use();
  const options = { headers: { "x-call": "1" }, query: { page: 2 } };
  await rejection(catalogue.movies.deleteRating("a/b", options));
  const template = "/3/movie/{movie_id}/rating";
  const params = { path: { movie_id: "a/b" }, query: { page: 2 } };
  expect(seen).toEqual(["DELETE", "/3/movie/a%2Fb/rating", template, params, 401]);
  expect(server.seen[0]!.headers.authorization).toBe(`Bearer ${TOKEN}`);
});

test("middleware can replace the request, but a different origin never receives the token", async () => {
  const [server, other] = [await serve(json(200, { at: 1 })), await serve(json(200, { at: 2 }))];
  for (const [origin, expected] of [
    [server, `Bearer ${TOKEN}`],
    [other, undefined],
  ] as const) {
    const catalogue = clientOf({ url: `${server.url}/path` });
    catalogue.http.use({
      onRequest: ({ request }) => new Request(`${origin.url}/moved`, { headers: request.headers }),
    });
    await catalogue.movies.latest();
    expect(origin.seen.at(-1)).toMatchObject({ url: "/moved" });
    expect(origin.seen.at(-1)!.headers.authorization).toBe(expected);
  }
});

test("the client's token replaces an authorization header that middleware sets", async () => {
  const server = await serve(json(200, {}));
  const catalogue = clientOf(server);
  catalogue.http.use({
    onRequest: ({ request }) => void request.headers.set("authorization", "Bearer mine"),
  });
  await catalogue.movies.latest();
  expect(server.seen[0]!.headers.authorization).toBe(`Bearer ${TOKEN}`);
});

test("the client sends no request if middleware returns a response", async () => {
  const server = await serve(json(200, {}));
  const catalogue = clientOf(server);
  catalogue.http.use({ onRequest: () => Response.json({ cached: true }) });
  expect(await catalogue.movies.latest()).toEqual({ cached: true });
  const { response } = await catalogue.movies.latest.withResponse();
  expect(response.status).toBe(200);
  expect(server.seen).toHaveLength(0);
});

test("middleware can replace the response, and a method validates the replacement", async () => {
  const validated: Response[] = [];
  const validate: Validate = (_, body, response) => void validated.push(response);
  const catalogue = clientOf(await serve(json(200, { id: 1 })), { validate });
  const better = Response.json({ id: 2 });
  const middleware = replace(better);
  catalogue.http.use(middleware);
  const { data, response } = await catalogue.movies.latest.withResponse();
  expect(data).toEqual({ id: 2 });
  expect(response).toBe(better);
  catalogue.http.eject(middleware);
  await catalogue.http.GET("/3/movie/latest");
  expect(validated).toEqual([better]);
  const headers = { "content-length": "0" };
  for (const [failure, expected] of [
    [Response.json({ status_code: 7 }, { status: 403 }), { status: 403, serviceCode: 7 }],
    [new Response(null, { status: 404, headers }), { status: 404, body: "" }],
  ] as const) {
    const worse = replace(failure);
    catalogue.http.use(worse);
    expect(await rejection(catalogue.movies.latest())).toMatchObject(expected);
    catalogue.http.eject(worse);
  }
});

test("an error contains the parsed body of middleware's response, even if it is nested too deeply for JSON.stringify", async () => {
  const nested = "[".repeat(1e5) + "]".repeat(1e5);
  const catalogue = clientOf(await serve(json(200, { id: 1 })));
  catalogue.http.use(replace(new Response(nested, { status: 404 })));
  const error = (await rejection(catalogue.movies.latest())) as ApiError;
  expect(error.status).toBe(404);
  expect(error.body).toBeInstanceOf(Array);
});

test("middleware can wrap or read the response body, but its own response must be unread", async () => {
  const catalogue = clientOf(await serve(json(200, { id: 1 })));
  const wrap = {
    onResponse: ({ response }: { response: Response }) => new Response(response.body, response),
  };
  catalogue.http.use(wrap);
  expect(await catalogue.movies.latest()).toEqual({ id: 1 });
  catalogue.http.eject(wrap);
  const texts: string[] = [];
  const read: Middleware = {
    onResponse: async ({ response }) => void texts.push(await response.text()),
  };
  catalogue.http.use(read);
  expect(await catalogue.movies.latest()).toEqual({ id: 1 });
  expect(texts).toEqual(['{"id":1}']);
  catalogue.http.eject(read);
  const own = Response.json({});
  await own.text();
  catalogue.http.use(replace(own));
  expect(await rejection(catalogue.movies.latest())).toBeInstanceOf(TypeError);
});

test.each(["onRequest", "onResponse"] as const)(
  "a call rethrows an error that middleware's %s function throws",
  async (name) => {
    const catalogue = clientOf(await serve(json(200, {})));
    for (const thrown of [new Error("mine"), undefined, new UnreadableError()]) {
      const middleware = { [name]: () => Promise.reject(thrown) } as unknown as Middleware;
      catalogue.http.use(middleware);
      expect(await rejection(catalogue.movies.latest())).toBe(thrown);
      catalogue.http.eject(middleware);
    }
  },
);

test("middleware's onError receives the final error of a call, and can return a response instead", async () => {
  skipPauses();
  const server = await serve(reset);
  const catalogue = clientOf(server);
  const errors: unknown[] = [];
  catalogue.http.use({
    onError({ error, request }) {
      expect(tracesOf([error, request])).not.toContain(TOKEN);
      errors.push(error);
      return errors.length < 2 ? undefined : Response.json({ stale: true });
    },
  });
  expect(await rejection(catalogue.movies.latest())).toBe(errors[0]);
  expect(errors[0]).toMatchObject({ name: "ConnectionError" });
  expect(await catalogue.movies.latest({ retries: 0 })).toEqual({ stale: true });
  expect(server.seen).toHaveLength(4);
});

test("middleware's onError receives a TimeoutError, and can return a response instead", async () => {
  const catalogue = clientOf(await serve(stall), { timeout: 20 });
  const errors: unknown[] = [];
  catalogue.http.use({
    onError({ error }) {
      errors.push(error);
      return Response.json({ stale: true });
    },
  });
  expect(await catalogue.movies.latest()).toEqual({ stale: true });
  expect(errors).toMatchObject([{ name: "TimeoutError", timeoutMs: 20 }]);
});

test("middleware runs once for each call, and every attempt sends the complete request body", async () => {
  skipPauses();
  const server = await serve(empty(503), reset, json(200, {}));
  const catalogue = clientOf(server);
  const statuses: number[] = [];
  let runs = 0;
  catalogue.http.use({
    onRequest: () => void (runs += 1),
    onResponse: ({ response }) => void statuses.push(response.status),
  });
  const remove = catalogue.http.request as (
    ...parameters: unknown[]
  ) => Promise<{ data?: unknown }>;
  const { data } = await remove("delete", "/x", { body: { a: 1 } });
  expect([data, runs, statuses]).toEqual([{}, 1, [200]]);
  expect(server.seen.map(({ body }) => body)).toEqual(Array(3).fill('{"a":1}'));
});

test("the time that middleware takes does not count toward the timeout, but an abort ends the call at once", async () => {
  const catalogue = clientOf(await serve(json(200, {})), { timeout: 40 });
  const slow = () => new Promise<undefined>((resolve) => setTimeout(resolve, 260));
  const middleware: Middleware = { onRequest: slow, onResponse: slow };
  catalogue.http.use(middleware);
  expect(await catalogue.movies.latest({ timeout: 250 })).toEqual({});
  catalogue.http.eject(middleware);
  const controller = new AbortController();
  const never = () => new Promise<undefined>(() => {});
  for (const name of ["onRequest", "onResponse"] as const) {
    const hanging = { [name]: never } as unknown as Middleware;
    catalogue.http.use(hanging);
    const call = rejection(catalogue.movies.latest({ signal: controller.signal }));
    setTimeout(() => controller.abort("left"), 20);
    expect(await call).toBe("left");
    catalogue.http.eject(hanging);
  }
});

describe("eject", () => {
  test("middleware does not run after `eject` removes it", async () => {
    const catalogue = clientOf(await serve(json(200, {})));
    let runs = 0;
    const middleware = { onRequest: () => void (runs += 1) };
    catalogue.http.use(middleware);
    await catalogue.movies.latest();
    catalogue.http.eject(middleware);
    await catalogue.movies.latest();
    expect(runs).toBe(1);
  });

  test("middleware that is installed twice still receives a real Request after one `eject`", async () => {
    const catalogue = clientOf(await serve(json(200, {})));
    const requests: unknown[] = [];
    const middleware: Middleware = { onRequest: ({ request }) => void requests.push(request) };
    catalogue.http.use(middleware, middleware);
    catalogue.http.eject(middleware, { onRequest: () => {} });
    await catalogue.movies.latest();
    expect(requests).toHaveLength(1);
    expect(requests[0]).toBeInstanceOf(Request);
  });
});

test("middleware can clone an error response with its status, headers, and body", async () => {
  const catalogue = clientOf(await serve(json(404, { status_code: 34 }, { "x-a": "1" })));
  const seen: unknown[] = [];
  catalogue.http.use({
    async onResponse({ response }) {
      const copy = response.clone();
      seen.push(copy.status, copy.ok, copy.headers.get("x-a"), await copy.json());
    },
  });
  await rejection(catalogue.movies.latest());
  expect(seen).toEqual([404, false, "1", { status_code: 34 }]);
});
