import { expect, it } from "vitest";
import { stringify } from "yaml";
import { parseDescription } from "../scripts/description/description.js";
import { findMissing } from "../scripts/generate/find-missing.js";

/** Returns a description of songs, each with its album. The properties of an album start at line 17. */
const describeSongs = (properties: string, required: string) =>
  parseDescription(
    `openapi: 3.1.0
info: { title: Songs, version: "1" }
paths:
  /songs:
    get:
      operationId: songs.list
      responses:
        "200":
          description: The songs.
          content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Song" } } } }
components:
  schemas:
    Song: { type: object, properties: { album: { $ref: "#/components/schemas/Album" } } }
    Album:
      type: object
      properties:
${properties.replaceAll(/^/gm, "        ")}
      required: [${required}]
`,
    "c.yaml",
  );

const full = describeSongs(
  "year: { type: integer }\ncover_path: { type: [string, 'null'] }\nid: { type: integer }",
  "cover_path, id",
);

it("the generator names both lines if the specification renames a property", () => {
  const specified = describeSongs("cover: { type: string }\nid: { type: integer }", "cover, id");
  expect(findMissing(specified, full)).toEqual([
    "openapi/catalogue.yaml:17:9: the specification has cover, but openapi/full.yaml:18:9 has cover_path; if deployments still send cover_path, declare both there, as docs/maintaining.md says; otherwise, rename cover_path",
  ]);
});

it("the generator names a required property of the specification that the full description lacks", () => {
  const specified = describeSongs(
    "cover_path: { type: string }\nid: { type: integer }\ntracks: { type: array, items: {} }",
    "tracks",
  );
  expect(findMissing(specified, full)).toEqual([
    "openapi/catalogue.yaml:19:9: tracks is specified, but openapi/full.yaml:14:5 does not declare it; add it there",
  ]);
});

it("a deployment can leave out a property that the specification does not require", () => {
  const specified = describeSongs(
    "cover_path: { type: string }\nid: { type: integer }\ntracks: { type: array, items: {} }",
    "id",
  );
  expect(findMissing(specified, full)).toEqual([]);
});

it("the generator names the line of an operation that the full description calls otherwise", () => {
  const specified = parseDescription(
    stringify(full.document).replace("songs.list", "songs.all"),
    "",
  );
  expect(findMissing(specified, full)).toEqual([
    "openapi/full.yaml:6:7: songs.list is GET /songs, but the specification says that songs.all is GET /songs; change one of them",
  ]);
});
