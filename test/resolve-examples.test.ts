import type { Json } from "../src/openapi/description.js";
import { describe, expect, it } from "vitest";
import { parseDescription } from "../scripts/description/description.js";
import { addPartExchanges, readParts } from "../scripts/generate/part-exchanges.js";
import { resolveExamples } from "../scripts/generate/resolve-examples.js";
import type { WrittenExample } from "../scripts/generate/example-responses.js";
import { importValidators, validatorsModule } from "../scripts/generate/validators-module.js";
import { createLocator, fileSource } from "../src/contract/input/json.js";
import { selectParts } from "../src/sandbox/parts.js";
import type { CompleteExchange } from "../src/types/exchange.js";

const page = `
            application/json:
              schema:
                type: object
                properties:
                  page: { type: integer }
                  results:
                    type: array
                    items:
                      discriminator: { propertyName: media_type }
                      oneOf:
                        - { $ref: "#/components/schemas/MovieRow" }
                        - { $ref: "#/components/schemas/PersonRow" }`;

/** @param more further properties of a movie row, which only the full description declares */
const yaml = (more = "") => `
openapi: 3.1.1
info: { title: Small, version: "1" }
servers: [{ url: https://example.com }]
paths:
  /3/movie/{movie_id}:
    get:
      operationId: movies.details
      parameters:
        - { name: movie_id, in: path, required: true, schema: { type: integer } }
        - name: append_to_response
          in: query
          x-appends: { credits: credits, "watch/providers": "watch/providers", "part/{number}": "part/{number}" }
          schema: { type: array, items: { type: string } }
          explode: false
      responses:
        "200":
          description: A movie.
          content: { application/json: { schema: { $ref: "#/components/schemas/Movie" } } }
  /3/movie/{movie_id}/credits:
    get:
      operationId: movies.credits
      parameters: [{ name: movie_id, in: path, required: true, schema: { type: integer } }]
      responses:
        "200":
          description: The credits.
          content:
            application/json:
              schema:
                allOf: [{ $ref: "#/components/schemas/Credits" }]
                properties: { id: { type: integer } }
  /3/movie/{movie_id}/part/{number}:
    get:
      operationId: parts.details
      parameters:
        - { name: movie_id, in: path, required: true, schema: { type: integer } }
        - { name: number, in: path, required: true, schema: { type: integer } }
      responses:
        "200":
          description: A part.
          content:
            application/json:
              schema: { type: object, properties: { id: { type: integer }, number: { type: integer } } }
  /3/search:
    get:
      operationId: search.multi
      responses:
        "200":
          description: A page.
          content:${page}
components:
  schemas:
    Movie:
      type: object
      properties:
        id: { type: integer }
        title: { type: string }
        budget: { type: integer }
        credits: { $ref: "#/components/schemas/Credits" }
        watch/providers: { type: object, additionalProperties: { type: object } }
    MovieRow:
      type: object
      required: [media_type]
      properties:
        id: { type: integer }
        title: { type: string }
        media_type: { const: movie }${more}
    PersonRow:
      type: object
      required: [media_type]
      properties:
        id: { type: integer }
        name: { type: string }
        media_type: { const: person }
        known_for: { type: array, items: { $ref: "#/components/schemas/MovieRow" } }
    Credits:
      type: object
      properties:
        cast:
          type: array
          items:
            type: object
            properties: { id: { type: integer }, name: { type: string }, character: { type: string } }
`;

const prepare = async (text: string) => {
  const description = parseDescription(text, "small.yaml");
  return importValidators(description, await validatorsModule(description));
};
const full = await prepare(yaml("\n        genre_ids: { type: array, items: { type: integer } }"));
const parts = readParts(full);

const example = (
  operation: string,
  path: string,
  body: Json & object,
  name = "one",
): WrittenExample => {
  const request = { method: "GET", path };
  const exchange = { operation, name, request, response: { status: 200, headers: {}, body } };
  const source = fileSource(`${operation}/${name}.json`, JSON.stringify(exchange, undefined, 2));
  return { ...exchange, locate: createLocator(source, { body: "/response/body" }) };
};

