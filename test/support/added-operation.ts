import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The added operation, and the path of its typical example response. */
export const added = { operation: "movies.keywords", path: "/3/movie/603/keywords" };

const operation = `
  /3/movie/{movie_id}/keywords:
    get:
      operationId: ${added.operation}
      tags: [MOVIES]
      summary: Keywords of a movie
      description: |
        The keywords of a movie.
      x-source: Planted by a test
      parameters:
        - $ref: "#/components/parameters/MovieId"
        - $ref: "#/components/parameters/Query"
      responses:
        "200":
          description: The movie identifier and its keywords.
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/MovieKeywords"
              examples:
                typical:
                  summary: Keywords of movie 603
                  value:
                    id: 603
                    keywords:
                      - id: 83
                        name: "saving the world"
        default:
          $ref: "#/components/responses/Error"`;

const schemas = `
    MovieKeywords:
      description: The keywords of a movie.
      type: object
      required: [id, keywords]
      properties:
        id:
          description: The movie's identifier.
          type: integer
          format: int64
        keywords:
          description: The keywords.
          type: array
          items:
            $ref: "#/components/schemas/Genre"
      x-source: Planted by a test`;

const exchange = (path: string, status: number, body: object) => ({
  operation: added.operation,
  source: { kind: "document", note: "Planted by a test." },
  request: { method: "GET", path },
  response: { status, headers: { "content-type": "application/json;charset=utf-8" }, body },
});

const exampleResponses = {
  typical: exchange(added.path, 200, { id: 603, keywords: [{ id: 83, name: "saving the world" }] }),
  "not-found": exchange("/3/movie/999999999/keywords", 404, {
    success: false,
    status_code: 34,
    status_message: "The resource could not be found.",
  }),
};

/** Adds an operation to the YAML of a project. */
export async function addOperation(project: string): Promise<void> {
  const file = join(project, "openapi/catalogue.yaml");
  const before = await readFile(file, "utf8");
  const after = before
    .replace(/^paths:$/m, (line) => line + operation)
    .replace(/^ {2}schemas:$/m, (line) => line + schemas);
  await writeFile(file, after);
}

/** Adds example responses of that operation for the sandbox and the gate. */
export async function addExampleResponses(project: string): Promise<void> {
  const folder = join(project, "test/example-responses", added.operation);
  await mkdir(folder);
  for (const [name, example] of Object.entries(exampleResponses)) {
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify(example, null, 2)}\n`);
  }
}
