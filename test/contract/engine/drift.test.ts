import { expect, it } from "vitest";
import { checkBody } from "../../../src/contract/engine/body.js";
import type { Json } from "../../../src/openapi/description.js";
import { describing, ONE } from "./support.js";

const text = { type: "string" };
const a = { type: "object", properties: { a: text } };
const b = { type: "object", properties: { b: text } };
const tagged = (tag: string) => ({
  type: "object",
  required: ["tag"],
  properties: { tag: { const: tag }, [tag]: text },
});
const other = { type: "object", required: ["tag"], properties: { tag: { not: { const: "a" } } } };
const nullable = { oneOf: [a, { type: "null" }] };
const tree = { type: "object", properties: { child: { $ref: "#/components/schemas/Tree" } } };
const inherited = JSON.parse('{"a":"1","constructor":1,"__proto__":2}') as Json;

const found = (schema: Json, body: Json) =>
  checkBody({ description: describing(schema, { Tree: tree }), schema: ONE, body }).map(
    ({ rule, pointer }) => `${rule.replace("undeclared/property ", "")} ${pointer}`,
  );
const drift = (schema: Json, body: Json) =>
  found(schema, body).flatMap((each) => each.split("undeclared/property ")[1] ?? []);

it.each<[name: string, schema: Json, body: Json, drift: string[]]>([
  ["a plain object", a, { a: "1", x: 1 }, ["/x"]],
  ["every item of an array", { type: "array", items: a }, [{ a: "1" }, { x: 1 }], ["/1/x"]],
  ["all parts of an allOf together", { allOf: [a, b] }, { a: "1", b: "2", x: 3 }, ["/x"]],
  ["an open part of an allOf", { allOf: [a, { additionalProperties: true }] }, { x: 1 }, []],
  [
    "a property that two parts of an allOf declare, one by name",
    { allOf: [{ properties: { b: { type: "object" } } }, { additionalProperties: a }] },
    { b: { x: 1 } },
    ["/b/x"],
  ],
  ["properties next to an allOf", { ...a, allOf: [b] }, { a: "1", b: "2", x: 3 }, ["/x"]],
  ["the branch of the tag", { oneOf: [tagged("a"), tagged("b")] }, { tag: "a", b: "2" }, ["/b"]],
  ["the branch of all other tags", { oneOf: [tagged("a"), other] }, { tag: "c", a: 1 }, ["/a"]],
  [
    "no branch if the tag is unknown",
    { oneOf: [tagged("a"), tagged("b")] },
    { tag: "c", x: 1 },
    [],
  ],
  ["the object of a nullable union", nullable, { x: 1 }, ["/x"]],
  ["null in a nullable union", nullable, null, []],
  ["a map", { type: "object", additionalProperties: a }, { k: { a: "1" }, l: { x: 1 } }, ["/l/x"]],
  ["an open object", { ...a, additionalProperties: true }, { x: { y: 1 } }, []],
  ["an object without a description", { type: "object" }, { x: { y: 1 } }, []],
  [
    "recursion",
    { $ref: "#/components/schemas/Tree" },
    { child: { child: { x: 1 } } },
    ["/child/child/x"],
  ],
  [
    "names with slashes and tildes",
    { type: "object", properties: { "a/b": a, "~1": a } },
    { "a/b": { x: 1 }, "~1": { x: 1 } },
    ["/a~1b/x", "/~01/x"],
  ],
  ["names that every object inherits", a, inherited, ["/constructor", "/__proto__"]],
  [
    "patterns with Unicode properties",
    { type: "object", patternProperties: { "^\\p{Lu}$": a } },
    { É: { x: 1 } },
    ["/É/x"],
  ],
])("the gate looks for undeclared fields in %s", (_, schema, body, expected) => {
  expect(drift(schema, body)).toEqual(expected);
});

it.each<[name: string, schema: Json, body: Json, found: string[]]>([
  [
    "an invalid map key, but not in its value",
    { propertyNames: { pattern: "^[A-Z]{2}$" }, additionalProperties: { ...a, required: ["a"] } },
    { USA: { x: 1 }, US: { a: "1", x: 1 } },
    ["schema/propertyNames /USA", "undeclared/property /US/x"],
  ],
  [
    "a missing property with a name that every object inherits",
    { required: ["constructor"], properties: { a: text } },
    { x: 1 },
    ["schema/required /constructor", "undeclared/property /x"],
  ],
  [
    "too few items",
    { type: "array", minItems: 3, items: a },
    [{ x: 1 }, { x: 1 }],
    ["schema/minItems ", "undeclared/property /0/x", "undeclared/property /1/x"],
  ],
  [
    "a forbidden property, once",
    { ...a, additionalProperties: false },
    { x: 1 },
    ["schema/additionalProperties /x"],
  ],
  ["an invalid known value, once", { const: "a", "x-known-values": ["a"] }, "b", ["schema/const "]],
  ["a value of the wrong type, once", { properties: { a } }, { a: [{ x: 1 }] }, ["schema/type /a"]],
  ["a value that matches no branch, once", nullable, "text", ["schema/type "]],
  ["an excluded value", { not: { const: 1 } }, 1, ["schema/not "]],
  ["a value outside of an enumeration", { enum: ["a"] }, "b", ["schema/enum "]],
  ["a constant of the wrong type, once", { type: "string", const: "a" }, 1, ["schema/type "]],
  ["an unknown value", { type: "string", "x-known-values": ["a"] }, "b", ["undeclared/value "]],
  ["no value of another type", { type: ["string", "null"], "x-known-values": ["a"] }, null, []],
])("the gate reports undeclared fields in addition to %s", (_, schema, body, expected) => {
  expect(found(schema, body)).toEqual(expected);
});

it("if branches have equally many mismatches, the one with the deepest mismatch is the closest", () => {
  const deep = { type: "object", properties: { a: b } };
  expect(found({ anyOf: [a, deep] }, { a: { b: 1 } })).toEqual(["schema/type /a/b"]);
});
