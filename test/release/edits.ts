import { parse, stringify } from "yaml";
import type { Bump } from "../../scripts/release/version.js";

/** A map of the description, to be edited. */
export interface Node {
  [key: string]: Node & Node[] & string;
}

/** A place of the description, such as `schemas.Genre.properties.name`. */
const schema = (name: string) => ["components", "schemas", name];
const property = (name: string, key: string) => [...schema(name), "properties", key];
const latest = ["paths", "/3/movie/latest", "get"];
const convert = ["paths", "/3/authentication/session/convert/4", "post"];
const rating = ["paths", "/3/movie/{movie_id}/rating", "delete"];
const token = ["paths", "/3/authentication/token/new", "get"];
const images = "/3/tv/{series_id}/season/{season_number}/episode/{episode_number}/images";
const json = ["content", "application/json"];
const ok = ["responses", "200"];

type Edit = (document: Node) => void;

/** Sets the value at a place, or a function of what is there; undefined removes it. */
function put(path: string[], value: unknown): Edit {
  return (document) => {
    const key = path.at(-1)!;
    const holder = path.slice(0, -1).reduce<Node>((node, step) => {
      if (node[step] === undefined) throw new Error(`${path.join(".")} is not there`);
      return node[step];
    }, document);
    const next: unknown = typeof value === "function" ? value(holder[key]) : value;
    if (next === undefined) Reflect.deleteProperty(holder, key);
    else Object.assign(holder, { [key]: next });
  };
}

const remove = (...path: string[]) => put(path, undefined);
const without = (value: string) => (values: string[]) => values.filter((each) => each !== value);
const withAlso = (value: unknown) => (values: unknown[]) => [...values, value];
const all =
  (...edits: Edit[]): Edit =>
  (document) => {
    for (const edit of edits) edit(document);
  };
/** Renames a key, in its place. */
const rename = (path: string[], key: string, to: string) =>
  put(path, (holder: object) =>
    Object.fromEntries(
      Object.entries(holder).map(([name, value]) => [name === key ? to : name, value]),
    ),
  );
const withoutGenreName = all(
  remove(...property("Genre", "name")),
  put([...schema("Genre"), "required"], without("name")),
);
const operation = (operationId: string) => ({
  operationId,
  responses: {
    200: {
      description: "A movie.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/MovieDetail" } } },
    },
  },
});

const statuses = (...values: string[]) =>
  put([...property("MovieDetail", "status"), "enum"], values);

