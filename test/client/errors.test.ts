import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import {
  ApiError,
  InvalidJsonError,
  CatalogueError,
  ConnectionError,
  TimeoutError,
  type CatalogueOptions,
} from "../../src/index.js";
import { createCatalogue as createFull } from "../../src/full/index.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { validateResponse } from "../../src/contract/validate-response.js";
import {
  clientOf,
  empty,
  json,
  rejection,
  reset,
  serve,
  skipPauses,
  stall,
} from "../support/server.js";

const INVALID_KEY = { success: false, status_code: 7, status_message: "Invalid API key" };

test("an ApiError has the operation, the status, and the service's message and code", async () => {
  const server = await serve(json(401, INVALID_KEY, { "x-request-id": "r1" }));
  const error = await rejection(clientOf(server).movies.deleteRating(603));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    name: "ApiError",
    message: "movies.deleteRating: 401 Invalid API key (status_code 7)",
    operation: "movies.deleteRating",
    status: 401,
    serviceCode: 7,
    body: INVALID_KEY,
  });
  expect((error as ApiError).headers.get("x-request-id")).toBe("r1");
  expect((error as ApiError).stack).toMatch(/^ApiError: movies\.deleteRating: 401/);
});

test("each error is an instance of its own class and its superclasses, but of no other error class", async () => {
  skipPauses();
  const [silent, html] = [await serve(stall), await serve(json(200, "<html>"))];
  const api = await rejection(clientOf(await serve(empty(404))).movies.latest());
  const body = await rejection(clientOf(html).movies.latest());
  const late = await rejection(clientOf(silent, { timeout: 30 }).movies.latest());
  // Comes last, because a new server can get the port of a closed one.
  const refused = await serve();
  await refused.close();
  const lost = await rejection(clientOf(refused).movies.latest());

  const classes = [
    CatalogueError,
    ApiError,
    InvalidJsonError,
    ConnectionError,
    TimeoutError,
    Error,
  ];
  const rows = [
    [api, "ApiError", [true, true, false, false, false, true]],
    [body, "InvalidJsonError", [true, false, true, false, false, true]],
    [lost, "ConnectionError", [true, false, false, true, false, true]],
    [late, "TimeoutError", [true, false, false, false, true, true]],
  ] as const;
  for (const [error, name, expected] of rows) {
    expect((error as Error).name).toBe(name);
    expect((error as CatalogueError).operation).toBe("movies.latest");
    expect(classes.map((kind) => error instanceof kind)).toEqual(expected);
  }
});

test("a call rejects with an ApiError if a 500 response has an empty body", async () => {
  for (const length of [{ "content-length": "0" }, {}] as const) {
    const server = await serve(empty(500, length));
    const error = await rejection(clientOf(server, { retries: 0 }).movies.latest());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: "movies.latest: 500 Internal Server Error",
      status: 500,
      serviceCode: undefined,
    });
  }
});

test("an ApiError contains a body that is too deeply nested for JSON.stringify, which then omits the body", async () => {
  const fetch = async () => new Response("[".repeat(1e5) + "]".repeat(1e5), { status: 404 });
  const catalogue = clientOf({ url: "https://catalogue.example" }, { fetch });
  const error = (await rejection(catalogue.movies.latest())) as ApiError;
  expect(error.body).toBeInstanceOf(Array);
  const shown = JSON.parse(JSON.stringify(error)) as ApiError;
  expect(shown).toMatchObject({ name: "ApiError", status: 404 });
  expect(shown).not.toHaveProperty("body");
});

test("an error says how to pass the sandbox if `fetch` is the function that creates it", async () => {
  const fetch = createSandbox as unknown as CatalogueOptions["fetch"];
  const catalogue = clientOf({ url: "https://catalogue.example" }, { fetch, retries: 0 });
  const error = await rejection(catalogue.movies.latest());
  expect((error as Error).message).toContain("; pass `fetch: createSandbox().fetch`");
});

