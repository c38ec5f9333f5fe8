import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { parseDescription, type CheckedDescription } from "../scripts/description/description.js";
import { validatorsModule } from "../scripts/generate/validators-module.js";
import { operationsModule } from "../scripts/generate/operations.js";
import { GENERATED_HEADER } from "../scripts/generate/text.js";
import { typeModules } from "../scripts/generate/types.js";
import { checkExchange } from "../src/contract/engine/check.js";
import type { Description, Json } from "../src/openapi/description.js";
import { exchange } from "./contract/engine/support.js";
import { root } from "./support/paths.js";
import { scratchFolder } from "./support/scratch.js";

/** A schema, values that it accepts, and invalid values with their finding: rule, pointer, and expected value. */
type Row = [
  name: string,
  schema: Json,
  accepted: Json[],
  rejected: [value: Json, finding: string][],
];

const text = { type: "string" };
const whole = { type: "integer" };
const object = (properties: Json, more: object = {}): Json => ({
  type: "object",
  properties,
  ...more,
});
const named = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const schemas: Json = {
  Cat: object({ kind: text, meow: text }, { required: ["kind"] }),
  Dog: object({ kind: text, bark: text }, { required: ["kind"] }),
  Plain: object({ a: whole }),
  Pet: { oneOf: [named("Cat"), named("Dog")], discriminator: { propertyName: "kind" } },
  "Odd-name x": object({ "a/b": whole, "c d": whole, "p%": whole, "~": whole }),
  Tree: object({ v: whole, c: { type: "array", items: named("Tree") } }, { required: ["v"] }),
  Node: { oneOf: [named("Left"), named("Right")] },
  Left: object({ k: { const: "l" }, next: named("Node") }, { required: ["k"] }),
  Right: object({ k: { const: "r" }, next: named("Node") }, { required: ["k"] }),
  Record: object({ a: whole }),
};
const tagged = (keyword: string): Json => ({
  [keyword]: [
    object({ k: { const: "a" }, a: whole }, { required: ["k"] }),
    object({ k: { enum: ["b", "c"] }, b: whole }, { required: ["k"] }),
  ],
});
const failed = object(
  { success: { const: false }, code: whole, message: text },
  {
    required: ["success", "code", "message"],
  },
);
const listed = object({ errors: { type: "array", items: text } }, { required: ["errors"] });

