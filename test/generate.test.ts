import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nameModels } from "../scripts/description/models.js";
import { parseDescription } from "../scripts/description/description.js";
import { descriptionModule } from "../scripts/generate/description-module.js";
import { readExampleResponses } from "../scripts/generate/example-responses.js";
import { operationsModule } from "../scripts/generate/operations.js";
import { typeModules } from "../scripts/generate/types.js";
import { descriptionFile } from "./support/description.js";
import { root } from "./support/paths.js";
import { scratchFolder } from "./support/scratch.js";

const genres = `        "200":
          description: The genres.
          content:
            application/json:`;

const openQuery = `      explode: true
      schema:
        type: object
        additionalProperties: true
`;

/**
 * Invalid parts of a description. Each row has the edit that adds the part, a string from the reported line, and the
 * message.
 */
const broken: [problem: string, from: string, to: string, at: string, message: string][] = [
  [
    "an operationId with three parts",
    "operationId: search.multi",
    "operationId: search.multi.all",
    "search.multi.all",
    "operationId search.multi.all does not have the form group.method; use two camelCase names",
  ],
  [
    "a missing operationId",
    "      operationId: search.multi\n",
    "",
    "get:\n      tags: [SEARCH]",
    "operationId \\(missing\\) does not have the form group.method; use",
  ],
  ...["http.latest", "movies.then", "constructor.latest"].map((id): (typeof broken)[number] => [
    `the reserved operationId ${id}`,
    "operationId: movies.latest",
    `operationId: ${id}`,
    `operationId: ${id}`,
    "is reserved; choose another group or method name",
  ]),
  [
    "the path segment v{n}",
    "  /3/genre/tv/list:\n",
    "  /3/genre/v{n}/list:\n    parameters: [{ name: n, in: path, required: true, schema: {} }]\n",
    "/3/genre/v{n}/list:",
    "the path segment .* is only partly a parameter, .*; make the parameter the whole segment",
  ],
  [
    "an operation without a 2xx response",
    genres,
    genres.replace("200", "404"),
    "get:\n      operationId: genres.tvList",
    "the operation has no 2xx response; add one",
  ],
  [
    "a response that is not JSON",
    genres,
    genres.replace("application/json", "text/html"),
    genres.slice(0, 50),
    "response 200 has content but no application/json schema; add one",
  ],
  [
    "a status range without content",
    genres,
    `        2XX: { description: Nothing. }\n${genres}`,
    "2XX:",
    "response 2XX has no content; replace 2XX with the exact status, such as 204",
  ],
  [
    "a request body that is not JSON",
    "get:\n      operationId: genres.tvList",
    "put:\n      requestBody: { content: { text/plain: {} } }\n      operationId: genres.tvList",
    "requestBody: { content: { text/plain",
    "the request body has no application/json schema; methods send only JSON: add such a schema, or remove",
  ],
  [
    "a parameter style that the client does not support",
    "style: form",
    "style: deepObject",
    "style: deepObject",
    "the style deepObject of the parameter query is not supported; use form",
  ],
  [
    "a parameter that has `content` instead of `schema`",
    openQuery,
    openQuery.replace(/schema:[^]*/, "content: { application/json: {} }\n"),
    "content: { application/json: {} }",
    "the parameter query has content, .*; replace it with `schema:",
  ],
  [
    "an unsupported keyword",
    "          description: The genre's name.\n",
    "          nullable: true\n",
    "nullable:",
    'the keyword nullable is not supported; add "null" to type',
  ],
  [
    "a reference to another file",
    "          description: The genre's name.\n",
    "          $ref: genres.yaml#/Name\n",
    "$ref: genres.yaml",
    "the reference genres.yaml#/Name is not a path in this file; put the schema into components and write",
  ],
  [
    "a reference without a target",
    "          description: The genre's name.\n",
    '          $ref: "#/components/schemas/Name"\n',
    '$ref: "#/components/schemas/Name"',
    "the reference #/components/schemas/Name has no target; correct the reference, or add the schema",
  ],
  [
    "a cycle of references",
    "          description: The genre's name.\n",
    '          allOf: [{ $ref: "#/components/schemas/Genre/properties/name" }]\n',
    'allOf: [{ $ref: "#/components/schemas/Genre/properties/name"',
    "is part of a cycle; replace one of the references with a schema",
  ],
  [
    "a pattern that is not a regular expression",
    "          description: The genre's name.\n",
    "          pattern: '\\-'\n",
    "pattern: '",
    "the pattern is invalid: Invalid escape; in Unicode mode, escape only",
  ],
];

const yaml = await readFile(descriptionFile, "utf8");

it.each(broken)("parseDescription rejects a description with %s", (_, from, to, at, message) => {
  const edited = yaml.replace(from, () => to);
  expect(edited).not.toBe(yaml);
  const line = edited.slice(0, edited.indexOf(at)).split("\n").length;
  expect(() => parseDescription(edited, "c.yaml")).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(`^c.yaml:${line}:\\d+: .*${message}.*$`),
    }),
  );
});

