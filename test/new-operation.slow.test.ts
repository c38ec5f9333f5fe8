import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parseDocument } from "yaml";
import type { createSandbox as createSandboxHere } from "../src/sandbox/index.js";
import { descriptionFile } from "./support/description.js";
import { root } from "./support/paths.js";
import { run, runScript } from "./support/run.js";
import { scratchFolder } from "./support/scratch.js";

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

/** The additions to the description: places and values. */
const additions: [path: string[], value: unknown][] = [
  [["components", "schemas", "Review"], integers("stars")],
  [["components", "responses", "Shared"], json(integers("count"))],
  [
    ["paths", "/3/review/{review_id}", "get"],
    {
      operationId: "reviews.details",
      summary: "Details of a review",
      parameters: [parameter("review_id")],
      responses: { "200": json({ $ref: "#/components/schemas/Review" }) },
    },
  ],
  [
    ["paths", "/3/tv/{series_id}/season/{season-number}"],
    {
      parameters: [parameter("series_id"), parameter("season-number")],
      get: { operationId: "tvSeasons.details", responses: { "200": json(integers("episodes")) } },
    },
  ],
  [
    ["paths", "/3/list/{list-id}/add_item", "post"],
    {
      operationId: "lists.addItem",
      parameters: [parameter("list-id")],
      requestBody: {
        required: true,
        content: { "application/json": { schema: integers("media_id") } },
      },
      responses: { "201": json(integers("added")) },
    },
  ],
  [
    ["paths", "/3/list/{list-id}", "delete"],
    {
      operationId: "lists.remove",
      parameters: [parameter("list-id")],
      responses: {
        "200": json({ $ref: "#/components/schemas/Review" }),
        "202": json(integers("queued")),
        "204": { description: "The list was removed." },
      },
    },
  ],
  [
    ["paths", "/3/movie/random", "post"],
    {
      operationId: "movies.random",
      requestBody: { content: { "application/json": { schema: integers("seed") } } },
      responses: { "200": { $ref: "#/components/responses/Shared" } },
    },
  ],
];

/** Calls every added operation; each line marked as an error must be one. */
const consumer = `
import { createCatalogue, type Review } from "./src/index.js";

export async function callAll(baseUrl: string) {
  const { reviews, tvSeasons, lists, movies } = createCatalogue({ baseUrl, token: "token" });
  const review: Review = await reviews.details("a/b");
  const stars: number = review.stars;
  const season = await tvSeasons.details({ series_id: 1396, "season-number": 1 });
  const episodes: number = season.episodes;
  const { data, response } = await lists.addItem.withResponse(8, { body: { media_id: 603 } });
  const added: number = data.added;
  const { count }: { count: number } = await movies.random();
  const removed: Review | { queued: number } | undefined = await lists.remove(8);
  await movies.random({ query: { page: 2 } });
  await movies.random({ body: { seed: 7 }, query: { language: "en" } });
  return { stars, episodes, added, status: response.status, count, removed };
}

export function wrong({ reviews, tvSeasons, lists, movies }: ReturnType<typeof createCatalogue>) {
  // @ts-expect-error the identifier is missing
  void reviews.details();
  // @ts-expect-error several identifiers are named
  void tvSeasons.details(1396, 1);
  // @ts-expect-error one of the identifiers is missing
  void tvSeasons.details({ series_id: 1396 });
  // @ts-expect-error the body is required
  void lists.addItem(8);
  // @ts-expect-error the body has the wrong type
  void lists.addItem(8, { body: { media_id: "603" } });
  // @ts-expect-error the operation takes no body
  void reviews.details(1, { body: {} });
  // @ts-expect-error a response without content leaves no body
  void lists.remove(8).then((removed): object => removed);
  // @ts-expect-error no such operation was added
  void movies.shuffle();
  // @ts-expect-error the response has a different type
  void reviews.details(1).then(({ stars }): string => stars);
}
`;

it("generates a typed method for an operation added to the YAML, without any other change", async () => {
  const project = await scratchFolder();
  const yaml = parseDocument(await readFile(descriptionFile, "utf8"));
  for (const [path, value] of additions) yaml.setIn(path, yaml.createNode(value));
  await mkdir(join(project, "openapi"));
  await writeFile(join(project, "openapi/catalogue.yaml"), String(yaml));
  await cp(join(root, "src"), join(project, "src"), { recursive: true });
  await writeFile(join(project, "consumer.ts"), consumer);
  const tsconfig = { extends: relative(project, join(root, "tsconfig.json")), include: ["*.ts"] };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(tsconfig));

  const generated = await runScript("scripts/generate.ts", ["--root", project]);
  expect(generated).toMatchObject({ code: 0, stderr: "" });
  const types = await run("typescript/bin/tsc", ["-p", project]);
  expect(types.stdout).toBe("");
  const seen: string[] = [];
  const { callAll } = (await import(join(project, "consumer.ts"))) as {
    callAll: (baseUrl: string) => Promise<unknown>;
  };
  expect(await callAll(await serve(seen))).toEqual({
    stars: 5,
    episodes: 7,
    added: 1,
    status: 201,
    count: 3,
    removed: undefined,
  });
  const { createSandbox } = (await import(join(project, "src/sandbox/index.ts"))) as {
    createSandbox: typeof createSandboxHere;
  };
  const respond = async (path: string, body: string | null) => {
    const init = { method: "POST", body, headers: { authorization: "Bearer any" } };
    const response = await createSandbox().fetch(`http://sandbox.test/3${path}`, init);
    const { status_message } = (await response.json()) as { status_message: string };
    return `${response.status} ${status_message}`;
  };
  // Bodies that the description allows lead to the example responses, of which a new operation has none.
  const allowed = /^400 There is no example response/;
  expect(await respond("/list/8/add_item", '{"media_id":603}')).toMatch(allowed);
  expect(await respond("/movie/random", null)).toMatch(allowed);
  for (const value of ["603", 1.5, null])
    expect(await respond("/list/8/add_item", JSON.stringify({ media_id: value }))).toMatch(
      /^422 .* no field media_id of type integer/,
    );
  expect(await respond("/movie/random", "{}")).toMatch(/^422 .* no field seed of type integer/);
  expect(await respond("/list/8/add_item", null)).toMatch(/^400 .* not JSON/);
  expect(seen).toEqual([
    "GET /3/review/a%2Fb ",
    "GET /3/tv/1396/season/1 ",
    `POST /3/list/8/add_item {"media_id":603}`,
    "POST /3/movie/random ",
    "DELETE /3/list/8 ",
    "POST /3/movie/random?page=2 ",
    `POST /3/movie/random?language=en {"seed":7}`,
  ]);
});

/** Responds to every request with the fields of all operations, and records the request. */
async function serve(seen: string[]): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk as string;
    seen.push(`${request.method} ${request.url} ${body}`);
    if (request.method === "DELETE") return void response.writeHead(204).end();
    response.writeHead(request.url?.includes("add_item") ? 201 : 200, {
      "content-type": "application/json",
    });
    return void response.end(JSON.stringify({ stars: 5, episodes: 7, added: 1, count: 3 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
