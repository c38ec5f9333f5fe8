import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { parseDocument, type Document, type YAMLMap } from "yaml";
import type { createSandbox as createSandboxHere } from "../src/sandbox/index.js";
import { descriptionFile } from "./support/description.js";
import { cloneProject } from "./support/clone.js";
import { root } from "./support/paths.js";
import { execute, run, runHere, runScript } from "./support/run.js";
import { scratchFolder } from "./support/scratch.js";
import { json as responding, serve } from "./support/server.js";

const json = (schema: object) => ({
  description: "The requested value.",
  content: { "application/json": { schema } },
});
const parameter = (name: string) => ({
  name,
  in: "path",
  required: true,
  schema: { $ref: "#/components/schemas/PathIdentifier" },
});
const integers = (...names: string[]) => ({
  type: "object",
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: "integer" }])),
});

/** The operations and components that the test adds to the description, with their paths in the YAML. */
const additions: [path: string[], value: unknown][] = [
  [["components", "schemas", "Shop"], integers("stars")],
  [["components", "responses", "Shared"], json(integers("count"))],
  [
    ["paths", "/3/shop/{shop_id}", "get"],
    {
      operationId: "shops.details",
      summary: "Get shop details",
      parameters: [parameter("shop_id")],
      responses: {
        "200": {
          description: "The shop.",
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/Shop" },
              examples: { good: { value: { stars: 4 } } },
            },
          },
        },
      },
    },
  ],
  [
    ["paths", "/3/shop/{shop_id}/shelf/{shelf-number}"],
    {
      parameters: [parameter("shop_id"), parameter("shelf-number")],
      get: { operationId: "shelves.details", responses: { "200": json(integers("books")) } },
    },
  ],
  [
    ["paths", "/3/basket/{basket-id}/add_item", "post"],
    {
      operationId: "baskets.addItem",
      parameters: [{ ...parameter("basket-id"), schema: { type: "integer" } }],
      requestBody: {
        required: true,
        content: { "application/json": { schema: integers("item_id") } },
      },
      responses: { "201": json(integers("added")) },
    },
  ],
  [
    ["paths", "/3/basket/{basket-id}", "delete"],
    {
      operationId: "baskets.remove",
      parameters: [parameter("basket-id")],
      responses: {
        "200": json({ $ref: "#/components/schemas/Shop" }),
        "202": json(integers("queued")),
        "204": { description: "The basket was removed." },
      },
    },
  ],
  [
    ["paths", "/3/shelf", "post"],
    {
      operationId: "shelves.open",
      parameters: [
        { name: "X-Shelf", in: "header", description: "Its number.", schema: {} },
        { name: "X-Sizes", in: "header", schema: { type: "array", items: { type: "integer" } } },
      ],
      responses: { "204": { description: "The shelf is open." } },
    },
  ],
  [
    ["paths", "/3/movie/undocumented", "post"],
    {
      operationId: "movies.undocumented",
      parameters: [
        { name: "page", in: "query", schema: { type: "integer", minimum: 1 } },
        { name: "genres", in: "query", explode: false, schema: { type: "array", items: {} } },
      ],
      requestBody: { content: { "application/json": { schema: integers("seed") } } },
      responses: { "200": { $ref: "#/components/responses/Shared" } },
    },
  ],
];

