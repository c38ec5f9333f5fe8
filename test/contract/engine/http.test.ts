import { describe, expect, it } from "vitest";
import { checkExchange, inspectExchange } from "../../../src/contract/engine/check.js";
import type { Description, Json } from "../../../src/openapi/description.js";
import type { Exchange } from "../../../src/types/exchange.js";
import { description } from "../../../src/generated/description.js";
import { library } from "./corpus.js";
import { createDescription, exchange, exampleExchanges } from "./support.js";

const REAL_HEADERS = `accept-ch age alt-svc cache-status cdn-cache-control cf-cache-status content-location
ratelimit-policy server-timing set-cookie sourcemap variant-vary via x-cache x-cacheable x-cache-hits x-varnish
x-vercel-cache x-xss-protection`;
const text = { type: "string" };
const whole = { type: "integer" };
const named = (name: string) => exampleExchanges.find((each) => each.name === name)!;
const found = (each: Exchange, by: Description = description) =>
  checkExchange(each, by)
    .filter(({ category }) => category !== "unspecified")
    .map(({ rule, expected, value }) => `${rule}: ${expected}, ${value}`);

describe("statuses", () => {
  it("a status range such as 4XX applies to each of its statuses, unless the status is documented separately", () => {
    const json = (field: string) => ({
      content: { "application/json": { schema: { type: "object", required: [field] } } },
    });
    const ok = { content: { "application/json": { schema: {} } } };
    const responses = { 200: ok, 404: json("own"), "4XX": json("range"), default: json("other") };
    const by = createDescription({}, {}, { operation: { responses } });
    const missing = (status: number) =>
      checkExchange(exchange("GET", "/one", { status, body: {} }), by).map((each) => each.pointer);
    expect([404, 410, 500].map(missing)).toEqual([["/own"], ["/range"], ["/other"]]);
  });

  it("an undocumented 2xx status is a violation, even if the response has no body and the operation has a `default` response", () => {
    for (const each of exampleExchanges.filter(({ response }) => response.status === 200)) {
      const { body: _, ...response } = each.response;
      const empty = { ...each, response: { ...response, status: 204 } };
      expect(found(empty), each.name).toEqual(["http/undocumented-status: 200, 204"]);
    }
  });

  it("`default` applies to an error status, and to a 2xx status if no 2xx response is documented", () => {
    const failure = { status: 418, body: { message: "No." } };
    expect(found(exchange("GET", "/items", failure), library)).toEqual([]);
    const get = library.operations.find(({ id }) => id === "items.list")!;
    const responses = get.responses.filter(({ status }) => status === "default");
    const one = { ...library, operations: [{ ...get, responses }] };
    expect(found(exchange("GET", "/items", { ...failure, status: 200 }), one)).toEqual([]);
  });

  it("an undocumented status does not hide an invalid body or media type", () => {
    const { response, ...genres } = named("genres.tvList/typical");
    const under = (change: Partial<Exchange["response"]>) =>
      found({ ...genres, response: { ...response, status: 201, ...change } }).slice(1);
    expect(under({ body: { genres: [{ id: "1", name: "Drama" }] } })).toEqual([
      "schema/type: integer, a string of 1 character",
    ]);
    const { body: _, ...page } = response;
    const html = { ...genres, response: { ...page, status: 299, text: "<p>" } };
    expect(
      found({ ...html, response: { ...html.response, headers: { "content-type": "text/html" } } }),
    ).toEqual([
      "http/undocumented-status: 200, 299",
      "http/undocumented-media-type: application/json, text/html",
    ]);
  });

  it("the body of a response with an undocumented status is not checked, unless the status is 2xx", () => {
    const { response, ...genres } = named("genres.tvList/typical");
    for (const status of [199, 304]) {
      const moved = { ...response, status, body: { moved: true }, headers: {} };
      expect(found({ ...genres, response: moved })).toEqual([
        `http/undocumented-status: 200, ${status}`,
      ]);
    }
  });

  it("a status that the plan does not expect is a violation, even if the status is documented", () => {
    const failure = named("genres.tvList/rate-limited");
    expect(found({ ...failure, expectedOutcome: "error" })).toEqual([]);
    expect(found({ ...failure, expectedOutcome: "success" })).toEqual([
      "http/unexpected-status: a 2xx response, as planned, 429",
    ]);
    const success = named("genres.tvList/typical");
    expect(found({ ...success, expectedOutcome: "success" })).toEqual([]);
    const offline = named("configuration.timezones/service-offline");
    for (const each of [success, offline])
      expect(found({ ...each, expectedOutcome: "error" })).toEqual([
        `http/unexpected-status: a 4xx response, as planned, ${each.response.status}`,
      ]);
  });
});