const movie = example("movies.details", "/3/movie/1", {
  id: 1,
  title: "Night Ferry",
  budget: 5,
  genre_ids: [18],
  media_type: "movie",
  credits: { cast: [{ $example: "people.details/ada", character: "Captain" }] },
  "watch/providers": { NZ: { link: "x" } },
});
const part = example("parts.details", "/3/movie/1/part/2", { id: 21, number: 2 });
// The description has no operation for people, so the example only serves references.
const person = example("people.details", "/3/person/7", { $example: "people.base/ada" }, "ada");
const base = example(
  "people.base",
  "/3/person/7",
  {
    id: 7,
    name: "Ada",
    media_type: "person",
    biography: "Sailor.",
    known_for: [{ $example: "movies.details/one" }],
  },
  "ada",
);
const search = (...results: Json[]) => example("search.multi", "/3/search", { page: 1, results });
const resolve = (examples: WrittenExample[], descriptions = [full]) =>
  resolveExamples([movie, part, person, base, ...examples], descriptions, parts);
const last = (examples: CompleteExchange[]) => examples.at(-1)!.response.body;

describe("references between example responses", () => {
  it("a row contains the properties of the referenced example that its place declares", () => {
    const rows = search(
      { $example: "movies.details/one", title: "Nachtfähre" },
      { $example: "people.details/ada" },
    );
    expect(last(resolve([rows]))).toEqual({
      page: 1,
      results: [
        { id: 1, title: "Nachtfähre", genre_ids: [18], media_type: "movie" },
        {
          id: 7,
          name: "Ada",
          media_type: "person",
          known_for: [{ id: 1, title: "Night Ferry", genre_ids: [18], media_type: "movie" }],
        },
      ],
    });
  });

  it("a row of a specified operation contains only properties that both descriptions declare", async () => {
    const rows = search({ $example: "movies.details/one" });
    const results = [{ id: 1, title: "Night Ferry", media_type: "movie" }];
    expect(last(resolve([rows], [full, await prepare(yaml())]))).toEqual({ page: 1, results });
  });

  it("a row keeps a property that only one description declares if that description requires it", async () => {
    // The specification has renamed a property that deployments still send.
    const strict = yaml("\n        genre_ids: { type: array, items: { type: integer } }").replace(
      "required: [media_type]",
      "required: [media_type, genre_ids]",
    );
    const rows = search({ $example: "movies.details/one" });
    const results = [{ id: 1, title: "Night Ferry", genre_ids: [18], media_type: "movie" }];
    const descriptions = [await prepare(strict), await prepare(yaml())];
    expect(last(resolve([rows], descriptions))).toEqual({ page: 1, results });
  });

  it("a details response is reduced to its schema, and keeps its parts", () => {
    expect(resolve([])[0]!.response.body).toEqual({
      id: 1,
      title: "Night Ferry",
      budget: 5,
      credits: { cast: [{ id: 7, name: "Ada", character: "Captain" }] },
      "watch/providers": { NZ: { link: "x" } },
    });
  });

  it.each([
    [
      { $example: "movies.details/two" },
      '15:23: /results/0/$example names no example with an object: "movies.details/two"; use <operationId>/<name>',
    ],
    [
      { $example: "movies.details/one", titel: "x" },
      "16:20: /results/0/titel is declared by no schema of its place; correct or remove the property",
    ],
    [
      { $example: "people.text/ada" },
      '15:23: /results/0/$example names no example with an object: "people.text/ada"; use',
    ],
  ])("the generator rejects the reference %j", (row, message) => {
    const text = example("people.text", "/3/person/7", ["Ada"], "ada");
    expect(() => resolve([text, search(row)])).toThrow(`search.multi/one.json:${message}`);
  });
});

describe("parts of a response", () => {
  const { exchanges, parts: names } = addPartExchanges(resolve([]), parts);
  const find = (operation: string) => exchanges.find((each) => each.operation === operation)!;
  const bodyWith = (...added: string[]) =>
    selectParts(find("movies.details"), names, added).response.body;
  const details = { id: 1, title: "Night Ferry", budget: 5 };

  it("a details response contains only the named parts, and ignores unknown names", () => {
    expect(bodyWith()).toEqual(details);
    const cast = [{ id: 7, name: "Ada", character: "Captain" }];
    expect(bodyWith("credits", "kredits", "part/9", "part")).toEqual({
      ...details,
      credits: { cast },
    });
    expect(bodyWith("watch/providers", "part/2")).toEqual({
      ...details,
      "watch/providers": { NZ: { link: "x" } },
      "part/2": { id: 21, number: 2 },
    });
  });

  it("the operation below a details operation responds with the part and the `id`", () => {
    const response = { body: { id: 1, cast: [{ id: 7 }] } };
    const request = { method: "GET", path: "/3/movie/1/credits" };
    expect(find("movies.credits")).toMatchObject({ name: "one", request, response });
  });
});
