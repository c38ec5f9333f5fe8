import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const operation = `
  /3/movie/{movie_id}/undocumented:
    get:
      operationId: movies.undocumented
      tags: [MOVIES]
      summary: Things of a movie
      description: |
        The things of a movie.
      x-source: Planted by a test
      parameters:
        - $ref: "#/components/parameters/MovieId"
        - $ref: "#/components/parameters/Query"
      responses:
        "200":
          description: The movie identifier and its things.
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/MovieThings"
              examples:
                typical:
                  summary: Things of movie 603
                  value:
                    id: 603
                    things:
                      - id: 83
                        name: "saving the world"
        default:
          $ref: "#/components/responses/Error"`;

const schemas = `
    MovieThings:
      description: The things of a movie.
      type: object
      required: [id, things]
      properties:
        id:
          description: The movie's identifier.
          type: integer
          format: int64
        things:
          description: The things.
          type: array
          items:
            $ref: "#/components/schemas/Genre"
      x-source: Planted by a test`;

/** Adds an operation to the YAML of a project. */
export async function addOperation(project: string): Promise<void> {
  const file = join(project, "openapi/catalogue.yaml");
  const before = await readFile(file, "utf8");
  const after = before
    .replace(/^paths:$/m, (line) => line + operation)
    .replace(/^ {2}schemas:$/m, (line) => line + schemas);
  await writeFile(file, after);
}
