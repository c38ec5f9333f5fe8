import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkDescriptions, parseDescription } from "../scripts/description/description.js";
import { root } from "./support/paths.js";
import { scratchFolder } from "./support/scratch.js";

const head = 'openapi: 3.1.0\ninfo: { title: Rejected, version: "1" }\n';
const responses = 'responses: { "204": { description: Done. } }';

/** Returns a description with one operation, whose keywords start at line 6. */
const operation = (keywords: string, method = "get", path = "/songs") =>
  `${head}paths:\n  ${path}:\n    ${method}:\n${keywords.replaceAll(/^/gm, "      ")}\n`;
/** Returns a description with an operation that has the given keywords at line 7. */
const withKeywords = (keywords: string, method?: string, path?: string) =>
  operation(`operationId: songs.list\n${keywords}\n${responses}`, method, path);
const withId = (id: string) => operation(`operationId: ${id}\n${responses}`);
const withPath = (path: string) => withKeywords("summary: Songs", "get", `"${path}"`);
const withPathParameter = (parameter: string, path = "/songs/{id}") =>
  withKeywords(`parameters:\n  - { name: id, in: path, ${parameter} }`, "get", `"${path}"`);
const withResponses = (...rows: string[]) =>
  operation(`operationId: songs.list\nresponses:\n  ${rows.join("\n  ")}`);
const withHeader = (header: string) =>
  withResponses(`"204": { description: Done., headers: { X: { ${header} } } }`);
const withParameters = (...parameters: string[]) =>
  withKeywords(["parameters:", ...parameters.map((each) => `  - { name: ${each} }`)].join("\n"));
const json = (schema: string) => `content: { application/json: { schema: ${schema} } }`;
const withSchema = (schema: string) =>
  withResponses('"200":', "  description: Songs.", `  ${json(schema)}`);

/** Returns a description with a schema, and two named schemas to which it can refer. */
const withNamed = (schema: string) =>
  `${withSchema(schema)}components: { schemas: { A: { type: object, properties: { a: { type: string } } }, B: { required: [a] } } }\n`;

const refToA = "$ref: '#/components/schemas/A'";
const refToB = "$ref: '#/components/schemas/B'";
const mapped = "propertyName: kind, mapping:";
const tagged = (value: string) =>
  `{ type: object, required: [kind], properties: { kind: { const: ${value} } } }`;

/** Returns a description with a union whose last branch accepts every other value of `kind`. */
const withMapping = (mapping: string) =>
  `${withSchema("{ $ref: '#/components/schemas/Any' }")}components: { schemas: { Any: { oneOf: [{ ${refToA} }, { $ref: '#/components/schemas/Other' }], discriminator: { ${mapped} ${mapping} } }, A: ${tagged("a")}, Other: { type: object, required: [kind], properties: { kind: { type: string, not: { const: a } } } } } }\n`;

/** Each row has a rule in the table of docs/promises.md, a description, the expected location, and the message. */
type Row = [rule: string, yaml: string, location: string, message: string];

/** Returns rows with the same rule, location, and message. */
const rows = (rule: string, yaml: string[], location: string, message: string) =>
  yaml.map((each): Row => [rule, each, location, message]);

/** Returns a description with parts: the names in `enum`, and their names in `x-appends`. */
const withParts = (names: string, appends: string) =>
  withParameters(
    `append_to_response, in: query, explode: false, schema: { type: array, items: { enum: [${names}] } }, x-appends: { ${appends} }`,
  );

const ID = "operationIds that do not have the form `group.method`";
const VALIDATOR = "operationIds that give two validators the same name";
const PARTS = "parts that only `x-appends`, or only the `enum` of its parameter, names";
const QUERY = "an object in a query";
const STYLE = "parameter styles other than `form` and `simple`";
const HEADERS = "objects in headers, cookies, and paths";
const CONTENT = "parameters and headers with `content`";
const NO_JSON = "2xx responses without JSON";
const SUCCESS = "operations without a 2xx response, and statuses other than";
const STATUS = "content of a response with status 204, 205, or 304";
const INVALID = "invalid YAML, and keywords whose value JSON Schema does not allow";
const CONTRADICTION = "values in `enum` or `const` that `type` excludes";
const IMPOSSIBLE = "schemas in `allOf` without a common type";
const UNTYPED = "keywords about objects, such as `required`, in a schema without `type`";
const EXCLUDED = "a `type` that excludes a type of a union or of `allOf` next to it";
const KEYWORDS = "other keywords without the prefix `x-`";
const DEFAULT = "a `default` that its schema does not allow, and a misspelled `format`";
const KEYS = "keys that are not strings";
const UNION = "unions whose branches differ in none of the [four ways](#unions)";
const MAPPING =
  "unions with a discriminator whose property no branch declares, or whose `mapping` contradicts";
const NEWER = "everything that only OpenAPI 3.2 has";
const AS_STRING = "replace its schema with `type: string`";
const RULE = "an `x-rule` that";
const EXTENSION = "misspelled extensions of this project";

/** Returns rows for a description that claims to be OpenAPI 3.1, and for the same description as OpenAPI 3.2. */
const inBothVersions = (yaml: string, location: string, message: string) =>
  rows(NEWER, [yaml, yaml.replace("3.1.0", "3.2.0")], location, message);

