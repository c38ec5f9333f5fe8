import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { compileDocument } from "../scripts/description/compile.js";
import { parseDescription } from "../scripts/description/description.js";
import { modelsModule, typeContext } from "../scripts/generate/models-module.js";
import { schemaModule } from "../scripts/generate/schema-module.js";
import { checkExchange } from "../src/contract/engine/check.js";
import { exchange } from "./contract/engine/support.js";
import { problemsOf } from "./support/app.js";
import { scratchFolder } from "./support/scratch.js";
import type { Json } from "../src/openapi/description.js";

/** A schema, and bodies that match it or nearly match it. */
interface Case {
  schema: Json;
  bodies: Json[];
}

const scalars: fc.Arbitrary<Case> = fc.constantFrom<Case>(
  { schema: { type: "string" }, bodies: ["a", ""] },
  { schema: { type: "string", enum: ["a", "b"] }, bodies: ["a", "b"] },
  { schema: { type: ["string", "null"], enum: ["a", "b", null] }, bodies: ["a", null] },
  { schema: { type: "integer" }, bodies: [1, 0] },
  { schema: { type: "number", minimum: 0 }, bodies: [0.5] },
  { schema: { type: "boolean" }, bodies: [true] },
  { schema: { type: ["integer", "null"] }, bodies: [1, null] },
  { schema: { const: "c" }, bodies: ["c"] },
  { schema: { enum: ["a"], allOf: [{ enum: ["b"] }] }, bodies: ["a", "b"] },
  { schema: { anyOf: [{ type: "string" }, { type: "null" }] }, bodies: ["a", null] },
  {
    schema: { $ref: "#/components/schemas/Shared" },
    bodies: [{ kept: 1 }, { kept: 1, more: "a" }],
  },
);

const cases: fc.Arbitrary<Case> = fc.letrec<{ any: Case }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthIdentifier: "schema" },
    scalars,
    tie("any").map(({ schema, bodies }) => ({
      schema: { type: "array", items: schema },
      bodies: [[], bodies, [bodies[0]!]],
    })),
    fc.tuple(tie("any"), fc.nat(2), fc.constantFrom(2, 3, undefined)).map(listCase),
    fc
      .tuple(tie("any"), tie("any"), fc.subarray(["a", "b"], { minLength: 1 }), fc.nat(7))
      .map(objectCase),
    fc.tuple(tie("any"), tie("any"), fc.nat(3)).map(unionCase),
    tie("any").map(({ schema, bodies }) => ({
      schema: { type: "object", additionalProperties: schema },
      bodies: [{}, { x: bodies[0]! }],
    })),
    fc.tuple(tie("any"), tie("any")).map(patternCase),
  ),
})).any;

function listCase([{ schema, bodies }, minItems, maxItems]: [
  Case,
  number,
  number | undefined,
]): Case {
  const limit = maxItems === undefined ? {} : { maxItems };
  const [first, last] = [bodies[0]!, bodies.at(-1)!];
  return {
    schema: { type: "array", items: schema, minItems, ...limit },
    bodies: [[], [first], [first, last], [first, last, 1], [last, first, last]],
  };
}

/**
 * Requires at least one property, because TypeScript rejects an object that has none of the properties of a type in
 * which all are optional. Requires the properties beside their declarations, beside `allOf`, in a different part of
 * `allOf`, without declaring all of them, or of a map. Null can be allowed, too.
 */
function objectCase([first, second, required, form]: [Case, Case, string[], number]): Case {
  const own = { type: "object", properties: { a: first.schema, b: second.schema } };
  const partial = { type: "object", properties: { a: first.schema } };
  const schema = [
    { ...own, required },
    { allOf: [own], required },
    { allOf: [own, { required }] },
    { allOf: [partial], required },
    { type: "object", additionalProperties: first.schema, required },
    { ...partial, type: ["object", "null"], allOf: [{ type: ["object", "null"], required }] },
    { type: ["object", "null"], allOf: [{ ...partial, type: ["object", "null"] }], required },
    { type: "object", allOf: [{ ...own, type: ["object", "null"] }], required },
  ][form]! as Json;
  const [a, b] = [first.bodies.at(-1)!, second.bodies[0]!];
  return { schema, bodies: [{ a, b }, { a }, { b }, { a: b, b: a }] };
}

/** Creates a union of objects with different constants, beside a discriminator or other keywords about objects. */
function unionCase([first, second, form]: [Case, Case, number]): Case {
  const branch = (kind: Json, schema: Json) => ({
    type: "object",
    properties: { kind, value: schema },
    required: ["kind", "value"],
  });
  const branches = [
    branch({ const: "x" }, first.schema),
    branch({ enum: ["y", "z"] }, second.schema),
  ];
  const beside = { type: "object", properties: { more: first.schema }, required: ["more"] };
  const schema = [
    { oneOf: branches },
    { oneOf: branches, discriminator: { propertyName: "kind" } },
    { anyOf: branches, ...beside },
    { type: ["object", "null"], oneOf: [...branches, { type: "null" }] },
  ][form] as unknown as Json;
  const [value, other] = [first.bodies[0]!, second.bodies[0]!];
  const kinds = [
    ["x", value],
    ["y", other],
    ["z", value],
    ["w", other],
  ] as [string, Json][];
  const bodies = kinds.map(([kind, each]) => ({
    kind,
    value: each,
    ...(form === 2 && { more: value }),
  }));
  return { schema, bodies };
}