describe("headers", () => {
  const headerOf = (schema: object, value: string) => {
    const headers = { "content-type": "application/json", "x-count": value };
    const response = { headers: { "X-Count": { schema } } };
    return found(
      exchange("GET", "/one", { headers, body: 1 }),
      createDescription({}, {}, { response }),
    );
  };

  it.each([
    [whole, "7"],
    [{ type: "number" }, "-0.5"],
    [{ type: "boolean" }, "true"],
    [text, "007"],
    [{ type: "array", items: text }, "a,b"],
    [{ type: "array", items: whole }, ""],
    [{ enum: ["1", "2"] }, "1"],
    [{ type: ["string", "null"] }, "123"],
    [{ allOf: [text] }, "123"],
  ])("a header with the schema %j can have the value %s", (schema, value) => {
    expect(headerOf(schema, value)).toEqual([]);
  });

  it.each([
    [whole, "007", "integer", "a string of 3 characters"],
    [{ type: "string", pattern: "^a" }, "12", "a string that matches ^a", '"12"'],
    [{ type: "array", items: whole }, "1, b", "integer", "a string of 1 character"],
    [{ pattern: "^a" }, "b", "a string that matches ^a", '"b"'],
    [{ minimum: 1 }, "0", "a number ≥ 1", "0"],
  ])("a header with the schema %j cannot have the value %s", (schema, value, expected, actual) => {
    expect(headerOf(schema, value)).toEqual([`http/invalid-header: ${expected}, ${actual}`]);
  });

  const token = named("authentication.createRequestToken/typical");
  const sending = (changed: Record<string, string>, dropped = "") => {
    const { [dropped]: _, ...headers } = { ...token.response.headers, ...changed };
    return found({ ...token, response: { ...token.response, headers } });
  };

  it("an undocumented header is reported only if it resembles a documented header that is missing", () => {
    expect(sending({ "x-unheard-of": "1", "cache-contol": "no-cache" }, "cache-control")).toEqual([
      "http/misspelled-header: `cache-control`, `cache-contol`",
    ]);
    expect(sending({ "cache-contol": "1", "cache-control": "1" })).toEqual([]);
    expect(sending({ "x-authentication-callback": "1" }, "authentication-callback")).toEqual([
      "http/missing-header: the authentication-callback header, only `x-authentication-callback`",
    ]);
    for (const [name, other] of [
      ["cache-control", "cache-contol"],
      ["authentication-callback", "x-authentication-callback"],
    ] as const) {
      const { [name]: value = "", ...headers } = token.response.headers;
      const response = { ...token.response, headers: { ...headers, [other]: value } };
      expect(checkExchange({ ...token, response }, description)).toMatchObject([
        {
          didYouMean: name,
          declared: expect.arrayContaining([name]),
          occurrences: [{ actual: other }],
        },
      ]);
    }
  });

  it("a documented header is not reported as a misspelling of a different documented header", () => {
    const schema = { type: "string" };
    const response = { headers: { "X-On": { schema }, "X-No": { schema } } };
    const headers = { "content-type": "application/json", "x-on": "1" };
    const by = createDescription({}, {}, { response });
    expect(found(exchange("GET", "/one", { headers, body: 1 }), by)).toEqual([]);
  });

  it("the gate does not report common server headers, even if a documented header is missing", () => {
    const { "content-type": type = "", "authentication-callback": callback = "" } =
      token.response.headers;
    const others = REAL_HEADERS.split(/\s+/).map((name): [string, string] => [name, "1"]);
    const headers = Object.fromEntries(others);
    const all = { ...headers, "content-type": type, "authentication-callback": callback };
    expect(found({ ...token, response: { ...token.response, headers: all } })).toEqual([]);
  });

  it("a finding does not show the value of a header that the description marks as sensitive", () => {
    expect(sending({ "authentication-callback": "jane" })).toEqual([
      "http/invalid-header: format uri, a string of 4 characters",
    ]);
    const schema = { $ref: "#/components/schemas/Short", "x-sensitive": true };
    const response = { headers: { "X-Id": { schema } } };
    const by = createDescription({}, { Short: { type: "string", pattern: "^.$" } }, { response });
    const headers = { "content-type": "application/json", "x-id": "jane" };
    expect(found(exchange("GET", "/one", { headers, body: 1 }), by)).toEqual([
      "http/invalid-header: a string that matches ^.$, a string of 4 characters",
    ]);
  });
});

