import { describe, expect, it } from "vitest";
import { inspectExchange } from "../../../src/contract/engine/check.js";
import { findSensitiveValues } from "../../../src/contract/engine/sensitive.js";
import type { Operation } from "../../../src/openapi/description.js";
import type { Exchange } from "../../../src/types/exchange.js";
import { createDescription, exchange } from "./support.js";

const named = (name: string) => ({ schema: { type: "object", required: [name] } });
const form = {
  "application/x-www-form-urlencoded": named("code"),
  "application/json": named("code"),
};

/** Checks an exchange, and returns its findings and the reason why it was not validated. */
function check(
  content: object,
  response: Partial<Exchange["response"]>,
  request: Partial<Exchange["request"]> = {},
  operation: object = {},
) {
  const responses = { 200: { content, headers: { "x-size": { required: true } } } };
  const by = createDescription({}, {}, { operation: { responses, ...operation } });
  const { method = "GET" } = request;
  const headers = { "x-size": "1", ...response.headers };
  const { findings, unvalidated } = inspectExchange(
    exchange(
      method,
      "/one",
      { ...response, headers },
      { request: { method, path: "/one", ...request } },
    ),
    method === "HEAD"
      ? { ...by, operations: by.operations.map((each) => ({ ...each, method })) }
      : by,
  );
  return [
    ...findings.map(({ rule, pointer }) => `${rule} ${pointer}`.trim()),
    unvalidated ?? "validated",
  ];
}

const typed = (type: string, content: Partial<Exchange["response"]>) => ({
  headers: { "content-type": type },
  ...content,
});

describe("bodies that are not JSON", () => {
  const content = {
    "application/json": named("code"),
    "text/plain": { schema: { type: "string", maxLength: 5 } },
    "text/csv": { schema: { type: "string" } },
    "text/x-count": { schema: { type: "integer" } },
    "application/xml": named("code"),
  };

  it("a documented text body is validated as text, even if the text is also valid JSON", () => {
    for (const each of [{ text: "SAVE2" }, { body: 12345 }, { body: 1, text: "1.000" }])
      expect(check(content, typed("text/plain; charset=utf-8", each))).toEqual(["validated"]);
    expect(check(content, typed("text/plain", { body: 1, text: "1.00000" }))).toEqual([
      "schema/maxLength",
      "validated",
    ]);
    expect(check(content, typed("text/csv", { text: "a,b\n1,2" }))).toEqual(["validated"]);
  });

  it("a text body can stand for a number, but an invalid number is a violation", () => {
    expect(check(content, typed("text/x-count", { text: "7", body: 7 }))).toEqual(["validated"]);
    expect(check(content, typed("text/x-count", { text: "many" }))).toEqual([
      "schema/type",
      "validated",
    ]);
  });

  it("a body in another syntax, such as XML, is not compared with the schema of an object", () => {
    expect(check(content, typed("application/xml", { text: "<code/>" }))).toEqual(["no JSON body"]);
  });

  it("a JSON body with an undocumented media type is still validated as JSON", () => {
    expect(check(content, typed("text/html", { body: {}, text: "{}" }))).toEqual([
      "http/undocumented-media-type",
      "schema/required /code",
      "validated",
    ]);
  });

  it("a body with a wrong or missing media type is not compared with a schema of text as JSON", () => {
    const text = { "text/plain": { schema: { type: "string" } } };
    for (const each of [{ body: { a: 1 } }, { text: "{" }])
      expect(check(text, typed("application/json", each))).toEqual([
        "http/undocumented-media-type",
        "no JSON body",
      ]);
    expect(check({ "text/*": named("code") }, typed("application/json", { body: {} }))).toEqual([
      "http/undocumented-media-type",
      "no JSON body",
    ]);
    expect(check(text, { headers: {}, body: 12345 })).toEqual([
      "http/missing-content-type",
      "validated",
    ]);
  });

  it("a documented range such as application/* contains JSON and other media types", () => {
    const range = { "application/*": named("any") };
    expect(check(range, typed("application/json", { body: {} }))).toContain("schema/required /any");
    expect(check(range, typed("application/json", { text: "{" }))).toContain("http/not-json");
    expect(check(range, typed("application/pdf", { text: "%PDF" }))).toEqual(["no JSON body"]);
  });
});

