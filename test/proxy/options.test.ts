import { expect, test } from "vitest";
import { createProxy, type ProxyOptions } from "../../src/proxy/index.js";
import { TOKEN } from "../support/server.js";

const valid = { baseUrl: "https://catalogue.example", token: TOKEN, allow: ["movies.details"] };
const create = (options: object) => createProxy({ ...valid, ...options } as ProxyOptions);

test.each([
  [{ allow: undefined }, "createProxy: allow must be an array of operations, not undefined"],
  [{ allow: "movies.details" }, "createProxy: allow must be an array of operations, not a string"],
  [{ allow: ["movies.*"] }, 'createProxy: allow: unknown operation "movies.*"'],
  [{ allow: ["movies.detail"] }, '(did you mean "movies.details"?)'],
  [{ allow: ["toString"] }, 'unknown operation "toString"'],
  [{ allow: [["movies.details"]] }, 'unknown operation "movies.details"'],
  [{ prefix: "api" }, 'createProxy: prefix must be a path such as "/api/catalogue"'],
  [{ prefix: "/api?x" }, "prefix must be a path"],
  [{ prefix: "//evil.example" }, "prefix must be a path"],
  [{ prefix: "/api/../x" }, "prefix must be a path"],
  [{ prefix: "https://app.example/api" }, "prefix must be a path"],
  [{ prefix: 7 }, "createProxy: prefix must be a string, not a number"],
  [{ prefix: "/api/catalogue/3/" }, "createProxy: prefix must not end in /3"],
  [{ onError: true }, "createProxy: onError must be a function"],
  [{ allowed: [] }, 'createProxy: unknown option "allowed" (did you mean "allow"?)'],
  [{ retries: 2 }, 'createProxy: unknown option "retries"'],
  [{ baseUrl: "catalogue" }, "createProxy: baseUrl must be an absolute http(s) URL"],
  [{ baseUrl: "http://catalogue.example" }, "createProxy: baseUrl is plain http"],
  [{ token: "" }, "createProxy: token is empty"],
  [{ apiKey: "key" }, "createProxy: pass either `token` or `apiKey`, not both"],
  [{ timeout: -1 }, "createProxy: timeout must be a whole number"],
  [{ fetch: "x" }, "createProxy: fetch must be a function"],
])("createProxy rejects %o: %s", (options, message) => {
  const error = expect.objectContaining({
    name: "TypeError",
    message: expect.stringContaining(message),
  });
  expect(() => create(options)).toThrow(error);
});

test("createProxy calls the given fetch function, and nothing before the first request", async () => {
  const calls: [string, object][] = [];
  const proxy = create({
    fetch: async (url: string, init: object) => {
      calls.push([url, init]);
      return Response.json({ id: 1 });
    },
  });
  expect(calls).toEqual([]);
  await proxy(new Request("https://app.example/api/catalogue/3/movie/701"));
  expect(calls).toEqual([
    [
      "https://catalogue.example/3/movie/701",
      expect.objectContaining({ method: "GET", redirect: "manual" }),
    ],
  ]);
});
