import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseDescription } from "../scripts/description/description.js";
import { checkExampleResponses } from "../scripts/generate/example-responses.js";
import { root } from "./support/paths.js";

const head = 'openapi: 3.1.0\ninfo: { title: Rejected, version: "1" }\n';
const responses = 'responses: { "204": { description: Done. } }';

/** Returns a description with one operation. The operation starts at line 5. */
const withOperation = (operation: string, method = "get", path = "/songs") =>
  `${head}paths:\n  ${path}:\n    ${method}:\n      operationId: songs.list\n${operation}`;
const withSchema = (schema: string) =>
  withOperation(`      responses:
        "200":
          description: Songs.
          content:
            application/json:
              schema: ${schema}
`);
const withQuery = (...parameters: string[]) =>
  withOperation(`      ${responses}
      parameters:
${parameters.map((each) => `        - { name: ${each} }\n`).join("")}`);

/** Each row has a rule in the table of docs/promises.md, a description, the expected location, and the message. */
const rejected: [rule: string, yaml: string, location: string, message: string][] = [
  [
    "OpenAPI 3.0",
    withOperation(`      ${responses}\n`).replace("3.1.0", "3.0.3"),
    "1:1",
    "convert it",
  ],
  [
    "descriptions without operations",
    `${head}webhooks:\n  changed: { post: { ${responses} } }\n`,
    "3:1",
    "add a path with an operation",
  ],
  [
    "operationIds that do not have the form",
    withOperation(`      ${responses}\n`).replace("songs.list", "songs.list.all"),
    "6:7",
    "operationId songs.list.all does not .*; use two camelCase names",
  ],
  [
    "operationIds that do not have the form",
    withOperation(`      ${responses}\n`).replace("      operationId: songs.list\n", ""),
    "5:5",
    "operationId \\(missing\\) does not have the form group.method; use two camelCase names",
  ],
  ...["http.list", "songs.then", "constructor.list"].map((id): (typeof rejected)[number] => [
    "operationIds",
    withOperation(`      ${responses}\n`).replace("songs.list", id),
    "6:7",
    "is reserved; choose another group or method name",
  ]),
  [
    "servers of a path",
    withOperation(`      servers: []\n      ${responses}\n`),
    "7:7",
    "remove them",
  ],
  [
    "servers of a path",
    `${head}paths:\n  /songs:\n    servers: []\n    get: { operationId: songs.list, ${responses} }\n`,
    "5:5",
    "remove them",
  ],
  [
    "paths with a query, a fragment",
    withOperation(`      ${responses}\n`, "get", '"/songs#top"'),
    "4:3",
    "describe query parameters instead",
  ],
  ["TRACE", withOperation(`      ${responses}\n`, "trace"), "5:5", "remove the operation"],
  ...["get", "head"].map((method): (typeof rejected)[number] => [
    "a request body of GET or HEAD",
    withOperation(
      `      requestBody: { content: { application/json: { schema: {} } } }\n      ${responses}\n`,
      method,
    ),
    "7:7",
    "use query parameters, or document the operation as POST",
  ]),
  [
    "multipart",
    withOperation(
      `      requestBody:\n        content:\n          application/json: { schema: {} }\n          multipart/form-data: { schema: {} }\n      ${responses}\n`,
      "post",
    ),
    "10:11",
    "send such requests with catalogue.http",
  ],
  [
    "an object in a query",
    withQuery("filter, in: query, schema: { type: object }", "page, in: query, schema: {}"),
    "9:11",
    "replace it with one parameter for each property",
  ],
  [
    "an object in a query",
    withQuery("filter, in: query, schema: { anyOf: [{ type: [object, string] }] }"),
    "9:11",
    "replace its schema with `type: string`",
  ],
  [
    "objects in headers",
    withQuery("X-Filter, in: header, schema: { properties: { a: {} } }"),
    "9:11",
    "replace its schema with `type: string`",
  ],
  [
    "objects in headers",
    withOperation(
      `      responses:\n        "204":\n          description: Done.\n          headers:\n            X-Limit: { schema: { type: object } }\n`,
    ),
    "11:13",
    "replace its schema with `type: string`",
  ],
  [
    "objects in headers",
    withOperation(
      `      responses:\n        "204":\n          description: Done.\n          headers:\n            X-Limit: { schema: { type: array, items: { type: object } } }\n`,
    ),
    "11:13",
    "replace its schema with `type: string`",
  ],
  [
    "parameters and headers with `content`",
    withOperation(
      `      responses:\n        "204":\n          description: Done.\n          headers:\n            X-Limit: { content: { text/plain: {} } }\n`,
    ),
    "11:24",
    "replace its schema with `type: string`",
  ],
  [
    "parameters and headers with `content`",
    withQuery("filter, in: query, schema: {}, content: { text/plain: {} }"),
    "9:50",
    "replace it with `schema: { type: string }`",
  ],
  [
    "lists in paths",
    withOperation(
      `      ${responses}\n      parameters:\n        - { name: id, in: path, required: true, schema: { type: array } }\n`,
      "get",
      '"/songs/{id}"',
    ),
    "9:11",
    "replace its schema with `type: string`",
  ],
  ...[
    "type: array, items: { type: object }",
    "type: array, items: { type: array }",
    "patternProperties: { a: {} }",
  ].map((schema): (typeof rejected)[number] => [
    "inside a list",
    withQuery(`filter, in: query, schema: { ${schema} }`),
    "9:11",
    "replace its schema with `type: string`",
  ]),
  [
    "parameter styles other than",
    withQuery("filter, in: query, style: deepObject, schema: {}"),
    "9:38",
    "the style deepObject of the parameter filter is not supported; use form",
  ],
  [
    "`explode: false`",
    withQuery("filter, in: query, explode: false, schema: { type: object }"),
    "9:11",
    "remove `explode: false`",
  ],
  [
    "inside a list or an object",
    withQuery("filter, in: query, schema: { type: object, properties: { a: { type: object } } }"),
    "9:11",
    "use scalars and lists of scalars",
  ],
  ...["/songs/../top", "/songs/%2E", "/songs/%zz", "/songs\\\\top"].map(
    (path): (typeof rejected)[number] => [
      "a dot segment",
      withOperation(`      ${responses}\n`, "get", `"${path}"`),
      "4:3",
      "write the path that the service receives",
    ],
  ),
  [
    "repeated parameter",
    withOperation(`      ${responses}\n`, "get", "/songs/{id}/{id}"),
    "4:3",
    "rename one of them",
  ],
  [
    "parameters that are only a part of a segment",
    withOperation(
      `      ${responses}\n      parameters: [{ name: n, in: path, required: true, schema: {} }]\n`,
      "get",
      "/songs/v{n}",
    ),
    "4:3",
    "make the parameter the whole segment",
  ],
  [
    "path parameters without `required: true`",
    withQuery("id, in: path, schema: { type: string }"),
    "9:11",
    "add `required: true`",
  ],
  ...["other.yaml#/Song", "https://songs.example/song.json"].map(
    (target): (typeof rejected)[number] => [
      "`$ref`s to other files",
      withSchema(`{ $ref: "${target}" }`),
      "12:25",
      "write #/components/schemas/NAME",
    ],
  ),
  [
    "invalid YAML, and keywords whose value",
    withSchema('{ $ref: "#/components/schemas/Song" }'),
    "12:25",
    "correct the reference, or add the schema",
  ],
  [
    "2xx responses without JSON",
    withOperation(
      '      responses: { "200": { description: Done., content: { text/html: {} } } }\n',
    ),
    "7:20",
    "response 200 has content but no application/json schema; add one",
  ],
  [
    "2xx responses without JSON",
    withOperation("      responses: { 2XX: { description: Done. } }\n"),
    "7:20",
    "replace 2XX with the exact status, such as 204",
  ],
  [
    "2xx responses",
    withOperation('      responses: { "404": { description: Missing. } }\n'),
    "5:5",
    "the operation has no 2xx response; add one",
  ],
  [
    "request bodies without JSON",
    withOperation(
      `      requestBody: { content: { text/plain: {} } }\n      ${responses}\n`,
      "put",
    ),
    "7:7",
    "methods send only JSON: add such a schema, or remove the operation",
  ],
  [
    "multipart",
    withOperation(
      '      responses: { "200": { description: Done., content: { application/json: { schema: {} }, multipart/mixed: {} } } }\n',
    ),
    "7:94",
    "methods resolve to parsed JSON",
  ],
  [
    "invalid YAML, and keywords whose value",
    withSchema('{ $ref: "#/paths/~1songs/get/responses/200/content/application~1json/schema" }'),
    "12:25",
    "is part of a cycle; replace one of the references with a schema",
  ],
  [
    "keywords whose value JSON Schema does not allow",
    withSchema("{ pattern: '\\-' }"),
    "12:25",
    "the pattern is invalid: Invalid escape; in Unicode mode, escape only",
  ],
  ...["enum: []", "anyOf: []", "minLength: -1", "type: strin"].map(
    (keyword): (typeof rejected)[number] => [
      "keywords whose value JSON Schema does not allow",
      withSchema(`{ ${keyword} }`),
      "12:25",
      "correct its value",
    ],
  ),
  ...["0o314", "2e2", "4.04"].map((status): (typeof rejected)[number] => [
    "keys that are not strings",
    withOperation(`      responses: { ${status}: { description: Done. } }\n`),
    "7:20",
    "put quotes around the key",
  ]),
  [
    "repeated keys",
    withOperation(
      '      responses: { 204: { description: Done. }, "204": { description: Done. } }\n',
    ),
    "7:49",
    "the key 204 occurs twice; remove one",
  ],
  ...["!!binary aGVsbG8=", "!!set { a, b }", "!songs [1]"].map(
    (value): (typeof rejected)[number] => [
      "custom tags",
      withOperation(`      ${responses}\n      x-count: ${value}\n`),
      "8:7",
      "remove the tag",
    ],
  ),
  ...[".nan", "-.inf"].map((value): (typeof rejected)[number] => [
    "values that JSON cannot represent",
    withOperation(`      ${responses}\n      x-count: ${value}\n`),
    "8:7",
    "write a string or a finite number",
  ]),
  ["invalid YAML", withSchema("*song"), "12:15", "has no anchor before it"],
  [
    "content of a response with status 204, 205, or 304",
    withOperation(
      '      responses: { "304": { description: Same., content: { application/json: {} } }, "204": { description: Done. } }\n',
    ),
    "7:20",
    "remove its content",
  ],
  [
    "content of a response with status 204, 205, or 304",
    withOperation(
      '      responses: { "204": { description: Done., content: { application/json: {} } } }\n',
    ),
    "7:20",
    "remove its content",
  ],
  [
    "empty content",
    withOperation('      responses: { "200": { description: Done., content: {} } }\n'),
    "7:20",
    "remove content, or add a media type",
  ],
  [
    "merge keys",
    `${head}x-shared: &shared { description: Done. }\npaths:\n  /songs:\n    get:\n      operationId: songs.list\n      responses: { "204": { <<: *shared } }\n`,
    "8:29",
    "repeat the properties, or use \\$ref",
  ],
  ...["null", "true", "1", "1.0", "[a]", "~", ""].map((key): (typeof rejected)[number] => [
    "keys that are not strings",
    withOperation(`      ${responses}\n      x-labels:\n        ? ${key}\n        : A label\n`),
    "9:11",
    "put quotes around the key",
  ]),
  [
    "aliases that contain themselves",
    withSchema("&song { properties: { next: *song } }"),
    "12:45",
    "replace the alias with a \\$ref",
  ],
  ["invalid YAML", `${head}paths: [\n`, "4:1", "Flow sequence"],
  ["invalid YAML", "", "1:1", "the file does not contain an object"],
  [
    "unknown keywords",
    withSchema("{ nullable: true }"),
    "12:25",
    'the keyword nullable is not supported; add "null" to type',
  ],
  ...["$id", "$anchor", "$dynamicRef", "minimun"].map((keyword): (typeof rejected)[number] => [
    "anchors, dynamic references, and unknown keywords",
    withSchema(`{ ${keyword}: a }`),
    "12:25",
    // The first character can be a dollar sign.
    `the keyword .${keyword.slice(1)} is not supported`,
  ]),
  [
    "a discriminator",
    withSchema(
      "{ oneOf: [{ properties: { kind: { type: string } } }, { properties: { kind: { const: b } } }], discriminator: { propertyName: kind } }",
    ),
    "12:33",
    "add a const or an enum to the property kind of the branch",
  ],
  [
    "properties named `__proto__`",
    withSchema("{ properties: { __proto__: { type: string } } }"),
    "12:39",
    "remove it",
  ],
  [
    "unevaluatedItems",
    withSchema("{ allOf: [{ contains: { type: integer } }], unevaluatedItems: false }"),
    "12:67",
    "https://github.com/ajv-validator/ajv/issues/1909.*replace unevaluatedItems with items",
  ],
  ...["", ", then: {}", ", else: { required: [b] }"].map((branch): (typeof rejected)[number] => [
    "unevaluatedProperties",
    withSchema(`{ unevaluatedProperties: false, if: { required: [a] }${branch} }`),
    "12:25",
    "https://github.com/ajv-validator/ajv/pull/2639.*move the declarations from if to then",
  ]),
];

