import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { BodyError, createCatalogue } from "../../src/index.js";
import { tracesOf } from "../support/canary.js";
import { clientOf, json, rejection, serve, TOKEN } from "../support/server.js";

function catalogueOver(fetch: () => unknown, retries = 0) {
  return createCatalogue({
    baseUrl: "http://localhost",
    token: TOKEN,
    timeout: 5000,
    retries,
    retryDelay: () => 0,
    fetch: fetch as typeof globalThis.fetch,
  });
}
const READ = "movies.latest: fetch gave a Response whose body has been read; give it a clone";
const bytes = (...parts: number[][]) =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(Uint8Array.from(part));
      controller.close();
    },
  });

test("__proto__ keys are data, and reach nobody's prototype", async () => {
  const hostile = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}';
  const data = (await clientOf(await serve(json(200, hostile))).movies.latest()) as object;
  expect(JSON.stringify(data)).toBe(hostile);
  const nested = hostile.replace("true", `"${TOKEN}"`);
  const error = await rejection(clientOf(await serve(json(403, nested))).movies.latest());
  expect(JSON.stringify((error as BodyError).body)).toBe(nested.replace(TOKEN, "[redacted]"));
  const value = await serve(json(403, `{"__proto__":"${TOKEN}"}`));
  expect(await rejection(clientOf(value).movies.latest())).toHaveProperty(
    "body",
    JSON.parse('{"__proto__":"[redacted]"}'),
  );
  expect(({} as { admin?: unknown }).admin).toBeUndefined();
  expect(Object.getPrototypeOf((error as BodyError).body)).toBe(Object.prototype);
});

test("JSON nested deeper than the stack is read, and is no crash on an error", async () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  expect(await clientOf(await serve(json(200, deep))).movies.latest()).toBeInstanceOf(Array);
  const error = await rejection(clientOf(await serve(json(404, deep))).movies.latest());
  expect(error).toMatchObject({ name: "ApiError", status: 404 });
});

test("a byte order mark is skipped", async () => {
  const server = await serve(json(200, '\ufeff{"id":1}'));
  expect(await clientOf(server).movies.latest()).toEqual({ id: 1 });
  expect((await clientOf(server).http.GET("/3/movie/latest")).data).toEqual({ id: 1 });
});

const invalid = () => bytes([...Buffer.from('{"a":"'), 0xff, 0xc3], [0x28, ...Buffer.from('"}')]);

test("invalid UTF-8 is read with replacement characters, as fetch does it", async () => {
  expect(await catalogueOver(async () => new Response(invalid())).movies.latest()).toEqual(
    await new Response(invalid()).json(),
  );
});

test("a character that is split between two chunks is whole", async () => {
  const [a, b, c, d] = Buffer.from("𝒳") as unknown as [number, number, number, number];
  const body = bytes([...Buffer.from('{"a":"'), a!], [b!, c!], [d!, ...Buffer.from('"}')]);
  expect(await catalogueOver(async () => new Response(body)).movies.latest()).toEqual({ a: "𝒳" });
});

test("a character that is cut off at the end is no JSON", async () => {
  const error = await rejection(
    catalogueOver(
      async () => new Response(bytes([...Buffer.from('{"a":"'), 0xf0])),
    ).movies.latest(),
  );
  expect(error).toBeInstanceOf(BodyError);
});

test("a body of 50 MB is read whole", async () => {
  const server = await serve(json(200, { a: "x".repeat(50_000_000) }));
  const data = (await clientOf(server, { timeout: 20_000 }).movies.latest()) as { a?: string };
  expect(data.a).toHaveLength(50_000_000);
});

test.each([
  ['"text"', "text"],
  ["null", null],
  ["0", 0],
  ["false", false],
  ['""', ""],
  ["[]", []],
])("the JSON value %s is data", async (body, value) => {
  expect(await clientOf(await serve(json(200, body))).movies.latest()).toEqual(value);
});

test.each(['"text"', "null", "0", "false", '""', "[]", "[null]", "1e999"])(
  "the JSON value %s under an error status is an ApiError",
  async (body) => {
    const error = await rejection(clientOf(await serve(json(418, body))).movies.latest());
    expect(error).toMatchObject({ name: "ApiError", status: 418, code: undefined });
  },
);

test.each([
  [{ status_code: "7", status_message: 5 }, undefined, "418 I'm a Teapot"],
  [{ status_code: 7, status_message: "" }, 7, "418 I'm a Teapot (status_code 7)"],
  [{ status_code: null, status_message: null }, undefined, "418 I'm a Teapot"],
])("an envelope of wrong types, %j, is taken for what it is worth", async (body, code, message) => {
  const error = await rejection(clientOf(await serve(json(418, body))).movies.latest());
  expect(error).toMatchObject({ code, message: `movies.latest: ${message}` });
});

