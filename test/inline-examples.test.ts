import { describe, expect, it } from "vitest";
import { compileDocument } from "../scripts/description/compile.js";
import { parseDescription } from "../scripts/description/description.js";
import { listInlineExamples } from "../scripts/description/inline-examples.js";
import { proveMutation } from "../scripts/prove/mutation.js";
import type { CompleteExchange } from "../src/types/exchange.js";
import { run } from "./contract/cli/support.js";

const file = "shops.yaml";
const source = `
openapi: 3.1.0
info: { title: Shops, version: "1" }
paths:
  /shops/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer, default: 7 } }
    get:
      operationId: shops.details
      parameters: [{ name: page, in: query, schema: { type: integer, default: 1 } }]
      responses:
        "404": { $ref: "#/components/responses/Missing" }
        2XX:
          description: A shop.
          headers:
            X-Shelves: { required: true, schema: { type: string, enum: [many] } }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Shop" }
              examples:
                small: { value: { stars: 1 } }
                large: { $ref: "#/components/examples/Large" }
        "410": { description: Gone., content: { text/html: { example: <p> } } }
        default: { $ref: "#/components/responses/Missing" }
    delete:
      operationId: shops.remove
      responses: { "204": { description: Removed. } }
  /shops:
    get:
      operationId: shops.list
      responses:
        "200":
          description: All shops.
          content:
            application/json:
              schema: { type: array, items: { $ref: "#/components/schemas/Shop" } }
              example: [{ stars: 1 }, { stars: many }]
        "404": { $ref: "#/components/responses/Missing" }
        "410": { $ref: "#/components/responses/Closed" }
    post:
      operationId: shops.open
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Shop" } } } }
      responses:
        "201":
          description: Open.
          content: { application/json: { schema: { $ref: "#/components/schemas/Shop" } } }
  /shelves:
    get:
      operationId: shelves.list
      responses:
        "200": { description: None., content: { application/json: { schema: { type: array } } } }
components:
  examples: { Large: { value: { stars: 5 } } }
  responses:
    Closed:
      description: Closed.
      content:
        application/json:
          schema: { type: object, properties: { text: { type: string }, year: { type: integer } } }
          example: { text: Closed. }
    Missing:
      description: No such shop.
      content: { application/json: { schema: { $ref: "#/components/schemas/Problem" }, examples: { small: { value: { text: No. } } } } }
  schemas:
    Problem: { type: object, required: [text], properties: { text: { type: string } } }
    Shop:
      type: object
      required: [stars]
      properties: { stars: { type: integer } }
      examples: [{ stars: 3 }]
`;
const description = parseDescription(source, file);
const compiled = compileDocument(description, file);
const response = { status: 200, headers: {}, body: {} };
const request = { method: "GET", path: "/shops/8" };
const written: CompleteExchange = { operation: "shops.details", name: "large", request, response };
const { document, operations } = description;
const exchanges = listInlineExamples(document, operations, [written]);

describe("examples in a description", () => {
  it("an example in a description counts as an exchange, unless an example response has the same name", () => {
    const shown = exchanges.map(
      ({ operation, name, request: { path, query, body }, response: to }) => [
        `${operation}/${name}`,
        path,
        query,
        body,
        to.status,
        to.body,
        to.headers["x-shelves"],
      ],
    );
    expect(shown).toEqual([
      ["shops.details/typical", "/shops/7", undefined, undefined, 200, { stars: 1 }, "many"],
      ["shops.details/small", "/shops/7", undefined, undefined, 404, { text: "No." }, undefined],
      ["shops.remove/typical", "/shops/7", undefined, undefined, 204, undefined, undefined],
      [
        "shops.list/typical",
        "/shops",
        undefined,
        undefined,
        200,
        [{ stars: 1 }, { stars: "many" }],
        undefined,
      ],
      ["shops.list/small", "/shops", undefined, undefined, 404, { text: "No." }, undefined],
      ["shops.list/410", "/shops", undefined, undefined, 410, { text: "Closed." }, undefined],
      ["shops.open/typical", "/shops", undefined, { stars: 3 }, 201, { stars: 3 }, undefined],
    ]);
  });

  it("proveMutation mutates every example in the description, unless the example contradicts the description", () => {
    const { problems, total, killed } = proveMutation(exchanges, compiled);
    expect(problems).toEqual([
      `finding in an example response: schema/type in typical; npm run contract shows it`,
    ]);
    const consistent = exchanges.filter(
      ({ operation, name }) => operation !== "shops.list" || name !== "typical",
    );
    expect([killed, total]).toEqual([total, proveMutation(consistent, compiled).total]);
  });
});

it("npm run contract checks the example responses, unless a path is given", async () => {
  const [exchange] = exchanges;
  const { request: sent, ...rest } = exchange!;
  const locate = () => ({ file, line: 17, column: 9 });
  const unknown = { ...rest, request: { ...sent, path: "/3/nowhere" }, locate };
  const start = {
    loadDefaultExchanges: async () => [unknown],
  };
  const { code, stdout } = await run(["contract", "--undeclared", "error"], { start });
  expect(code).toBe(1);
  expect(stdout).toMatch(/recording {4}shops\.yaml:17:9/);
  const given = await run(["contract", "test/example-responses/configuration.languages"], {
    start,
  });
  expect(given.code).toBe(0);
});