test("an error for an HTML page contains only the first 200 characters of the page", async () => {
  skipPauses();
  const page = `<html>${"bad gateway ".repeat(100)}</html>`;
  const server = await serve(json(502, page, { "content-type": "text/html" }));
  const error = await rejection(clientOf(server).movies.latest());
  expect(error).toMatchObject({
    status: 502,
    serviceCode: undefined,
    message: "movies.latest: 502 Bad Gateway",
  });
  expect((error as ApiError).body).toBe(`${page.slice(0, 200)}…`);
  const short = clientOf(await serve(json(404, page.slice(0, 200))));
  expect(await rejection(short.movies.latest())).toMatchObject({ body: page.slice(0, 200) });
});

test.each([
  ["HTML", "text/html", "<html>", "a body that is not JSON or is cut off (text/html)"],
  [
    "truncated JSON",
    "application/json",
    '{"id":1,',
    "a body that is not JSON or is cut off (application/json)",
  ],
  ["an empty body", "application/json", "", "an empty body"],
])(
  "the error for a 200 response with %s has the status and the start of the body",
  async (_, type, body, what) => {
    const server = await serve(json(200, body, { "content-type": type }));
    const error = await rejection(clientOf(server).movies.latest());
    expect(error).toBeInstanceOf(InvalidJsonError);
    const message = `movies.latest: 200 with ${what}; expected JSON`;
    expect(error).toMatchObject({ message, status: 200, body });
    expect(server.seen).toHaveLength(1);
  },
);

test("a method parses JSON, even if the content type is wrong or missing", async () => {
  for (const type of [
    "application/json; charset=utf-8",
    "Application/Problem+JSON",
    "text/json",
    "text/plain",
    "text/html",
  ]) {
    const server = await serve(json(200, { id: 1 }, { "content-type": type }));
    expect(await clientOf(server).movies.latest()).toEqual({ id: 1 });
  }
  const { movies } = clientOf(
    await serve(
      (response) => response.end('{"id":1}'),
      (response) => response.end("<"),
    ),
  );
  expect(await movies.latest()).toEqual({ id: 1 });
  expect((await rejection(movies.latest())) as Error).toMatchObject({
    message: expect.stringContaining("(no content type)"),
  });
});

const REFUSED = "Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })";
const refused: unknown = runInContext(REFUSED, createContext());
const failedBy = (cause: unknown) => new TypeError("fetch failed", { cause });

test.each<[thrown: string, value: unknown, name: string, reason: string]>([
  ["a DOMException", new DOMException("stopped", "AbortError"), "AbortError", "stopped"],
  ["a string", "offline", "Error", "offline"],
  ["an error from a different realm", failedBy(refused), "TypeError", "refused"],
  [
    "an error for all addresses of a host",
    failedBy(new AggregateError([refused])),
    "TypeError",
    "refused",
  ],
  [
    "an error with only a code",
    failedBy(Object.assign(new Error(), { code: "EPIPE" })),
    "TypeError",
    "EPIPE",
  ],
  ["an error whose message has spaces around it", new Error(" reset\n"), "Error", "reset"],
  ["an error without a message", failedBy(new AggregateError([])), "TypeError", "AggregateError"],
  [
    "an error whose cause is a Response, like MSW",
    new TypeError("Failed to fetch", { cause: Response.error() }),
    "TypeError",
    "Failed to fetch",
  ],
])("a ConnectionError contains the reason if `fetch` throws %s", async (_, value, name, reason) => {
  const fetch = () => Promise.reject(value);
  const { movies } = clientOf({ url: "https://a.example" }, { fetch, retries: 0 });
  const message = `movies.latest: connection failed (${reason})`;
  const error = await rejection(movies.latest());
  expect(error).toMatchObject({ message, cause: { name } });
  let last = error as Error;
  while (last.cause) last = last.cause as Error;
  expect(last).not.toHaveProperty("cause");
});

test("an error message contains only the start of a long status_message", async () => {
  const server = await serve(json(400, { status_code: 5, status_message: "x".repeat(100_000) }));
  const error = await rejection(clientOf(server).movies.latest());
  expect((error as Error).message.length).toBeLessThan(300);
  expect(error).toMatchObject({ serviceCode: 5 });
});

