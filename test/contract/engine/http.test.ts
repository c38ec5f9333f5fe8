import { describe, expect, it } from "vitest";
import { checkExchange } from "../../../src/contract/engine/check.js";
import { routeOf } from "../../../src/contract/engine/route.js";
import type { Description, Exchange, Json } from "../../../src/contract/engine/types.js";
import { description } from "../../../src/generated/description.js";
import { library } from "./corpus.js";
import { describing, exchange, own } from "./support.js";

const text = { type: "string" };
const whole = { type: "integer", minimum: 5 };
const named = (name: string) => own.find((each) => each.name === name)!;
const found = (each: Exchange, by: Description = description) =>
  checkExchange(each, by)
    .filter(({ verdict }) => verdict !== "gap-observed")
    .map(({ rule, expected, actual }) => `${rule}: ${expected}, ${actual}`);

describe("a status", () => {
  it("is wrong if it is an undescribed 2xx status without a body, regardless of `default`", () => {
    for (const each of own.filter(({ response }) => response.status === 200)) {
      const { body: _, ...response } = each.response;
      const empty = { ...each, response: { ...response, status: 204 } };
      expect(found(empty), each.name).toEqual(["surface/status: 200, 204"]);
    }
  });

  it("is wrong if it is an undescribed 2xx or 3xx status with the described body", () => {
    const genres = named("genres.tvList/typical");
    for (const status of [201, 302])
      expect(found({ ...genres, response: { ...genres.response, status } })).toEqual([
        `surface/status: 200, ${status}`,
      ]);
  });

  it("matches `default` if it is an error, or if no 2xx response is described", () => {
    const failure = { status: 418, body: { message: "No." } };
    expect(found(exchange("GET", "/items", failure), library)).toEqual([]);
    const get = library.operations.find(({ id }) => id === "items.list")!;
    const responses = get.responses.filter(({ status }) => status === "default");
    const one = { ...library, operations: [{ ...get, responses }] };
    expect(found(exchange("GET", "/items", { ...failure, status: 200 }), one)).toEqual([]);
  });

  it("requires a body only if one is described", () => {
    const removed = exchange("DELETE", "/books/1", { status: 204, headers: {} });
    expect(found(removed, library)).toEqual([]);
  });
});

describe("a header", () => {
  const headerOf = (schema: object, value: string) => {
    const headers = { "content-type": "application/json", "x-count": value };
    const response = { headers: { "X-Count": { schema } } };
    return found(exchange("GET", "/one", { headers, body: 1 }), describing({}, {}, { response }));
  };

  it.each([
    [whole, "7"],
    [{ type: "number" }, "-0.5"],
    [{ type: "boolean" }, "true"],
    [text, "007"],
  ])("of %j may be %s", (schema, value) => {
    expect(headerOf(schema, value)).toEqual([]);
  });

  it.each([
    [whole, "007", "integer"],
    [whole, "3", "minimum >=5"],
    [{ type: "string", pattern: "^a" }, "12", "a string that matches ^a"],
  ])("of %j must not be %s", (schema, value, expected) => {
    expect(headerOf(schema, value)).toEqual([`surface/header-value: ${expected}, "${value}"`]);
  });
});

it("validates a body against the schema of its media type, ignoring case and parameters", () => {
  const record = { type: "object", required: ["id"], properties: { id: text } };
  const problem = { type: "object", required: ["title"], properties: { title: text } };
  const content = {
    "application/json": { schema: record },
    "application/problem+json": { schema: problem },
  };
  const several = describing(record, {}, { response: { content } });
  const rulesOf = (type: string, body: Json) => {
    const each = exchange("GET", "/one", { headers: { "content-type": type }, body });
    return found(each, several).map((one) => one.split(":")[0]);
  };
  expect(rulesOf("Application/JSON; charset=utf-8", { id: "1" })).toEqual([]);
  expect(rulesOf("application/problem+json", { title: "No." })).toEqual([]);
  expect(rulesOf("application/problem+json", {})).toEqual(["value/required"]);
  const quoted = 'application/json; profile="a,b"';
  expect(rulesOf(`${quoted}, application/json`, { id: "1" })).toEqual([]);
  expect(rulesOf(`${quoted}, text/html`, { id: "1" })).toEqual(["surface/media-type"]);
  expect(rulesOf("image/png", { id: "1" })).toEqual(["surface/media-type"]);
});

