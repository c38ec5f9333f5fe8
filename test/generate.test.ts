import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nameModels } from "../scripts/description/models.js";
import { parseDescription } from "../scripts/description/description.js";
import { descriptionModule } from "../scripts/generate/description-module.js";
import {
  checkExampleResponses,
  readExampleResponses,
} from "../scripts/generate/example-responses.js";
import { formatted } from "../scripts/generate/generate-files.js";
import { modelsModule, typeContext } from "../scripts/generate/models-module.js";
import { operationsModule } from "../scripts/generate/operations.js";
import { schemaModule } from "../scripts/generate/schema-module.js";
import { validatorsModule } from "../scripts/generate/validators-module.js";
import { createValidator } from "../src/contract/create-validator.js";
import type { OperationValidator } from "../src/types/operation-validator.js";
import { root } from "./support/paths.js";
import { scratchFolder } from "./support/scratch.js";

/** A description to which the tests add unusual parts. */
const yaml = `
openapi: 3.1.0
info: { title: Genres, version: "1" }
paths:
  /3/genre/tv/list:
    get:
      operationId: genres.tvList
      responses:
        "200":
          description: The genres.
          content: { application/json: { schema: { $ref: "#/components/schemas/Genre" } } }

components:
  schemas:
    Genre:
      type: object
      properties:
        name:
          description: The genre's name.
          type: string
`;

const responseOfGenre = yaml.slice(yaml.indexOf("      responses:"), yaml.indexOf("    Genre:"));
const nameProperty = "        name:\n          description: The genre's name.\n";

/** Unusual parts of a description. Each row has the edit that adds the part, and an excerpt of the generated code. */
const unusual: [contains: string, from: string, to: string, code: string][] = [
  [
    "a property named mapping",
    nameProperty,
    `        mapping: { type: object, properties: { a: { type: string } } }\n${nameProperty}`,
    "mapping?: {\n    a?: string;",
  ],
  [
    "a property that looks like the schema of a media type",
    nameProperty,
    `        content: { type: object, properties: { schema: { type: string } } }\n${nameProperty}`,
    "content?: {\n    schema?: string;",
  ],
  [
    "an example and an extension that look like schemas of media types",
    '        "200":\n',
    '        2XX:\n          description: B.\n          x-note: { content: { a: { schema: none } } }\n          content: { application/json: { schema: {}, example: { content: { a: { schema: none } } } } }\n        "200":\n',
    '"2XX": {',
  ],
  [
    "a response named example",
    "\ncomponents:\n",
    '  /3/a:\n    get:\n      operationId: a.get\n      responses: { "200": { $ref: "#/components/responses/example" } }\ncomponents:\n  responses:\n    example: { description: A., content: { application/json: { schema: { type: object, properties: { a: {} } } } } }\n',
    '"application/json": models.Example;',
  ],
  [
    "a date in a query",
    "      operationId: genres.tvList\n",
    "      operationId: genres.tvList\n      parameters: [{ name: day, in: query, description: A day., schema: { type: string, format: date } }]\n",
    "/** A day. A `Date` is sent as its UTC day. */",
  ],
  ...["export type Day = string;", "day?: string | Date | undefined;"].map(
    (code): (typeof unusual)[number] => [
      `a query that shares a date with a response, as in ${code}`,
      `      operationId: genres.tvList\n${responseOfGenre}`,
      `      operationId: genres.tvList\n      parameters: [{ name: day, in: query, schema: { $ref: "#/components/schemas/Day" } }]\n${responseOfGenre.replace("Genre", "Day")}    Day: { type: string, format: date }\n`,
      code,
    ],
  ),
  [
    "a schema that contains itself and any string next to known strings",
    nameProperty,
    `        kind: { anyOf: [{ enum: [a], type: string }, { type: string }] }\n        next: { $ref: "#/components/schemas/Genre" }\n${nameProperty}`,
    'kind?: "a" | string;\n      next?: components["schemas"]["Genre"];',
  ],
  [
    "a constant whose description only repeats it",
    nameProperty,
    `        kind: { description: Always \`movie\`., type: string, const: movie }\n${nameProperty}`,
    '{\n  kind?: "movie";',
  ],
  [
    "a required query parameter, and a required list",
    "      operationId: genres.tvList\n",
    "      operationId: genres.tvList\n      parameters:\n        - { name: a, in: query, required: true, example: 1, schema: {} }\n        - { name: b, in: query, required: true, example: [1], explode: false, schema: { type: array } }\n",
    'query: "b,! a!"',
  ],
  [
    "a YAML alias",
    nameProperty,
    "        first: &first { type: string }\n        second: *first\n        name:\n",
    "second?: string;",
  ],
  [
    "a property that is always null",
    nameProperty,
    `        gone: { const: null }\n${nameProperty}`,
    "export interface Genre {\n  gone?: null;",
  ],
  ...["class", "options", "2nd"].map((name): (typeof unusual)[number] => [
    `a path parameter named ${name}`,
    "  /3/genre/tv/list:\n",
    `  /3/genre/{${name}}:\n    parameters: [{ name: ${name}, in: path, required: true, schema: {} }]\n`,
    `(_${name}: PathValue, options?: `,
  ]),
  [
    "a path parameter with a constant",
    "  /3/genre/tv/list:\n",
    "  /3/genre/{id}:\n    parameters: [{ name: id, in: path, required: true, schema: { const: 1 } }]\n",
    "(id: 1, options?: ",
  ],
  ...["GenresMethods", "RequiredQueryOptions", "as", "keyof"].map(
    (name): (typeof unusual)[number] => [
      `a schema named ${name}`,
      "    Genre:\n",
      `    ${name}: { type: string }\n    Genre:\n`,
      `export type ${name}Model = string;`,
    ],
  ),
];