test.each([[null], [{ status_code: "7", status_message: 5 }], [{ status_message: "" }]])(
  "an ApiError with the body %j has no serviceCode, and its message contains the reason phrase",
  async (body) => {
    const error = await rejection(clientOf(await serve(json(404, body))).movies.latest());
    expect(error).toMatchObject({
      message: "movies.latest: 404 Not Found",
      serviceCode: undefined,
      body,
    });
  },
);

// Symptom: the message was "422 (no message)".
test.each<[body: unknown, message: string]>([
  [
    { errors: ["query must be provided", "page is invalid"] },
    "query must be provided; page is invalid",
  ],
  [{ errors: [{ message: "query must be provided" }] }, "query must be provided"],
  [{ message: "no such page" }, "no such page"],
  [{ error: "unauthorized" }, "unauthorized"],
  [{ error: { message: "unauthorized" } }, "unauthorized"],
  [{ status_message: "first", errors: ["second"] }, "first"],
  ["too many requests", "too many requests"],
  ['"a JSON string"', "a JSON string"],
  ["<html>bad gateway", "Unprocessable Entity"],
  [" page < 1\n", "page < 1"],
  ["  <!doctype html>bad gateway", "Unprocessable Entity"],
  [
    { errors: { page: ["page is invalid", "page is missing"] } },
    "page is invalid; page is missing",
  ],
  // RFC 9457
  [
    { type: "https://a.example/p", title: "Invalid", detail: "page is invalid", instance: "/3/a" },
    "page is invalid",
  ],
  [{ type: "https://a.example/p", title: "Invalid", status: 422 }, "Invalid"],
  [{ type: "https://a.example/p", status: 422, instance: "/3/a" }, "Unprocessable Entity"],
  [{ errors: { query: { page: ["must be <= 500"] } } }, "page: must be <= 500"],
  [{ error: { issues: [{ code: "custom", message: "bad id" }] } }, "issues: bad id"],
  // FastAPI
  [
    {
      detail: [
        { type: "missing", loc: ["query", "page"], msg: "Field required", url: "https://b" },
      ],
    },
    "page: Field required",
  ],
  [
    {
      detail: [
        { loc: [], msg: "Field required" },
        { loc: ["query", "page"], msg: "page < 1" },
      ],
    },
    "Field required; page < 1",
  ],
  // Spring
  [
    { timestamp: "2026-11-29T01:00:00Z", status: 422, error: "Unprocessable", path: "/3/a" },
    "Unprocessable",
  ],
  // GraphQL
  [{ errors: [{ message: "no such page", path: ["movie", 0] }], data: null }, "no such page"],
  // Rails
  [
    { errors: { name: ["is blank", "is too short"], page: [] } },
    "name: is blank; name: is too short",
  ],
  // AWS
  [{ __type: "a#NotFound", message: "no such page" }, "no such page"],
  [{ Message: "no such page" }, "no such page"],
  // Apigee
  [
    { fault: { faultstring: "Invalid ApiKey", detail: { errorcode: "oauth.InvalidApiKey" } } },
    "fault: Invalid ApiKey",
  ],
  [{ title: "Error", reason: "page is blocked" }, "Error; reason: page is blocked"],
  // Symptom: the message contained only the code.
  [
    { reason: "Quota exceeded for project", detail: { code: "QUOTA" } },
    "reason: Quota exceeded for project; code: QUOTA",
  ],
  [{ title: "Forbidden", detail: { code: "E12" } }, "Forbidden; code: E12"],
  [
    { description: "Something is wrong", detail: { requestId: "abc-123" } },
    "description: Something is wrong; requestId: abc-123",
  ],
  [{ reason: "no", detail: { code: "E1", tags: ["a"] } }, "reason: no; code: E1; tags: a"],
  [{ message: "no", errors: { code: "E1", tags: ["a"] } }, "no"],
  [{ detail: { code: "E12" } }, "code: E12"],
  [
    { message: "Validation failed", errors: { page: "must be at most 500" } },
    "page: must be at most 500",
  ],
  // Spring
  [
    {
      message: "Validation failed",
      errors: [{ field: "page", defaultMessage: "must be at most 500", code: "Max" }],
    },
    "field: page; defaultMessage: must be at most 500; code: Max",
  ],
  // GitHub
  [
    {
      message: "Validation Failed",
      errors: [{ resource: "Issue", field: "title", code: "missing_field" }],
    },
    "Validation Failed",
  ],
  // Laravel
  [
    { message: "The given data was invalid.", errors: { page: ["The page must be an integer."] } },
    "The page must be an integer.",
  ],
  // OAuth
  [
    { error: "invalid_token", error_description: "The access token expired" },
    "The access token expired",
  ],
  [{ loc: null, msg: "bad" }, "bad"],
  [{ loc: { start: 1, toString: 1 }, message: "parse error" }, "parse error"],
  [{ loc: "fra1", message: "too many requests" }, "too many requests"],
  [{ detail: [{ loc: ["body", 12], msg: "JSON decode error" }] }, "JSON decode error"],
  [{ errors: Array(30).fill("x") }, Array(20).fill("x").join("; ")],
  [{ errors: [" ", "page is invalid"] }, "page is invalid"],
  [{ message: "/3/other does not exist" }, "/3/other does not exist"],
  [{ url: "http://a.example/x", reason: "page is blocked" }, "reason: page is blocked"],
  [{ a: { b: { c: { d: { e: { f: "deep" } } } } } }, "Unprocessable Entity"],
  // Django
  [{ page: ["A valid integer is required."] }, "page: A valid integer is required."],
  [{ errors: { title: [], other: "no" } }, "other: no"],
  [{ errors: {} }, "Unprocessable Entity"],
  [{ error: { error: { error: { error: { error: "deep" } } } } }, "deep"],
  [
    { error: { error: { error: { error: { error: { error: "deep" } } } } } },
    "Unprocessable Entity",
  ],
])("an error message says what the body %j says", async (body, message) => {
  const error = await rejection(clientOf(await serve(json(422, body))).movies.latest());
  expect((error as Error).message).toBe(`movies.latest: 422 ${message}`);
});