test.each([999, 600])("a status of %i, outside of HTTP, is an ApiError", async (status) => {
  const error = await rejection(clientOf(await serve(json(status, {}))).movies.latest());
  expect(error).toMatchObject({ name: "ApiError", status });
});

describe("what a custom fetch gives", () => {
  test.each([[undefined], [null], ["{}"], [{}], [{ ok: true, json: async () => ({}) }]])(
    "%o, which is no Response, is refused clearly",
    async (answer) => {
      for (const fetch of [() => answer, async () => answer]) {
        const error = await rejection(catalogueOver(fetch).movies.latest());
        expect(error).toBeInstanceOf(TypeError);
        expect((error as Error).message).toMatch(
          /^movies\.latest: fetch gave .+ that is not a Response$/,
        );
      }
    },
  );

  test("a Response without a promise is taken", async () => {
    expect(await catalogueOver(() => Response.json({ id: 1 })).movies.latest()).toEqual({ id: 1 });
  });

  test("a Response without streams, as React Native has it, is read by its text()", async () => {
    const answer = (status: number, body: string): object => ({
      ok: status < 300,
      status,
      headers: new Headers(),
      text: async () => body,
      clone: () => answer(status, body),
    });
    expect(await catalogueOver(() => answer(200, '{"id":1}')).movies.latest()).toEqual({ id: 1 });
    const error = await rejection(
      catalogueOver(() => answer(404, '{"status_code":34}')).movies.latest(),
    );
    expect(error).toMatchObject({ status: 404, code: 34 });
    let calls = 0;
    const again = () => answer((calls += 1) === 1 ? 503 : 200, "{}");
    expect(await catalogueOver(again, 1).movies.latest()).toEqual({});
  });

  test("a body that is a stream of strings is an error, and is let go of", async () => {
    let cancelled = false;
    const stream = () =>
      new ReadableStream({
        start: (controller) => controller.enqueue("{}"),
        cancel: () => void (cancelled = true),
      });
    const error = await rejection(
      catalogueOver(async () => new Response(stream())).movies.latest(),
    );
    expect(error).toMatchObject({ name: "ConnectionError" });
    expect(cancelled).toBe(true);
  });

  test.each([200, 404])(
    "one and the same Response %i twice is an error at the second call",
    async (status) => {
      const response = Response.json({ id: 1 }, { status });
      const catalogue = catalogueOver(async () => response);
      await catalogue.movies.latest().catch(() => {});
      const error = await rejection(catalogue.movies.latest());
      expect(error).toEqual(new TypeError(READ));
    },
  );

  test("a Response that was read, as for a log, is an error that says so, and is not fetched again", async () => {
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      const response = Response.json({});
      await response.text();
      return response;
    };
    expect(await rejection(catalogueOver(fetch).movies.latest())).toEqual(new TypeError(READ));
    expect(calls).toBe(1);
  });

  test.each([
    ["gives nothing", () => undefined],
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
  ])("a body whose cancel %s ends no process", async (_, cancel) => {
    const body = { cancel, getReader: () => ({ read: () => new Promise(() => {}), cancel }) };
    const foreign = { ok: true, status: 200, headers: new Headers(), body };
    const stalled = catalogueOver(async () => foreign);
    const error = await rejection(stalled.movies.latest({ timeout: 20 }));
    expect(error).toMatchObject({ name: "TimeoutError" });
    const answers = [{ ...foreign, ok: false, status: 503 }, Response.json({ id: 1 })];
    const retried = catalogueOver(async () => answers.shift(), 1);
    expect(await retried.movies.latest()).toEqual({ id: 1 });
  });

  test("an error of another realm keeps its message, cause and code", async () => {
    const error = await rejection(
      catalogueOver(() => {
        throw runInNewContext(
          'new TypeError("failed", { cause: Object.assign(new Error("no"), { code: "ECONNRESET" }) })',
        );
      }).movies.latest(),
    );
    expect((error as Error).message).toBe("movies.latest: no answer (ECONNRESET)");
    expect(tracesOf((error as Error).cause)).toMatch(/TypeError: failed/);
  });
});

test("validate sees the operation, the body and the response; what it throws passes untouched", async () => {
  const server = await serve(json(200, { id: 1 }));
  const seen: unknown[] = [];
  const validate = (operation: string, body: unknown, response: Response) => {
    seen.push(operation, body, response.status);
  };
  await clientOf(server, { validate }).movies.latest();
  expect(seen).toEqual(["movies.latest", { id: 1 }, 200]);
  for (const reason of [new Error("drift"), undefined, 0]) {
    const refuse = () => Promise.reject(reason);
    expect(await rejection(clientOf(server, { validate: refuse }).movies.latest())).toBe(reason);
  }
});
