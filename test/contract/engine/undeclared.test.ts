import { expect, it } from "vitest";
import { checkBody } from "../../../src/contract/engine/body.js";
import type { Json } from "../../../src/openapi/description.js";
import { createDescription, ONE } from "./support.js";

const text = { type: "string" };
const a = { type: "object", properties: { a: text } };
const b = { type: "object", properties: { b: text } };
const tagged = (tag: string) => ({
  type: "object",
  required: ["tag"],
  properties: { tag: { const: tag }, [tag]: text },
});
const notA = { tag: { not: { const: "a" } } };
const other = { type: "object", required: ["tag"], properties: notA };
const nullable = { oneOf: [a, { type: "null" }] };
const tree = { type: "object", properties: { child: { $ref: "#/components/schemas/Tree" } } };
const inherited = JSON.parse('{"a":"1","constructor":1,"__proto__":2}') as Json;

const found = (schema: Json, body: Json) =>
  checkBody({
    description: createDescription(schema, { Tree: tree }),
    schema: ONE,
    body,
  }).map(({ rule, pointer }) => `${rule.replace("undeclared/property ", "")} ${pointer}`);
const listUndeclared = (schema: Json, body: Json) =>
  found(schema, body).flatMap((each) => each.split("undeclared/property ")[1] ?? []);

it.each<[name: string, schema: Json, body: Json, drift: string[]]>([
  ["an item of an array", { type: "array", items: a }, [{ a: "1" }, { x: 1 }], ["/1/x"]],
  ["an object whose schema has an allOf", { allOf: [a, b] }, { a: "1", b: "2", x: 3 }, ["/x"]],
  [
    "an object that an allOf declares both by name and as a map value",
    { allOf: [{ properties: { b: { type: "object" } } }, { additionalProperties: a }] },
    { b: { x: 1 } },
    ["/b/x"],
  ],
  [
    "an object whose discriminator selects a branch",
    { oneOf: [tagged("a"), tagged("b")] },
    { tag: "a", b: "2" },
    ["/b"],
  ],
  [
    "an object in a branch for all discriminators except one",
    { oneOf: [tagged("a"), other] },
    { tag: "c", a: 1 },
    ["/a"],
  ],
  ["a nullable object", nullable, { x: 1 }, ["/x"]],
  ["a map", { type: "object", additionalProperties: a }, { k: { a: "1" }, l: { x: 1 } }, ["/l/x"]],
  [
    "a recursive schema",
    { $ref: "#/components/schemas/Tree" },
    { child: { child: { x: 1 } } },
    ["/child/child/x"],
  ],
  [
    "properties whose names contain slashes and tildes",
    { type: "object", properties: { "a/b": a, "~1": a } },
    { "a/b": { x: 1 }, "~1": { x: 1 } },
    ["/a~1b/x", "/~01/x"],
  ],
  [
    "an object with properties named `constructor` and `__proto__`",
    a,
    inherited,
    ["/constructor", "/__proto__"],
  ],
  [
    "a map value whose key matches a pattern with a Unicode property escape",
    { type: "object", patternProperties: { "^\\p{Lu}$": a } },
    { É: { x: 1 } },
    ["/É/x"],
  ],
])("the gate finds the undeclared fields in %s", (_, schema, body, expected) => {
  expect(listUndeclared(schema, body)).toEqual(expected);
});

it.each<[name: string, schema: Json, body: Json]>([
  [
    "an object if one schema in its allOf allows additional properties",
    { allOf: [a, { additionalProperties: true }] },
    { x: 1 },
  ],
  [
    "an object with an unknown discriminator",
    { oneOf: [tagged("a"), tagged("b")] },
    { tag: "c", x: 1 },
  ],
  ["a nullable object that is null", nullable, null],
  [
    "an object whose schema allows additional properties",
    { ...a, additionalProperties: true },
    { x: { y: 1 } },
  ],
  ["an object whose schema declares no fields", { type: "object" }, { x: { y: 1 } }],
])("the gate finds no undeclared fields in %s", (_, schema, body) => {
  expect(listUndeclared(schema, body)).toEqual([]);
});

it.each<[name: string, schema: Json, body: Json, found: string[]]>([
  [
    "an invalid map key, but neither its value nor anything inside",
    { propertyNames: { pattern: "^[A-Z]{2}$" }, additionalProperties: { ...a, required: ["a"] } },
    { USA: { x: 1 }, USB: 1, US: { a: "1", x: 1 } },
    ["schema/propertyNames /USA", "schema/propertyNames /USB", "undeclared/property /US/x"],
  ],
  [
    "a missing property named `constructor`",
    { required: ["constructor"], properties: { a: text } },
    { x: 1 },
    ["schema/required /constructor", "undeclared/property /x"],
  ],
  [
    "too few items, and undeclared fields in the items",
    { type: "array", minItems: 3, items: a },
    [{ x: 1 }, { x: 1 }],
    ["schema/minItems ", "undeclared/property /0/x", "undeclared/property /1/x"],
  ],
  [
    "a forbidden property only once",
    { ...a, additionalProperties: false },
    { x: 1 },
    ["schema/additionalProperties /x"],
  ],
  [
    "a value only once if it is unknown and also violates `const`",
    { const: "a", "x-known-values": ["a"] },
    "b",
    ["schema/const "],
  ],
  [
    "a value only once if it has the wrong type and is also unknown",
    { type: "string", "x-known-values": ["a"] },
    1,
    ["schema/type "],
  ],
  ["a value only once if it matches no branch", nullable, "text", ["schema/type "]],
  [
    "a value only once if it has the wrong type and also violates `const`",
    { type: "string", const: "a" },
    1,
    ["schema/type "],
  ],
  [
    "nothing about null if the type is nullable",
    { type: ["string", "null"], "x-known-values": ["a"] },
    null,
    [],
  ],
])("the gate reports %s", (_, schema, body, expected) => {
  expect(found(schema, body)).toEqual(expected);
});
