import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { addMissing } from "../scripts/generate/add-missing.js";
import type { Json } from "../src/openapi/description.js";

/** Returns a description with operations whose responses have the given schemas, and with the components. */
function describeSongs(operations: Record<string, string>, schemas: object, more: object = {}) {
  const paths = Object.entries(operations).map(([method, schema]) => [
    `/songs/${method}`,
    {
      get: {
        operationId: `songs.${method}`,
        tags: ["SONGS"],
        responses: { 200: { content: { "application/json": { schema: refTo(schema) } } } },
      },
    },
  ]);
  return { paths: Object.fromEntries(paths), components: { schemas, ...more } };
}

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const song = { type: "object", properties: { title: { type: "string" } } };
const add = (specified: object, full: object) => {
  const { text, messages } = addMissing(specified as Json, stringify(full));
  return { full: parse(text) as unknown, messages };
};

it("`addMissing` copies a schema under its own name, and does not copy a schema that differs only in prose", () => {
  const specified = describeSongs({ list: "Song" }, { Song: song });
  const empty = describeSongs({}, {});
  expect(add(specified, empty)).toEqual({
    full: specified,
    messages: ["openapi/full.yaml: added songs.list, Song"],
  });
  const same = describeSongs({}, { Song: { ...song, description: "A song.", "x-open": true } });
  expect(add(specified, same).messages).toEqual(["openapi/full.yaml: added songs.list"]);
});

it("`addMissing` copies a schema with a suffix if the schema, or a schema to which it refers, has another meaning", () => {
  const list = { type: "array", items: refTo("Song") };
  const specified = describeSongs({ list: "Songs", all: "Songs" }, { Songs: list, Song: song });
  const other = { type: "object", properties: { title: { type: "integer" } } };
  const { full, messages } = add(specified, describeSongs({}, { Songs: list, Song: other }));
  expect(messages).toEqual([
    "openapi/full.yaml: added songs.list, SongsAsSpecified (Songs already has another meaning), SongAsSpecified (Song already has another meaning)",
    "openapi/full.yaml: added songs.all",
  ]);
  const names = { list: "SongsAsSpecified", all: "SongsAsSpecified" };
  expect(full).toEqual(
    describeSongs(names, {
      Songs: list,
      Song: other,
      SongsAsSpecified: { type: "array", items: refTo("SongAsSpecified") },
      SongAsSpecified: song,
    }),
  );
});

it("`addMissing` copies the parameters of the path and the tag, but no parameter that stands for any name, even if the specification leaves another parameter open", () => {
  const specified = describeSongs({ list: "Song" }, { Song: song });
  const [path] = Object.values(specified.paths) as [Record<string, object>];
  const parameters = [{ name: "page", in: "query", schema: { type: "integer" } }];
  const gap = { "x-not-specified": [{ id: "G12", text: "Names" }] };
  const any = { name: "query", in: "query", schema: { type: "object" }, ...gap };
  const order = { name: "order", in: "query", schema: { type: "string" }, ...gap };
  Object.assign(path, { parameters });
  Object.assign(path.get!, { parameters: [any, order] });
  const tags = [{ name: "SONGS", description: "Songs." }];
  const { full, messages } = add({ ...specified, tags }, { ...describeSongs({}, {}), tags: [] });
  const get = { parameters: [...parameters, order] };
  expect(full).toMatchObject({ tags, paths: { "/songs/list": { get } } });
  expect(messages).toEqual([
    "openapi/full.yaml: added songs.list, Song; declare its query parameters, which the specification does not name",
  ]);
});

it("`addMissing` renames the targets of discriminators, and copies headers and security schemes", () => {
  const kind = (name: string) => ({
    type: "object",
    required: ["kind"],
    properties: { kind: { const: name } },
  });
  const union = (suffix: string) => ({
    oneOf: [refTo(`Song${suffix}`), refTo(`Album${suffix}`)],
    discriminator: {
      propertyName: "kind",
      mapping: { song: `#/components/schemas/Song${suffix}`, album: `Album${suffix}` },
    },
    // Properties and examples can have the names of these keywords.
    properties: { discriminator: { type: "string" }, security: { type: "array" } },
    example: { kind: "song", discriminator: "mapping", security: ["session", null] },
  });
  const schemas = { Item: union(""), Song: kind("song"), Album: kind("album") };
  const session = { type: "apiKey", in: "query", name: "session" };
  const describeOperation = (suffix: string, more: object, all: object) => {
    const songs = describeSongs({ list: `Item${suffix}` }, all, more);
    const operation = Object.values(songs.paths)[0] as { get: { responses: object } };
    const headers = { age: { $ref: "#/components/headers/Age" } };
    const security = [{ [`session${suffix}`]: [], bearer: [] }];
    Object.assign(operation.get, { security });
    Object.assign(Object.values(operation.get.responses)[0] as object, { headers });
    return songs;
  };
  const bearer = { type: "http", scheme: "bearer" };
  const headers = { Age: { schema: { type: "integer" } } };
  const specified = describeOperation(
    "",
    { headers, securitySchemes: { session, bearer } },
    schemas,
  );
  expect(add(specified, describeSongs({}, {}, { securitySchemes: { bearer } }))).toMatchObject({
    full: describeOperation("", { headers, securitySchemes: { bearer, session } }, schemas),
    messages: ["openapi/full.yaml: added songs.list, Item, Song, Album, Age, session"],
  });
  const others = {
    schemas: { Item: song, Song: song, Album: song },
    securitySchemes: { bearer, session: { type: "http", scheme: "basic" } },
  };
  const { full } = add(specified, { ...describeSongs({}, {}), components: others });
  const copies = {
    ItemAsSpecified: union("AsSpecified"),
    SongAsSpecified: kind("song"),
    AlbumAsSpecified: kind("album"),
  };
  const securitySchemes = { ...others.securitySchemes, sessionAsSpecified: session };
  expect(full).toEqual(
    describeOperation(
      "AsSpecified",
      { headers, securitySchemes },
      { ...others.schemas, ...copies },
    ),
  );
});