it("the gate validates a body against the schema of its media type, regardless of the media type's case and parameters", () => {
  const record = { type: "object", required: ["id"], properties: { id: text } };
  const problem = { type: "object", required: ["title"], properties: { title: text } };
  const content = {
    "application/json": { schema: record },
    "application/problem+json": { schema: problem },
  };
  const several = createDescription(record, {}, { response: { content } });
  const rulesOf = (type: string, body: Json) => {
    const each = exchange("GET", "/one", { headers: { "content-type": type }, body });
    return found(each, several).map((one) => one.split(":")[0]);
  };
  expect(rulesOf("Application/JSON; charset=utf-8", { id: "1" })).toEqual([]);
  expect(rulesOf("application/problem+json", { title: "No." })).toEqual([]);
  expect(rulesOf("application/problem+json", {})).toEqual(["schema/required"]);
  const quoted = 'application/json; profile="a,b"';
  expect(rulesOf(`${quoted}, application/json`, { id: "1" })).toEqual([]);
  expect(rulesOf(`${quoted}, text/html`, { id: "1" })).toEqual(["http/undocumented-media-type"]);
  expect(rulesOf("image/png", { id: "1" })).toEqual(["http/undocumented-media-type"]);
  const ranges = { "*/*": {}, "application/*": { schema: record }, "application/json": {} };
  const open = createDescription({}, {}, { response: { content: ranges } });
  const rangeOf = (type: string) =>
    found(exchange("GET", "/one", { headers: { "content-type": type }, body: {} }), open);
  expect(["text/html", "application/json"].flatMap(rangeOf)).toEqual([]);
  expect(rangeOf("application/vnd.a+json")).toEqual(["schema/required: present, absent"]);
  for (const type of ["jane doe", "text/html/x"])
    expect(rangeOf(type)).toEqual([
      "http/undocumented-media-type: application/json, no media type",
    ]);
  const odd = exchange("GET", "/one", { headers: { "content-type": "jane doe" }, body: 1 });
  expect(found(odd, createDescription({}))).toEqual([
    "http/undocumented-media-type: application/json, no media type",
  ]);
});

it("a body with the media type application/json-seq does not have to be JSON", () => {
  const type = "application/json-seq";
  const sequence = createDescription({}, {}, { response: { content: { [type]: {} } } });
  const sent = exchange("GET", "/one", { headers: { "content-type": type }, text: "{}{}" });
  expect(found(sent, sequence)).toEqual([]);
});

it("a `$ref` to a response can have a `description` next to it", () => {
  const content = { "application/json": { schema: { type: "object" } } };
  const $ref = "#/paths/~1one/get/responses/200";
  const responses = { 200: { content }, 404: { $ref, description: "Not found." } };
  const { operations } = createDescription({}, {}, { operation: { responses } });
  expect(operations[0]!.responses[1]!.content).toMatchObject([{ name: "application/json" }]);
});

it("parameters in different locations can share a name", () => {
  const parameters = ["query", "header"].map((each) => ({ name: "id", in: each }));
  const { operations } = createDescription({}, {}, { operation: { parameters } });
  expect(operations[0]!.parameters.map((each) => each.in)).toEqual(["query", "header"]);
});