/** An app that calls every added operation. The line below each `@ts-expect-error` must not compile. */
const consumer = `
import { createCatalogue, type Shared, type ShelvesDetailsResponse, type Shop } from "./src/index.js";

export async function callAll(baseUrl: string) {
  const { shops, shelves, baskets, movies } = createCatalogue({ baseUrl, token: "token" });
  const review: Shop = await shops.details("a/b");
  const stars: number = review.stars;
  const shelf: ShelvesDetailsResponse = await shelves.details({ shop_id: 1396, "shelf-number": 1 });
  const books: number = shelf.books;
  const { data, response } = await baskets.addItem.withResponse(8, { body: { item_id: 603 } });
  const added: number = data.added;
  const { count }: Shared = await movies.undocumented();
  const removed: Shop | { queued: number } | undefined = await baskets.remove(8);
  await shelves.open({ headers: { "x-shelf": "7" } });
  await movies.undocumented({ query: { genres: ["a,b", 2, null] } });
  await movies.undocumented({ body: { seed: 7 }, query: { page: 1 } });
  return { stars, books, added, status: response.status, count, removed };
}

export function wrong({ shops, shelves, baskets, movies }: ReturnType<typeof createCatalogue>) {
  // @ts-expect-error the identifier is missing
  void shops.details();
  // @ts-expect-error several identifiers must be passed as an object
  void shelves.details(1396, 1);
  // @ts-expect-error one of the identifiers is missing
  void shelves.details({ shop_id: 1396 });
  // @ts-expect-error the body is required
  void baskets.addItem(8);
  // @ts-expect-error the body has the wrong type
  void baskets.addItem(8, { body: { item_id: "603" } });
  // @ts-expect-error the operation takes no body
  void shops.details(1, { body: {} });
  // @ts-expect-error the 204 response has no body
  void baskets.remove(8).then((removed): object => removed);
  // @ts-expect-error the query parameter is undeclared
  void movies.undocumented({ query: { language: "en" } });
  // @ts-expect-error the operation does not exist
  void movies.shuffle();
  // @ts-expect-error the stars are a number
  void shops.details(1).then(({ stars }): string => stars);
}
`;

it("an operation added to the YAML gets a typed method without any other change", async () => {
  const project = await scratchFolder();
  const yaml = parseDocument(await readFile(descriptionFile, "utf8"));
  for (const [path, value] of additions) yaml.setIn(path, yaml.createNode(value));
  await mkdir(join(project, "openapi"));
  await writeFile(join(project, "openapi/catalogue.yaml"), String(yaml));
  await cp(join(root, "src"), join(project, "src"), { recursive: true });
  await writeFile(join(project, "consumer.ts"), consumer);
  const tsconfig = { extends: relative(project, join(root, "tsconfig.json")), include: ["*.ts"] };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(tsconfig));

  const generated = await runHere("scripts/generate.ts", ["--root", project]);
  expect(generated).toMatchObject({ code: 0, stderr: "" });
  const types = await run("typescript/bin/tsc", ["-p", project]);
  expect(types.stdout).toBe("");
  // The response bodies have the fields of every added operation.
  const { url: baseUrl, seen } = await serve((response, request) => {
    if (request.method === "DELETE") return void response.writeHead(204).end();
    const status = request.url.includes("add_item") ? 201 : 200;
    return responding(status, { stars: 5, books: 7, added: 1, count: 3 })(response, request);
  });
  const { callAll } = (await import(join(project, "consumer.ts"))) as {
    callAll: (baseUrl: string) => Promise<unknown>;
  };
  expect(await callAll(baseUrl)).toEqual({
    stars: 5,
    books: 7,
    added: 1,
    status: 201,
    count: 3,
    removed: undefined,
  });
  const { createSandbox } = (await import(join(project, "src/sandbox/index.ts"))) as {
    createSandbox: typeof createSandboxHere;
  };
  const respond = async (path: string, body: string | null, more: object = {}) => {
    const headers = { authorization: "Bearer any", "content-type": "application/json", ...more };
    const init = { method: "POST", body, headers };
    const response = await createSandbox().fetch(`http://sandbox.test/3${path}`, init);
    if (response.status === 204) return `204 ${await response.text()}`;
    const { status_message } = (await response.json()) as { status_message: string };
    return `${response.status} ${status_message}`;
  };
  const shop = await createSandbox().fetch("http://sandbox.test/3/shop/1", {
    headers: { authorization: "Bearer any" },
  });
  expect(await shop.json()).toEqual({ stars: 4 });
  // The sandbox accepts these requests, but has no example response for them.
  const allowed = /^400 There is no example response/;
  const noInteger = /^400 .*: \/item_id is .*, expected integer/;
  const headers = { "x-shelf": "7", "x-sizes": "1, 2" };
  const rows: [path: string, body: string | null, response: RegExp, headers?: object][] = [
    ["/basket/8/add_item", '{"item_id":603}', allowed],
    ["/basket/new/add_item", '{"item_id":603}', allowed],
    ["/basket/8/add_item", '{"item_id":"603"}', noInteger],
    ["/basket/8/add_item", '{"item_id":1.5}', noInteger],
    ["/basket/8/add_item", '{"item_id":null}', noInteger],
    ["/basket/8/add_item", null, /^400 .* not JSON/],
    ["/movie/undocumented", null, allowed],
    ["/movie/undocumented?page=2", null, allowed],
    ["/movie/undocumented?page=0", null, /^400 .* page is invalid: expected a number ≥ 1/],
    ["/movie/undocumented", "{}", /^400 .*: \/seed is absent, expected present/],
    ["/shelf", null, /^204 $/, headers],
    ["/shelf", null, /^204 $/],
    ["/shelf", null, /^422 .* X-Sizes is invalid/, { ...headers, "x-sizes": "1, a" }],
  ];
  for (const [path, body, response, more] of rows)
    expect(await respond(path, body, more), `${path} ${body}`).toMatch(response);
  const hovers = await readFile(join(project, "src/generated/operations.ts"), "utf8");
  expect(hovers).toContain("Headers: `X-Shelf`: Its number.; `X-Sizes`");
  expect(seen.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
    "GET /3/shop/a%2Fb ",
    "GET /3/shop/1396/shelf/1 ",
    `POST /3/basket/8/add_item {"item_id":603}`,
    "POST /3/movie/undocumented ",
    "DELETE /3/basket/8 ",
    "POST /3/shelf ",
    "POST /3/movie/undocumented?genres=a%2Cb,2,null ",
    `POST /3/movie/undocumented?page=1 {"seed":7}`,
  ]);
});