it("`addMissing` copies values unchanged, even if they look like references", () => {
  const values = [
    { ...refTo("Song"), discriminator: { mapping: { a: "Song" } }, security: [null, "a"] },
  ];
  const [value] = values;
  const describeItem = (suffix: string) => ({
    type: "object",
    // Properties and headers can have the names of these keywords.
    properties: { default: refTo(`Song${suffix}`), const: { const: value }, value: {} },
    ...{ enum: values, default: value, example: value, examples: values },
  });
  const examples = { Song: { value } };
  const describeBody = (suffix: string, more: object) => {
    const described = describeSongs({ list: `Item${suffix}` }, more, { examples });
    const { get } = Object.values(described.paths)[0] as { get: object };
    const content = {
      "application/json": {
        schema: refTo(`Item${suffix}`),
        examples: { a: { value }, default: { $ref: "#/components/examples/Song" } },
      },
    };
    Object.assign(get, { responses: { default: { headers: { example: { content } }, content } } });
    return described;
  };
  const others = { Item: { const: 1 }, Song: { const: 1 } };
  expect(
    add(describeBody("", { Item: describeItem(""), Song: song }), describeSongs({}, others)).full,
  ).toEqual(
    describeBody("AsSpecified", {
      ...others,
      ItemAsSpecified: describeItem("AsSpecified"),
      SongAsSpecified: song,
    }),
  );
});

it("`addMissing` adds a list of tags if there is none", () => {
  const tags = [{ name: "SONGS", description: "Songs." }];
  const specified = { ...describeSongs({ list: "Song" }, { Song: song }), tags };
  expect(add(specified, describeSongs({}, {})).full).toEqual(specified);
});

it("`addMissing` writes the name of a new tag before its paths", () => {
  const specified = describeSongs({ list: "Song", all: "Song" }, { Song: song });
  const tags = [{ name: "SONGS", "x-displayName": "Songs" }];
  const full = { ...describeSongs({ old: "Song" }, { Song: song }), tags: [] };
  full.paths["/songs/old"]!.get.tags = ["ALBUMS"];
  const { text } = addMissing({ ...specified, tags } as Json, stringify(full));
  expect(text).toMatch(/^\n {2}# Songs\n {2}\/songs\/list:/m);
  expect(text.match(/# Songs/g)).toHaveLength(1);
});

it.each([
  ["operationId", "/songs", "songs.list", "songs.list is GET /songs"],
  ["method and path", "/songs/list", "songs.all", "songs.all is GET /songs/list"],
])("`addMissing` rejects an operation if another operation has its %s", (_, path, id, problem) => {
  const specified = describeSongs({ list: "Song" }, { Song: song });
  const full = { paths: { [path]: { get: { operationId: id, responses: {} } } }, components: {} };
  expect(() => add(specified, full)).toThrow(
    `openapi/full.yaml: ${problem}, but the specification says that songs.list is GET /songs/list; change one of them`,
  );
});

it("`addMissing` rejects an operation if a path differs only in the names of its parameters", () => {
  const operationAt = (path: string, method: string, operationId: string) => {
    return { paths: { [path]: { [method]: { operationId, responses: {} } } }, components: {} };
  };
  const specified = operationAt("/songs/{id}/cover", "put", "songs.setCover");
  expect(() => add(specified, operationAt("/songs/{song_id}/cover", "get", "songs.cover"))).toThrow(
    "openapi/full.yaml: songs.cover is GET /songs/{song_id}/cover, but the specification says that songs.setCover is PUT /songs/{id}/cover; name the parameters alike",
  );
});