describe("missing bodies", () => {
  const missing = { isBodyUnrecorded: true };
  const { response: given, ...token } = named("authentication.createRequestToken/typical");
  const { body: _, ...response } = given;
  const check = (each: Exchange) => {
    const { findings, unvalidated } = inspectExchange(each, description);
    return [unvalidated, ...findings.map(({ rule }) => rule)];
  };

  it("the gate checks the status, the media type, and the headers even if the input omits the response body", () => {
    const without = (change: object) =>
      check({ ...token, response: { ...response, ...missing, ...change } });
    expect(without({})).toEqual(["body not recorded"]);
    expect(without({ headers: {} })).toEqual(["body not recorded", "http/missing-header"]);
    expect(without({ status: 201 })).toEqual(["body not recorded", "http/undocumented-status"]);
    expect(without({ headers: { ...response.headers, "content-type": "text/html" } })).toEqual([
      "body not recorded",
      "http/undocumented-media-type",
    ]);
    const removed = exchange("DELETE", "/books/1", { status: 204, ...missing });
    expect(inspectExchange(removed, library)).toMatchObject({
      unvalidated: "body not recorded",
      findings: [],
    });
  });

  it("the gate does not report a missing request body if the input says that the body was omitted", () => {
    const convert = named("authentication.convertV4Session/typical");
    const { body: __, ...request } = convert.request;
    expect(check({ ...convert, request: { ...request, ...missing } })[0]).toBe("body not recorded");
    expect(check({ ...convert, request })).toContain("request/invalid-body");
    expect(check({ ...convert, request: { ...request, ...missing } })).not.toContain(
      "request/invalid-body",
    );
  });

  it("an exchange counts as not validated if its status is undocumented, its path is unknown, or it has no JSON body", () => {
    const genres = named("genres.tvList/typical");
    const reasonOf = (change: object, request = {}) =>
      check({
        ...genres,
        request: { ...genres.request, ...request },
        response: { ...genres.response, body: undefined!, ...change },
      })[0];
    expect(reasonOf({ body: genres.response.body! })).toBeUndefined();
    expect(reasonOf({ text: "<p>" })).toBe("no JSON body");
    expect(reasonOf({})).toBe("no JSON body");
    expect(reasonOf({ status: 204 })).toBe("undocumented status");
    expect(reasonOf({}, { path: "/4/x" })).toBe("no operation");
  });
});

describe("requests", () => {
  const lend = (request: Partial<Exchange["request"]>) =>
    exchange(
      "POST",
      "/loans",
      { status: 201, body: { book: 1, until: "2026-01-31T12:00:00Z" } },
      { request: { method: "POST", path: "/loans", ...request } },
    );

  it("the gate reports an invalid or undeclared request body even if the response has a 4xx status", () => {
    const media = { content: { "application/json": { schema: { type: "object" } } } };
    const rulesWith = (operation: object) => {
      const by = createDescription(
        {},
        {},
        { operation: { responses: { "404": media }, ...operation } },
      );
      const request = { method: "GET", path: "/one", body: [] };
      const sent = exchange("GET", "/one", { status: 404, body: {} }, { request });
      return checkExchange(sent, by).map(({ rule }) => rule);
    };
    expect(rulesWith({ requestBody: media })).toEqual(["request/invalid-body"]);
    expect(rulesWith({})).toEqual(["request/unexpected-body"]);
  });

  it("a request body that is invalid or is not JSON is a violation", () => {
    const body = { book: "1", until: "2026-01-31T12:00:00Z" };
    expect(found(lend({ body }), library)).toEqual([
      "request/invalid-body: integer, a string of 1 character",
    ]);
    const kinds = [body, [], { ...body, book: 1, until: 1 }].map((each) => {
      const { pointer, occurrences } = checkExchange(lend({ body: each }), library)[0]!;
      return [pointer, occurrences[0]!.actual, occurrences[0]!.file];
    });
    expect(kinds).toEqual([
      ["/book", "string", "request: /book"],
      ["", "array", "request"],
      ["/until", "number", "request: /until"],
    ]);
    expect(found(lend({ text: "book=1" }), library)).toEqual([
      "request/invalid-body: JSON, 6 characters of text that is not JSON",
    ]);
  });

  it("a finding about a request shows neither an invalid key nor the value of a sensitive path parameter", () => {
    const people = named("trending.people/typical");
    const { operations } = description;
    const shownBy = (isSensitive: boolean) => {
      const marked = operations.map((each) => ({
        ...each,
        parameters: each.parameters.map((one) => ({ ...one, isSensitive })),
      }));
      const findings = checkExchange(people, { ...description, operations: marked });
      return findings
        .filter(({ rule }) => rule === "unspecified/parameter")
        .map(({ value }) => value);
    };
    expect([shownBy(false), shownBy(true)]).toEqual([['"week"'], ["a string of 4 characters"]]);
    const schema = { type: "object", propertyNames: { pattern: "^[A-Z]{2}$" } };
    const requestBody = { content: { "application/json": { schema } } };
    const by = createDescription({}, {}, { operation: { requestBody } });
    const request = { method: "GET", path: "/one", body: { "jane doe": 1 } };
    expect(found(exchange("GET", "/one", { body: 1 }, { request }), by)).toEqual([
      "request/invalid-body: a string that matches ^[A-Z]{2}$, the key (8 characters)",
    ]);
  });

  it("a finding shows only the length of a key that might be secret, wherever the key appears in a pointer", () => {
    const age = { type: "object", properties: { age: whole }, required: ["id"] };
    const closed = { type: "object", properties: {}, additionalProperties: false };
    const map = { type: "object", "x-sensitive": true, additionalProperties: age };
    const schema = { type: "object", properties: { closed, map } };
    const key = "alice@example.com";
    const body = { closed: { [key]: 1 }, map: { [key]: { age: "x" } } };
    const requestBody = { content: { "application/json": { schema } } };
    const by = createDescription(schema, {}, { operation: { requestBody } });
    const request = { method: "GET", path: "/one", body };
    const locate = () => ({ file: "a", line: 1, column: 1 });
    const findings = checkExchange(exchange("GET", "/one", { body }, { request, locate }), by);
    const shown = findings.map(({ pointer, expected }) => `${pointer} ${expected}`.trim());
    expect(shown.toSorted()).toEqual([
      "/closed/(17 characters, #2a46) absent",
      "/closed/(17 characters, #2a46) absent",
      "/map/(17 characters, #2a46)/age integer",
      "/map/(17 characters, #2a46)/age integer",
      "/map/(17 characters, #2a46)/id present",
      "/map/(17 characters, #2a46)/id present",
    ]);
    expect(JSON.stringify(findings)).not.toContain(key);
  });

  it("a finding about an undeclared body shows only the length of text, but shows null", () => {
    const sending = (body: object) => {
      const request = { method: "GET", path: "/3/movie/latest", ...body };
      return found({ ...named("movies.latest/typical"), request });
    };
    const problem = "request/unexpected-body: no request body,";
    expect(sending({ text: "title=x" })).toEqual([`${problem} a string of 7 characters`]);
    expect(sending({ body: null })).toEqual([`${problem} null`]);
    const removed = exchange("DELETE", "/books/1", { status: 204, text: "gone" });
    expect(found(removed, library)).toEqual([
      "http/unexpected-body: no body, a string of 4 characters",
    ]);
  });
});

