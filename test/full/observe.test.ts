import { describe, expect, it } from "vitest";
import { compileDocument } from "../../scripts/description/compile.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { checkExchange, type Json } from "../../src/contract/index.js";
import { empty, observing, SECRETS, seen } from "./support.js";

const FEW = "fewer than 2 independent sources show the fact";

describe("new fields", () => {
  it("a new field is added to a base schema, not to an extended schema, if objects of both schemas have the field", () => {
    const credit = seen(
      "people.combinedCredits",
      { "/cast/0/softcore": false, "/cast/0/billing": true },
      { example: "cast-only" },
    );
    const result = seen("search.multi", { "/results/1/softcore": true });
    const { facts, schema } = observing([credit, result]);
    expect(facts).toContain("`MovieSummary` has a `softcore` field.");
    expect(facts).not.toContain("`MovieCastCredit` has a `softcore` field.");
    expect(schema("MovieSummary/properties/softcore")).toMatchObject({ type: "boolean" });
    expect(schema("MovieCastCredit/allOf/1/properties")).toHaveProperty("billing");
  });

  it("a new field gets the schema of a known field with the same name", () => {
    const known = getAtPointer(
      seen("people.popular").exchange.response.body,
      "/results/0/known_for",
    ) as Json;
    const { schema } = observing([
      // The known schema accepts the objects in the next exchange only after this exchange adds a field to the schema.
      seen("people.popular", { "/results/0/known_for/0/softcore": true }),
      seen("search.multi", {
        "/results/2/known_for": known,
        "/results/2/known_for/0/softcore": true,
      }),
      seen("tvEpisodes.images", { "/stills/0/iso_3166_1": null }),
    ]);
    expect(schema("PersonSummary/properties/known_for")).toEqual({
      description: "Its meaning is not documented.",
      type: "array",
      items: { $ref: "#/components/schemas/KnownFor" },
    });
    expect(schema("Image/properties/iso_3166_1")).toMatchObject({ type: ["string", "null"] });
  });

  it("a new field gets the narrowest schema that accepts its values", () => {
    const genre = { id: 1, name: "a" };
    const toGenre = { $ref: "#/components/schemas/Genre" };
    const hidden = { "x-sensitive": true };
    const flags = { type: "object", additionalProperties: { type: "boolean" } };
    const rows: Record<string, [values: Json[], schema: object]> = {
      integer: [[1, 2], { type: "integer", ...hidden }],
      number: [[1, 2.5], { type: "number", ...hidden }],
      nothing: [[null], { type: "null" }],
      optional: [[true, null], { type: ["boolean", "null"] }],
      mixed: [[1, "a"], { type: ["integer", "string"], ...hidden }],
      text: [["", "a"], { type: "string", ...hidden }],
      day: [["2026-01-02", ""], { type: "string", pattern: expect.stringContaining("^(\\d{4}-") }],
      still: [["/a.jpg"], { type: "string", pattern: "^/" }],
      genre: [[genre], toGenre],
      list: [[[], [genre]], { type: "array", items: toGenre }],
      countries: [
        [{ US: true, DE: false }],
        { ...flags, propertyNames: { pattern: "^[A-Z]{2}$" } },
      ],
      days: [[{ "2026-01-02": true }], flags],
      anything: [[{ a: true }, "a"], {}],
      flag: [[true, "a"], { type: ["boolean", "string"], ...hidden }],
      // A new field does not get the time zone pattern, which is specific to one property.
      zone: [["Europe/Berlin"], { type: "string", ...hidden }],
      // The description has properties with these names, but their schemas do not fit: the values are constant or
      // sensitive, or have a different type or more fields.
      success: [[true], { type: "boolean" }],
      username: [["a"], { type: "string", ...hidden }],
      width: [[1, "a"], { type: ["integer", "string"], ...hidden }],
      network: [[{ odd: true }], { type: "object", properties: { odd: expect.anything() } }],
      summary: [
        [getAtPointer(seen("people.popular").exchange.response.body, "/results/0/known_for/0")],
        { $ref: "#/components/schemas/TvSummary" },
      ] as [Json[], object],
      deep: [[{ b: { c: { d: { e: true } } } }], { type: "object", properties: expect.anything() }],
    };
    const bodies = [0, 1].map((index) =>
      Object.entries(rows).map(([name, [values]]) => [`/${name}`, values[index]]),
    );
    const { schema } = observing(
      bodies.map((changes) => seen("movies.latest", Object.fromEntries(changes))),
    );
    for (const [name, [, expected]] of Object.entries(rows)) {
      const found = { ...(schema(`MovieDetail/properties/${name}`) as Record<string, Json>) };
      delete found.description;
      expect(found, name).toEqual(expected);
    }
    expect(schema("MovieDetail/properties/deep/properties/b/properties/c/properties/d")).toEqual({
      description: "Its meaning is not documented.",
      type: "object",
      additionalProperties: true,
    });
  });

  it("a new field with a known name gets the known schema, even if some of its objects have extra or missing fields", () => {
    const genres = [{ id: 35, name: "Comedy" }];
    for (const other of [{ id: 18, name: "Drama", extra: true }, { id: 18 }]) {
      const shown = [genres, [other]].map((each) => seen("networks.details", { "/genres": each }));
      const items = observing(shown).schema("Network/properties/genres/items");
      expect(items).toEqual({ $ref: "#/components/schemas/Genre" });
    }
  });

  it("a field of a new object is required if enough independent sources always send the field", () => {
    const shown = (...sources: string[]) =>
      observing(
        sources.map((source) =>
          seen(
            "movies.latest",
            {
              "/extra": { always: true, never: source, ...(source !== "c/d" && { sometimes: 1 }) },
              "/video_id": 1,
            },
            { source },
          ),
        ),
      );
    const isRequired = (schema: (pointer: string) => unknown) =>
      schema("MovieDetail/properties/extra/required");
    expect(isRequired(shown("a/b:1", "a/b:2", "a/b:3").schema)).toBeUndefined();
    const { schema } = shown("a/b", "c/d", "https://host.example/docs");
    expect(isRequired(schema)).toEqual(["always", "never"]);
    expect(schema("MovieDetail/required")).not.toContain("extra");
  });

  it("an object that the specification leaves open stays open when a new field is added", () => {
    const { schema, text } = observing([
      seen("account.ratedMovies"),
      seen("people.combinedCredits", { "/id": 62 }, { example: "crew-only" }),
    ]);
    expect(schema("AccountItem")).toMatchObject({
      additionalProperties: true,
      properties: { rating: { type: "integer" } },
      "x-not-specified": [{ id: "G02" }],
    });
    expect(schema("CombinedCredits/properties/id")).toMatchObject({ type: "integer" });
    expect(text).toContain("gap: G14");
  });
});

