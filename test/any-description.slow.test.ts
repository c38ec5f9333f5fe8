import { cp, mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type * as Gate from "../src/contract/index.js";
import type { Description } from "../src/openapi/description.js";
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
                $ref: "#/paths/~1a/get/responses/200/content/application~1hal+json; charset=utf-8/schema/properties/self"
        4XX: { description: Wrong., content: { application/problem+json: { schema: { required: [title] } } } }
        default: { description: Anything else. }
    post:
      operationId: c.create
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: { schema: { type: object } }
          application/json:
            schema: { anyOf: [{ type: string, enum: [all] }, { properties: { b: true, c: false } }] }
      responses:
        "201": { description: Created., content: { application/json: { schema: true, example: 1 } } }
        "202": { description: Later. }
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
          schema: { type: array, prefixItems: [{ type: integer }, false], items: { $ref: "#/components/schemas/List" } }
  schemas:
    Id: { type: [string, integer], minLength: 1 }
    odd-name.v1:
      type: object
      properties:
        next: { $ref: "#/components/schemas/odd-name.v1" }
        a b: { type: [integer, "null"], readOnly: true, examples: [1], $comment: x }
        kind: { const: null }
      unevaluatedProperties: false
    odd_name_v1: { type: string }
    default: { type: object }
    List:
      type: object
      required: [items]
      properties: { items: { type: array, items: { oneOf: [{ $ref: "#/components/schemas/List" }, false] } } }
`;

const consumer = `
import type { A, B, C } from "./methods.js";
import type { List, OddNameV1 } from "./src/generated/models.js";
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

  const groups = ["A", "B", "C"].map((name) => `${name}Methods as ${name}`).join(", ");
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
      { operation: "c.create", request: { body: "all" }, response: { body: 1 } },
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
  expect(findingsFor("/b/x", { body: [1, 2] })).toEqual(["schema/false /1: absent"]);
  expect(findingsFor("/c", { status: 299, body: { next: { more: 1 } } })).toEqual([
    "schema/unevaluatedProperties /next/more: absent",
  ]);
  const problem = { "content-type": "application/problem+json" };
  expect(findingsFor("/c", { status: 451, body: {}, headers: problem })).toEqual([
    "schema/required /title: present",
  ]);
});