const text = (description: string, more: object = {}) => ({ type: "string", description, ...more });
const query = (name: string, schema: object, more: object = {}) => {
  return { name, in: "query", description: `Only these ${name}.`, schema, ...more };
};
const error = { $ref: "#/components/responses/Error" };
const staff = {
  type: "object",
  description: "The staff of a network.",
  required: ["id", "staff"],
  properties: {
    id: { type: "integer", description: "The ID of the network." },
    staff: {
      type: "array",
      description: "The people who work there.",
      items: { $ref: "#/components/schemas/NetworkWorker" },
    },
  },
};
const staffContent = {
  "application/json": {
    schema: { $ref: "#/components/schemas/NetworkStaff" },
    example: { id: 213, staff: [{ name: "Ada Quill" }] },
  },
};
const worker = {
  type: "object",
  description: "A person who works for a network.",
  required: ["name"],
  properties: { name: text("The name of the person.") },
};

const networkId = { $ref: "#/components/parameters/NetworkId" };
const body = (schema: object, example: unknown) => {
  return { required: true, content: { "application/json": { schema, example } } };
};
const noteBody = {
  type: "object",
  required: ["note"],
  properties: { note: text("A note.") },
};

/** An endpoint of a new edition: a copy of an operation with changes, and its row in test/specification.yaml. */
interface Endpoint {
  row: string;
  from?: [path: string, method: string];
  changes?: [path: string[], value: unknown][];
}