describe("null and absence", () => {
  const nothing = (source: string, date = "2026-01-02") =>
    seen("movies.latest", { "/homepage": null, "/budget": undefined }, { source, date });

  it("a null or absent field counts as a fact if two independent sources show it", () => {
    const few = observing([nothing("a/b:one.json"), nothing("https://github.com/A/B/issues/1")]);
    expect(few.facts).toEqual([]);
    expect(few.listed).toEqual([
      `\`MovieDetail.budget\` can be absent. ${FEW}`,
      `\`MovieDetail.homepage\` can be null. ${FEW}`,
    ]);
    expect(few.undecided[0]!.locations).toEqual([
      "movies.latest of a/b:one.json/budget:1:1",
      "movies.latest of https://github.com/A/B/issues/1/budget:1:1",
    ]);
    const { schema } = observing([nothing("a/b"), nothing("c/d")]);
    expect(schema("MovieDetail/required")).not.toContain("budget");
    expect(schema("MovieDetail/properties/homepage/type")).toEqual(["string", "null"]);
    expect(observing([nothing("a/b")], undefined, { minSources: 1 }).facts).toHaveLength(2);
  });

  it("a null or absent field still counts as a fact if the field has a value in all later exchanges", () => {
    const old = [nothing("a/b", "2022"), nothing("c/d", "2023-05")];
    const later = ["2024-01", "2025", "2026-06-07"].map((date) =>
      seen("movies.latest", {}, { date }),
    );
    expect(observing([...old, ...later]).facts).toHaveLength(2);
  });

  it("if a field can be null, other fields with the same schema still reject null", () => {
    const { schema } = observing([
      seen("movies.watchProviders", { "/results/US": null }),
      seen("movies.watchProviders", { "/results/US": null }, { source: "c/d" }),
    ]);
    expect(schema("MovieWatchProviders/properties/results/additionalProperties")).toEqual({
      anyOf: [{ $ref: "#/components/schemas/WatchProviderCountry" }, { type: "null" }],
    });
  });
});

