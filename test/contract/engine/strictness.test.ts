import { expect, it } from "vitest";
import { bodyFaults } from "../../../src/contract/engine/body.js";
import { driftOf } from "../../../src/contract/engine/drift.js";
import type { Json } from "../../../src/contract/engine/types.js";
import { describing, ONE } from "./support.js";

const text = { type: "string" };
const a = { type: "object", properties: { a: text } };
const b = { type: "object", properties: { b: text } };
const tagged = (tag: string, name: string) => ({
  type: "object",
  required: ["tag"],
  properties: { tag: { const: tag }, [name]: text },
});
const tree = {
  type: "object",
  properties: {
    name: text,
    children: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
  },
};
/** A name that makes an object look like a promise. */
const THEN = "then";
const car = {
  type: "object",
  properties: { kind: text },
  if: { properties: { kind: { const: "car" } }, required: ["kind"] },
  [THEN]: { properties: { doors: { type: "integer" } } },
  else: { properties: { gears: { type: "integer" } } },
};

const other = { type: "object", required: ["tag"], properties: { tag: { not: { const: "a" } } } };

/** What is described, what comes, and the pointers that are drift. */
const cases: [name: string, schema: Json, body: Json, drift: string[]][] = [
  ["a plain object", a, { a: "1", x: 1 }, ["/x"]],
  [
    "an object inside an object",
    { type: "object", properties: { in: a } },
    { in: { a: "1", x: 1 } },
    ["/in/x"],
  ],
  [
    "every item of a list",
    { type: "array", items: a },
    [{ a: "1" }, { x: 1 }, { y: 2 }],
    ["/1/x", "/2/y"],
  ],
  ["all parts of an allOf together", { allOf: [a, b] }, { a: "1", b: "2", x: 3 }, ["/x"]],
  ["an allOf inside an allOf", { allOf: [{ allOf: [a] }, b] }, { a: "1", b: "2", x: 3 }, ["/x"]],
  [
    "a part of an allOf that is open",
    { allOf: [a, { additionalProperties: true }] },
    { a: "1", x: 1 },
    [],
  ],
  ["properties beside an allOf", { ...a, allOf: [b] }, { a: "1", b: "2", x: 3 }, ["/x"]],
  [
    "properties beside a $ref",
    { ...a, $ref: "#/components/schemas/Tree" },
    { a: "1", name: "n", x: 3 },
    ["/x"],
  ],
  [
    "the branch of the tag",
    { oneOf: [tagged("a", "a"), tagged("b", "b")] },
    { tag: "a", a: "1", b: "2" },
    ["/b"],
  ],
  [
    "no branch, for an unheard-of tag",
    { oneOf: [tagged("a", "a"), tagged("b", "b")] },
    { tag: "c", x: 1 },
    [],
  ],
  ["no branch, for a missing tag", { oneOf: [tagged("a", "a"), other] }, { x: 1 }, []],
  [
    "the branch of all other tags",
    { oneOf: [tagged("a", "a"), other] },
    { tag: "b", a: 1 },
    ["/a"],
  ],
  [
    "the branch without null",
    { oneOf: [{ $ref: "#/components/schemas/Tree" }, { type: "null" }] },
    { x: 1 },
    ["/x"],
  ],
  [
    "null in such a branch",
    { oneOf: [{ $ref: "#/components/schemas/Tree" }, { type: "null" }] },
    null,
    [],
  ],
  [
    "the branches of an anyOf that fit",
    {
      anyOf: [
        { ...a, required: ["a"] },
        { ...b, required: ["b"] },
      ],
    },
    { a: "1", b: "2", x: 3 },
    ["/x"],
  ],
  [
    "not the branch of an anyOf that does not fit",
    {
      anyOf: [
        { ...a, required: ["a"] },
        { ...b, required: ["b"] },
      ],
    },
    { a: "1", b: 2 },
    ["/b"],
  ],
  ["a map", { type: "object", additionalProperties: a }, { k: { a: "1" }, l: { x: 1 } }, ["/l/x"]],
  [
    "names beside a map",
    { ...a, additionalProperties: b },
    { a: "1", k: { b: "2", x: 3 } },
    ["/k/x"],
  ],
  ["keys of a pattern", { patternProperties: { "^x-": text } }, { "x-a": "1", y: 2 }, ["/y"]],
  [
    "a pattern before the rest",
    { patternProperties: { "^x-": a }, additionalProperties: b },
    { "x-a": { a: "1", b: "2" } },
    ["/x-a/b"],
  ],
  ["an object that is open", { ...a, additionalProperties: true }, { x: { y: 1 } }, []],
  ["an object that nothing is said of", { type: "object" }, { x: { y: 1 } }, []],
  [
    "recursion",
    { $ref: "#/components/schemas/Tree" },
    { name: "r", children: [{ children: [{ x: 1 }] }] },
    ["/children/0/children/0/x"],
  ],
  ["then, where if holds", car, { kind: "car", doors: 4, gears: 5 }, ["/gears"]],
  ["else, where it does not", car, { kind: "bike", doors: 4, gears: 5 }, ["/doors"]],
  [
    "first items before the rest",
    { prefixItems: [a], items: b },
    [
      { a: "1", b: "2" },
      { a: "1", b: "2" },
    ],
    ["/0/b", "/1/a"],
  ],
  [
    "what a member brings along",
    { ...a, dependentSchemas: { a: b } },
    { a: "1", b: "2", x: 3 },
    ["/x"],
  ],
  [
    "names with slashes and tildes",
    { type: "object", properties: { "a/b": a, "c~d": b } },
    { "a/b": { x: 1 }, "c~d": {}, "e/f": 1 },
    ["/a~1b/x", "/e~1f"],
  ],
  [
    "names that every object has",
    { ...a },
    JSON.parse('{"a":"1","constructor":1,"__proto__":2}') as Json,
    ["/constructor", "/__proto__"],
  ],
];