const endpoints: Record<string, Endpoint> = {
  "networks.probe": { row: "GET /3/network/{network_id}/probe Network" },
  "networks.numbers": {
    row: "GET /3/network/{network_id}/numbers?window&with_kinds Network",
    changes: [
      [
        ["parameters"],
        [
          networkId,
          query(
            "window",
            { type: "string", enum: ["day", "week"] },
            {
              ...{ required: true, example: "week" },
              "x-not-specified": [{ id: "G11", text: "Allowed values of time_window" }],
            },
          ),
          query("with_kinds", { type: "array", items: { type: "integer" } }, { explode: false }),
        ],
      ],
    ],
  },
  "networks.staff": {
    row: "GET /3/network/{network_id}/staff NetworkStaff",
    changes: [
      [["responses", "200", "content"], staffContent],
      [["parameters"], [{ $ref: "#/components/parameters/Query" }]],
    ],
  },
  "networks.rename": {
    row: "POST /3/network/{network_id}/name 201:NetworkStaff name:string",
    changes: [
      [
        ["responses"],
        { "201": { description: "Renamed.", content: staffContent }, default: error },
      ],
      [
        ["requestBody"],
        body(
          { type: "object", required: ["name"], properties: { name: text("A name.") } },
          { name: "Late Channel" },
        ),
      ],
    ],
  },
  "networks.note": {
    row: "PUT /3/network/{network_id}/season/{season_number:integer}/note Network note:string",
    changes: [
      [
        ["parameters"],
        [
          networkId,
          {
            ...{ name: "season_number", in: "path", required: true, example: 1 },
            ...{ description: "The number of a season.", schema: { type: "integer" } },
          },
          { $ref: "#/components/parameters/Query" },
        ],
      ],
      [["requestBody"], body(noteBody, { note: "Watch this." })],
    ],
  },
  "networks.removeNote": {
    row: "DELETE /3/network/{network_id}/season/{season_number}/note? 204",
    changes: [
      [["parameters"], [networkId, { $ref: "#/components/parameters/SeasonNumber" }]],
      [["responses"], { "204": { description: "The note was removed." }, default: error }],
    ],
  },
  "studios.details": {
    row: "GET /3/studio/{network_id} Network",
    changes: [[["tags"], ["STUDIOS"]]],
  },
  "trending.others": {
    row: "GET /3/trending/person/{time_window}/others TrendingPeople",
    from: ["/3/trending/person/{time_window}", "get"],
  },
  "account.otherTv": {
    row: "GET /3/account/{account_id}/favorite/tv/others PagedResult",
    from: ["/3/account/{account_id}/favorite/tv", "get"],
  },
  "authentication.createOtherToken": {
    row: "GET /3/authentication/token/other RequestToken",
    from: ["/3/authentication/token/new", "get"],
  },
};

/** An operation that only the service has, with its example response. */
const removal = `
  /3/network/{network_id}/message:
    delete:
      operationId: networks.removeMessage
      tags: [NETWORKS]
      summary: Remove a message
      description: Removes a message.
      parameters: [{ $ref: "#/components/parameters/NetworkId" }]
      responses:
        "204": { description: The message was removed. }
        default: { $ref: "#/components/responses/Error" }
`;
const removed = {
  source: { kind: "full", values: "invented", note: "Based on openapi/full.yaml." },
  operation: "networks.removeMessage",
  request: { method: "DELETE", path: "/3/network/651/message" },
  response: { status: 204, headers: {} },
};