// Symptom: the message of 100 kB of numbers took 25 s, because each of them was searched many times.
test("the error for a body with 100,000 numbers has the reason phrase as its message", async () => {
  const server = await serve(json(422, Array(100_000).fill(0)));
  const error = await rejection(clientOf(server).movies.latest());
  expect((error as Error).message).toBe("movies.latest: 422 Unprocessable Entity");
});

// Symptom: an error for RFC 9457 contained the words that a user had searched for.
test.each<[body: unknown, message: string]>([
  [{ title: "Not Found", instance: "/3/search/multi?query=private%20words" }, "Not Found"],
  [{ instance: "/3/search/multi?query=private%20words" }, "Not Found"],
  [{ url: "https://a.example/3/search/multi?query=private%20words" }, "Not Found"],
  [{ detail: "No route GET /3/search/multi?query=private%20words" }, "No route GET [redacted]"],
  ["Cannot GET https://a.example/3/search/multi?query=private words", "Cannot GET [redacted]"],
  [`${"x".repeat(180)} /3/search/multi?query=private%20words`, `${"x".repeat(180)} [redacted]`],
])(
  "an error message does not contain the request's URL, which the body %j quotes",
  async (body, message) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const fetch = async () => new Response(text, { status: 404, statusText: "Not Found" });
    const { search } = createFull({ baseUrl: "https://a.example", token: "t", fetch });
    const error = (await rejection(
      search.multi({ query: { query: "private words" } }),
    )) as ApiError;
    expect(error.message).toBe(`search.multi: 404 ${message}`);
    expect(JSON.stringify(error.body)).toContain("/3/search/multi");
  },
);

