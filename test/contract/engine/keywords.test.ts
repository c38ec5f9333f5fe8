import { describe, expect, it } from "vitest";
import { validatorsModule } from "../../../scripts/generate/contract/validators-module.js";
import { checkExchange } from "../../../src/contract/engine/check.js";
import type { Json } from "../../../src/contract/engine/types.js";
import { describing, exchange, ONE } from "./support.js";

const text = { type: "string" };
const number = { type: "integer" };
const list = (more: object): Json => ({ type: "array", ...more });
const object = (properties: { [name: string]: Json }, more: object = {}): Json => ({
  type: "object",
  properties,
  ...more,
});
const tagged = (tag: Json, name: string, type: Json) =>
  object({ tag: { const: tag }, [name]: type }, { required: ["tag", name] });
const ref = (name: string) => ({ $ref: name });

/** What each keyword of JSON Schema finds, and where. */
const cases: [name: string, schema: Json, body: Json, found: string[]][] = [
  [
    "a property that is one of a pattern too",
    object(
      { "x-a": object({ m: number }) },
      { patternProperties: { "^x-": object({ k: number }) } },
    ),
    { "x-a": { k: 1, m: "1", z: 1 } },
    ["drift/field /x-a/z", "value/type /x-a/m"],
  ],
  ["contains, once", list({ contains: { const: 1 } }), [2, 3], ["value/items "]],
  [
    "contains beside wrong items",
    list({ contains: { const: 1 }, items: number }),
    [2, "3"],
    ["value/items ", "value/type /1"],
  ],
  ["a contains that may be absent", list({ contains: { const: 1 }, minContains: 0 }), [2], []],
  [
    "more than maxContains",
    list({ contains: { const: 1 }, minContains: 0, maxContains: 1 }),
    [1, 1],
    ["value/items "],
  ],
  ["a count of nothing", list({ minContains: 2 }), [], []],
  ["items: false", list({ prefixItems: [text], items: false }), ["a", "b"], ["value/closed /1"]],
  ["items: false alone", list({ items: false }), ["a"], ["value/closed /0"]],
  [
    "unevaluatedItems: false",
    list({ prefixItems: [text], unevaluatedItems: false }),
    ["a", "b"],
    ["value/closed /1"],
  ],
  [
    "propertyNames behind a reference, of each key",
    { type: "object", propertyNames: ref("#/components/schemas/Code") },
    { US: 1, us: 1, uk: 1 },
    ["value/key /us"],
  ],
  [
    "a wrong key, whatever its value",
    { type: "object", propertyNames: { pattern: "^[A-Z]+$" }, additionalProperties: number },
    { us: null },
    ["value/key /us"],
  ],
  ["a multiple of a fraction", { multipleOf: 0.01 }, 4.35, []],
  ["no multiple of a fraction", { multipleOf: 0.01 }, 4.355, ["value/range "]],
  [
    "unevaluatedItems: false where a branch evaluates all",
    {
      anyOf: [list({ prefixItems: [text] }), list({ prefixItems: [text], items: text })],
      unevaluatedItems: false,
    },
    ["a", "b"],
    [],
  ],
  [
    "a wrong member of a union, once, where what is unevaluated is closed",
    { oneOf: [tagged("a", "x", number), tagged("b", "y", number)], unevaluatedProperties: false },
    { tag: "b", y: "1" },
    ["value/union "],
  ],
  [
    "a tag, though elsewhere what is unevaluated is closed",
    object({
      one: { oneOf: [tagged("a", "x", number), tagged("b", "y", number)] },
      two: object({}, { unevaluatedProperties: false }),
    }),
    { one: { tag: "b", y: "1" }, two: { z: 1 } },
    ["value/closed /two/z", "value/type /one/y"],
  ],
  [
    "a union inside of a union",
    {
      oneOf: [
        { oneOf: [tagged("a", "x", number), tagged("b", "y", number)] },
        tagged("c", "z", number),
      ],
    },
    { tag: "b", y: "1" },
    ["value/type /y"],
  ],
  [
    "an optional property that every object inherits",
    object({ toString: text, constructor: number }),
    { toString: 1, hasOwnProperty: 1 },
    ["drift/field /hasOwnProperty", "value/type /toString"],
  ],
  [
    "a required one",
    object({}, { required: ["constructor"] }),
    {},
    ["value/required /constructor"],
  ],
  [
    "an anchor",
    object({ one: ref("#an"), two: ref("#/components/schemas/N") }),
    { one: { n: "1" }, two: { n: 1 } },
    ["value/type /one/n"],
  ],
  [
    "a dynamic anchor",
    ref("#/components/schemas/Tree"),
    { n: 1, in: { n: 1, in: { n: "1", z: 1 } } },
    ["drift/field /in/in/z", "value/type /in/in/n"],
  ],
];
const schemas = {
  Code: { type: "string", pattern: "^[A-Z]{2}$" },
  N: object({ n: number }, { $anchor: "an" }),
  Tree: object({ n: number, in: { $dynamicRef: "#tree" } }, { $dynamicAnchor: "tree" }),
};

