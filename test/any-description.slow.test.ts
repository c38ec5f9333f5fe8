import { cp, mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type * as Gate from "../src/contract/index.js";
import type { Description, Json } from "../src/openapi/description.js";
import { exchange } from "./contract/engine/support.js";
import { root } from "./support/paths.js";
import { run, runHere } from "./support/run.js";
import { scratchFolder } from "./support/scratch.js";

/** A description with features of OpenAPI 3.1 that catalogue.yaml and full.yaml do not use. */
const unusual = `
openapi: 3.1.1
jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema
info: { title: Odd, version: "0" }
servers: [{ url: https://one.example/api }, { url: https://two.example }]
paths:
  /a:
    get:
      operationId: a.get
      responses:
        "200":
          description: ""
          content:
            text/csv: { schema: { type: string } }
            application/hal+json; charset=utf-8:
              schema: { type: [object, "null"], properties: { self: { $ref: "#/components/schemas/odd-name.v1" } } }
  /b/{id}: { $ref: "#/components/pathItems/B" }
  /c:
    parameters: [{ $ref: "#/components/parameters/Page" }]
    get:
      operationId: c.get
      parameters:
        - { name: page, in: query, required: true, schema: { type: integer, minimum: 1 } }
        - { name: session, in: cookie, schema: { type: string } }
        - { name: X-Trace, in: header, schema: { type: string } }
        - { name: ids, in: query, explode: false, schema: { type: array, items: { type: integer } } }
        - { name: "odd-name[]", in: query, deprecated: true, schema: { type: [string, "null"] } }
      responses:
        2XX:
          description: A range.
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/odd-name.v1"
        4XX: { description: Wrong., content: { application/problem+json: { schema: { required: [title] } } } }
        default: { description: Anything else. }
    post:
      operationId: c.create
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: { schema: { type: object } }
          application/json:
            schema: { anyOf: [{ type: string, enum: [all] }, { type: object, properties: { b: true, c: false } }] }
      responses:
        "201": { description: Created., content: { application/json: { schema: true, example: 1 } } }
        "202": { description: Later. }
  /d:
    parameters: [{ name: lang, in: query, schema: { enum: [en, de] } }]
    head: { operationId: d.probe, responses: { "200": { description: A., content: { application/json: { schema: {} } } } } }
    patch:
      operationId: d.change
      parameters: [{ name: since, in: query, schema: { type: string, format: date-time } }]
      requestBody: { content: { application/merge-patch+json: { schema: { $ref: "#/components/schemas/Draft" } } } }
      responses:
        "200":
          description: A.
          content:
            application/json; version=1: { schema: { $ref: "#/components/schemas/Omit" } }
            application/json; version=2: { schema: { $ref: "#/components/schemas/Event" } }
webhooks:
  changed: { post: { responses: { "200": { description: Received. } } } }
components:
  pathItems:
    B:
      summary: Shared
      parameters: [{ name: id, in: path, required: true, schema: { $ref: "#/components/schemas/Id" } }]
      get: { operationId: b.get, responses: { "200": { $ref: "#/components/responses/B" } } }
      delete: { operationId: b.delete, responses: { "204": { description: Gone. } } }
  parameters:
    Page: { name: page, in: query, schema: { type: string } }
  responses:
    B:
      description: B.
      content:
        application/json:
          schema: { type: array, items: { anyOf: [{ type: integer }, { $ref: "#/components/schemas/List" }] } }
  schemas:
    Id: { type: [string, integer], minLength: 1 }
    odd-name.v1:
      type: object
      properties:
        next: { $ref: "#/components/schemas/odd-name.v1" }
        a b: { type: [integer, "null"], readOnly: true, examples: [1], $comment: x }
        kind: { const: null }
      additionalProperties: false
    Draft: { type: object, properties: { id: { type: integer }, title: { type: [string, "null"] } }, discriminator: { propertyName: title } }
    Omit: { allOf: [{ $ref: "#/components/schemas/Draft" }, { required: [id] }], required: [title] }
    Event:
      oneOf: [{ $ref: "#/components/schemas/Started" }, { $ref: "#/components/schemas/Added" }, { $ref: "#/components/schemas/Removed" }]
      discriminator: { propertyName: kind, mapping: { removed: Removed } }
    Started: { type: object, required: [kind], properties: { kind: { const: started } } }
    Added: { type: object, required: [kind, position], properties: { kind: { enum: [added, moved] }, position: { type: array, items: { type: [integer, string] }, minItems: 1, maxItems: 2 } } }
    Removed:
      type: object
      required: [kind]
      properties: { kind: { $ref: "#/components/schemas/RemovedKind" } }
      patternProperties: { "^part/[0-9]+$": { $ref: "#/components/schemas/Draft" } }
    RemovedKind: { const: removed }
    odd_name_v1: { type: string }
    default: { type: object }
    List:
      type: object
      required: [items]
      properties: { items: { type: array, items: { oneOf: [{ $ref: "#/components/schemas/List" }, { type: "null" }] } } }
`;

const consumer = `
import type { A, B, C, D } from "./methods.js";
import type { Event, List, OddNameV1, OmitModel, Removed } from "./src/generated/models.js";
export async function changeAll(d: D): Promise<void> {
  const headers: undefined = await d.probe({ query: { lang: "de" } });
  const changed: OmitModel | Event = await d.change({ body: { id: undefined }, query: { lang: "en", since: new Date() } });
  const complete: OmitModel = { id: 1, title: null };
  const events: Event[] = [{ kind: "started" }, { kind: "moved", position: [1] }, { kind: "removed" }];
  for (const event of events) if (event.kind === "added" && typeof event.position[1] === "string") event.position[1].toUpperCase();
  const removed: Removed = { kind: "removed", "part/1": { id: 1 } };
  const part: number | undefined = removed["part/2"]?.id;
  // @ts-expect-error a different part of the schema requires the property
  const incomplete: OmitModel = { id: 1 };
  // @ts-expect-error the branch requires the property
  const short: Event = { kind: "added" };
  void [headers, changed, complete, part, incomplete, short];
}
export async function callAll(a: A, b: B, c: C): Promise<void> {
  const self: OddNameV1 | undefined = (await a.get())?.self;
  const kind: null | undefined = self?.kind;
  const next: number | null | undefined = self?.next?.["a b"];
  const found = await b.get("x");
  const gone: undefined = await b.delete(1);
  const one: OddNameV1 = await c.get({ query: { page: 1, ids: [1], "odd-name[]": null }, headers: { "X-Trace": "1" } });
  const created: unknown = await c.create({ body: "all" });
  await c.create({ body: { b: 1 } });
  // @ts-expect-error the operation overrides an optional parameter of its path with a required parameter
  await c.get({ query: {} });
  const list: List = { items: [{ items: [] }] };
  void [kind, next, found, gone, one, created, list];
}
`;

it("the generator supports features of OpenAPI 3.1 that this project's descriptions do not use", async () => {
  const project = await scratchFolder();
  for (const name of ["client", "contract", "openapi", "types"])
    await cp(join(root, "src", name), join(project, "src", name), { recursive: true });
  await mkdir(join(project, "openapi"));
  await writeFile(join(project, "openapi/catalogue.yaml"), unusual);
  const generated = await runHere("scripts/generate.ts", ["--root", project]);
  expect(generated).toMatchObject({ code: 0, stderr: "" });

  const groups = ["A", "B", "C", "D"].map((name) => `${name}Methods as ${name}`).join(", ");
  const methods = `export type { ${groups} } from "./src/generated/operations.js";\n`;
  await writeFile(join(project, "methods.ts"), methods);
  await writeFile(join(project, "consumer.ts"), consumer);
  const schema = "src/generated/schema.ts";
  const tsconfig = {
    extends: relative(project, join(root, "tsconfig.json")),
    include: ["consumer.ts", schema, "src/generated/description.ts"],
  };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(tsconfig));
  expect((await run("typescript/bin/tsc", ["-p", project])).stdout).toBe("");

  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(project, file)).href);
  const { description } = (await load("src/generated/description.ts")) as {
    description: Description;
  };
  expect(await load("src/generated/example-responses.ts")).toMatchObject({
    exampleResponses: [
      { operation: "b.delete", response: { status: 204 } },
      { operation: "c.create", request: { path: "/c" }, response: { body: 1 } },
      { operation: "c.create", name: "202", response: { status: 202 } },
    ],
  });
  const { checkExchange } = (await load("src/contract/engine/check.ts")) as Pick<
    typeof Gate,
    "checkExchange"
  >;
  const findingsFor = (path: string, response: object, method = "GET") =>
    checkExchange(exchange(method, path, response), description).map(
      ({ rule, pointer, expected }) => `${rule} ${pointer}: ${expected}`,
    );
  const hal = { "content-type": "application/hal+json" };
  expect(findingsFor("/a", { body: null, headers: hal })).toEqual([]);
  expect(findingsFor("/a", { body: { self: { kind: 1 } }, headers: hal })).toEqual([
    "schema/const /self/kind: null",
  ]);
  expect(findingsFor("/b/x", { body: [1] })).toEqual([]);
  expect(findingsFor("/b/x", { body: [1, "a"] })).toEqual(["schema/type /1: integer or object"]);
  expect(findingsFor("/c", { status: 299, body: { next: { more: 1 } } })).toEqual([
    "schema/additionalProperties /next/more: absent",
  ]);
  const changed = (body: Json, version = 2) =>
    findingsFor(
      "/d",
      { body, headers: { "content-type": `application/json; version=${version}` } },
      "PATCH",
    );
  expect(changed({ kind: "moved", position: [1] })).toEqual([]);
  expect(changed({ kind: "removed", "part/1": { id: "1" } })).toEqual([
    "schema/type /part~11/id: integer",
  ]);
  expect(changed({ kind: "Removed" })).toEqual([
    'schema/oneOf /kind: "started" or "added" or "moved" or "removed"',
  ]);
  const problem = { "content-type": "application/problem+json" };
  expect(findingsFor("/c", { status: 451, body: {}, headers: problem })).toEqual([
    "schema/required /title: present",
  ]);
});