/** What is changed of the description, and what that asks of the version; and what it said before, if not as it does. */
export const edits: [what: string, rating: Bump, edit: Edit, before?: Edit][] = [
  ["nothing", "none", () => {}],

  // Text, and what only looks different.
  ["a description", "patch", put([...property("Genre", "name"), "description"], "Other words.")],
  ["a summary", "patch", put([...latest, "summary"], "Other words")],
  ["the source of a schema", "patch", put([...schema("Genre"), "x-source"], "Elsewhere")],
  ["the tag of an operation", "patch", put([...latest, "tags"], ["SEARCH"])],
  ["the text of a gap", "patch", put(["x-not-specified", "0", "text"], "Other words")],
  [
    "a gap that is no more",
    "patch",
    remove(...property("PersonSummary", "gender"), "x-not-specified"),
  ],
  [
    "an example",
    "patch",
    put([...rating, ...ok, ...json, "examples", "typical", "value", "status_message"], "Gone."),
  ],
  [
    "the order of required",
    "patch",
    put([...schema("Genre"), "required"], (names: string[]) => names.toReversed()),
  ],
  [
    "the order of a type",
    "patch",
    put([...property("PersonSummary", "profile_path"), "type"], ["null", "string"]),
  ],
  ["a format that restricts nothing", "patch", remove(...property("Genre", "id"), "format")],

  // Operations.
  ["a new operation", "minor", put(["paths", "/3/movie/random"], { get: operation("movies.any") })],
  [
    "a new operation on an old path",
    "minor",
    put(["paths", "/3/movie/latest", "post"], operation("movies.renew")),
  ],
  ["a removed operation", "major", remove("paths", "/3/movie/latest")],
  ["a renamed operationId", "major", put([...latest, "operationId"], "movies.newest")],
  ["a renamed path", "major", rename(["paths"], "/3/movie/latest", "/3/movie/newest")],
  ["a deprecated operation", "minor", put([...latest, "deprecated"], true)],

  // Parameters.
  [
    "a path parameter that takes less",
    "major",
    put([...schema("PathIdentifier"), "type"], "integer"),
  ],
  [
    "a path parameter that takes more",
    "minor",
    put([...schema("PathIdentifier"), "type"], withAlso("boolean")),
  ],
  [
    "a renamed path parameter",
    "major",
    all(
      rename(["paths"], images, images.replace("series_id", "show_id")),
      put(["components", "parameters", "SeriesId", "name"], "show_id"),
    ),
  ],
  [
    "a new query parameter",
    "minor",
    put([...latest, "parameters"], withAlso({ name: "a", in: "query", schema: {} })),
  ],
  [
    "a new required query parameter",
    "major",
    put(
      [...latest, "parameters"],
      withAlso({ name: "a", in: "query", required: true, schema: {} }),
    ),
  ],

  // Request bodies.
  ["a body that is removed", "major", remove(...convert, "requestBody")],
  ["a body that need not be sent", "minor", put([...convert, "requestBody", "required"], false)],
  ["a body that may be sent", "minor", put([...rating, "requestBody"], { content: {} })],
  [
    "a body that has to be sent",
    "major",
    put([...rating, "requestBody"], { required: true, content: {} }),
  ],
  [
    "a new field of a body",
    "minor",
    put(property("ConvertV4SessionRequest", "scope"), { type: "string" }),
  ],
  [
    "a new required field of a body",
    "major",
    all(
      put(property("ConvertV4SessionRequest", "scope"), { type: "string" }),
      put([...schema("ConvertV4SessionRequest"), "required"], withAlso("scope")),
    ),
  ],
  [
    "a field of a body that is removed",
    "major",
    all(
      remove(...property("ConvertV4SessionRequest", "access_token")),
      remove(...schema("ConvertV4SessionRequest"), "required"),
    ),
  ],
  [
    "a pattern of what is sent",
    "major",
    put([...property("ConvertV4SessionRequest", "access_token"), "pattern"], "^ey"),
  ],
  [
    "an enum of what is sent",
    "major",
    put([...property("ConvertV4SessionRequest", "access_token"), "enum"], ["one"]),
  ],

  // Responses.
  ["a removed property", "major", withoutGenreName],
  ["a removed optional property", "major", remove(...property("PopularPerson", "media_type"))],
  ["a renamed property", "major", rename([...schema("Genre"), "properties"], "name", "title")],
  ["a new optional property", "minor", put(property("Genre", "slug"), { type: "string" })],
  [
    "a new required property",
    "minor",
    all(
      put(property("Genre", "slug"), { type: "string" }),
      put([...schema("Genre"), "required"], withAlso("slug")),
    ),
  ],
  [
    "a property that becomes required",
    "minor",
    put([...schema("PopularPerson"), "required"], withAlso("media_type")),
  ],
  [
    "a property that may be absent",
    "major",
    put([...schema("Genre"), "required"], without("name")),
  ],
  [
    "a property that may be null",
    "major",
    put([...property("Genre", "name"), "type"], ["string", "null"]),
  ],
  [
    "a property that is never null",
    "minor",
    put([...property("Image", "iso_639_1"), "type"], "string"),
  ],
  ["another type", "major", put([...property("Genre", "name"), "type"], "integer")],
  ["a wider type", "major", put([...property("Genre", "id"), "type"], "number")],
  [
    "a narrower type",
    "minor",
    put([...property("PersonSummary", "popularity"), "type"], "integer"),
  ],
  ["no type any more", "major", remove(...property("Genre", "name"), "type")],
  [
    "another type of items",
    "major",
    put([...property("TvSummary", "genre_ids"), "items", "type"], "string"),
  ],
  ["a new pattern", "minor", put([...property("Genre", "name"), "pattern"], "^[A-Z]")],
  ["a new enum", "minor", put([...property("MovieDetail", "status"), "enum"], ["Released"])],
  ["an enum with another value", "major", statuses("Released", "Rumored"), statuses("Released")],
  [
    "an enum without one of its values",
    "major",
    statuses("Released"),
    statuses("Released", "Rumored"),
  ],
  ["a new const", "minor", put([...property("MovieDetail", "status"), "const"], "Released")],
  ["a const that is removed", "major", remove(...property("PersonSummary", "media_type"), "const")],
  [
    "a kind that is added to a union",
    "major",
    all(
      put(
        [...schema("KnownFor"), "oneOf"],
        withAlso({ $ref: "#/components/schemas/PersonSummary" }),
      ),
      put(
        [...schema("KnownFor"), "discriminator", "mapping", "person"],
        "#/components/schemas/PersonSummary",
      ),
    ),
  ],
  [
    "a kind that is removed from a union",
    "major",
    all(
      put([...schema("KnownFor"), "oneOf"], (kinds: unknown[]) => kinds.slice(0, 1)),
      remove(...schema("KnownFor"), "discriminator", "mapping", "tv"),
    ),
  ],
  [
    "further fields that are described no more",
    "major",
    remove(...schema("OtherCredit"), "additionalProperties"),
  ],
  [
    "a removed media type",
    "major",
    rename([...latest, ...ok, "content"], "application/json", "application/xml"),
  ],
  ["another status", "major", rename([...latest, "responses"], "200", "201")],
  [
    "a new status",
    "minor",
    put([...latest, "responses", "404"], { $ref: "#/components/responses/Error" }),
  ],
  ["a removed header", "major", remove(...token, ...ok, "headers", "authentication-callback")],
  [
    "a header that may be absent",
    "major",
    remove(...token, ...ok, "headers", "authentication-callback", "required"),
  ],
  [
    "a new header",
    "minor",
    put([...latest, ...ok, "headers"], { "x-age": { schema: { type: "string" } } }),
  ],
  [
    "a gap that is filled",
    "minor",
    put(schema("AccountItem"), {
      type: "object",
      required: ["id"],
      properties: { id: { type: "integer" } },
    }),
  ],

  // Names of types, which the package exports.
  ["a new schema", "minor", put(schema("Review"), { type: "object" })],
  [
    "a schema that is renamed with its references",
    "major",
    (document) =>
      Object.assign(
        document,
        JSON.parse(JSON.stringify(document).replaceAll('schemas/Genre"', 'schemas/Kind"')),
        {
          components: JSON.parse(
            JSON.stringify(document.components)
              .replaceAll('schemas/Genre"', 'schemas/Kind"')
              .replace('"Genre":', '"Kind":'),
          ),
        },
      ),
  ],
  [
    "a schema that is written out where it was named",
    "major",
    all(put([...property("MovieDetail", "genres"), "items"], { type: "object" }), (document) => {
      const { schemas } = document.components!;
      schemas!.GenreList!.properties!.genres!.items = structuredClone(schemas!.Genre!);
      schemas!.MovieDetail!.properties!.genres!.items = structuredClone(schemas!.Genre!);
      Reflect.deleteProperty(schemas!, "Genre");
    }),
  ],
];

/** A description with an edit. */
export function edited(yaml: string, edit: Edit): string {
  const document = parse(yaml) as Node;
  const before = JSON.stringify(document);
  edit(document);
  return JSON.stringify(document) === before
    ? yaml
    : stringify(document, { aliasDuplicateObjects: false });
}