describe("finds by", () => {
  it.each(cases)("%s", (_, schema, body, found) => {
    const findings = checkExchange(exchange("GET", "/one", { body }), describing(schema, schemas));
    expect(findings.map(({ rule, pointer }) => `${rule} ${pointer}`).toSorted()).toEqual(found);
  });
});

it("takes a renamed member of a closed object for one fault", () => {
  const closed = { required: ["title"], additionalProperties: false };
  const found = (body: Json) =>
    checkExchange(exchange("GET", "/one", { body }), describing(object({ title: text }, closed)));
  expect(found({ titel: "A" })).toMatchObject([
    { rule: "value/required", pointer: "/title", didYouMean: "title" },
  ]);
  expect(found({ title: "A", titel: "A" })).toHaveLength(1);
});

it("takes no name of one letter for another", () => {
  const description = describing(object({ x: number }, { required: ["x"] }));
  const findings = checkExchange(exchange("GET", "/one", { body: { y: 1 } }), description);
  expect(findings.map(({ rule, didYouMean }) => [rule, didYouMean])).toEqual([
    ["drift/field", undefined],
    ["value/required", undefined],
  ]);
});

it("expects of a union without tag that it is satisfied", () => {
  const description = describing({ anyOf: [{ enum: ["a"] }, number] });
  const [finding] = checkExchange(exchange("GET", "/one", { body: "b" }), description);
  expect(finding).toMatchObject({ rule: "value/union", expected: "satisfies anyOf" });
});

it("names a reference that cannot be followed", () => {
  for (const name of ["#nowhere", "other.yaml#/A"])
    expect(() => describing(ref(name))).toThrow(`refers to ${name}, which is not in this file`);
  expect(() => describing({ $ref: "#an", $dynamicRef: "#an" }, schemas)).toThrow("into an allOf");
});

it("generates no validators that would need the place that a reference was called from", async () => {
  const { document } = describing(true);
  const components = { schemas: { A: { $dynamicRef: "#tree" } } };
  await expect(validatorsModule({ ...(document as object), components }, "")).rejects.toThrow(
    "$dynamicRef is not generated; use $ref",
  );
});

describe("a header", () => {
  const header = (schema: Json, value: string) => {
    const one = describing(schema);
    const responses = [
      {
        ...one.operations[0]!.responses[0]!,
        headers: [{ name: "x-one", pointer: "", schema: ONE }],
        media: [],
      },
    ];
    const operations = [{ ...one.operations[0]!, responses }];
    const { body: _, ...response } = exchange("GET", "/one", {
      headers: { "x-one": value },
    }).response;
    const sent = { ...exchange("GET", "/one", {}), response };
    return checkExchange(sent, { ...one, operations }).map(({ rule, expected }) => [
      rule,
      expected,
    ]);
  };

  it.each<[string, Json, string]>([
    ["a list of texts", list({ items: text }), "a, b"],
    ["a list of texts that look like numbers", list({ items: text }), "1,2"],
    ["a list of numbers", list({ items: number }), "1, 2"],
    ["a list of one", list({ items: number, minItems: 1 }), "1"],
    ["a text that looks like a number", text, "1"],
    ["a text with a comma", text, "a,b"],
    ["a number", number, "7"],
    ["an object", object({ a: number }), "a=1"],
  ])("may be %s", (_, schema, value) => {
    expect(header(schema, value)).toEqual([]);
  });

  it.each<[string, Json, string, string]>([
    ["a list of numbers", list({ items: number }), "1,b", "integer"],
    ["a short list", list({ maxItems: 1 }), "1,2", "maxItems 1"],
    ["a number", number, "1,2", "integer"],
    ["a number of some size", { ...number, minimum: 3 }, "1", "minimum >=3"],
    ["a text of some form", { ...text, pattern: "^a$" }, "a,b", "matches ^a$"],
  ])("is wrong where %s is due", (_, schema, value, expected) => {
    expect(header(schema, value)).toEqual([["surface/header-value", expected]]);
  });
});