describe("a request", () => {
  const lend = (request: Partial<Exchange["request"]>) =>
    exchange(
      "POST",
      "/loans",
      { status: 201, body: { book: 1, until: "2026-01-31T12:00:00Z" } },
      { request: { method: "POST", path: "/loans", ...request } },
    );

  it("without its required body is a violation", () => {
    expect(checkExchange(lend({}), library)).toMatchObject([
      { rule: "request/body", verdict: "violation", actual: "absent" },
    ]);
  });

  it("with an invalid or non-JSON body is a violation", () => {
    const body = { book: "1", until: "2026-01-31T12:00:00Z" };
    expect(found(lend({ body }), library)).toEqual(['request/body: /book integer, "1"']);
    expect(found(lend({ text: "book=1" }), library)).toEqual([
      "request/body: JSON, 6 characters of text that is not JSON",
    ]);
  });

  it("with an undescribed null body shows it", () => {
    const request = { method: "GET", path: "/3/movie/latest", body: null };
    expect(found({ ...named("movies.latest/typical"), request })).toEqual([
      "request/extra-body: no request body, null",
    ]);
  });

  it.each(["DELETE", "GET"])("with method %s and an undescribed body is undeclared", (method) => {
    const request = { method, path: "/books/1", body: { reason: "lost" } };
    const response = method === "GET" ? named("genres.tvList/typical").response : { status: 204 };
    const each = exchange(method, "/books/1", response, { request });
    expect(checkExchange(each, library)).toContainEqual(
      expect.objectContaining({ rule: "request/extra-body", verdict: "undeclared" }),
    );
  });
});

describe("method and path", () => {
  const network = named("networks.details/typical");
  const nowhere = { method: "GET", path: "/3/nowhere" };
  const put = { ...network.request, method: "PUT" };

  it.each<[string, Partial<Exchange>, string[]]>([
    ["an unknown name", { operation: "nope" }, ["networks.details surface/endpoint"]],
    ["another name", { operation: "movies.latest" }, ["networks.details surface/endpoint"]],
    ["an unknown name and path", { operation: "nope", request: nowhere }, [" surface/endpoint"]],
    ["an unknown method", { operation: "movies.latest", request: put }, [" surface/method"]],
  ])("determine the operation of an exchange with %s", (_, change, expected) => {
    const findings = checkExchange({ ...network, ...change }, description);
    expect(findings.map(({ operation, rule }) => `${operation} ${rule}`)).toEqual(expected);
  });

  it("determine the match, regardless of the name of the exchange", () => {
    const at = (path: string, operation?: string) =>
      routeOf(exchange("GET", path, {}, operation ? { operation } : {}), description).isMatched;
    expect([at("/3/movie/latest"), at("/3/movie/latest", "nope")]).toEqual([true, true]);
    expect([at("/4/movie/1"), at("/4/movie/1", "movies.latest")]).toEqual([false, false]);
  });

  it("determine whether an exchange is validated beyond its path and method", () => {
    const response = { status: 200, headers: {}, body: "garbage" };
    for (const request of [nowhere, put])
      expect(checkExchange({ ...network, request, response }, description)).toHaveLength(1);
  });

  it("match a literal segment before a parameter, and an encoded slash as part of a segment", () => {
    const at = (path: string) => routeOf(exchange("GET", path, {}), description).operation?.id;
    expect(at("/3/movie/latest")).toBe("movies.latest");
    expect(at("/3/movie/100%/lists")).toBe("movies.lists");
    expect([at("/3/authentication%2Ftoken/new"), at("/3/movie//lists")]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

it("reports a repeated key as one finding, regardless of the array index", () => {
  const { response, ...genres } = named("genres.tvList/typical");
  const repeated = ["/genres/0/id", "/genres/1/id"];
  const each: Exchange = { ...genres, response: { ...response, repeated } };
  expect(checkExchange(each, description)).toMatchObject([
    { rule: "surface/repeated-key", pointer: "/genres/0/id", recording: [{}, {}] },
  ]);
});