describe("deviations that do not count as facts", () => {
  it("a value whose type contradicts the specification does not count as a fact, unless the value is null", () => {
    const { facts, listed } = observing([
      seen("movies.latest", { "/budget": "1", "/revenue": 1.5, "/softcore": true }),
      seen("movies.latest", { "/budget": "1" }, { source: "c/d" }),
      seen("movies.latest", { "/budget": null }, { source: "c/d" }),
      seen("movies.latest", { "/budget": null }, { source: "e/f" }),
    ]);
    expect(facts).toEqual([
      "`MovieDetail` has a `softcore` field.",
      "`MovieDetail.budget` can be null.",
    ]);
    expect(listed).toEqual([
      "`MovieDetail.budget` can be string. the specification states a different type",
      "`MovieDetail.revenue` can be number. the specification states a different type",
    ]);
  });

  it("a value that differs from the only documented value does not count as a fact", () => {
    const nothing = ["a/b", "c/d"].map((source) =>
      seen("movies.deleteRating", { "/success": null }, { source }),
    );
    expect(observing(nothing).listed).toEqual([
      "`DeletedStatus.success` can be null. the specification allows only one value",
    ]);
  });

  it("a deviation in an object of an undocumented kind does not count as a fact", () => {
    const { facts, listed } = observing([
      seen("search.multi", { "/results/0/media_type": "book", "/results/0/isbn": true }),
      seen("search.multi", { "/results/0/media_type": undefined }),
      seen("movies.deleteRating", { "/success": false, "/reason": true }),
      seen("movies.latest", { "": { success: false, status_code: 7, status_message: "No." } }),
      seen("movies.watchProviders", { "/results/usa": { link: "x", extra: true } }),
    ]);
    expect(facts).toEqual([]);
    expect(listed.toSorted()).toEqual([
      expect.stringContaining(
        "`movies.deleteRating`: A value differs from its `const` (schema/const).",
      ),
      expect.stringContaining("`movies.latest`: The response body belongs to a different status"),
      expect.stringContaining(
        "`movies.watchProviders`: A property has an invalid name (schema/propertyNames).",
      ),
      expect.stringContaining("`search.multi`: A property is missing (schema/required)."),
      expect.stringContaining(
        "`search.multi`: A value matches no branch of its union (schema/oneOf).",
      ),
    ]);
  });
});

describe("errors", () => {
  const failed = (body: Json, status: number, source = "a/b") =>
    seen("movies.lists", { "": body }, { status, source });
  const envelope = { success: false, status_code: 36, status_message: "No." };

  it("an observed error status is added to every operation that refers to the same default response", () => {
    const { document, schema, text } = observing([
      failed({ ...envelope, trace: true }, 404),
      failed({ ...envelope, status_code: 34 }, 404),
    ]);
    for (const path of ["/3/movie/{movie_id}/lists", "/3/configuration/languages"])
      expect(
        getAtPointer(document, `/paths/${path.replaceAll("/", "~1")}/get/responses/404`),
      ).toEqual({
        $ref: "#/components/responses/Error",
      });
    expect(schema("ErrorStatus/properties/trace")).toMatchObject({ type: "boolean" });
    expect(schema("ErrorStatus/properties/status_code/x-known-values")).toEqual([36, 34]);
    expect(text).toContain("fact: A request can fail with HTTP 404.");
  });

  it("a new error schema applies only to the status of the observed error", () => {
    const other = failed({ errors: ["page is too large"] }, 422);
    expect(observing([failed(["a"], 423)]).facts).toEqual(["A request can fail with HTTP 423."]);
    const { document, schema, undecided } = observing([other, failed(envelope, 422)]);
    expect(undecided).toEqual([]);
    expect(schema("ErrorStatus/required")).toEqual(["success", "status_code", "status_message"]);
    const description = compileDocument({ document, positions: {} });
    const isRejected = (body: Json, status: number) =>
      checkExchange(failed(body, status).exchange, description).some(
        ({ category }) => category === "violation",
      );
    expect(isRejected({ errors: ["a"] }, 422)).toBe(false);
    expect(isRejected({ errors: [1] }, 422)).toBe(true);
    expect(isRejected({ errors: ["a"] }, 400)).toBe(true);
    expect(isRejected({ ...envelope, status_code: "x" }, 422)).toBe(true);
  });
});