const BASE = "Base: { type: object, properties: { a: { type: [string, 'null'] } } }";
const [NARROW, WIDE, NUMBER] = [
  "{ type: string }",
  "{ type: [string, boolean] }",
  "{ type: [number, 'null'] }",
];
const own = (a: string) =>
  `{ allOf: [{ $ref: "#/components/schemas/Base" }], properties: { a: ${a} } }`;
const otherBase = `Other: { type: object, properties: { a: ${NUMBER} } }
    Parts: { type: object, patternProperties: { "^part/[0-9]+$": { type: string } } }`;
unusual.push(
  ...[
    ["a property that narrows a property of its base", own(NARROW), "interface Own extends Base {"],
    [
      "a property that widens a property of its base",
      own(WIDE),
      "type Own = Base & {\n  a?: string | boolean;",
    ],
    [
      "two bases that disagree about a property",
      '{ allOf: [{ $ref: "#/components/schemas/Base" }, { $ref: "#/components/schemas/Other" }] }',
      "type Own = Base & Other;",
    ],
    [
      "a base with other values for the same pattern",
      '{ allOf: [{ $ref: "#/components/schemas/Parts" }], patternProperties: { "^part/[0-9]+$": { type: [string, "null"] } } }',
      "type Own = Parts & {\n  [key: `part/${number}`]: string | null | undefined;",
    ],
    [
      "a base next to an object with any property",
      '{ allOf: [{ $ref: "#/components/schemas/Base" }, { type: object, additionalProperties: true }] }',
      "interface Own extends Base {\n  [key: string]: unknown;",
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
    "/** Response of `shared.list`. */\nexport interface SharedListResponse {",
  ],
);

it.each(unusual)("the generator supports a description with %s", async (_, from, to, code) => {
  const edited = yaml.replace(from, () => to);
  expect(edited).not.toBe(yaml);
  const checked = parseDescription(edited, "c.yaml");
  const types = typeContext(checked);
  const modules = [
    modelsModule(types),
    await schemaModule(types),
    operationsModule(checked.operations, []),
    descriptionModule(checked, "c.yaml"),
  ];
  expect(await formatted("src/generated/all.ts", modules.join("\n"))).toContain(code);
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
    const models = [...nameModels({ components: { schemas } }, []).values()];
    expect(models).toEqual(names.map((name) => `${name}Model`));
  },
);

it("readExampleResponses reads no hidden files, and rejects other files that it cannot use", async () => {
  const project = await scratchFolder();
  const folder = "test/example-responses";
  await mkdir(join(project, folder, "movies.latest/old"), { recursive: true });
  for (const file of [".DS_Store", "movies.latest/.DS_Store"])
    await writeFile(join(project, folder, file), "");
  await expect(readExampleResponses(project)).rejects.toThrow(
    `${folder}/movies.latest/old: expected a .json file; move or remove it`,
  );
  await writeFile(join(project, folder, "stray.json"), "{}");
  await expect(readExampleResponses(project)).rejects.toThrow(
    `${folder}/stray.json: expected a folder named for an operation; move or remove it`,
  );
});

const withRequest = (request: string, response = '{ "status": 200, "headers": {} }') =>
  `{ "operation": "movies.latest", "request": ${request}, "response": ${response} }`;
const withResponse = (response: string) =>
  withRequest('{ "method": "GET", "path": "/3/movie/latest" }', response);

it.each([
  ['{ "request": ', /:1:14: is truncated JSON/],
  ["[1]", /:1:1: the example response has no operation, request.method, request.path, response.st/],
  ['{ "operation": "a.b", "operation": "a.c" }', /:1:23: repeats a key in the same object/],
  [withRequest('{ "method": "GET", "path": 5 }'), /:1:71: request.path must be a nonempty string/],
  [
    withRequest('{ "method": "GET", "path": "/3/movie/latest", "query": ["page"] }'),
    /:1:99: request.query must be an object of names and values/,
  ],
  [withResponse('{ "status": "200", "headers": {} }'), /:1:116: response.status must be an HTTP/],
  [withResponse('{ "status": 200, "headers": null }'), /:1:1: .* no response.headers; add what is/],
  [
    '{ "operation": "movies.latest", "response": { "status": 200, "headers": {} } }',
    /:1:1: the example response has no request.method, request.path; add what is missing/,
  ],
  [
    '{\n  "operation": "movies.details", "request": { "method": "GET", "path": "/" }, "response": { "status": 200, "headers": {} } }',
    /:2:16: operation is movies.details, but the folder is that of movies.latest; write movies.latest, or move the file/,
  ],
])("readExampleResponses rejects a file that contains %s", async (text, message) => {
  const project = await scratchFolder();
  const folder = join(project, "test/example-responses/movies.latest");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "typical.json"), text);
  const location = "test/example-responses/movies.latest/typical.json";
  await expect(readExampleResponses(project)).rejects.toThrow(
    new RegExp(`^${location}${message.source}`),
  );
});