const rejected: Row[] = [
  ...rows(
    RULE,
    [
      withParameters("a, in: query, schema: {}, x-rule: { requires: b }"),
      withParameters("a, in: query, schema: {}, x-rule: { after: b, maxDays: 14 }"),
    ],
    "8:45",
    "songs.list has no query parameter b, which the rule of a names; add it, or correct the name",
  ),
  ...rows(
    RULE,
    [
      "{ requires: 1 }",
      "{ requires: a, requiredWithout: a }",
      "{ after: a }",
      "{ maxDays: 14 }",
      "{ needs: a }",
      "a",
    ].map((rule) => withParameters(`a, in: query, schema: {}, x-rule: ${rule}`)),
    "8:45",
    "the value of x-rule is invalid; write { requires: NAME }",
  ),
  [
    RULE,
    withParameters("a, in: header, schema: {}, x-rule: { requires: b }"),
    "8:46",
    "only query parameters can have an x-rule; remove the rule of a",
  ],
  ...[
    ["x-sensitve: true", "x-sensitive"],
    ["x-sensitivee: true", "x-sensitive"],
    ["x-Sensitive: true", "x-sensitive"],
    ["x-sensitive_: true", "x-sensitive"],
    ["x-becuase: A report", "x-because"],
    ["x-sensitive1: true", "x-sensitive"],
    ["x-known-value: [a]", "x-known-values"],
    ["x-not-specifed: [{ id: G01, text: Events }]", "x-not-specified"],
    ["x-knownValues: [a]", "x-known-values"],
  ].map(([row = "", name = ""]): Row => [
    EXTENSION,
    withSchema(`{ type: string, ${row} }`),
    "10:66",
    `the extension x-.* is unknown; write ${name}, or`,
  ]),
  ...[
    [withSchema('{ type: string, x-sensitive: "true" }'), "10:66", "write true, without quotes"],
    [withSchema("{ type: string, x-sensitive: yes }"), "10:66", "write true, without quotes"],
    [withSchema("{ type: string, x-open: 1 }"), "10:66", "write true, without quotes"],
    [withSchema("{ type: string, x-known-values: a }"), "10:66", "write a list of values"],
    [withSchema("{ type: string, x-because: true }"), "10:66", "write text, or a list of texts"],
    [withSchema("{ type: string, x-not-specified: G01 }"), "10:66", "write \\[\\{ id"],
    [withNamed(`{ ${refToA}, x-because: 1 }`), "10:84", "write text, or a list of texts"],
    [withHeader("schema: { type: string }, x-sensitive: 1"), "8:80", "write true"],
    [withParameters("a, in: query, schema: {}, x-filters: 1"), "8:45", "write true, or a part"],
    [withParameters("a, in: query, schema: {}, x-sensitve: true"), "8:45", "write x-sensitive"],
    [withKeywords("x-private: private"), "7:7", "write true, without quotes"],
    [withKeywords("x-sensitive: true"), "7:7", "no effect here; move it to a Schema, Parameter"],
    [withKeywords("x-privte: true"), "7:7", "write x-private"],
    [withKeywords("x-soruce: A page"), "7:7", "write x-source"],
    [withParameters("a, in: query, schema: {}, x-appnds: {}"), "8:45", "write x-appends"],
  ].map(([yaml = "", location = "", message = ""]): Row => [EXTENSION, yaml, location, message]),
  [INVALID, withResponses('"200":'), "8:9", "Expected type `Response` \\(object\\) but got `null`"],
  ["OpenAPI 3.0", withId("songs.list").replace("3.1.0", "3.0.3"), "1:10", "convert it"],
  ["OpenAPI 3.0", withId("songs.list").replace("3.1.0", "3.2.0"), "1:10", "convert it"],
  ...inBothVersions(
    withKeywords("summary: Songs", "query"),
    "5:5",
    "needs OpenAPI 3.2; .* such as post",
  ),
  ...inBothVersions(
    withKeywords("summary: Songs").replace("    get", "    additionalOperations: {}\n    get"),
    "5:5",
    "needs OpenAPI 3.2; .* such as post",
  ),
  ...inBothVersions(
    withResponses('"200": { description: A., content: { application/jsonl: { itemSchema: {} } } }'),
    "8:67",
    "needs OpenAPI 3.2; .* with schema",
  ),
  ...inBothVersions(
    withParameters("q, in: querystring, content: { text/plain: {} }"),
    "8:26",
    "`in: querystring` needs OpenAPI 3.2; .* `in: query`",
  ),
  [
    NEWER,
    `${withId("songs.list")}$self: https://catalogue.example/openapi.yaml\n`,
    "8:1",
    "Property `\\$self` is not expected here. Add, correct, or remove it.",
  ],
  ...[
    ["8:15", "mediaTypes"],
    ["9:23", "parent"],
  ].map(([location = "", name = ""]): Row => [
    NEWER,
    `${withId("songs.list")}components: { mediaTypes: {} }\ntags: [{ name: songs, parent: media }]\n`,
    location,
    `Property \`${name}\` is not expected here. Add, correct, or remove it.`,
  ]),
  [
    "descriptions without operations",
    `${head}webhooks:\n  changed: { post: { ${responses} } }\n`,
    "1:1",
    "add a path with an operation",
  ],
  [ID, withId("songs.list.all"), "6:20", "the operationId does not .*; use two camelCase names"],
  [ID, operation(responses), "6:7", "the operation has no operationId; add one of the form group"],
  ...rows(
    ID,
    ["http.list", "songs.then", "constructor.list"].map(withId),
    "6:20",
    "a name in the operationId is reserved; choose another group or method name",
  ),
  ...rows(
    VALIDATOR,
    ["validate.response", "response.validators"].map(withId),
    "6:20",
    "the name of the operation's validator is reserved; choose another group or method name",
  ),
  [
    VALIDATOR,
    `${withId("songs.topList")}    delete:\n      operationId: songsTop.list\n      ${responses}\n`,
    "9:7",
    "the validator of songs.topList is also named songsTopList; choose another group or method name",
  ],
  ["servers of a path", withKeywords("servers: []"), "7:7", "remove them"],
  [
    "servers of a path",
    withKeywords("summary: Songs").replace("    get", "    servers: []\n    get"),
    "5:5",
    "remove them",
  ],
  ["paths with a query, a fragment", withPath("/songs#top"), "4:3", "describe query parameters"],
  // Redocly does not find the location of a path with percent-encoding.
  ["a dot segment", withPath("/songs/%2E"), "3:1", "write the path that the service receives"],
  ...rows(
    "a dot segment",
    ["/songs/../top", "/songs/%zz", "/songs\\\\top"].map(withPath),
    "4:3",
    "write the path that the service receives",
  ),
  [
    "repeated parameter",
    withPathParameter("required: true, schema: {}", "/songs/{id}/{id}"),
    "4:3",
    "rename one of them",
  ],
  [
    "only a part of a segment",
    withPathParameter("required: true, schema: {}", "/songs/v{id}"),
    "4:3",
    "make the parameter the whole segment",
  ],
  ["TRACE", withKeywords("summary: Songs", "trace"), "5:5", "remove the operation"],
  ...rows(
    "a request body of GET or HEAD",
    ["get", "head"].map((method) => withKeywords(`requestBody: { ${json("{}")} }`, method)),
    "7:7",
    "use query parameters, or document the operation as POST",
  ),
  [
    "request bodies without JSON",
    withKeywords("requestBody: { content: { text/plain: {} } }", "put"),
    "7:31",
    "methods send only JSON: add such a schema, or remove the operation",
  ],
  [
    PARTS,
    withParts("images, videos", "image: images, videos: videos, 'season/{number}': season"),
    "8:139",
    "image is in x-appends, but not in the enum of append_to_response; correct the name",
  ],
  [
    PARTS,
    withParts("images, videos", "videos: videos"),
    "8:126",
    "images is in the enum of append_to_response, but not in x-appends; add it here",
  ],
  [
    "multipart bodies",
    withKeywords(
      "requestBody: { content: { application/json: {}, multipart/form-data: {} } }",
      "put",
    ),
    "7:55",
    "send such requests with catalogue.http",
  ],
  [
    "multipart bodies",
    withResponses(
      '"200": { description: A., content: { application/json: {}, multipart/mixed: {} } }',
    ),
    "8:68",
    "methods resolve to parsed JSON",
  ],
  [
    QUERY,
    withParameters("filter, in: query, schema: { type: object }", "page, in: query, schema: {}"),
    "5:5",
    "remove it from this operation, or remove the other query parameters",
  ],
  ...rows(
    QUERY,
    [
      "anyOf: [{ type: [object, string] }]",
      "type: array, items: { type: object }",
      "type: array, items: { type: array }",
      "patternProperties: { a: {} }",
    ].map((schema) => withParameters(`filter, in: query, schema: { ${schema} }`)),
    "8:11",
    AS_STRING,
  ),
  [
    "with `explode: false`",
    withParameters("filter, in: query, explode: false, schema: { type: object }"),
    "8:11",
    "remove `explode: false`",
  ],
  [
    "inside a list or object",
    withParameters(
      "filter, in: query, schema: { type: object, properties: { a: { type: object } } }",
    ),
    "8:11",
    "use scalars and lists of scalars",
  ],
  [HEADERS, withParameters("X, in: header, schema: { properties: { a: {} } }"), "8:11", AS_STRING],
  ...rows(
    HEADERS,
    ["type: object", "type: array, items: { type: object }"].map((schema) =>
      withHeader(`schema: { ${schema} }`),
    ),
    "8:49",
    AS_STRING,
  ),
  [
    "lists in paths",
    withPathParameter("required: true, schema: { type: array }"),
    "8:11",
    AS_STRING,
  ],
  [
    STYLE,
    withParameters("filter, in: query, style: deepObject, schema: {}"),
    "8:45",
    "the style of the parameter is not supported; use form",
  ],
  ...rows(
    "query parameters with other characters",
    ['"first name"', '"a,b"', '"*"', '""', "título"].map((name) =>
      withParameters(`${name}, in: query, schema: {}`),
    ),
    "8:19",
    "use only letters, digits, and the characters _ . - \\[ \\]",
  ),
  [CONTENT, withHeader("content: { text/plain: {} }"), "8:54", AS_STRING],
  [
    CONTENT,
    withParameters("filter, in: query, schema: {}, content: { text/plain: {} }"),
    "8:50",
    "replace it with `schema: { type: string }`",
  ],
  ...["header", "cookie"].map((each): Row => [
    "header and cookie parameters with `required: true`",
    withParameters(`X, in: ${each}, required: true, schema: { type: string }`),
    "8:44",
    "methods cannot require a header or a cookie; remove required",
  ]),
  [
    "path parameters without `required: true`",
    withPathParameter("schema: { type: string }"),
    "8:11",
    "add `required: true`",
  ],
  [
    NO_JSON,
    withResponses('"200": { description: Done., content: { text/html: {} } }'),
    "8:47",
    "response 200 has content but no application/json schema; add one",
  ],
  [
    NO_JSON,
    withResponses("2XX: { description: Done. }"),
    "8:9",
    "replace 2XX with the exact status",
  ],
  ...rows(
    SUCCESS,
    ['"404": { description: No. }', "default: { description: Any. }"].map((row) =>
      withResponses(row),
    ),
    "8:9",
    "the operation has no 2xx response; add one",
  ),
  [
    SUCCESS,
    operation("operationId: songs.list"),
    "6:7",
    "the operation has no 2xx response; add one",
  ],
  ...rows(
    SUCCESS,
    ['"2xx"', '"600"', '"20"', "2X0", "success"].map((key) =>
      withResponses('"204": { description: Done. }', `${key}: { description: Any. }`),
    ),
    "9:9",
    "invalid status; write a status such as 204, a range such as 2XX, or default",
  ),
  [
    STATUS,
    withResponses('"304": { description: A., content: { a/b: {} } }', '"204": { description: A. }'),
    "8:35",
    "remove its content",
  ],
  [
    STATUS,
    withResponses('"204": { description: Done., content: { a/b: {} } }'),
    "8:38",
    "remove its content",
  ],
  [
    STATUS,
    withResponses(
      "default: { $ref: '#/components/responses/Any' }",
      "204: { $ref: '#/components/responses/Any' }",
    ) +
      "components: { responses: { Any: { description: A., content: { application/json: { schema: {} } } } } }\n",
    "10:52",
    "response 204 cannot have a body; remove its content",
  ],
  [
    "empty content",
    withResponses('"200": { description: Done., content: {} }'),
    "8:47",
    "remove content, or add a media type",
  ],
  ...rows(
    "`$ref`s of schemas or parameters to anything but a schema or parameter in `components`",
    [
      "other.yaml#/Song",
      "https://songs.example/song.json",
      "#/components/schemas/Song/properties/title",
      "#/paths/~1songs/get/responses/200/content/application~1json/schema",
    ].map((target) => withSchema(`{ $ref: "${target}" }`)),
    "10:52",
    "write #/components/schemas/NAME",
  ),
  [
    INVALID,
    withSchema('{ $ref: "#/components/schemas/Song" }'),
    "10:52",
    "correct the reference, or add the schema",
  ],
  [
    INVALID,
    `${withSchema('{ $ref: "#/components/schemas/A" }')}components:
  schemas:
    A: { allOf: [{ $ref: "#/components/schemas/B" }] }
    B: { $ref: "#/components/schemas/A" }
`,
    "13:20",
    "is part of a cycle; replace one of the references with a schema",
  ],
  [
    INVALID,
    withSchema("{ pattern: '\\-' }"),
    "10:52",
    "the pattern is invalid: .*; in Unicode mode",
  ],
  ...rows(
    INVALID,
    ["enum: []", "anyOf: []", "minLength: -1", "type: date", "type: 1, enum: [1]"].map((each) =>
      withSchema(`{ ${each} }`),
    ),
    "10:52",
    "correct its value",
  ),
  [INVALID, withSchema("{ type: strin }"), "10:52", 'did you mean "string"\\?'],
  [INVALID, withSchema("{ type: [string, nul] }"), "10:67", 'did you mean "null"\\?'],
  [INVALID, withSchema("{ type: null }"), "10:52", 'write "null" in quotes, or another type'],
  [INVALID, withSchema("{ type: [string, null] }"), "10:67", 'write "null" in quotes'],
  ...[
    ["string, format: dat", 'did you mean "date"\\?'],
    ["string, format: datetime", 'did you mean "date-time"\\?'],
    ["integer, default: '1'", 'the schema does not allow its default "1"; correct the default'],
    ["string, enum: [a], default: b", 'the schema does not allow its default "b"; correct the'],
  ].map(([type = "", message = ""]): Row => [
    DEFAULT,
    withSchema(`{ type: ${type} }`),
    "10:(66|67|77)",
    message,
  ]),
  ...rows(
    CONTRADICTION,
    ["enum: [1]", "const: 1"].map((each) => withSchema(`{ type: string, ${each} }`)),
    "10:(66|73)",
    "type does not allow 1; remove the value, or add its type",
  ),
  [
    CONTRADICTION,
    withSchema("{ type: integer, enum: [1, 2.5, null] }"),
    "10:77",
    "type does not allow 2.5",
  ],
  [
    CONTRADICTION,
    withSchema('{ type: [string, "null"], enum: [a] }'),
    "10:76",
    'enum lacks null, which type allows; add null, or remove "null" from type',
  ],
  ...rows(
    IMPOSSIBLE,
    [
      "allOf: [{ type: string }, { type: integer }]",
      "allOf: [{ type: string }, { const: 1 }]",
      'allOf: [{ oneOf: [{ type: integer }, { type: "null" }] }, { type: string }]',
    ].map((each) => withSchema(`{ ${each} }`)),
    "10:52",
    "the schemas in allOf have no type in common; correct their types",
  ),
  ...rows(
    IMPOSSIBLE,
    [
      "allOf: [{ properties: { a: { type: string } } }, { properties: { a: { type: integer } } }]",
      "allOf: [{ $ref: '#/components/schemas/A' }, { properties: { a: { const: 1 } } }]",
      "allOf: [{ properties: { a: { $ref: '#/components/schemas/A' } } }, { properties: { a: { properties: { a: { const: 1 } } } } }]",
    ].map((each) => withNamed(`{ ${each} }`)),
    "10:52",
    "no value of a can match: (no value of a can match: )?the schemas in allOf have no type in common; correct their types",
  ),
  [
    IMPOSSIBLE,
    withSchema(
      "{ allOf: [{ items: { type: string } }, { type: array, items: { type: integer } }] }",
    ),
    "10:52",
    "no item can match: the schemas in allOf have no type in common; correct their types",
  ],
  ...rows(
    UNTYPED,
    [
      '{ required: [a], allOf: [{ type: [object, "null"] }] }',
      '{ required: [a], oneOf: [{ $ref: "#/components/schemas/A" }, { type: "null" }] }',
    ].map((each) => withNamed(each)),
    "10:52",
    'required restricts only objects, but this schema allows other types, too; add `type: \\[object, "null"\\]`',
  ),
  [
    UNTYPED,
    withNamed('{ allOf: [{ $ref: "#/components/schemas/B" }, { type: [object, "null"] }] }'),
    "11:89",
    "required restricts only objects, but this schema allows other types, too",
  ],
  ...rows(
    UNTYPED,
    ["{ type: array }", '{ type: [array, "null"] }'].map((each) =>
      withSchema(`{ allOf: [{ items: { type: string } }, ${each}] }`),
    ),
    "10:62",
    'items restricts only arrays, but this schema allows other types, too; add `type: (array|\\[array, "null"\\])`',
  ),
  [
    UNTYPED,
    withSchema("{ type: string, allOf: [{ required: [a] }] }"),
    "10:76",
    "required restricts only objects, but the value is never an object; remove it",
  ],
  [
    EXCLUDED,
    withNamed('{ type: object, oneOf: [{ $ref: "#/components/schemas/A" }, { type: "null" }] }'),
    "10:110",
    "this schema allows null, but the type next to oneOf does not; add null to that type, or remove it here",
  ],
  [
    EXCLUDED,
    withNamed(
      '{ type: object, required: [], anyOf: [{ $ref: "#/components/schemas/A" }, { type: "null" }] }',
    ),
    "10:124",
    "this schema allows null, but the type next to anyOf does not; add null to that type",
  ],
  [
    EXCLUDED,
    withNamed(
      '{ type: [object, "null"], anyOf: [{ $ref: "#/components/schemas/A" }, { type: string }] }',
    ),
    "10:120",
    "this schema allows string, but the type next to anyOf does not; add string to that type",
  ],
  [
    EXCLUDED,
    withSchema('{ type: object, allOf: [{ type: [object, "null"] }] }'),
    "10:74",
    "this schema allows null, but the type next to allOf does not; add null to that type",
  ],
  ...rows(
    EXCLUDED,
    [
      "type: object, properties: { a: {} }, oneOf: [{ type: object }, { type: string }]",
      'type: [string, "null"], oneOf: [{ type: string, minLength: 1 }, { type: object }]',
    ].map((each) => withSchema(`{ ${each} }`)),
    "10:11[56]",
    "this schema allows (string|object), but the type next to oneOf does not; add \\1 to that type",
  ),
  [
    "booleans in `allOf`",
    withSchema("{ allOf: [true] }"),
    "10:60",
    "a schema in allOf must be an object; write {} instead of true",
  ],
  [INVALID, withSchema("*song"), "10:42", "has no anchor before it"],
  [INVALID, "", "1:1", "the file does not contain an object"],
  ...rows(
    KEYS,
    ["0o314", "2e2", "4.04"].map((status) => withResponses(`${status}: { description: Done. }`)),
    "8:9",
    "put quotes around the key",
  ),
  ...rows(
    KEYS,
    ["null", "true", "1", "1.0", "[a]", "~", ""].map((key) =>
      withKeywords(`x-labels:\n  ? ${key}\n  : A label`),
    ),
    "8:11",
    "put quotes around the key",
  ),
  [
    "repeated keys",
    withResponses("204: { description: Done. }", '"204": { description: Done. }'),
    "9:9",
    "the key 204 occurs twice; rename or remove one",
  ],
  ...rows(
    "custom tags",
    ["!!binary aGVsbG8=", "!!set { a, b }", "!songs [1]"].map((each) =>
      withKeywords(`x-count: ${each}`),
    ),
    "7:7",
    "remove the tag",
  ),
  ...rows(
    "values that JSON cannot represent",
    [".nan", "-.inf"].map((each) => withKeywords(`x-count: ${each}`)),
    "7:7",
    "write a string or a finite number",
  ),
  [
    "merge keys",
    withKeywords("x-a: &a { description: Done. }\nx-b: { <<: *a }"),
    "8:14",
    "repeat the properties, or use \\$ref",
  ],
  [
    "aliases that contain themselves",
    withSchema("&song { properties: { next: *song } }"),
    "10:72",
    "replace it with a \\$ref",
  ],
  [
    KEYWORDS,
    withSchema("{ nullable: true }"),
    "10:52",
    'the keyword nullable is not supported; add "null" to type',
  ],
  [
    KEYWORDS,
    `${withId("songs.list")}components: { parameters: { Unused: { name: a, in: query, schema: { if: {} } } } }\n`,
    "8:69",
    "the keyword if is not supported",
  ],
  ...rows(
    KEYWORDS,
    ["parameters", "headers", "responses"].map((kind) => {
      const content = kind === "responses" ? json("{ if: {} }") : "schema: { if: {} }";
      const described = kind === "parameters" ? "name: a, in: query" : "description: A.";
      return `${withId("songs.list")}components: { ${kind}: { example: { ${described}, ${content} } } }\n`;
    }),
    "8:\\d+",
    "the keyword if is not supported",
  ),
  [
    KEYWORDS,
    `${withId("songs.list")}webhooks: { changed: { post: { callbacks: { a: { "{$url}": { post: { requestBody: { ${json("{ if: {} }")} }, ${responses} } } } }, ${responses} } } }\n`,
    "8:\\d+",
    "the keyword if is not supported",
  ],
  [
    KEYWORDS,
    `${withId("songs.list")}webhooks: { changed: { post: { requestBody: { ${json("{ if: {} }")} }, ${responses} } } }\n`,
    "8:88",
    "the keyword if is not supported",
  ],
  ...[
    ...["$id", "$anchor", "$dynamicRef", "$defs", "definitions", "size"],
    ...["prefixItems", "contains", "minContains", "maxContains", "if", "then", "else"],
    ...["dependentRequired", "dependentSchemas", "dependencies"],
    ...["unevaluatedProperties", "unevaluatedItems"],
  ].map((keyword): Row => [
    KEYWORDS,
    withSchema(`{ ${keyword}: a }`),
    "10:52",
    // The first character can be a dollar sign.
    `the keyword .${keyword.slice(1)} is not supported; (move|name|put|refer|remove|write) `,
  ]),
  ...["type", "required", "pattern", "minLength", "oneOf", "$ref", "description"].map(
    (keyword): Row => [
      KEYWORDS,
      withSchema(`{ ${keyword.replace(/(.)(.)$/, "$2$1")}: a }`),
      "10:52",
      `; did you mean ".${keyword.slice(1)}"\\?`,
    ],
  ),
  ...rows(
    "properties and schemas named `__proto__`",
    ["__proto__", "valueOf"].map(
      (name) => `${withId("songs.list")}components: { schemas: { ${name}: { type: string } } }\n`,
    ),
    "8:\\d+",
    "cannot read a schema named \\w+; rename it",
  ),
  ...rows(
    "`$ref`s of schemas or parameters to anything but a schema or parameter in `components`",
    [
      withKeywords(
        "parameters:\n  - { name: a, in: query, schema: {} }\n  - { $ref: '#/paths/~1songs/get/parameters/0' }",
      ),
      operation(`operationId: songs.list\n${responses}`).replace(
        "    get:",
        "    parameters: [{ name: a, in: query, schema: {} }, { $ref: '#/paths/~1songs/parameters/0' }]\n    get:",
      ),
    ],
    "\\d+:\\d+",
    "parameters/0 is not a named parameter of this file; put the parameter into components",
  ),
  ...rows(
    "properties and schemas named `__proto__`",
    ["__proto__", "valueOf", "hasOwnProperty"].map((name) =>
      withSchema(`{ properties: { ${name}: { type: string } } }`),
    ),
    "10:66",
    "cannot read the property \\w+; remove it",
  ),
  [
    UNION,
    withSchema(`{ oneOf: [${tagged("a")}, ${tagged("a").replace("const: a", "type: string")}] }`),
    "10:132",
    "require the same property in each branch, with different constants",
  ],
  [
    UNION,
    withSchema(`{ oneOf: [${tagged("a")}, ${tagged("a")}] }`),
    "10:132",
    "require the same property in each branch, with different constants",
  ],
  [
    UNION,
    withSchema(`{ oneOf: [${tagged("{ a: 1 }")}, ${tagged("b")}] }`),
    "10:139",
    "require the same property in each branch, with different constants",
  ],
  [
    UNION,
    withSchema(
      `{ oneOf: [{ oneOf: [${tagged("a")}, ${tagged("b")}] }, ${tagged("c")}], discriminator: { propertyName: kind } }`,
    ),
    "10:217",
    "require kind in each branch, with different constants",
  ],
  ...[
    ["propertyName: kin", "13:110", 'no branch declares kin; did you mean "kind"?'],
    ["propertyName: type", "13:110", "no branch declares type; correct it, or remove the discrim"],
    [`${mapped} { a: "#/components/schemas/B" }`, "13:141", '; write a: "#/components/schemas/A"'],
    [
      `${mapped} { b: A }`,
      "13:141",
      'belongs to another schema; write b: "#/components/schemas/B"',
    ],
    [`${mapped} { a: A, b: C }`, "13:147", '; write b: "#/components/schemas/B"'],
    [
      `${mapped} { a: A, c: A }`,
      "13:147",
      "no branch has the value c of kind; correct or remove it",
    ],
  ].map(([discriminator = "", location = "", message = ""]): Row => [
    MAPPING,
    `${withSchema("{ $ref: '#/components/schemas/Any' }")}components:
  schemas:
    Any: { oneOf: [{ ${refToA} }, { ${refToB} }], discriminator: { ${discriminator} } }
    A: ${tagged("a")}\n    B: ${tagged("b")}\n    C: ${tagged("c")}\n`,
    location,
    message,
  ]),
  [
    MAPPING,
    withMapping("{ a: A, c: A }"),
    "11:172",
    'the value c belongs to another schema; write c: "#/components/schemas/Other"',
  ],
  [
    MAPPING,
    withMapping("{ a: Other }"),
    "11:166",
    'the value a belongs to another schema; write a: "#/components/schemas/A"',
  ],
  [
    UNION,
    withSchema(`{ anyOf: [{ properties: { a: true } }, { type: string }] }`),
    "10:60",
    "add a type",
  ],
  [
    UNION,
    withSchema("{ oneOf: [{ enum: [a] }, { type: string }] }"),
    "10:75",
    "use anyOf, with known values in an enum",
  ],
  [
    UNION,
    withSchema("{ anyOf: [{ type: integer }, { type: number }] }"),
    "10:79",
    "merge the branches",
  ],
  [
    UNION,
    withSchema("{ $ref: '#/components/schemas/Node' }") +
      "components: { schemas: { Node: { oneOf: [{ type: object, required: [a], properties: { a: { $ref: '#/components/schemas/Node' } } }, { type: object, required: [b] }] } } }\n",
    "11:133",
    "require the same property in each branch",
  ],
];

