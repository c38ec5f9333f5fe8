import { describe, expect, it } from "vitest";
import { coverage } from "../../../src/contract/coverage.js";
import { checkExchange } from "../../../src/contract/engine/check.js";
import { mutants } from "../../../src/contract/mutate.js";
import { operationOf } from "../../../src/contract/engine/route.js";
import type { Exchange, Json } from "../../../src/contract/engine/types.js";
import { description as catalogue } from "../../../src/generated/description.js";
import { describing, exchange, own } from "./support.js";

const text = { type: "string" };
const whole = { type: "integer", minimum: 5 };

describe("a header", () => {
  const found = (schema: object, value: string) => {
    const headers = { "content-type": "application/json", "x-count": value };
    const response = { headers: { "X-Count": { schema } } };
    return checkExchange(
      exchange("GET", "/one", { headers, body: 1 }),
      describing({}, {}, { response }),
    ).map(({ rule, expected, actual }) => [rule, expected, actual].join(" "));
  };

  it.each([
    [whole, "7"],
    [whole, "1e3"],
    [{ type: "number" }, "-0.5"],
    [{ type: "boolean" }, "true"],
    [text, "007"],
    [{ allOf: [text] }, "123"],
    [{ type: ["integer", "string"], pattern: "^a" }, "12"],
  ])("of %j may be %s", (schema, value) => {
    expect(found(schema, value)).toEqual([]);
  });

  it.each([
    [whole, "007", "integer"],
    [whole, "1.5", "integer"],
    [whole, "TRUE", "integer"],
    [whole, "3", "minimum >=5"],
    [{ type: "string", pattern: "^a" }, "12", "matches ^a"],
  ])("of %j is wrong as %s", (schema, value, expected) => {
    expect(found(schema, value)).toEqual([
      `surface/header-value ${expected} ${JSON.stringify(value)}`,
    ]);
  });
});

it("a content-type that is described as a header is that of the body", () => {
  const header = { required: true, schema: { const: "text/html" } };
  const described = describing({}, {}, { response: { headers: { "Content-Type": header } } });
  const rulesOf = (headers: Record<string, string>) =>
    checkExchange(exchange("GET", "/one", { headers, body: 1 }), described).map(({ rule }) => rule);
  expect(rulesOf({ "content-type": "application/json", "x-amzn-requestid": "1" })).toEqual([]);
  expect(rulesOf({})).toEqual(["surface/no-media-type"]);
});

describe("of several media types", () => {
  const problem = { type: "object", required: ["title"], properties: { title: text } };
  const record = { type: "object", required: ["id"], properties: { id: text } };
  const content = {
    "application/json": { schema: record },
    "application/problem+json": { schema: problem },
    "text/*": {},
  };
  const description = describing(record, {}, { response: { content } });
  const sent = (type: string | undefined, response: Partial<Exchange["response"]>) =>
    exchange("GET", "/one", {
      headers: type === undefined ? {} : { "content-type": type },
      ...response,
    });
  const exercised = (each: Exchange) => {
    const findings = checkExchange(each, description);
    const { dimensions } = coverage([{ exchange: each, findings }], description);
    const missing = (name: string) =>
      dimensions.find((dimension) => dimension.name === name)!.missing.map((one) => one.item);
    return {
      rules: findings.map(({ rule }) => rule),
      media: missing("media type"),
      properties: missing("property"),
    };
  };

  it.each<[string, object, string, string]>([
    ["Application/JSON", { id: "1" }, "application/json", "id"],
    ["application/json; charset=utf-8", { id: "1" }, "application/json", "id"],
    ["application/problem+json", { title: "No." }, "application/problem+json", "title"],
  ])("%s is judged, covered and damaged by its own schema", (type, body, media, property) => {
    const each = sent(type, { body } as Partial<Exchange["response"]>);
    const found = exercised(each);
    expect(found.rules).toEqual([]);
    expect(found.media).not.toContain(`one 200 ${media}`);
    expect(found.media).toHaveLength(2);
    expect(found.properties.filter((item) => item.endsWith(`/${property}`))).toEqual([]);
    const operators = [...mutants(each, description)].map(
      ({ operator, place }) => `${operator} ${place}`,
    );
    expect(operators).toContain(`drop required /${property}`);
  });

  it("a range covers what is of it, and is damaged by none of these", () => {
    const each = sent("text/plain", { text: "No." });
    expect(exercised(each)).toMatchObject({
      rules: [],
      media: expect.not.arrayContaining(["one 200 text/*"]),
    });
    const body = sent("application/json", { body: { id: "1" } });
    const types = [...mutants(body, description)]
      .filter(({ operator }) => operator === "wrong media type")
      .map(({ exchange: { response } }) => response.headers["content-type"]);
    expect(types).toEqual(["application/xml"]);
  });

  it.each<[object, string, Partial<Exchange["response"]>, string[]]>([
    [
      { "*/*": text, "application/*": {}, "application/json": record },
      "application/json",
      { body: {} },
      ["value/required"],
    ],
    [
      { "application/json; charset=utf-8": record },
      "application/json",
      { text: "{" },
      ["surface/not-json"],
    ],
    [{ "application/*": record }, "application/json", { text: "{" }, ["surface/not-json"]],
    [{ "*/*": text }, "text/plain", { text: "No." }, []],
    [{ "*/*": text }, "text/plain", { body: 12 }, []],
    [{ "text/plain": text }, "text/plain", { body: null }, []],
    [
      { "text/plain": { type: "string", maxLength: 1 } },
      "text/plain",
      { body: "No." },
      ["value/range"],
    ],
  ])("of %j the most specific judges %s, and no text as JSON", (schemas, type, response, rules) => {
    const entries = Object.entries(schemas).map(([name, schema]) => [
      name,
      { schema: schema as Json },
    ]);
    const described = describing(
      {},
      {},
      { response: { content: Object.fromEntries(entries) as Json } },
    );
    const found = checkExchange(
      exchange("GET", "/one", { headers: { "content-type": type }, ...response }),
      described,
    );
    expect(found.map(({ rule }) => rule)).toEqual(rules);
  });

  it("of a request JSON is judged, whatever else may be sent", () => {
    const form = { type: "object", required: ["q"] };
    const sending = {
      "application/x-www-form-urlencoded": { schema: form },
      "application/json": { schema: record },
    };
    const requestBody = { content: sending };
    const request = { method: "GET", path: "/one", body: { id: "1" } };
    const each = exchange("GET", "/one", { body: 1 }, { request });
    expect(checkExchange(each, describing({}, {}, { operation: { requestBody } }))).toEqual([]);
  });

  it("JSON is meant where none is named, and its schema where another is", () => {
    expect(exercised(sent(undefined, { body: { id: "1" } })).rules).toEqual([
      "surface/no-media-type",
    ]);
    expect(exercised(sent("image/png", { body: { id: "1" } })).rules).toEqual([
      "surface/media-type",
    ]);
  });
});