const rows: Row[] = [
  ["type", { type: ["string", "null"] }, ["a", null], [[1, "schema/type: string or null"]]],
  ["minimum", { type: "number", minimum: 1 }, [1], [[0, "schema/minimum: a number ≥ 1"]]],
  ["maximum", { type: "number", maximum: 1 }, [1], [[2, "schema/maximum: a number ≤ 1"]]],
  [
    "exclusiveMinimum",
    { type: "number", exclusiveMinimum: 1 },
    [2],
    [[1, "schema/exclusiveMinimum: a number > 1"]],
  ],
  [
    "exclusiveMaximum",
    { type: "number", exclusiveMaximum: 1 },
    [0],
    [[1, "schema/exclusiveMaximum: a number < 1"]],
  ],
  [
    "multipleOf",
    { type: "number", multipleOf: 0.5 },
    [1.5],
    [[1.2, "schema/multipleOf: a multiple of 0.5"]],
  ],
  [
    "cents",
    { type: "number", multipleOf: 0.01 },
    [0.07, 1.1, 123456.78],
    [[0.001, "schema/multipleOf: a multiple of 0.01"]],
  ],
  [
    "minLength",
    { type: "string", minLength: 2 },
    ["ab"],
    [["a", "schema/minLength: at least 2 characters"]],
  ],
  [
    "maxLength",
    { type: "string", maxLength: 1 },
    ["é"],
    [["ab", "schema/maxLength: at most 1 character"]],
  ],
  [
    "pattern",
    { type: "string", pattern: "^a" },
    ["a"],
    [["b", "schema/pattern: a string that matches ^a"]],
  ],
  [
    "enum",
    { type: ["string", "null"], enum: ["a", null] },
    ["a", null],
    [["b", 'schema/enum: "a" or null']],
  ],
  ["const", { const: 5 }, [5], [[6, "schema/const: 5"]]],
  [
    "dateTime",
    { type: "string", format: "date-time" },
    ["2026-01-01T00:00:00Z"],
    [["today", "schema/format: format date-time"]],
  ],
  [
    "email",
    { type: "string", format: "email" },
    ["a@b.example"],
    [["a", "schema/format: format email"]],
  ],
  ["int32", { type: "integer", format: "int32" }, [1], [[3e9, "schema/format: format int32"]]],
  ["ownFormat", { type: "string", format: "my-own" }, ["?"], [[1, "schema/type: string"]]],
  [
    "minItems",
    { type: "array", items: whole, minItems: 1 },
    [[1]],
    [[[], "schema/minItems: at least 1 item"]],
  ],
  [
    "maxItems",
    { type: "array", items: whole, maxItems: 1 },
    [[1]],
    [[[1, 2], "schema/maxItems: at most 1 item"]],
  ],
  [
    "uniqueItems",
    { type: "array", items: whole, uniqueItems: true },
    [[1]],
    [[[1, 1], "schema/uniqueItems: items that all differ"]],
  ],
  [
    "prefixItems",
    { type: "array", prefixItems: [text, object({ a: whole })], items: false },
    [["a", { a: 1 }]],
    [
      [["a", { b: 2 }], "undeclared/property /1/b: one of `a`"],
      [["a", { a: 1 }, 3], "schema/items: at most 2 items"],
    ],
  ],
  [
    "prefixAndNothing",
    { type: "array", prefixItems: [whole, false] },
    [[1]],
    [[[1, 2], "schema/false /1: absent"]],
  ],
  [
    "prefixAndItems",
    { type: "array", prefixItems: [text], items: object({ a: whole }) },
    [["a", { a: 1 }]],
    [[["a", { a: "x" }], "schema/type /1/a: integer"]],
  ],
  [
    "contains",
    {
      type: "array",
      items: object({ k: text }),
      contains: object({ k: { const: "x" }, z: whole }, { required: ["k"] }),
    },
    [[{ k: "x" }]],
    [
      [[{ k: "y" }], "schema/contains: at least 1 item that `contains` describes"],
      [[{ k: "x" }, { k: "y", z: 1 }], "undeclared/property /1/z: one of `k`"],
    ],
  ],
  [
    "maxContains",
    { type: "array", items: whole, contains: { const: 1 }, minContains: 0, maxContains: 1 },
    [[1, 2]],
    [[[1, 1], "schema/contains: at least 0 items that `contains` describes, and at most 1"]],
  ],
  [
    "required",
    object({ a: whole }, { required: ["a"] }),
    [{ a: 1 }],
    [[{}, "schema/required /a: present"]],
  ],
  [
    "closed",
    object({ title: whole }, { additionalProperties: false, required: ["title"] }),
    [{ title: 1 }],
    [
      [{ title: 1, more: 1 }, "schema/additionalProperties /more: absent"],
      [{ titel: 1 }, "schema/required /title: present"],
    ],
  ],
  [
    "additional",
    object({ a: text }, { additionalProperties: whole }),
    [{ a: "a", b: 1 }],
    [[{ b: "x" }, "schema/type /b: integer"]],
  ],
  [
    "patternProperties",
    object({ a: text }, { patternProperties: { "^x-": object({ q: whole }) } }),
    [{ a: "a", "x-1": { q: 1 } }],
    [
      [{ "x-1": { r: 1 } }, "undeclared/property /x-1/r: one of `q`"],
      [{ y: 1 }, "undeclared/property /y: one of `a`"],
    ],
  ],
  [
    "propertyNames",
    {
      type: "object",
      propertyNames: { anyOf: [{ pattern: "^a" }, { const: "b" }] },
      additionalProperties: whole,
    },
    [{ a1: 1, b: 2 }],
    [[{ c: 1 }, 'schema/propertyNames /c: a string that matches ^a or "b"']],
  ],
  [
    "minProperties",
    { type: "object", additionalProperties: whole, minProperties: 1 },
    [{ a: 1 }],
    [[{}, "schema/minProperties: at least 1 field"]],
  ],
  [
    "maxProperties",
    { type: "object", additionalProperties: whole, maxProperties: 1 },
    [{ a: 1 }],
    [[{ a: 1, b: 1 }, "schema/maxProperties: at most 1 field"]],
  ],
  [
    "dependentRequired",
    object({ a: whole, b: whole }, { dependentRequired: { a: ["b"] } }),
    [{ b: 1 }, { a: 1, b: 1 }],
    [[{ a: 1 }, "schema/dependentRequired /b: present, because `a` is"]],
  ],
  [
    "dependentSchemas",
    object({ a: whole }, { dependentSchemas: { a: object({ c: text }, { required: ["c"] }) } }),
    [{ a: 1, c: "s" }],
    [
      [{ a: 1 }, "schema/required /c: present"],
      [{ c: "x" }, "undeclared/property /c: one of `a`"],
    ],
  ],
  [
    "dependencies",
    object(
      { a: whole, b: whole },
      { dependencies: { a: ["b"], b: object({ z: whole }, { required: ["z"] }) } },
    ),
    [{ b: 1, z: 1 }],
    [[{ b: 1 }, "schema/required /z: present"]],
  ],
  [
    "condition",
    object(
      { k: text },
      {
        if: { properties: { k: { const: "a" } }, required: ["k"] },
        then: object({ a: whole }, { required: ["a"] }),
        else: object({ b: whole }, { required: ["b"] }),
      },
    ),
    [
      { k: "a", a: 1 },
      { k: "b", b: 1 },
    ],
    [
      [{ k: "a" }, "schema/required /a: present"],
      [{ b: 1, q: 1 }, "undeclared/property /q: one of `k`, `b`"],
    ],
  ],
  [
    "conditionInBranch",
    {
      oneOf: [
        object(
          { k: { const: "a" } },
          {
            required: ["k"],
            if: { properties: { n: { minimum: 10 } }, required: ["n"] },
            then: object({ big: { const: true } }, { required: ["big"] }),
            else: object({ small: { const: true } }, { required: ["small"] }),
          },
        ),
        object({ k: { const: "b" }, z: text }, { required: ["k"] }),
      ],
    },
    [
      { k: "a", n: 11, big: true },
      { k: "a", n: 3, small: true },
    ],
    [
      [{ k: "a", n: 1 }, "schema/required /small: present"],
      [{ k: "a", small: true, big: true }, "undeclared/property /big: one of `k`, `small`"],
    ],
  ],
  [
    "null",
    object({ a: { const: null } }, { required: ["a"] }),
    [{ a: null }],
    [[{ a: 0 }, "schema/const /a: null"]],
  ],
  [
    "mixedEnum",
    { enum: ["a", 1, true, null, { x: 1 }, [1, 2]] },
    ["a", { x: 1 }, [1, 2]],
    [
      [
        { x: 2 },
        'schema/enum: "a" or 1 or true or null or an object with `x` or an array of 2 items',
      ],
    ],
  ],
  [
    "notRequired",
    object({ a: whole }, { not: { anyOf: [{ required: ["b"] }, { required: ["c"] }] } }),
    [{ a: 1 }],
    [[{ b: 1 }, "schema/not: a value that does not match the schema under `not`"]],
  ],
  [
    "allOf",
    { allOf: [named("Plain"), object({ b: whole })] },
    [{ a: 1, b: 1 }],
    [[{ c: 1 }, "undeclared/property /c: one of `a`, `b`"]],
  ],
  [
    "not",
    object({ a: whole }, { not: { required: ["b"], properties: { b: whole } } }),
    [{ a: 1 }],
    [[{ a: 1, b: 2 }, "schema/not: a value that does not match the schema under `not`"]],
  ],
  [
    "unevaluated",
    { allOf: [named("Plain")], properties: { b: whole }, unevaluatedProperties: false },
    [{ a: 1, b: 2 }],
    [
      [{ a: 1, c: 2 }, "schema/unevaluatedProperties /c: absent"],
      [{ a: "x" }, "schema/type /a: integer"],
    ],
  ],
  [
    "unevaluatedItems",
    { type: "array", prefixItems: [text], unevaluatedItems: false },
    [["a"]],
    [[["a", 1], "schema/unevaluatedItems: at most 1 item"]],
  ],
  [
    "unevaluatedBesideReference",
    { $ref: "#/components/schemas/Plain", properties: { n: text }, unevaluatedProperties: false },
    [{ a: 1, n: "x" }],
    [[{ a: 1, m: 1 }, "schema/unevaluatedProperties /m: absent"]],
  ],
  [
    "booleans",
    object({ a: true, b: false }),
    [{ a: { x: 1 } }],
    [[{ b: 1 }, "schema/false /b: absent"]],
  ],
  [
    "siblings",
    { $ref: "#/components/schemas/Plain", minProperties: 1, properties: { z: whole } },
    [{ a: 1, z: 1 }],
    [
      [{}, "schema/minProperties: at least 1 field"],
      [{ w: 1 }, "undeclared/property /w: one of `z`, `a`"],
    ],
  ],
  [
    "recursion",
    named("Tree"),
    [{ v: 1, c: [{ v: 2 }] }],
    [[{ v: 1, c: [{ v: "s" }] }, "schema/type /c/0/v: integer"]],
  ],
  [
    "oddName",
    { $ref: "#/components/schemas/Odd-name%20x" },
    [{ "a/b": 1, "c d": 1, "p%": 2 }],
    [
      [{ "a/b": "s" }, "schema/type /a~1b: integer"],
      [{ "p%": "s" }, "schema/type /p%: integer"],
      [{ "~": "s" }, "schema/type /~0: integer"],
    ],
  ],
  ["takenName", named("Record"), [{ a: 1 }], [[{ a: "s" }, "schema/type /a: integer"]]],
  [
    "scalars",
    { anyOf: [text, { type: "null" }, whole] },
    ["a", null, 1],
    [[true, "schema/type: string or null or integer"]],
  ],
  [
    "formats",
    {
      anyOf: [
        { type: "string", format: "date" },
        { type: "string", format: "uuid" },
      ],
    },
    ["2026-01-01"],
    [["x", "schema/anyOf: format date or format uuid"]],
  ],
  [
    "overlap",
    { oneOf: [text, { type: "string", minLength: 2 }] },
    ["a"],
    [["ab", "schema/oneOf: a value that matches only one branch, not 2"]],
  ],
  [
    "nullable",
    { oneOf: [{ type: "null" }, object({ a: whole }, { required: ["a"] })] },
    [null, { a: 1 }],
    [
      [{ a: "s" }, "schema/type /a: integer"],
      [7, "schema/type: null or object"],
    ],
  ],
  [
    "tagged",
    tagged("oneOf"),
    [
      { k: "a", a: 1 },
      { k: "c", b: 1 },
    ],
    [
      [{ k: "z" }, 'schema/oneOf /k: "a" or "b" or "c"'],
      [{ k: "a", a: "x" }, "schema/type /a: integer"],
      [{ k: "a", b: 1 }, "undeclared/property /b: one of `k`, `a`"],
      [{}, "schema/required /k: present"],
    ],
  ],
  [
    "untagged",
    { anyOf: [listed, failed] },
    [{ errors: [] }],
    [
      [{ success: false, code: 1 }, "schema/required /message: present"],
      [{ success: true, code: 1, message: "x" }, "schema/const /success: false"],
      [{ errors: [1] }, "schema/type /errors/0: string"],
    ],
  ],
  [
    "recursiveTags",
    named("Node"),
    [{ k: "l", next: { k: "r" } }],
    [
      [
        { k: "l", next: { k: "r", next: { k: "l", x: 1 } } },
        "undeclared/property /next/next/x: one of `k`, `next`",
      ],
      [{ k: "z" }, 'schema/oneOf /k: "l" or "r"'],
    ],
  ],
  [
    "byName",
    { oneOf: [named("Cat"), named("Dog")], discriminator: { propertyName: "kind" } },
    [{ kind: "Cat", meow: "x" }],
    [
      [{ kind: "Dog", meow: "x" }, "undeclared/property /meow: one of `kind`, `bark`"],
      [{ kind: "Cow" }, 'schema/oneOf /kind: "Cat" or "Dog"'],
    ],
  ],
  [
    "byMapping",
    {
      oneOf: [named("Cat"), named("Dog")],
      discriminator: {
        propertyName: "kind",
        mapping: { cat: "Cat", dog: "#/components/schemas/Dog" },
      },
    },
    [],
    [[{ kind: "Cow" }, 'schema/oneOf /kind: "cat" or "dog"']],
  ],
  [
    "nested",
    { anyOf: [{ oneOf: [text, whole] }, { type: "array", items: { anyOf: [text, whole] } }] },
    ["a", ["a", 1]],
    [
      [[true], "schema/type /0: string or integer"],
      [true, "schema/type: string or integer or array"],
    ],
  ],
  [
    "taggedInAllOf",
    { allOf: [named("Plain"), named("Pet")] },
    [{ a: 1, kind: "Cat", meow: "x" }],
    [[{ a: 1, kind: "Cow" }, 'schema/oneOf /kind: "Cat" or "Dog"']],
  ],
  [
    "conditionWithoutType",
    { if: text, then: { minLength: 2 } },
    [1, "ab"],
    [["a", "schema/minLength: at least 2 characters"]],
  ],
  [
    "inheritedName",
    object({ a: whole, constructor: whole }),
    [{ constructor: 1 }],
    [[{ a: "x" }, "schema/type /a: integer"]],
  ],
  [
    "notes",
    {
      type: "string",
      title: "T",
      description: "D",
      example: "a",
      examples: ["b"],
      default: "c",
      deprecated: true,
      readOnly: true,
      writeOnly: false,
      $comment: "x",
      externalDocs: { url: "https://docs.example" },
      xml: { name: "z" },
      contentEncoding: "base64",
      contentMediaType: "image/png",
      "x-any": 1,
    },
    ["a"],
    [[1, "schema/type: string"]],
  ],
  [
    "definitions",
    {
      $defs: { Item: object({ a: whole }) },
      type: "array",
      items: {
        $ref: "#/paths/~1definitions/get/responses/200/content/application~1json/schema/$defs/Item",
      },
    },
    [[{ a: 1 }]],
    [[[{ b: 1 }], "undeclared/property /0/b: one of `a`"]],
  ],
];