describe("query parameters", () => {
  it("the query parameters of a successful request replace the operation's free-form parameter", () => {
    const query = { page: "02", year: "2", include_adult: "true", language: "de", "Jane Doe": "1" };
    const { document, listed } = observing([
      seen("search.multi", {}, { query }),
      seen("account.details", {}, { query: { session_id: "5" } }),
      seen(
        "trending.people",
        { "": { success: false, status_code: 7, status_message: "" } },
        {
          status: 401,
          query: { window: "day" },
        },
      ),
    ]);
    const parameters = (path: string) =>
      getAtPointer(document, `/paths/${path.replaceAll("/", "~1")}/get/parameters`);
    expect(parameters("/3/search/multi")).toEqual([
      expect.objectContaining({ name: "include_adult", in: "query", schema: { type: "boolean" } }),
      expect.objectContaining({
        name: "language",
        schema: { type: "string", "x-sensitive": true },
      }),
      expect.objectContaining({ name: "page", schema: { type: "string", "x-sensitive": true } }),
      expect.objectContaining({ name: "year", schema: { type: "integer", "x-sensitive": true } }),
    ]);
    expect(parameters("/3/trending/person/{time_window}")).toContainEqual({
      $ref: "#/components/parameters/Query",
    });
    expect(getAtPointer(document, "/components/parameters")).not.toHaveProperty("AccountQuery");
    expect(getAtPointer(document, "/components/parameters")).toHaveProperty("Query");
    expect(listed).toEqual([
      "`search.multi` accepts a query parameter with a name that looks like data. its name looks like data",
    ]);
  });
});

describe("open values", () => {
  const collection = (value: Json, source: string) =>
    seen("movies.latest", { "/belongs_to_collection": value }, { source });
  const pointer = "MovieDetail/properties/belongs_to_collection";

  it("a value that the specification leaves open gets a schema, and keeps its `x-known-values`", () => {
    const { schema, text } = observing([collection({ id: 1, name: "Secret" }, "a/b")]);
    expect(schema(pointer)).toMatchObject({
      anyOf: [{ $ref: "#/components/schemas/Genre" }, { type: "null" }],
      "x-known-values": [null],
    });
    expect(text).not.toContain("Secret");
    expect(observing([collection({ id: 2, name: "Other" }, "c/d")], text).facts).toEqual([]);
  });

  it("a value that the specification leaves open stays open if no useful schema accepts all observed values", () => {
    const { facts } = observing([collection({ id: 1 }, "a/b"), collection("a", "c/d")]);
    expect(facts).toEqual([]);
  });
});

describe("listed values", () => {
  it("a new value is added to `x-known-values` if it is a small number or a single word", () => {
    const { schema, listed } = observing([
      seen("trending.people", { "/results/0/gender": 4, "/results/1/gender": 5551234567 }),
      seen("trending.people", { "/results/0/gender": 3 }),
      seen("movies.lists", {
        "/results/0/list_type": "series",
        "/results/1/list_type": "Jane Doe",
      }),
    ]);
    expect(schema("PersonSummary/properties/gender/x-known-values")).toEqual([0, 1, 2, 3, 4]);
    expect(schema("ListSummary/properties/list_type/x-known-values")).toEqual(["movie", "series"]);
    expect(listed).toEqual([
      "`ListSummary.list_type` can be an unlisted value. the value is neither a single word nor a small number",
      "`PersonSummary.gender` can be an unlisted value. the value is neither a single word nor a small number",
    ]);
  });

  it("a new value is not added to `x-known-values` if a sensitive object contains the same value", () => {
    const { schema } = observing(
      [
        seen("genres.tvList", { "/genres/0/name": "series" }),
        seen("movies.lists", { "/results/0/list_type": "series" }),
      ],
      empty.replace(
        "actions: []",
        `actions:
  - target: $.components.schemas.Genre
    update: { x-sensitive: true }
    x-observed: { fact: Genres are sensitive., sources: [a/b], first: "2024-01", seen: "2024-01" }`,
      ),
    );
    expect(schema("ListSummary/properties/list_type/x-known-values")).toEqual(["movie"]);
  });
});