function patternCase([first, second]: [Case, Case]): Case {
  const schema = {
    type: "object",
    properties: { id: first.schema },
    required: ["id"],
    patternProperties: { "^part/[0-9]+$": second.schema },
  };
  const [id, part] = [first.bodies[0]!, second.bodies[0]!];
  return { schema, bodies: [{ id }, { id, "part/1": part }, { id, "part/1": id }] };
}

/** Yields each body, and bodies in which one value is absent or has a different type. */
function* mutate(body: Json): Generator<Json> {
  yield body;
  for (const other of ["?", 7, true, null, [], { kept: "?" }] as Json[]) yield other;
  if (typeof body !== "object" || body === null) return;
  for (const key of Object.keys(body)) {
    const copy = (value: Json) =>
      Array.isArray(body) ? body.with(Number(key), value) : { ...body, [key]: value };
    if (!Array.isArray(body)) {
      const { [key]: _, ...others } = body;
      yield others;
    }
    for (const other of ["?", 7, null] as Json[]) yield copy(other);
  }
}

/** Rules about what TypeScript can express. */
const EXPRESSIBLE = /^schema\/(type|required|enum|const)$/;

it("the gate, stock ajv, and the types agree about random bodies of random schemas", async () => {
  const found = fc.sample(cases, { seed: 42, numRuns: 150 });
  const shared: Json = {
    type: "object",
    properties: { kept: { type: "number" }, more: { type: "string" } },
    required: ["kept"],
  };
  const document = {
    openapi: "3.1.0",
    info: { title: "Random", version: "1" },
    paths: Object.fromEntries(
      found.map((_, index) => [
        `/${index}`,
        { get: { operationId: `cases.n${index}`, responses: { 200: response(index) } } },
      ]),
    ),
    components: {
      schemas: Object.fromEntries([
        ["Shared", shared],
        ...found.map(({ schema }, index) => [`Case${index}`, schema]),
      ]),
    },
  } as unknown as Json;
  const description = compileDocument({ document, positions: {} });
  const ajv = new Ajv2020({ strict: false, logger: false });
  ajv.addSchema(document as object, "description");

  const lines = [
    'import type * as models from "./models.js";',
    'import type { components } from "./schema.js";',
    "type Accepts<Model, Body> = [Body] extends [Model] ? true : false;",
  ];
  const counts = { accepted: 0, rejected: 0 };
  for (const [index, { bodies }] of found.entries()) {
    const validate = ajv.getSchema(`description#/components/schemas/Case${index}`)!;
    const distinct = new Set(
      bodies.flatMap((each) => [...mutate(each)].map((one) => JSON.stringify(one))),
    );
    for (const text of distinct) {
      const body = JSON.parse(text) as Json;
      const findings = checkExchange(exchange("GET", `/${index}`, { body }), description).filter(
        ({ rule }) => rule.startsWith("schema/"),
      );
      expect([text, index, findings.length === 0]).toEqual([text, index, validate(body)]);
      const isValid = findings.length === 0;
      const isFraction = /\.\d/.test(text);
      if (!isValid && (isFraction || !findings.every(({ rule }) => EXPRESSIBLE.test(rule))))
        continue;
      counts[isValid ? "accepted" : "rejected"] += 1;
      for (const type of [`models.Case${index}`, `components["schemas"]["Case${index}"]`]) {
        const check = `Accepts<${type}, ${typeOf(body)}> = ${isValid}`;
        lines.push(`export const check${lines.length}: ${check};`);
      }
    }
  }
  expect(counts.accepted).toBeGreaterThan(200);
  expect(counts.rejected).toBeGreaterThan(1000);

  const context = typeContext(parseDescription(JSON.stringify(document), "cases.yaml"));
  const folder = await scratchFolder();
  await writeFile(join(folder, "models.ts"), modelsModule(context));
  await writeFile(join(folder, "schema.ts"), await schemaModule(context));
  await writeFile(join(folder, "use.ts"), lines.join("\n"));
  expect(problemsOf([join(folder, "use.ts")])).toEqual([]);
});

const response = (index: number) => ({
  description: "Any.",
  content: { "application/json": { schema: { $ref: `#/components/schemas/Case${index}` } } },
});

/** Returns the literal type of a JSON value. */
function typeOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(typeOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${typeOf(each)}`,
  );
  return `{ ${members.join("; ")} }`;
}