const source = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Keywords", version: "1" },
  paths: Object.fromEntries(
    rows.map(([name, schema]) => {
      const responses = {
        200: { description: "Any.", content: { "application/json": { schema } } },
      };
      return [`/${name}`, { get: { operationId: `cases.${name}`, responses } }];
    }),
  ),
  components: { schemas },
});

let checked: CheckedDescription;
let description: Description;

beforeAll(async () => {
  checked = parseDescription(source, "keywords.yaml");
  const code = Buffer.from(await validatorsModule(checked, GENERATED_HEADER)).toString("base64");
  const module = `data:text/javascript;base64,${code}`;
  const { validators } = (await import(/* @vite-ignore */ module)) as Pick<
    Description,
    "validators"
  >;
  const operations = checked.operations.map(({ operation }) => operation);
  description = { ...checked, file: "keywords.yaml", operations, validators };
});

describe.each(rows)("the gate checks %s", (name, _, accepted, rejected) => {
  const findingsFor = (body: Json) =>
    checkExchange(exchange("GET", `/${name}`, { body }), description).map(
      ({ rule, pointer, expected }) => `${rule}${pointer && ` ${pointer}`}: ${expected}`,
    );

  it.each(accepted.map((value) => [value]))("and accepts %j", (value) => {
    expect(findingsFor(value)).toEqual([]);
  });

  it.each(rejected)("and reports one finding in %j", (value, finding) => {
    expect(findingsFor(value)).toEqual([finding]);
  });
});

it("gives every response a named type that accepts what the gate accepts", async () => {
  const [models, schema] = await typeModules(checked.document, "./models.js");
  const methods = operationsModule(checked.operations, []);
  expect(methods).not.toContain('["responses"]');
  const types = checked.operations.map(({ results }) => results[0]!.type!.name!);
  const values = rows.flatMap(([, , accepted], row) =>
    accepted.map(
      (value, index) => `const v${row}_${index}: ${types[row]} = ${JSON.stringify(value)};`,
    ),
  );
  const folder = await scratchFolder();
  const files: Record<string, string> = {
    "models.ts": models,
    "schema.ts": schema,
    "use.ts": `import type { ${[...new Set(types)].join(", ")} } from "./models.js";\n${values.join("\n")}`,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const program = ts.createProgram(
    Object.keys(files).map((name) => join(folder, name)),
    {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noEmit: true,
      types: [],
      typeRoots: [join(root, "node_modules/@types")],
    },
  );
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const { line } = file!.getLineAndCharacterOfPosition(start);
    return `${file!.text.split("\n")[line]} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
  expect(problems).toEqual([]);
  expect(models).toMatch(/@deprecated/);
  expect(models).toMatch(/\* At least 1 item\. \*/);
});