it("the steps in CONTRIBUTING.md add an endpoint: paste, generate, and test", async () => {
  const project = await scratchFolder();
  await cloneProject(project);
  const [file, rows] = ["openapi/catalogue.yaml", "test/specification.yaml"].map((name) =>
    join(project, name),
  ) as [string, string];
  const [yaml, table] = (await Promise.all(
    [file, rows].map(async (name) => parseDocument(await readFile(name, "utf8"))),
  )) as [Document, Document];
  const details: [string, string] = ["/3/network/{network_id}", "get"];
  for (const [id, { row, from = details, changes = [] }] of Object.entries(endpoints)) {
    const [method = "", path = ""] = row.replace(":integer", "").split(/[ ?]/);
    const operation = ["paths", path, method.toLowerCase()];
    yaml.setIn(operation, (yaml.getIn(["paths", ...from]) as YAMLMap).clone());
    yaml.setIn([...operation, "operationId"], id);
    for (const [at, value] of changes) yaml.setIn([...operation, ...at], yaml.createNode(value));
    table.setIn(["operations", id], row);
  }
  const shared = ["paths", "/3/network/{network_id}/staff", "parameters"];
  yaml.setIn(shared, yaml.createNode([networkId]));
  yaml.addIn(["tags"], { name: "STUDIOS", "x-displayName": "Studios" });
  for (const [name, schema] of Object.entries({ NetworkStaff: staff, NetworkWorker: worker }))
    yaml.setIn(["components", "schemas", name], yaml.createNode(schema));
  const gap = "#/paths/~13~1network~1{network_id}~1numbers/get/parameters/1";
  table.setIn(["gaps", "G11"], `parameters/TimeWindow, ${gap}`);
  const headers = ["headers", "authentication.createOtherToken"];
  table.setIn(headers, table.getIn(["headers", "authentication.createRequestToken"]));
  table.setIn(["schemas", "NetworkStaff"], "id: integer, staff[].name: string");
  await writeFile(file, String(yaml));
  await writeFile(rows, String(table));
  const full = join(project, "openapi/full.yaml");
  const service = await readFile(full, "utf8");
  await writeFile(full, service.replace("\n  # People\n", `${removal}$&`));
  const folder = join(project, "test/example-responses", removed.operation);
  await mkdir(folder);
  await writeFile(join(folder, "typical.json"), JSON.stringify(removed));

  const options = { cwd: project };
  const generated = await runScript("scripts/generate.ts", [], options);
  const fix = "npm run generate -- --add-missing copies it with its schemas";
  const ids = Object.keys(endpoints);
  expect(generated).toMatchObject({ code: 1, stdout: "" });
  expect(generated.stderr.split("\n")).toEqual([
    ...ids.map((id) => `openapi/full.yaml: ${id} is specified but missing; ${fix}`),
    "No file was generated.",
    "",
  ]);
  const added = await runScript("scripts/generate.ts", ["--add-missing"], options);
  expect(added).toMatchObject({ code: 0, stderr: "" });
  const start = "openapi/full.yaml: added";
  const note = "; declare its query parameters, which the specification does not name";
  expect(added.stdout.split("\n").filter((line) => line.startsWith(start))).toEqual([
    `${start} networks.probe, NetworkAsSpecified (Network already has another meaning)${note}`,
    `${start} networks.numbers`,
    `${start} networks.staff, NetworkStaff, NetworkWorker${note}`,
    `${start} networks.rename${note}`,
    `${start} networks.note${note}`,
    `${start} networks.removeNote`,
    `${start} studios.details${note}`,
    `${start} trending.others, TrendingPeople, PersonSummary${note}`,
    `${start} account.otherTv, PagedResult, AccountItem${note}`,
    `${start} authentication.createOtherToken, RequestTokenAsSpecified (RequestToken already has another meaning)${note}`,
  ]);
  const { stdout: changes } = await execute("git", ["diff", "openapi/full.yaml"], options);
  expect(changes.match(/^-(?!--).*/gm)).toBeNull();
  expect(changes).toMatch(/^\+ {4}NetworkAsSpecified:$/m);
  expect(await readFile(full, "utf8")).toContain("\n\n  # Studios\n  /3/studio/{network_id}:\n");

  const { stdout: types } = await run("typescript/bin/tsc", ["-p", project]);
  expect(types).toBe("");
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const tested = await execute(process.execPath, [vitest, "run", "--project", "fast"], options);
  expect(`${tested.stdout}${tested.stderr}`.match(/FAIL.*/g)).toBeNull();
  expect(tested.code).toBe(0);
}, 900_000);