it("the generator rejects an example response of another operation", async () => {
  const project = await scratchFolder();
  const operation = "movies.details";
  const folder = join(project, "test/example-responses", operation);
  await mkdir(folder, { recursive: true });
  const request = { method: "GET", path: "/3/movie/latest" };
  const example = { operation, request, response: { status: 200, headers: {} } };
  await writeFile(join(folder, "typical.json"), JSON.stringify(example, undefined, 2));
  const operations = [
    { id: operation, method: "GET", path: "/3/movie/{movie_id}" },
    { id: "movies.latest", method: "GET", path: "/3/movie/latest" },
  ];
  const examples = await readExampleResponses(project);
  expect(() => checkExampleResponses(examples, operations)).toThrow(
    "test/example-responses/movies.details/typical.json:5:13: GET /3/movie/latest is not a request of movies.details; write a request of GET /3/movie/{movie_id}",
  );
  const others = operations.slice(1);
  expect(() => checkExampleResponses(examples, others)).toThrow(
    "test/example-responses/movies.details: the description has no operation movies.details; rename or remove the folder",
  );
  checkExampleResponses(examples, operations.slice(0, 1));
});

it("the validator of a response without a body accepts only a missing body, even if the operation has a default response", async () => {
  const edited = yaml.replace('"200":', '"204": { description: Done. }\n        default:');
  const source = await validatorsModule(parseDescription(edited, "c.yaml"));
  const { genresTvList: responses } = (await import(
    `data:text/javascript,${encodeURIComponent(source)}`
  )) as { genresTvList: OperationValidator["responses"] };
  const operation = "genres.tvList";
  const validate = createValidator([{ operation, responses, sensitive: [] }]);
  validate(operation, undefined, { status: 204 });
  for (const [status, body, message] of [
    [204, {}, "the body is an empty object, expected absent"],
    [500, undefined, "the body is absent, expected object"],
  ] as const)
    expect(() => validate(operation, body, { status })).toThrow(message);
});
