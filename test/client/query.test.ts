import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Query } from "../../src/index.js";
import { clientOf, json, rejection, serve } from "../support/server.js";
import { eachOf, text } from "../support/strings.js";

/** What arrives of a query, byte for byte. */
async function sent(query: unknown): Promise<string> {
  const server = await serve(json(200, {}));
  await clientOf(server).movies.latest({ query: query as Query });
  return server.seen[0]!.url.slice("/3/movie/latest".length);
}

test.each<[query: unknown, sent: string]>([
  [{}, ""],
  [undefined, ""],
  [null, ""],
  [{ a: null, b: undefined, c: [], d: [null, undefined] }, ""],
  [{ language: "en-US", page: 2 }, "?language=en-US&page=2"],
  [{ a: true, b: false, c: 0, d: -0, e: 1e21, f: 10n }, "?a=true&b=false&c=0&d=0&e=1e%2B21&f=10"],
  [{ "a&admin": 1 }, "?a%26admin=1"],
  [{ "?a=1#": "&b=2" }, "?%3Fa%3D1%23=%26b%3D2"],
  [{ a: [1, null, "x y", true] }, "?a=1&a=x%20y&a=true"],
  [{ a: "" }, "?a="],
  [{ "": "a" }, "?=a"],
  [{ since: new Date(0) }, "?since=1970-01-01T00%3A00%3A00.000Z"],
  [{ a: "1\r\nx-admin: 1" }, "?a=1%0D%0Ax-admin%3A%201"],
  [{ ["__proto__"]: "a", constructor: "b" }, "?__proto__=a&constructor=b"],
  [JSON.parse('{"__proto__":["a","b"]}'), "?__proto__=a&__proto__=b"],
  [Object.assign(Object.create(null), { a: 1 }), "?a=1"],
  [runInNewContext("({ a: [1], since: new Date(0) })"), "?a=1&since=1970-01-01T00%3A00%3A00.000Z"],
])("the query %o is sent as %s", async (query, expected) => {
  expect(await sent(query)).toBe(expected);
});

class Filter {
  page = 1;
}

test.each<[query: unknown, problem: string]>([
  [{ filter: { language: "en" } }, 'query parameter "filter" is an object; the query is flat'],
  [{ filter: {} }, 'query parameter "filter" is an object; the query is flat'],
  [{ filter: new Filter() }, 'query parameter "filter" is an object; the query is flat'],
  [{ a: { getTime: () => 0 } }, 'query parameter "a" is an object; the query is flat'],
  [{ a: new Map() }, 'query parameter "a" is an object; the query is flat'],
  [{ a: new String("b") }, 'query parameter "a" is an object; the query is flat'],
  [{ a: [["b"]] }, 'query parameter "a" is an array; the query is flat'],
  [{ a: [{}] }, 'query parameter "a" is an object; the query is flat'],
  [{ a: Symbol("b") }, 'query parameter "a" is symbol; the query is flat'],
  [{ a: () => 1 }, 'query parameter "a" is function; the query is flat'],
  [{ a: NaN }, 'query parameter "a" is NaN; give a finite number'],
  [{ a: [1, -Infinity] }, 'query parameter "a" is -Infinity; give a finite number'],
  [{ a: new Date(NaN) }, 'query parameter "a" is an invalid date'],
  [{ a: "\ud800" }, 'query parameter "a" holds a lone surrogate, which cannot be sent'],
  [{ "\udc00": "a" }, 'query parameter "\\udc00" holds a lone surrogate, which cannot be sent'],
  [new URLSearchParams("a=1"), "query is not a plain object; give names and values"],
  [new Map([["a", 1]]), "query is not a plain object; give names and values"],
  [new Filter(), "query is not a plain object; give names and values"],
  [["a"], "query is not a plain object; give names and values"],
  ["a=1", "query is not a plain object; give names and values"],
  [1, "query is not a plain object; give names and values"],
  [false, "query is not a plain object; give names and values"],
])("the query %o is refused before anything is sent", async (query, problem) => {
  const server = await serve(json(200, {}));
  const error = await rejection(clientOf(server).movies.latest({ query: query as Query }));
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toBe(`movies.latest: ${problem}`);
  expect(server.seen).toHaveLength(0);
});

test("10,000 parameters arrive under their names with their values", async () => {
  const server = await serve(json(200, {}));
  const { movies } = clientOf(server, { timeout: 60_000 });
  const value = fc.oneof(
    { weight: 6, arbitrary: text },
    { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: fc.date({ noInvalidDate: true }) },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
  );
  const pair = fc.tuple(text, fc.oneof(value, fc.array(value, { maxLength: 4 })));
  // Five to a request: each must stay out of the others.
  const pairs = fc.sample(fc.tuple(pair, pair, pair, pair, pair), { numRuns: 2000, seed: 7 });
  await eachOf(pairs, async (five, index) => {
    await movies.latest({
      query: Object.fromEntries(five),
      headers: { "x-index": `${index}` },
    });
  });
  expect(server.seen).toHaveLength(2000);
  for (const { url, headers } of server.seen) {
    const given = Object.fromEntries(pairs[Number(headers["x-index"])]!);
    const expected = Object.entries(given).flatMap(([name, values]) =>
      [values]
        .flat()
        .filter((each) => each !== null && each !== undefined)
        .map((each) => [name, each instanceof Date ? each.toISOString() : String(each)]),
    );
    const { pathname, searchParams, hash } = new URL(url, server.url);
    expect([pathname, hash]).toEqual(["/3/movie/latest", ""]);
    expect([...searchParams]).toEqual(expected);
  }
}, 60_000);