test.each([200, 404])(
  "the headers of an error with status %i do not contain the request's URL",
  async (status) => {
    const fetch = async (url: string) =>
      new Response("<p>", { status, headers: { "x-url": `at ${url}` } });
    const { search } = createFull({ baseUrl: "https://a.example", token: "t", fetch });
    const error = (await rejection(
      search.multi({ query: { query: "private words" } }),
    )) as ApiError;
    expect(error.headers.get("x-url")).toBe("at [redacted]");
  },
);

// Symptom: the JSON of an error had no name and no message, and `headers` was {}.
test("JSON.stringify shows what an error says, without its stack", async () => {
  skipPauses();
  const asJson = async (call: Promise<unknown>) => {
    const error = await rejection(call);
    return JSON.parse(JSON.stringify({ error })).error as object;
  };
  const failing = await serve(json(404, { status_code: 34, status_message: "no" }, { "x-a": "1" }));
  const { headers, ...api } = (await asJson(clientOf(failing).movies.latest())) as ApiError;
  expect(headers).toMatchObject({ "content-type": "application/json", "x-a": "1" });
  expect(api).toEqual({
    name: "ApiError",
    message: "movies.latest: 404 no (status_code 34)",
    operation: "movies.latest",
    status: 404,
    serviceCode: 34,
    body: { status_code: 34, status_message: "no" },
  });
  const lost = clientOf(await serve(reset), { retries: 0 });
  expect(await asJson(lost.movies.latest())).toEqual({
    name: "ConnectionError",
    message: expect.stringMatching(/^movies\.latest: connection failed/),
    operation: "movies.latest",
    cause: "fetch failed",
  });
  const late = clientOf(await serve(stall), { timeout: 20 });
  expect(await asJson(late.movies.latest())).toEqual({
    name: "TimeoutError",
    message: "movies.latest: timed out after 20 ms; set a longer `timeout` if needed",
    operation: "movies.latest",
    timeoutMs: 20,
  });
  const invalid = clientOf(await serve(json(200, { id: "x" })), { validate: validateResponse });
  expect(await asJson(invalid.movies.latest())).toMatchObject({
    name: "ContractError",
    violations: expect.any(Array),
  });
});

test("an error message has only one line, even if the service sends control characters", async () => {
  const server = await serve(json(400, { status_message: "a\r\n\u001b[31mERROR: b\u0085c" }));
  const error = (await rejection(clientOf(server).movies.latest())) as Error;
  expect(error.message).toBe("movies.latest: 400 a [31mERROR: b c");
});

test("an error's stack names the function that called the client", async () => {
  const client = clientOf(await serve(empty(404), reset, json(200, "<")), { retries: 0 });
  const stalled = clientOf(await serve(stall));
  const invalid = clientOf(await serve(json(200, { id: "x" })), { validate: validateResponse });
  async function whoCalls(call: () => Promise<unknown>): Promise<unknown> {
    return await call();
  }
  for (const call of [
    () => client.movies.latest(),
    () => stalled.movies.latest({ timeout: 20 }),
    () => client.http.GET("/3/movie/latest"),
    () => client.movies.latest.withResponse(),
    () => invalid.movies.latest(),
    () => invalid.movies.latest.withResponse(),
    () => client.movies.lists(".."),
    () => client.movies.latest({ timeout: -1 }),
  ]) {
    const error = (await rejection(whoCalls(call))) as Error;
    expect(error.stack).toContain(`${error.name}: ${error.message}\n`);
    expect(error.stack).toContain("whoCalls");
  }
});

test("a rethrown error keeps its stack, even if the client created the error in an earlier call", async () => {
  const failing = clientOf(await serve(empty(404)));
  const own = Object.freeze(await rejection(failing.movies.latest())) as Error;
  const { stack } = own;
  const controller = new AbortController();
  const call = rejection(failing.movies.latest({ signal: controller.signal }));
  controller.abort(own);
  expect(await call).toBe(own);
  const validate = () => Promise.reject(own);
  const server = await serve(json(200, {}));
  expect(await rejection(clientOf(server, { validate }).movies.latest())).toBe(own);
  expect(own.stack).toBe(stack);
});