it.each(cases)("drift looks at %s", (_, schema, body, drift) => {
  const description = describing(schema, { Tree: tree });
  expect(driftOf({ description, schema: ONE, body }).map(({ pointer }) => pointer)).toEqual(drift);
});

it("reports what a closed schema excludes once, as a violation", () => {
  const description = describing({ ...a, additionalProperties: false });
  expect(bodyFaults({ description, schema: ONE, body: { a: "1", x: 1 } })).toMatchObject([
    { rule: "value/closed", pointer: "/x" },
  ]);
});

it.each<[string, Json, Json, string[]]>([
  [
    "a key of another form",
    { propertyNames: { pattern: "^[A-Z]{2}$" }, additionalProperties: a },
    { USA: { x: 1 }, US: { x: 1 } },
    ["value/key /USA", "drift/field /USA/x", "drift/field /US/x"],
  ],
  [
    "a key of another form, which nothing declares",
    { ...a, propertyNames: { pattern: "^[a-z]$" } },
    { a: "1", XY: 1 },
    ["value/key /XY"],
  ],
  [
    "a list that is too long",
    { type: "array", maxItems: 1, items: a },
    [{ x: 1 }, {}],
    ["value/range ", "drift/field /0/x"],
  ],
  [
    "items that repeat",
    { type: "array", uniqueItems: true, items: a },
    [{ x: 1 }, { x: 1 }],
    ["value/items ", "drift/field /0/x", "drift/field /1/x"],
  ],
])("reports drift inside of %s", (_, schema, body, found) => {
  const faults = bodyFaults({ description: describing(schema), schema: ONE, body });
  expect(faults.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual(found);
});

it("reports a value that fits no branch of a union without tag once", () => {
  const description = describing({
    anyOf: [
      { ...a, required: ["a"] },
      { ...b, required: ["b"] },
      { type: "array", minItems: 1 },
    ],
  });
  for (const body of [{}, []])
    expect(bodyFaults({ description, schema: ONE, body })).toMatchObject([
      { rule: "value/union", pointer: "" },
    ]);
});