describe("method and path", () => {
  const network = named("networks.details/typical");
  const nowhere = { method: "GET", path: "/3/nowhere" };
  const put = { ...network.request, method: "PUT" };

  it.each<[string, Partial<Exchange>, string[]]>([
    [
      "an unknown operation name",
      { operation: "nope" },
      ["networks.details http/operation-mismatch"],
    ],
    [
      "the name of a different operation",
      { operation: "movies.latest" },
      ["networks.details http/operation-mismatch"],
    ],
    [
      "an unknown operation name and path",
      { operation: "nope", request: nowhere },
      [" http/unknown-path"],
    ],
    ["an unknown method", { operation: "movies.latest", request: put }, [" http/unknown-method"]],
  ])(
    "the method and the path determine the operation of an exchange with %s",
    (_, change, expected) => {
      const findings = checkExchange({ ...network, ...change }, description);
      expect(findings.map(({ operation, rule }) => `${operation} ${rule}`)).toEqual(expected);
    },
  );

  it("if the path or method of an exchange is unknown, the gate reports nothing else, even if the body is invalid", () => {
    const response = { status: 200, headers: {}, body: "garbage" };
    for (const request of [nowhere, put])
      expect(checkExchange({ ...network, request, response }, description)).toHaveLength(1);
  });
});

it("the gate sorts findings by their location in the recording", () => {
  const { response, ...genres } = named("genres.tvList/typical");
  const body = { genres: [{ id: "1", name: 2 }, { id: "3" }], more: 1 };
  const locations = ["/genres/1", "/more", "/genres/0/name", "/genres/0/id"];
  const locate = (location: string) => {
    const index = locations.indexOf(location);
    return { file: "a", line: 1 + Math.floor(index / 2), column: 9 - index };
  };
  const { findings } = inspectExchange(
    { ...genres, locate, response: { ...response, body } },
    description,
  );
  expect(findings.map(({ pointer }) => pointer)).toEqual([
    "/more",
    "/genres/1/name",
    "/genres/0/id",
    "/genres/0/name",
  ]);
});