describe("media types that differ only in their parameters", () => {
  const content = {
    "application/json; profile=small": named("small"),
    "application/json; profile=large": named("large"),
    "application/json; charset=utf-8": named("plain"),
  };
  const missing = (type: string) => check(content, typed(type, { body: {} }))[0];

  it("the gate validates a body against the media type with the same parameters", () => {
    expect(missing("application/json; profile=large")).toBe("schema/required /large");
    expect(missing('application/json;charset=UTF-8;Profile="small"')).toBe(
      "schema/required /small",
    );
    expect(missing("application/json")).toBe("schema/required /small");
  });

  it("a parameter with an undocumented value falls back to a media type without the parameter", () => {
    expect(missing("application/json; profile=huge")).toBe("schema/required /plain");
    const { "application/json; charset=utf-8": _, ...profiles } = content;
    expect(check(profiles, typed("application/json; profile=huge", { body: {} }))).toContain(
      "http/undocumented-media-type",
    );
  });

  it("the finding about an undocumented parameter does not show its value", () => {
    const responses = { 200: { content: { "application/json; version=1": {} } } };
    const by = createDescription({}, {}, { operation: { responses } });
    const headers = { "content-type": "application/json; version=secret" };
    const [finding] = inspectExchange(exchange("GET", "/one", { headers, body: 1 }), by).findings;
    expect(finding).toMatchObject({
      expected: "application/json; version=1",
      value: "application/json with a different parameter",
    });
  });
});

it("sensitive values are found in text, and in a request body by its media type", () => {
  const marked = { schema: { properties: { pin: { "x-sensitive": true } } } };
  const by = createDescription(
    {},
    {},
    {
      operation: {
        requestBody: {
          content: { "application/json": {}, "application/merge-patch+json": marked },
        },
        responses: { 200: { content: { "text/plain": { schema: { "x-sensitive": true } } } } },
      },
    },
  );
  const [operation] = by.operations as [Operation];
  const sent = {
    headers: { "content-type": "application/merge-patch+json" },
    body: { pin: "1234" },
  };
  const received = { headers: { "content-type": "text/plain" }, text: "key-1" };
  const { request, response } = exchange("POST", "/one", received);
  const found = findSensitiveValues({ request: { ...request, ...sent }, response }, operation, by);
  expect(found).toEqual(["1234", "key-1"]);
});

describe("HEAD", () => {
  const content = { "application/json": named("a") };
  const head = (response: Partial<Exchange["response"]>) =>
    check(content, response, { method: "HEAD" });

  it("a response to HEAD needs no body, but its status, headers, and media type are checked", () => {
    expect(head(typed("application/json", {}))).toEqual(["validated"]);
    expect(head({ headers: {} })).toEqual(["validated"]);
    expect(head(typed("text/html", {}))).toEqual(["http/undocumented-media-type", "validated"]);
    expect(head({ headers: { "x-size": undefined } as never })).toContain("http/missing-header");
    expect(head(typed("application/json", { body: { a: 1 } }))).toContain("http/unexpected-body");
  });
});

describe("request bodies with several media types", () => {
  const post = (request: Partial<Exchange["request"]>) =>
    check({ "application/json": {} }, typed("application/json", { body: {} }), request, {
      requestBody: { required: true, content: form },
    });

  it("a documented form body beside JSON is not reported as invalid JSON", () => {
    expect(post({ text: "code=SAVE20" })).toEqual(["validated"]);
    expect(
      post({ text: "code=1", headers: { "content-type": "application/x-www-form-urlencoded" } }),
    ).toEqual(["validated"]);
  });

  it("truncated JSON, an invalid JSON body, and an undocumented text body are violations", () => {
    expect(post({ text: '{"code' })).toContain("request/invalid-body");
    expect(post({ text: "a=b", headers: { "content-type": "application/json" } })).toContain(
      "request/invalid-body",
    );
    expect(post({ text: "a", headers: { "content-type": "text/plain" } })).toContain(
      "request/invalid-body",
    );
    expect(post({ body: {}, headers: { "content-type": "application/json" } })).toContain(
      "request/invalid-body /code",
    );
  });
});
