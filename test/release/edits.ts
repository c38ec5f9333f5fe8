import type { Bump } from "../../scripts/release/version.js";

/**
 * Sets the value at a place, or removes it if the value is undefined; a function receives the old value, and a Renamed
 * renames the key. A place starts with an operationId, the name of a component, or a key of the description.
 */
export type Edit = [place: string, value: unknown];

/** The new name of a key. */
export class Renamed {
  constructor(readonly name: string) {}
}

const ok = "responses/200";
const body = `${ok}/content/application~1json`;
const string = { type: "string" };
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const response = (schema?: object) => ({
  description: "Planted.",
  ...(schema && { content: { "application/json": { schema } } }),
});
const operation = (operationId: string) => ({
  operationId,
  responses: { 200: response(reference("MovieDetail")) },
});
const also =
  (...more: unknown[]) =>
  (values: unknown[] = []) => [...values, ...more];
const without = (value: unknown) => (values: unknown[]) => values.filter((each) => each !== value);
const reversed = (values: unknown[]) => values.toReversed();
const images = "/3/tv/{series_id}/season/{season_number}/episode/{episode_number}/images";

/** An edit of the description, the bump that it needs, and what to edit in both versions first. */
export const rows: [what: string, rating: Bump, edits: Edit[], before?: Edit[]][] = [
  // Text, and edits that only look like changes.
  ["a description", "patch", [["Genre/properties/name/description", "Other words."]]],
  ["a summary", "patch", [["movies.latest/summary", "Other words"]]],
  ["the source of a schema", "patch", [["Language/x-source", "Elsewhere"]]],
  ["the tag of an operation", "patch", [["genres.tvList/tags", ["SEARCH"]]]],
  ["a removed gap", "patch", [["Change/x-not-specified", undefined]]],
  ["the order of required", "patch", [["Network/required", reversed]]],
  ["the order of types", "patch", [["Image/properties/iso_639_1/type", reversed]]],
  [
    "a removed format of a number",
    "patch",
    [["Certification/properties/order/format", undefined]],
    [["Certification/properties/order/format", "int64"]],
  ],
  [
    "int64 to int32 in a response",
    "patch",
    [["Account/properties/id/format", "int32"]],
    [["Account/properties/id/format", "int64"]],
  ],
  [
    "int64 to double in a response",
    "patch",
    [["EpisodeGroup/properties/group_count/format", "double"]],
    [["EpisodeGroup/properties/group_count/format", "int64"]],
  ],
  ["a minimum length of 0", "patch", [["RequestToken/properties/request_token/minLength", 0]]],
  [
    "a renamed server variable",
    "patch",
    [
      ["servers/0/url", "{host}"],
      ["servers/0/variables/base_url", new Renamed("host")],
    ],
  ],
  [
    "the default of a server variable",
    "patch",
    [["servers/0/variables/base_url/default", "http://a.example"]],
  ],

  ["the version of the description", "patch", [["info/version", "1.0.1"]]],
  ["a new server", "patch", [["servers/1", { url: "http://b.example" }]]],

  // Operations.
  ["a new operation", "minor", [["paths/~13~1movie~1random", { get: operation("movies.any") }]]],
  [
    "a new operation of a path",
    "minor",
    [["paths/~13~1movie~1latest/post", operation("movies.a")]],
  ],
  ["a removed path", "major", [["paths/~13~1genre~1tv~1list", undefined]]],
  ["a removed operation", "major", [["paths/~13~1search~1multi/get", undefined]]],
  ["a renamed operationId", "major", [["movies.lists/operationId", "movies.inLists"]]],
  ["a deprecated operation", "minor", [["movies.changes/deprecated", true]]],
  ["a renamed path", "major", [["paths/~13~1person~1popular", new Renamed("/3/person/liked")]]],

  // Parameters.
  ["a path parameter that accepts less", "major", [["PathIdentifier/type", "integer"]]],
  ["a path parameter that accepts more", "minor", [["PathIdentifier/type", also("boolean")]]],
  [
    "a renamed path parameter",
    "major",
    [
      [
        `paths/${images.replaceAll("/", "~1")}`,
        new Renamed(images.replace("series_id", "show_id")),
      ],
      ["SeriesId/name", "show_id"],
    ],
  ],
  [
    "a new query parameter",
    "minor",
    [["movies.latest/parameters", also({ name: "a", in: "query", schema: {} })]],
  ],
  [
    "a new required query parameter",
    "major",
    [["networks.details/parameters", also({ name: "a", in: "query", required: true, schema: {} })]],
  ],
  [
    "a removed parameter",
    "major",
    [["people.translations/parameters", (all: unknown[]) => all.slice(0, 1)]],
  ],
  [
    "a query parameter that becomes required",
    "major",
    [["tvSeries.episodeGroups/parameters/2/required", true]],
    [["tvSeries.episodeGroups/parameters", also({ name: "a", in: "query", schema: {} })]],
  ],

  ["an enum of a path parameter", "major", [["TimeWindow/schema", { enum: ["day", "week"] }]]],
  ["a path parameter in another style", "major", [["NetworkId/style", "matrix"]]],

  // Request bodies.
  ["a removed request body", "major", [["authentication.convertV4Session/requestBody", undefined]]],
  [
    "an optional request body",
    "minor",
    [["authentication.convertV4Session/requestBody/required", false]],
  ],
  ["a new optional request body", "minor", [["movies.deleteRating/requestBody", { content: {} }]]],
  [
    "a new required request body",
    "major",
    [["movies.deleteRating/requestBody", { required: true, content: {} }]],
  ],
  ["a new request field", "minor", [["ConvertV4SessionRequest/properties/scope", string]]],
  [
    "a new required request field",
    "major",
    [
      ["ConvertV4SessionRequest/properties/scope", string],
      ["ConvertV4SessionRequest/required", also("scope")],
    ],
  ],
  [
    "a request field that becomes optional",
    "minor",
    [["ConvertV4SessionRequest/required", undefined]],
  ],
  ["a removed request field", "major", [["ConvertV4SessionRequest/properties", {}]]],
  [
    "a renamed request field",
    "major",
    [["ConvertV4SessionRequest/properties/access_token", new Renamed("token")]],
  ],
  [
    "a request pattern",
    "major",
    [["ConvertV4SessionRequest/properties/access_token/pattern", "^e"]],
  ],
  ["a request enum", "major", [["ConvertV4SessionRequest/properties/access_token/enum", ["a"]]]],
  [
    "a request enum with one more value",
    "minor",
    [["ConvertV4SessionRequest/properties/access_token/enum", ["a", "b"]]],
    [["ConvertV4SessionRequest/properties/access_token/enum", ["a"]]],
  ],
  [
    "a shorter request field",
    "major",
    [["ConvertV4SessionRequest/properties/access_token/maxLength", 9]],
  ],
  [
    "int64 to int32 in a request",
    "major",
    [["ConvertV4SessionRequest/properties/access_token/format", "int32"]],
    [["ConvertV4SessionRequest/properties/access_token", { type: "integer", format: "int64" }]],
  ],

  // Response bodies.
  [
    "a removed required property",
    "major",
    [
      ["Genre/properties/name", undefined],
      ["Genre/required", without("name")],
    ],
  ],
  ["a removed optional property", "major", [["PopularPerson/properties/media_type", undefined]]],
  [
    "a renamed property",
    "major",
    [["WatchProvider/properties/provider_name", new Renamed("title")]],
  ],
  ["a new optional property", "minor", [["ListSummary/properties/slug", string]]],
  [
    "a new required property",
    "minor",
    [
      ["Network/properties/slug", string],
      ["Network/required", also("slug")],
    ],
  ],
  ["a property that becomes required", "minor", [["PopularPerson/required", also("media_type")]]],
  ["a property that becomes optional", "major", [["Language/required", without("name")]]],
  [
    "a property that becomes nullable",
    "major",
    [["MovieTranslation/properties/name/type", ["string", "null"]]],
  ],
  [
    "a property that is no longer nullable",
    "minor",
    [["Image/properties/iso_639_1/type", "string"]],
  ],
  ["a changed type", "major", [["Certification/properties/meaning/type", "integer"]]],
  ["a wider type", "major", [["Account/properties/id/type", "number"]]],
  ["a narrower type", "minor", [["PersonSummary/properties/popularity/type", "integer"]]],
  ["a removed type", "major", [["EpisodeGroup/properties/name/type", undefined]]],
  ["a changed type of items", "major", [["TvSummary/properties/genre_ids/items/type", "string"]]],
  ["a new pattern", "minor", [["Genre/properties/name/pattern", "^[A-Z]"]]],
  ["a removed pattern", "major", [["RequestToken/properties/expires_at/pattern", undefined]]],
  ["a new format of text", "minor", [["Language/properties/name/format", "date"]]],
  ["a new enum", "minor", [["MovieDetail/properties/status/enum", ["Released"]]]],
  [
    "an enum with one more value",
    "major",
    [["MovieDetail/properties/status/enum", ["Released", "Rumored"]]],
    [["MovieDetail/properties/status/enum", ["Released"]]],
  ],
  [
    "an enum with one value less",
    "major",
    [["MovieDetail/properties/status/enum", ["Released"]]],
    [["MovieDetail/properties/status/enum", ["Released", "Rumored"]]],
  ],
  [
    "an enum in another order",
    "patch",
    [["MovieDetail/properties/status/enum", ["Rumored", "Released"]]],
    [["MovieDetail/properties/status/enum", ["Released", "Rumored"]]],
  ],
  ["a new const", "minor", [["MovieDetail/properties/status/const", "Released"]]],
  ["a changed const", "major", [["TvSummary/properties/media_type/const", "show"]]],
  ["a removed const", "major", [["PersonSummary/properties/media_type/const", undefined]]],
  [
    "a new branch of a union",
    "major",
    [
      ["KnownFor/oneOf", also(reference("PersonSummary"))],
      ["KnownFor/discriminator/mapping/person", reference("PersonSummary").$ref],
    ],
  ],
  [
    "a removed branch of a union",
    "major",
    [
      ["KnownFor/oneOf", (branches: unknown[]) => branches.slice(0, 1)],
      ["KnownFor/discriminator/mapping/tv", undefined],
    ],
  ],
  [
    "undeclared fields that are no longer typed",
    "major",
    [["OtherCredit/additionalProperties", undefined]],
  ],
  ["a filled gap", "minor", [["AccountItem", { type: "object", properties: { id: string } }]]],

  ["an object that closes", "minor", [["Network/additionalProperties", false]]],
  ["a new maximum", "minor", [["Image/properties/height/maximum", 9999]]],
  [
    "a removed maximum",
    "major",
    [["Image/properties/width/maximum", undefined]],
    [["Image/properties/width/maximum", 9999]],
  ],
  ["an array that becomes an object", "major", [["Timezones", { type: "object" }]]],

  // Responses.
  ["a changed status", "major", [["networks.details/responses/200", new Renamed("201")]]],
  [
    "a new 2xx response with another body",
    "major",
    [["genres.tvList/responses/202", response(string)]],
  ],
  ["a new 2xx response without a body", "major", [["movies.lists/responses/204", response()]]],
  [
    "a new 2xx response with the same body",
    "minor",
    [["movies.latest/responses/202", response(reference("MovieDetail"))]],
  ],
  [
    "a new error response",
    "minor",
    [["people.popular/responses/404", { $ref: "#/components/responses/Error" }]],
  ],
  ["a removed error response", "major", [["movies.changes/responses/default", undefined]]],
  [
    "a changed media type",
    "major",
    [[`configuration.languages/${ok}/content/application~1json`, new Renamed("application/xml")]],
  ],
  [
    "a new media type with another body",
    "major",
    [[`configuration.timezones/${ok}/content/text~1plain`, { schema: string }]],
  ],
  [
    "another schema of a body",
    "major",
    [[`movies.deleteRating/${body}/schema`, { type: "object" }]],
    [[`movies.deleteRating/${body}/schema`, string]],
  ],
  ["an example", "patch", [[`movies.deleteRating/${body}/examples/typical/summary`, "Planted"]]],
  [
    "a removed header",
    "major",
    [[`authentication.createRequestToken/${ok}/headers/ETag`, undefined]],
  ],
  [
    "a header that becomes optional",
    "major",
    [
      [
        `authentication.createRequestToken/${ok}/headers/authentication-callback/required`,
        undefined,
      ],
    ],
  ],
  ["a new header", "minor", [[`search.multi/${ok}/headers`, { "x-age": { schema: string } }]]],

  // Authentication and names of exported types.
  ["no authentication any more", "minor", [["security", []]]],
  ["another security scheme", "major", [["bearerAuth/scheme", "basic"]]],
  ["a new schema", "minor", [["Review", { type: "object" }]]],
  [
    "a schema renamed with its references",
    "major",
    [
      ["Language", new Renamed("Tongue")],
      ["Languages/items", reference("Tongue")],
    ],
  ],
  [
    "an unused schema that is removed",
    "major",
    [["Review", undefined]],
    [["Review", { type: "object" }]],
  ],
  [
    "a schema that is inlined",
    "major",
    [
      ["MovieDetail/properties/genres/items", { type: "object" }],
      ["GenreList/properties/genres/items", { type: "object" }],
      ["Genre", undefined],
    ],
  ],
];