const promises = readFileSync(join(root, "docs/promises.md"), "utf8");
const [table] = promises.split("## The description")[1]!.split("## The gate") as [string];

/** Returns the problems that our own checks find in a description. */
function ownProblems(yaml: string): string {
  try {
    parseDescription(yaml, "c.yaml");
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the problems of each row: of our own checks, or, for rows that these checks accept, of Redocly. */
async function findProblems(list: readonly Row[]): Promise<string[]> {
  const folder = await scratchFolder();
  const problems = list.map(([, yaml]) => ownProblems(yaml));
  const names = list.map((_, index) => `${index}.yaml`);
  for (const [index, [, yaml]] of list.entries())
    await writeFile(join(folder, names[index]!), yaml);
  const accepted = names.filter((_, index) => problems[index] === "");
  const linted = await checkDescriptions(folder, accepted).then(
    () => "",
    ({ message }: Error) => message,
  );
  for (const line of linted.split("\n")) {
    const index = names.indexOf(line.split(":", 1)[0]!);
    if (index >= 0) problems[index] += `${line.replace(/^.*?:/, "c.yaml:")}\n`;
  }
  return problems;
}

/** Each row has lines of an operation from line 6, the location of the mistake, and the message. */
const syntax: [lines: string, location: string, message: string][] = [
  ["operationId: a.b\n tags: [A]", "7:8", "the line before already has a value"],
  ["tags: [A]\n summary: A", "7:8", "the line is not aligned with the lines before it; indent it"],
  ["tags: [A]\nsummary: A: b", "7:16", "text that contains a colon needs quotes"],
  ["parameters:\n    $ref: a\n  - $ref: b", "7:11", "start the line with `- `"],
  ["parameters:\n  $ref: a\n  - $ref: b", "7:9", "start the line with `- `"],
  ["parameters:\n  -$ref: a\n  - $ref: b", "7:9", "start the line with `- `"],
  ["allOf:\n    type: a\n    items:\n      b: c\n  - $ref: b", "7:11", "start the line with"],
  ["parameters:\n  name: a\n- $ref: b", "7:9", "start the line with `- `"],
  ["parameters:\n  - $ref: a\n    $ref: b", "8:11", "or start the next list item with `- `"],
  ["tags: [A\nsummary: A", "6:13", "the [ is not closed; close it"],
  ["tags: [A, [B]\nsummary: A", "6:13", "the [ is not closed; close it"],
  ["x: { a: 1\nsummary: A", "6:10", "the { is not closed; close it"],
  ["tags: [\n  a: b\nc: d", "6:13", "the [ is not closed; close it"],
  ["summary A\ntags: [A]", "6:7", "write `NAME: VALUE`"],
  ["summary: @a", "6:16", "text cannot start with this character; put quotes around the text"],
  ['summary: "A" b', "6:20", "put quotes around the whole text"],
  ['pattern: "\\d"', "6:17", "use single quotes instead"],
  ["\tsummary: A", "6:7", "replace the tab with spaces"],
];

it.each(syntax)("parseDescription reports the mistake in %j at %s", (lines, location, message) => {
  expect(ownProblems(operation(lines))).toContain(`c.yaml:${location}: `);
  expect(ownProblems(operation(lines))).toContain(message);
});

it("parseDescription reports a second document, and a merge conflict", () => {
  const text = operation("summary: A");
  const marked = `${head}<<<<<<< HEAD\ntags: []\n=======\n>>>>>>> other\n`;
  expect(ownProblems(`${text}---\n${text}`)).toContain(
    "c.yaml:7:1: the file contains more than one",
  );
  expect(ownProblems(marked)).toContain("c.yaml:3:1: the file has a merge conflict; resolve it");
});

it("the generator rejects everything in the table of docs/promises.md, with the location and a fix", async () => {
  const problems = await findProblems(rejected);
  for (const [index, [rule, yaml, location, message]] of rejected.entries()) {
    const expected = new RegExp(`^c.yaml:${location}: .*${message}`, "m");
    expect.soft(problems[index], `${rule}\n${yaml}`).toMatch(expected);
    expect.soft(table.includes(rule), `docs/promises.md lists ${rule}`).toBe(true);
  }
});

const genreName = /(?<=description: The genre's name.\n)( {10}type: )string/;
const QUERY_OF_NETWORK = /(NetworkId"\n *- ).*Query"/;
const REGION = "{ name: region, in: query, description: A region.";
/** Each row has a part of the description of the specification, its replacement, and the only finding. */
const faults: [part: string | RegExp, replacement: string, finding: string][] = [
  [genreName, "$1sting", "type must be one of array, boolean"],
  [genreName, "$1number\n          exclusiveMinimum: true", "exclusiveMinimum must be number"],
  [
    genreName,
    "          type: integer\n          example: 1\n          pattern: '['",
    "the pattern is invalid",
  ],
  ["propertyName: media_type", "propertyNam: media_type", "Did you mean propertyName?"],
  ["propertyName: media_type", "propertyName: media_typ", 'did you mean "media_type"?'],
  ["      responses:", "      respones:", "Did you mean responses?"],
  ["schemas/Network", "schemas/Networ", "has no target; correct the reference"],
  ["parameters/Query", "parameters/Quer", "put the target into this file"],
  [/(schema:\n *) {2}(\$ref: .*\/Network")/, "$1$2", "indent its lines more than its name"],
  [/(items:\n *) {2}(\$ref: )/, "$1$2", "indent its lines more than its name"],
  [/(default:\n *) {2}(\$ref: )/, "$1$2", "Indent it more than the name above"],
  [/ *operationId: .*\n/, "", "the operation has no operationId; add one of the form"],
  ["operationId:", "operationid:", "Did you mean operationId?"],
  ["    get:", "    GET:", "Did you mean get?"],
  ["schema:", "shema:", "Did you mean schema?"],
  [/(NetworkId:\n[^]*?)schema/, "$1shema", "Did you mean schema?"],
  ["name: account_id", "nmae: account_id", "Did you mean name?"],
  [/(in: path\n *required:) true/, "$1 yes", "Expected type `boolean` but got `string`"],
  [/(in: path\n *)required/, "$1requierd", "Did you mean required?"],
  ["parameters/NetworkId", "parameters/NetwrokId", "correct the name, or put"],
  [/( {6}properties:)(\n {8}id:\n.*genre)/, "      propreties:$2", 'did you mean "properties"?'],
  [
    / {10}(description: The genre's name.\n) {10}/,
    "        $1        ",
    "or indent its lines more",
  ],
  [/ {2}( {6}name:\n.*genre's name)/, "$1", "indent it as a property"],
  [
    "/3/network/{network_id}:",
    "/3/network/probe:",
    ":3: the path has no {network_id}, which is a parameter of networks.details",
  ],
  ["/{network_id}:", "/{id}:", "write it instead of {id}"],
  [/ *- .*NetworkId.*\n/, "", "networks.details has no path parameter network_id"],
  ["  /3/network/", "  3/network/", "add the slash to a path"],
  ["  /3/network/{network_id}:\n", "  /3/network/{network_id}/:\n", "Remove the slash."],
  ["\ncomponents:\n", "\n/3/probe: {}\ncomponents:\n", "indent it by two spaces"],
  ["\ncomponents:\n", "\ncomponents:\n  /3/probe: {}\n", "inside components; move it to the end"],
  ["  schemas:\n", "  schemas:\n    /3/probe: {}\n", "inside components; move it to the end"],
  [QUERY_OF_NETWORK, `$1${REGION} }`, "add one, such as `schema: { type: string }`"],
  [QUERY_OF_NETWORK, `$1${REGION}, schema: { items: {} } }`, "add `explode: false`"],
  [QUERY_OF_NETWORK, `$1${REGION}, schema: { type: [array, "null"] } }`, "add `explode: false`"],
  [
    QUERY_OF_NETWORK,
    `$1${REGION}, schema: { anyOf: [{ type: array, items: {} }, { type: string }] } }`,
    "add `explode: false`",
  ],
  [
    genreName,
    '          oneOf: [{ properties: { a: { description: A., type: string } } }, { type: "null" }]',
    "the branch accepts every type, as other branches do; add a type",
  ],
  [/ {6}summary: .*\n/, "", "add one, such as"],
  ["id: 651", 'id: "651"', "Correct the example, or its schema."],
  [/openapi: 3.*/, 'swagger: "2.0"', "write `openapi: 3.1.1`"],
  ["  schemas:", "  schemas:\n    Unused: {}", "Remove it, or refer to it."],
  [/ {6}operationId: .*\n/, "$&      security: [{ key: [] }]\n", "Correct the name, or add it"],
];

it("the generator reports each of these faults once", async () => {
  const folder = await scratchFolder();
  const text = readFileSync(join(root, "openapi/catalogue.yaml"), "utf8");
  await writeFile(join(folder, "redocly.yaml"), "extends: [../../redocly.yaml]\n");
  const names = faults.map((_, index) => `${index}.yaml`);
  for (const [index, [part, replacement]] of faults.entries())
    await writeFile(join(folder, names[index]!), text.replace(part, replacement));
  const lines = await checkDescriptions(folder, names).then(
    () => [],
    ({ message }: Error) => message.split("\n"),
  );
  const found = names.map((file) => lines.filter((line) => line.startsWith(`${file}:`)));
  expect(found).toEqual(faults.map(([, , finding]) => [expect.stringContaining(finding)]));
});

it("the generator reports problems in another file to which a description refers", async () => {
  const folder = await scratchFolder();
  await writeFile(join(folder, "shared.yaml"), "page: { name: page, in: quarry, schema: {} }\n");
  const yaml = withKeywords("parameters: [{ $ref: 'shared.yaml#/page' }]");
  await writeFile(join(folder, "c.yaml"), yaml);
  await expect(checkDescriptions(folder, ["c.yaml"])).rejects.toThrow(/^shared\.yaml:1:25: /m);
});

it("the generator accepts the extensions of other tools", async () => {
  const names = [
    "logo",
    "internal",
    "codeSamples",
    "order",
    "nullable",
    "enum-varnames",
    "resource",
    ...["role", "rules", "ruler", "sources", "open-api", "opens", "pen", "filter", "filtered"],
    ...["append", "appended", "becauses", "privates"],
  ];
  const schema = `{ type: string, ${names.map((name) => `x-${name}: 1`).join(", ")} }`;
  const sample = "x-codeSamples: [{ lang: sh, source: curl }]\nx-order: 1";
  const yamls = [withSchema(schema), withKeywords(sample)];
  expect(await findProblems(yamls.map((yaml): Row => ["", yaml, "", ""]))).toEqual(["", ""]);
});

it("the generator accepts false for extensions that are on or off", async () => {
  const yamls = [
    withSchema("{ type: string, x-sensitive: false, x-open: false }"),
    withKeywords("x-private: false"),
  ];
  expect(await findProblems(yamls.map((yaml): Row => ["", yaml, "", ""]))).toEqual(["", ""]);
});

const list = (count: number, textOf: (name: string) => string) =>
  Array.from({ length: count }, (_, index) => textOf(`p${index}`)).join(", ");
const recursive = `${withSchema(`{ allOf: [{ ${refToA} }, { ${refToB} }] }`)}components:
  schemas:
    A: { type: object, properties: { ${list(20, (name) => `${name}: { ${refToA} }`)} } }
    B: { type: object, properties: { ${list(20, (name) => `${name}: { ${refToB} }`)} } }
`;
const child = `required: [kind, next], properties: { next: { ${refToA} }`;
const branchOf = (name: string) => `{ type: object, ${child}, kind: { const: ${name} } } }`;
const recursiveUnion = `${withSchema(`{ ${refToA} }`)}components:
  schemas:
    A: { type: object, ${child} }, oneOf: [${list(12, branchOf)}] }
`;

it.each([
  ["an unquoted status", withResponses("204: { description: Done. }")],
  ["a quoted merge key", withKeywords('x-labels: { "<<": 1 }')],
  [
    "properties that are named like keywords of OpenAPI 3.2",
    withSchema(
      "{ properties: { query: {}, content: { properties: { itemSchema: {} } }, parameters: { properties: { in: { const: querystring } } } } }",
    ),
  ],
  ["two schemas in allOf whose 20 properties contain the schemas again", recursive],
  ["a union with 12 branches that contain it", recursiveUnion],
  [
    "a nullable object without a valid object",
    withSchema('{ type: [object, "null"], required: [a], additionalProperties: false }'),
  ],
  [
    "a branch for null or an object without a valid object",
    withSchema(
      '{ allOf: [{ anyOf: [{ type: [object, "null"], required: [a], properties: { a: { const: 1 } } }, { type: string }] }, { type: [object, "null"], properties: { a: { const: 2 } } }] }',
    ),
  ],
  ["an alias", withKeywords("x-a: &a { description: Done. }\nx-b: *a")],
  ["a free-form object", withParameters("filter, in: query, schema: { type: object }")],
  [
    "a discriminator whose union also accepts null",
    withSchema(
      `{ oneOf: [${tagged("a")}, { type: "null" }], discriminator: { propertyName: kind } }`,
    ),
  ],
  [
    "a discriminator of a schema with which others are combined",
    `${withSchema(`{ oneOf: [{ allOf: [{ ${refToA} }, { properties: { kind: { const: b } } }] }, { type: string }] }`)}components: { schemas: { A: { type: object, required: [kind], properties: { kind: { type: string } }, discriminator: { propertyName: kind } } } }\n`,
  ],
  ["a mapping of other values to the branch for them", withMapping("{ a: A, other: Other }")],
  [
    "a template that stands for parts in enum",
    withParts("a, season/1, season/2", 'a: songs.list, "season/{n}": songs.list'),
  ],
  ["null among the parts", withParts("a, null", "a: songs.list")],
])("parseDescription accepts %s", (_, yaml) => {
  expect(parseDescription(yaml, "c.yaml").operations).toHaveLength(1);
});