const promises = readFileSync(join(root, "docs/promises.md"), "utf8");
const [table] = promises.split("## The description")[1]!.split("## The gate") as [string];

it.each(rejected)("parseDescription rejects %s (%#)", (rule, yaml, location, message) => {
  expect(() => parseDescription(yaml, "c.yaml")).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(new RegExp(`^c.yaml:${location}: .*${message}`)),
    }),
  );
  expect(table.includes(rule), "docs/promises.md lists the rule").toBe(true);
});

it("parseDescription reports all problems at once", () => {
  const edited = withOperation(`      ${responses}\n      servers: []\n`).replace(
    "songs.list",
    "then.list",
  );
  expect(() => parseDescription(edited, "c.yaml")).toThrow(
    /c\.yaml:6:7: operationId then\.list: .*\nc\.yaml:8:7: an operation cannot have servers/,
  );
});

it.each([
  ["an unquoted status", withOperation("      responses: { 204: { description: Done. } }\n")],
  ["a quoted merge key", withOperation(`      ${responses}\n      x-labels: { "<<": 1 }\n`)],
  [
    "an alias",
    `${head}x-a: &a { 204: { description: Done. } }\npaths: {/a: {get: {operationId: a.b, responses: {"204": {description: Done.}}}}}\n`.replace(
      "204: {",
      '"204": {',
    ),
  ],
  [
    "if with then beside unevaluatedProperties",
    withSchema(
      "{ unevaluatedProperties: false, if: { required: [a] }, then: { properties: { a: {} } } }",
    ),
  ],
  ["a free-form object", withQuery("filter, in: query, schema: { type: object }")],
  [
    "a discriminator with constants behind anyOf and in an inner union",
    withSchema(
      "{ oneOf: [{ oneOf: [{ properties: { kind: { const: a } } }, { properties: { kind: { enum: [b] } } }] }, { properties: { kind: { anyOf: [{ const: c }, { const: d }] } } }], discriminator: { propertyName: kind } }",
    ),
  ],
  [
    "a discriminator whose union also accepts null",
    withSchema(
      '{ oneOf: [{ properties: { kind: { const: a } } }, { type: "null" }], discriminator: { propertyName: kind } }',
    ),
  ],
])("parseDescription accepts %s", (_, yaml) => {
  expect(parseDescription(yaml, "c.yaml").operations).toHaveLength(1);
});

it("the generator rejects a folder of example responses that is not named for an operation", () => {
  const request = { method: "GET", path: "/songs" };
  const example = {
    operation: "songs.lists",
    name: "typical",
    request,
    response: { status: 204, headers: {} },
  };
  expect(() => checkExampleResponses([example], [{ id: "songs.list" }])).toThrow(
    'test/example-responses/songs.lists: the description has no operation songs.lists; rename or remove the folder; did you mean "songs.list"?',
  );
  expect(() => checkExampleResponses([example], [{ id: "songs.lists" }])).not.toThrow();
});