it("points to the place of a request's member, whatever its name", () => {
  const requestBody = {
    content: { "application/json": { schema: { type: "object", properties: { "a/b": text } } } },
  };
  const description = describing({}, {}, { operation: { requestBody } });
  const each = exchange(
    "GET",
    "/one",
    { body: 1 },
    { request: { method: "GET", path: "/one", body: { "a/b": "1" } } },
  );
  const specs = [...mutants(each, description)].map(({ spec }) => spec);
  expect(specs).toContain(
    "/paths/~1one/get/requestBody/content/application~1json/schema/properties/a~1b/type",
  );
});

describe("method and path decide over the operation that is named", () => {
  const network = own.find(({ name }) => name === "networks.details/typical")!;
  const { body } = network.response;
  const wrong = { ...(body as object), id: "1" };

  it.each<[string, Partial<Exchange>, string[]]>([
    ["unknown", { operation: "nope" }, ["networks.details surface/endpoint networks.details"]],
    [
      "another",
      { operation: "movies.latest" },
      ["networks.details surface/endpoint networks.details"],
    ],
    [
      "unknown, with a wrong body",
      { operation: "nope", response: { ...network.response, body: wrong } },
      ["networks.details surface/endpoint networks.details", "networks.details value/type integer"],
    ],
    [
      "unknown, and the path too",
      { operation: "nope", request: { method: "GET", path: "/3/nowhere" } },
      [" surface/endpoint a described path"],
    ],
    [
      "another, and the method is none",
      { operation: "movies.latest", request: { ...network.request, method: "PUT" } },
      [" surface/method GET"],
    ],
    [
      "unknown, and nothing else is known",
      { operation: "nope", bodyOnly: true },
      [" surface/endpoint an operationId of the description"],
    ],
  ])("%s", (_, change, expected) => {
    const found = checkExchange({ ...network, ...change }, catalogue);
    expect(
      found.map(({ operation, rule, expected: due }) => `${operation} ${rule} ${due}`).toSorted(),
    ).toEqual(expected);
  });
});

it.each([
  ["/3/authentication/token/%6eew", "authentication.createRequestToken"],
  ["/3/authentication%2Ftoken/new", ""],
  ["/%33/movie/l%61t%65st", "movies.latest"],
  ["/3/movie/100%/lists", "movies.lists"],
])("of the path %s an encoded letter is the same as a plain one", (path, operation) => {
  expect(operationOf(exchange("GET", path, {}), catalogue)).toBe(operation);
});

it.each([
  ["/reports/7.pdf", "GET /reports/{id}.{format}"],
  ["/reports/7.8.pdf", "GET /reports/{id}.{format}"],
  ["/reports/7", "GET /reports/{id}"],
  ["/reports/a+7", "GET /reports/a+{id}"],
  ["/reports/aa7", "GET /reports/{id}"],
  ["/reports/", ""],
])("of the path %s a parameter may be a part of a segment", (path, operation) => {
  const one = describing(true);
  const operations = ["{id}", "{id}.{format}", "a+{id}"].map((name) => {
    const template = `/reports/${name}`;
    return { ...one.operations[0]!, path: template, id: `GET ${template}` };
  });
  expect(operationOf(exchange("GET", path, {}), { ...one, operations })).toBe(operation);
});

describe("of a body alone", () => {
  const operators = (operation: string, body: Json) => {
    const { method, path } = catalogue.operations.find(({ id }) => id === operation)!;
    const each = exchange(method, path, { body }, { operation, bodyOnly: true });
    return new Set([...mutants(each, catalogue)].map(({ operator }) => operator));
  };

  it("only what is judged is damaged", () => {
    const genre = { id: 1, name: "Drama" };
    expect([...operators("genres.tvList", { genres: [genre] })].toSorted()).toEqual([
      "array instead",
      "boolean instead",
      "drop required",
      "extra key",
      "fraction",
      "null",
      "number instead",
      "object instead",
      "rename key",
      "string instead",
      "wrong status",
    ]);
  });

  it("no key is renamed that nobody named", () => {
    const session = { success: true, session_id: "1" };
    expect([...operators("authentication.convertV4Session", session)]).toEqual([
      "wrong status",
      "extra key",
    ]);
  });
});
