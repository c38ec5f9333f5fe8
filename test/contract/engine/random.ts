import * as fc from "fast-check";
import type { Json } from "../../../src/contract/engine/types.js";

/** A name that makes an object look like a promise. */
const THEN = "then";
const leafTypes = ["string", "number", "integer", "boolean", "null", "array", "object"];
const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.constant<Json>({}),
  fc.constantFrom(...leafTypes).map((type): Json => ({ type })),
  fc
    .uniqueArray(fc.constantFrom(...leafTypes), { minLength: 2, maxLength: 3 })
    .map((type): Json => ({ type })),
  fc.constantFrom<Json>(
    { type: "string", pattern: "^[a-z]" },
    { type: "integer", minimum: 1 },
    { type: "string", minLength: 1 },
  ),
);
const key = fc.constantFrom("a", "b", "c", "tag", "x-a");
const reference = fc
  .constantFrom("A", "B", "Tree")
  .map((name) => ({ $ref: `#/components/schemas/${name}` }));

/** Any JSON of the few names and values that the schemas are about, so that schema and value often meet. */
export const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, 1, 1.5, 7, "", "a", "one", "two", "zz"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    fc.record(
      { tag: fc.constantFrom("one", "two", "three"), a: tie("value"), b: tie("value") },
      { requiredKeys: ["tag"] },
    ),
  ),
})).value as fc.Arbitrary<Json>;

/** Schemas of every keyword that names members or chooses between schemas, and some that restrict values. */
export const schemas: fc.Arbitrary<Json> = fc.letrec<{
  schema: Json;
  object: Json;
  tagged: Json[];
}>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    reference,
    tie("object"),
    fc.record(
      {
        type: fc.constant("array"),
        items: tie("schema"),
        prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        maxItems: fc.constantFrom(1, 2),
      },
      { requiredKeys: ["type"] },
    ),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ oneOf: tie("tagged") }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 2, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 2, maxLength: 3 }) }),
    fc.record({ oneOf: fc.tuple(tie("object"), fc.constant({ type: "null" })) }),
    fc.record(
      { if: tie("schema"), [THEN]: tie("schema"), else: tie("schema") },
      { requiredKeys: ["if"] },
    ),
    fc.record({ not: leaf, properties: members(tie("schema")) }, { requiredKeys: ["not"] }),
  ),
  object: fc.record(
    {
      type: fc.constant("object"),
      properties: members(tie("schema")),
      required: fc.uniqueArray(fc.constantFrom("a", "b"), { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
      patternProperties: fc.record({ "^x-": tie("schema") }),
      propertyNames: fc.constant({ pattern: "^[a-z-]+$" }),
    },
    { requiredKeys: ["type"] },
  ),
  tagged: fc
    .uniqueArray(fc.tuple(fc.constantFrom("one", "two", "three"), members(tie("schema"))), {
      minLength: 2,
      maxLength: 3,
      selector: ([tag]) => tag,
    })
    .map((branches) =>
      branches.map(([tag, properties]) => ({
        type: "object",
        required: ["tag"],
        properties: { ...(properties as object), tag: { const: tag } },
      })),
    ),
})).schema as fc.Arbitrary<Json>;

/** The schemas that others refer to, one of them to itself. */
export const components: { [name: string]: Json } = {
  A: { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } } },
  B: { type: "object", required: ["b"], properties: { b: { type: ["number", "null"] } } },
  Tree: {
    type: "object",
    properties: {
      a: { type: "string" },
      c: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
    },
  },
};

function members(schema: fc.Arbitrary<unknown>): fc.Arbitrary<Json> {
  return fc.dictionary(fc.constantFrom("a", "b", "c"), schema, {
    maxKeys: 3,
  }) as fc.Arbitrary<Json>;
}