it("parseDescription reports all problems at once", () => {
  const edited = yaml
    .replace("operationId: search.multi", "operationId: multi")
    .replace("operationId: movies.latest", "operationId: then.latest");
  expect(() => parseDescription(edited, "c.yaml")).toThrow(
    /c\.yaml:\d+:\d+: operationId then\.latest: .*\nc\.yaml:\d+:\d+: operationId multi /,
  );
});

const nameProperty = "        name:\n          description: The genre's name.\n";

/** Unusual parts of a description. Each row has the edit that adds the part, and an excerpt of the generated code. */
const unusual: [contains: string, from: string, to: string, code: string][] = [
  [
    "a property named mapping",
    nameProperty,
    `        mapping: { type: object, properties: { a: { type: string } } }\n${nameProperty}`,
    "mapping?: {\n        a?: string;",
  ],
  [
    "a YAML alias",
    nameProperty,
    "        first: &first { type: string }\n        second: *first\n        name:\n",
    "second?: string;",
  ],
  ...["class", "options", "2nd"].map((name): (typeof unusual)[number] => [
    `a path parameter named ${name}`,
    "  /3/genre/tv/list:\n",
    `  /3/genre/{${name}}:\n    parameters: [{ name: ${name}, in: path, required: true, schema: {} }]\n`,
    `(_${name}: PathValue, options?: `,
  ]),
  ...["GenresMethods", "RequiredQueryOptions"].map((name): (typeof unusual)[number] => [
    `a schema named ${name}`,
    "    Genre:\n",
    `    ${name}: { type: string }\n    Genre:\n`,
    `export type ${name}Model = string;`,
  ]),
];

const BASE = "Base: { type: object, properties: { a: { type: [string, 'null'] } } }";
const [NARROW, WIDE, NUMBER] = [
  "{ type: string }",
  "{ type: [string, boolean] }",
  "{ type: number }",
];
const own = (a: string) =>
  `{ allOf: [{ $ref: "#/components/schemas/Base" }], properties: { a: ${a} } }`;
const otherBase = `Other: { type: object, properties: { a: ${NUMBER} } }`;
unusual.push(
  ...[
    ["a property that narrows a property of its base", own(NARROW), "interface Own extends Base {"],
    ["a property that widens a property of its base", own(WIDE), "type Own = {"],
    [
      "two bases that disagree about a property",
      '{ allOf: [{ $ref: "#/components/schemas/Base" }, { $ref: "#/components/schemas/Other" }] }',
      "type Own = Base & Other;",
    ],
    [
      "a base next to an object with any property",
      '{ allOf: [{ $ref: "#/components/schemas/Base" }, { type: object, additionalProperties: true }] }',
      "type Own = Base & {",
    ],
  ].map(([contains = "", schema = "", code = ""]): (typeof unusual)[number] => [
    contains,
    "    Genre:\n",
    `    ${BASE}\n    ${otherBase}\n    Own: ${schema}\n    Genre:\n`,
    `export ${code}`,
  ]),
  [
    "an inline response of an operation that a path item shares",
    "\ncomponents:\n",
    `
  /3/shared: { $ref: "#/components/pathItems/Shared" }
components:
  pathItems:
    Shared:
      get:
        operationId: shared.list
        responses:
          "200": { description: A., content: { application/json: { schema: { type: object, properties: { a: {} } } } } }
`,
    "/** Response of `shared.list`. */\nexport interface Shared {",
  ],
);

it.each(unusual)("the generator supports a description with %s", async (_, from, to, code) => {
  const edited = yaml.replace(from, () => to);
  expect(edited).not.toBe(yaml);
  const checked = parseDescription(edited, "c.yaml");
  const modules = [
    ...(await typeModules(checked.document, "./models.js")),
    operationsModule(checked.operations, []),
    descriptionModule(checked, ""),
  ];
  expect(modules.join("")).toContain(code);
});

it.each([
  ["src/index.ts", "Catalogue"],
  ["src/full/index.ts", "HttpClient"],
  ["src/client/exports.ts", "PathValue"],
])(
  "the type of a schema that has the same name as an export of %s, such as %s, gets the suffix Model",
  async (file, example) => {
    const source = await readFile(join(root, file), "utf8");
    const exported = [...source.matchAll(/^export (?:type )?(?:\{([^}]+)\}|\w+ (\w+))/gm)];
    const names = exported.flatMap(([, list, name]) =>
      (list ?? name!).split(",").flatMap((each) => /(\w+)\s*$/.exec(each)?.[1] ?? []),
    );
    expect(names).toContain(example);
    const schemas = Object.fromEntries(names.map((name) => [name, {}]));
    const models = [...nameModels({ components: { schemas } }).values()];
    expect(models).toEqual(names.map((name) => `${name}Model`));
  },
);

it.each([
  ['{ "request": ', "Unexpected end of JSON input; fix the example response"],
  ["null", "the example response has no request.method, request.path, response.status"],
  [
    '{ "response": { "status": 200, "headers": {} } }',
    "the example response has no request.method, request.path; add what is missing",
  ],
])("readExampleResponses rejects a file that contains %s", async (text, message) => {
  const folder = await scratchFolder();
  const file = join(folder, "movies.latest", "typical.json");
  await mkdir(join(folder, "movies.latest"));
  await writeFile(file, text);
  await expect(readExampleResponses(folder)).rejects.toThrow(`${file}: ${message}`);
});