describe("facts in the overlay", () => {
  const first = seen("movies.latest", { "/extra": 1 }, { date: "2026-03" });

  it("a fact that is seen again gets new dates and sources, but no second action", () => {
    const { text } = observing([first]);
    const { overlay } = observing(
      [
        seen("movies.latest", { "/extra": 2 }, { source: "c/d:x", date: "2026-05-06" }),
        seen("movies.latest", { "/extra": 3 }, { source: "a/b:y", date: "2025" }),
      ],
      text,
    );
    expect(overlay.actions.map((each) => each["x-observed"])).toEqual([
      {
        fact: "`MovieDetail` has an `extra` field.",
        sources: ["c/d:x", "a/b"],
        first: "2025",
        seen: "2026-05-06",
        exchanges: 2,
      },
    ]);
    expect(overlay.asOf).toBe("2026-05");
  });

  it("an observed field gets a wider type if later exchanges show other types", () => {
    const { text } = observing([first]);
    const wider = observing([seen("movies.latest", { "/extra": 1.5 })], text);
    expect(wider.schema("MovieDetail/properties/extra/type")).toBe("number");
    const nullable = observing([seen("movies.latest", { "/extra": null })], wider.text);
    expect(nullable.schema("MovieDetail/properties/extra/type")).toEqual(["number", "null"]);
  });

  it("an observed field is no longer required if a later exchange omits the field", () => {
    const full = ["a/b", "c/d", "e/f"].map((source) =>
      seen("movies.latest", { "/extra": { a: 1, b: 2 } }, { source }),
    );
    const { schema, text } = observing(full);
    const pointer = "MovieDetail/properties/extra/required";
    expect(schema(pointer)).toEqual(["a", "b"]);
    const { schema: loosened } = observing([seen("movies.latest", { "/extra": { a: 1 } })], text);
    expect(loosened(pointer)).toEqual(["a"]);
  });

  it("a response that the overlay states for one operation is not replaced with a shared response", () => {
    const { text } = observing([first]);
    const own = text.replace(
      "actions:\n",
      `actions:
  - target: $.paths['/3/configuration/languages'].get.responses
    update: { "418": { description: Tea. } }
    x-observed: { fact: Tea., sources: [a/b], first: "2026", seen: "2026" }
`,
    );
    const envelope = { success: false, status_code: 36, status_message: "No." };
    const failed = seen("movies.lists", { "": envelope }, { status: 418 });
    const { document } = observing([failed], own);
    const responseOf = (path: string) =>
      getAtPointer(document, `/paths/${path.replaceAll("/", "~1")}/get/responses/418`);
    expect(responseOf("/3/configuration/languages")).toEqual({ description: "Tea." });
    expect(responseOf("/3/movie/latest")).toEqual({ $ref: "#/components/responses/Error" });
  });
});

describe("secrets and personal names", () => {
  it("secrets and personal names are never written to the overlay or the list of deviations", () => {
    const changes = SECRETS.map((secret, index): [string, Json][] => [
      [`/extra${"abcd"[index]}`, { [secret]: { name: secret, [secret]: [secret] } }],
      [`/${secret}`, secret],
      ["/status", secret],
      ["/budget", secret],
    ]);
    changes[0]!.push(["/constructor", true]);
    const evidence = changes.map((each, index) =>
      seen("movies.latest", Object.fromEntries(each), { query: { [SECRETS[index]!]: "x" } }),
    );
    const { facts, text, listed } = observing(evidence);
    expect(facts).toHaveLength(SECRETS.length);
    for (const secret of SECRETS) expect(text + listed.join()).not.toContain(secret);
  });

  it("a key or value is not written if it equals the value of a sensitive field", () => {
    const { text } = observing([
      seen("account.details", { "/username": "janedoe", "/friends": { janedoe: true } }),
      seen("movies.lists", { "/results/0/list_type": "janedoe" }),
    ]);
    expect(text).toContain("friends");
    expect(text).not.toContain("janedoe");
  });
});
