import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileDocument } from "../../scripts/description/compile.js";
import { withPlaceholders } from "../../scripts/learn/add-evidence.js";
import { listDocumented } from "../../scripts/learn/documented.js";
import { learnOperations } from "../../scripts/learn/learn-operations.js";
import { plantMutations } from "../../scripts/learn/plant-mutations.js";
import { readEvidence, type EvidenceExchange } from "../../scripts/learn/read-evidence.js";
import {
  addFullFiles,
  readFullFiles,
  type FullFile,
} from "../../scripts/overlay/full-files.js";
import { readOverlay } from "../../scripts/overlay/overlay.js";
import { checkExchange } from "../../src/contract/engine/check.js";
import { listOperations, walkPointers } from "../../src/openapi/document.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import type { Schema } from "../../src/openapi/schema.js";
import type { Json } from "../../src/openapi/description.js";
import { root } from "../support/paths.js";
import { catalogue } from "./support.js";

const overlay = join(root, "openapi/full.overlay.yaml");
const { document: specified } = await readOverlay(overlay, catalogue);
const existing = readFullFiles(root);
const observed = addFullFiles(specified, existing);
const documented = listDocumented(observed);
const evidence = readEvidence(join(root, "test/evidence"), listOperations(specified));
const learned = listOperations(observed).filter(({ pointer }) =>
  Boolean(getAtPointer(observed, `${pointer}/x-observed`)),
);

describe.skipIf(existing.length === 0)("openapi/full", () => {
  it("`npm run observe` learns openapi/full from the evidence, in any order", () => {
    const { files } = learnOperations(
      documented.toReversed(),
      evidence.toReversed(),
      specified,
      existing,
    );
    expect([...files]).toEqual(existing);
  });

  it("openapi/full has at most 150 named schemas, and only small inline schemas", () => {
    const paths = existing.flatMap(([, file]) => Object.values(file.paths));
    expect(learned).toHaveLength(paths.flatMap(Object.keys).length);
    const schemas = existing.flatMap(([, file]) => Object.values(file.components.schemas));
    expect(schemas.length).toBeLessThanOrEqual(150);
    for (const schema of schemas) {
      for (const pointer of walkPointers(schema as Json)) {
        if (pointer === "" || !pointer.endsWith("/properties")) continue;
        const inline = Object.keys(getAtPointer(schema as Json, pointer) as object);
        if (pointer !== "/properties") expect(inline.length, pointer).toBeLessThanOrEqual(5);
      }
    }
  });

  it("openapi/full states the level of evidence for each operation and parameter, and the sources and date of each operation", () => {
    for (const { id, method, path, pointer } of learned) {
      const own = evidence.filter((each) => each.method === method && each.path === path);
      const recorded = own.filter(({ isDocumentation }) => !isDocumentation);
      const repositories = new Set(
        recorded.map(({ source }) => source.split(":")[0]!.toLowerCase()),
      );
      const dates = (recorded.length > 0 ? recorded : own).map(({ date }) => date).toSorted();
      const { parameters = {}, ...level } = getAtPointer(observed, `${pointer}/x-observed`) as {
        parameters?: Record<string, Json>;
      };
      const stated = getAtPointer(observed, `${pointer}/parameters`) as Record<string, Json>[];
      const shared = stated.filter((each) => each["x-observed"] === undefined);
      expect(Object.keys(parameters), id).toHaveLength(shared.length);
      expect(level, id).toEqual({
        level: ["documented", "one source"][repositories.size] ?? "several sources",
        seen: dates.at(-1),
        ...(repositories.size > 0 && { sources: [...repositories].toSorted() }),
      });
      expect(getAtPointer(observed, `${pointer}/summary`), id).toMatch(/^[A-Z].{8,}[^.]$/);
    }
  });

  it("with openapi/full, the gate detects at least 97.5% of the mutations in a sample of recorded bodies", () => {
    const description = compileDocument({ document: observed, positions: {} });
    let [planted, detected] = [0, 0];
    for (const { exchange } of evidence.filter(({ source }) => source.includes("/_GET_3_movie"))) {
      for (const body of plantMutations(exchange.response.body ?? null)) {
        planted++;
        const mutant = { ...exchange, response: { ...exchange.response, body } };
        if (checkExchange(mutant, description).some((each) => each.category !== "unspecified"))
          detected++;
      }
    }
    expect(detected / planted).toBeGreaterThan(0.975);
  });
});

/** Returns the schemas with the given names in openapi/full. */
const schemasNamed = (...names: string[]) => names.map((name) => schemaNamed(observed, name));

describe("undocumented operations", () => {
  const operation = { method: "GET", path: "/3/movie/{movie_id}/awards", parameters: [] };
  const shows = (body: Json, source: string): EvidenceExchange => ({
    method: "GET",
    path: operation.path,
    query: ["year"],
    source,
    date: "2026-01",
    isDocumentation: source === "documentation",
    isCurrent: true,
    exchange: {
      name: source,
      request: { method: "GET", path: "/3/movie/1/awards" },
      response: { status: 200, headers: { "content-type": "application/json" }, body },
      locate: () => ({ file: source, line: 1, column: 1 }),
    },
  });
  const award = { category: "text", year: 2020, poster_path: "/x.jpg", awarded_at: "2020-01-01" };
  const learn = (all: EvidenceExchange[], files: [string, FullFile][] = []) => {
    const result = learnOperations([operation], all, specified, files);
    const document = addFullFiles(specified, [...result.files]);
    const name = Object.keys(result.files.get("movies.yaml")?.components.schemas ?? {})[0]!;
    return { ...result, document, schema: schemaNamed(document, name) };
  };
  const one = (...awards: object[]) => ({ awards }) as unknown as Json;

  it("a learned operation is named like similar operations, and has the observed query parameters and the usual error responses", () => {
    const { document } = learn([shows(one(award), "a/b:c")]);
    const found = listOperations(document).find(({ path }) => path === operation.path)!;
    expect(found.id).toBe("movies.awards");
    expect(found.parameters.map(({ name }) => name)).toEqual(["year"]);
    expect(found.responses.map(({ status }) => status)).toEqual(["200", "401", "404", "default"]);
  });

  it("a learned operation accepts any query parameter if the evidence contains an undocumented parameter", () => {
    const undocumentedIn = (document: Json) => {
      const { pointer } = listOperations(document).find(({ path }) => path === operation.path)!;
      return getAtPointer(document, `${pointer}/x-undocumented-query`);
    };
    const all = [shows(one(award), "a/b:c")];
    const { document, files } = learn(all);
    expect(undocumentedIn(document)).toEqual(["year"]);
    const again = learnOperations(listDocumented(document), all, specified, [...files]);
    expect([...again.files]).toEqual([...files]);
    const listed = { ...operation, parameters: [{ name: "year", in: "query" }] };
    const closed = learnOperations([listed], all, specified, [...files]);
    expect(undocumentedIn(addFullFiles(specified, [...closed.files]))).toBeUndefined();
  });

  it("a property is required if at least four recorded objects from two repositories have the property, and no object omits it", () => {
    const { awarded_at: _, ...less } = award;
    const items = (source: string) => shows(one(award, { ...award, year: 1 }), source);
    const requiredBy = (all: EvidenceExchange[]) =>
      (learn(all).schema.properties!.awards as { items: Schema }).items.required;
    expect(requiredBy([items("a/b:c"), items("d/e:f")])).toEqual(Object.keys(award).toSorted());
    expect(requiredBy([items("a/b:c"), items("documentation")])).toBeUndefined();
    expect(requiredBy([items("a/b:c"), shows(one(less, less), "d/e:f")])).not.toContain(
      "awarded_at",
    );
  });

  it.skipIf(existing.length === 0)(
    "an empty object in the documentation does not make properties optional",
    () => {
      const [page] = schemasNamed("MoviePage");
      expect(page!.required).toEqual(["page", "results", "total_pages", "total_results"]);
    },
  );

  it.skipIf(existing.length === 0)(
    "objects of different kinds have separate schemas, even if only the enclosing object states the kind",
    () => {
      const [movie, image] = schemasNamed("Movie", "TaggedTvShowImage");
      expect(Object.keys(movie!.properties!)).not.toContain("still_path");
      expect(Object.keys(movie!.properties!)).not.toContain("first_air_date");
      expect(image!.properties!.media).toMatchObject({ $ref: "#/components/schemas/TvShow" });
    },
  );

  it("`learnOperations` lists an operation as unseen if no evidence shows a response", () => {
    expect(learn([])).toMatchObject({ unseen: ["GET /3/movie/{movie_id}/awards"] });
  });

  it("learning an operation again keeps names, summaries, and properties that were edited by hand", () => {
    const all = [shows(one(award), "a/b:c")];
    const [[name, file]] = [...learn(all).files] as [[string, FullFile]];
    const edited = JSON.parse(
      JSON.stringify(file).replaceAll("MovieAwards", "Prizes"),
    ) as FullFile;
    const own = edited.paths[operation.path]!.get!;
    Object.assign(own, { operationId: "movies.prizes", summary: "List a movie's prizes" });
    edited.components.schemas.Prizes!.properties!.total = { type: "integer" };
    const { files } = learn(all, [[name, edited]]);
    expect(files.get(name)).toEqual(edited);
  });

  it("a type is marked as inferred if the evidence shows it only for other properties with the same name", () => {
    const some = [{ poster_path: null }, { poster_path: "/x.jpg" }];
    const item = { poster_path: "/x.jpg", winners: some, losers: some };
    const { schema } = learn([shows(one(item), "a/b:c")]);
    const items = (schema.properties!.awards as { items: Schema }).items.properties!;
    expect(items.poster_path).toMatchObject({
      type: ["string", "null"],
      "x-observed": { inferred: expect.stringMatching(/^null as in /) as string },
    });
  });
});

describe("objects with little evidence", () => {
  const stated = (pointer: string) => getAtPointer(observed, pointer);

  it("an object with little evidence gets the properties that all similar objects have, and these properties are marked as inferred", () => {
    const [result] = schemasNamed("WriteResult");
    expect(result!.properties!.success).toEqual({
      type: "boolean",
      "x-observed": { inferred: "property as in StatusResult" },
    });
  });

  it("an operation without recordings gets the statuses of similar operations, and these statuses are marked as inferred", () => {
    const responses = "/paths/~13~1movie~1{movie_id}~1rating/post/responses";
    expect(stated(`${responses}/201/x-observed`)).toEqual({
      inferred: "status as in POST /3/tv/{series_id}/rating",
    });
    expect(stated(`${responses}/200/x-observed`)).toBeUndefined();
  });

  it("a union gets missing branches from a wider union under the same property name, and these branches are marked as inferred", () => {
    const [all] = schemasNamed("TrendingAll");
    const results = all!.properties!.results as { items: { oneOf: Schema[] } };
    const tags = results.items.oneOf.map((each) =>
      getAtPointer(each as Json, "/allOf/1/properties/media_type/const"),
    );
    expect(tags.toSorted()).toEqual(["movie", "person", "tv"]);
    expect(results).toMatchObject({
      "x-observed": { inferred: "person as in GET /3/search/multi" },
    });
  });

  it("a property is optional if two kinds of similar objects can omit the property", () => {
    const [movie] = schemasNamed("Movie");
    expect(movie!.required).toContain("title");
    expect(schemasNamed("AggregateCastCredit")[0]!.required).not.toContain("popularity");
  });
});

describe("user data", () => {
  it("every value in user data is sensitive, including list items, unless a public operation returns the same property", () => {
    const notes = { method: "GET", path: "/3/account/{account_id}/notes", parameters: [] };
    const found = { method: "GET", path: "/3/search/note", parameters: [] };
    const note = (title: Json) => ({
      title,
      text: "text",
      tags: ["text"],
      mark: [true, { of: 1 }],
    });
    const show = ({ path }: { path: string }, body: Json): EvidenceExchange => ({
      method: "GET",
      path,
      query: [],
      source: "a/b:c",
      date: "2026-01",
      isDocumentation: false,
      isCurrent: true,
      exchange: {
        name: path,
        request: { method: "GET", path },
        response: { status: 200, headers: {}, body },
        locate: () => ({ file: path, line: 1, column: 1 }),
      },
    });
    const own = show(notes, { page: 1, owner: "text", notes: [note("text")] });
    const schemasOf = (all: EvidenceExchange[]) =>
      JSON.stringify([...learnOperations([notes, found], all, specified, []).files.values()]);
    const [alone, both] = [[own], [own, show(found, { notes: [note("text")] })]].map(schemasOf);
    const sensitive = /"(\w+)":\{(?:"description":"[^"]*",)?"type":"\w+","x-sensitive":true/g;
    const namesIn = (text: string) => [...text.matchAll(sensitive)].map(([, name]) => name);
    expect(namesIn(alone!).toSorted()).toEqual(["items", "of", "owner", "text", "title"]);
    expect(alone).toContain('{"type":"boolean","x-sensitive":true}');
    expect(namesIn(both!)).toEqual(["owner"]);
  });

  it.skipIf(existing.length === 0)(
    "openapi/full marks the request body fields of account operations as sensitive",
    () => {
      const personal = existing.flatMap(([name, { paths }]) =>
        /^(account|authentication|guest-sessions)/.test(name) ? Object.entries(paths) : [],
      );
      expect(personal.length).toBeGreaterThan(10);
      for (const [path, item] of personal) {
        for (const { requestBody } of Object.values(item)) {
          const fields = getAtPointer(requestBody, "/content/application~1json/schema/properties");
          for (const [name, field] of Object.entries((fields ?? {}) as Record<string, Schema>))
            expect(field["x-sensitive"], `${path} ${name}`).toBe(true);
        }
      }
    },
  );
});

describe("append_to_response", () => {
  it("`append_to_response` is a string, and the properties that it adds are optional, even if every response has them", () => {
    const title = { method: "GET", path: "/3/series/{series_id}" };
    const operations = [
      { ...title, parameters: [{ name: "append_to_response", in: "query", required: false }] },
      { method: "GET", path: "/3/series/{series_id}/videos", parameters: [] },
    ];
    const bodies = ["a/b:c", "a/b:d", "e/f:g", "e/f:h"].map((source): EvidenceExchange => ({
      ...title,
      query: ["append_to_response"],
      source,
      date: "2026-01",
      isDocumentation: false,
      isCurrent: true,
      exchange: {
        name: source,
        request: title,
        response: { status: 200, headers: {}, body: { id: 7, videos: { results: [] } } },
        locate: () => ({ file: source, line: 1, column: 1 }),
      },
    }));
    const { files } = learnOperations(operations, bodies, specified, []);
    const document = addFullFiles(specified, [...files]);
    const found = listOperations(document).find(({ path }) => path === title.path)!;
    const parameter = found.parameters.find(({ name }) => name === "append_to_response");
    expect(getAtPointer(document, parameter!.schema!)).toEqual({ type: "string" });
    const schema = getAtPointer(document, found.responses[0]!.content[0]!.schema!) as Schema;
    expect(schema.required).toEqual(["id"]);
    expect(schema.properties!.videos).toMatchObject({
      $ref: expect.stringContaining("Videos") as string,
      description: "Present if `append_to_response` contains `videos`.",
    });
  });
});

describe.skipIf(existing.length === 0)("descriptions of properties", () => {
  const schemas = Object.fromEntries(
    existing.flatMap(([, { components }]) => Object.entries(components.schemas)),
  );
  const textOf = (schema: string, name: string) =>
    (schemas[schema]!.properties![name] as Schema).description;

  it("a property does not get the description of a different property with the same name", () => {
    expect(textOf("CastMember", "order")).toBeUndefined();
    expect(textOf("Video", "key")).toBeUndefined();
    expect(textOf("ReleaseDate", "release_date")).toBeUndefined();
    expect(textOf("Keyword", "name")).toBeUndefined();
  });

  it("a property gets its description from the same property in the specification", () => {
    expect(textOf("Person", "known_for_department")).toBe(
      "Department that the person is known for; null when unknown.",
    );
  });
});

describe("placeholders", () => {
  it("`withPlaceholders` replaces data in values and keys with placeholders, and keeps one list item of each shape", () => {
    const body = {
      name: "Jane Doe",
      born: "1980-02-03",
      image: "/secret.png",
      website: "https://host.example/jane",
      score: 8.25,
      media_type: "movie",
      nothing: ["", null, []],
      items: [{ id: 1 }, { id: 2 }, { id: null }],
      "watch/providers": { DE: { rank: 1 }, FR: { rank: 2 }, GB: { rank: "x" } },
      byUser: { "jane@host.example": 3, "0123456789abcdef": 4 },
    };
    const shape = withPlaceholders(body);
    expect(shape).toEqual({
      name: "text",
      born: "2020-01-01",
      image: "/x.jpg",
      website: "text",
      score: 7.5,
      media_type: "movie",
      nothing: ["", null, []],
      items: [{ id: 7 }, { id: null }],
      "watch/providers": { DE: { rank: 7 }, GB: { rank: "text" } },
      byUser: { 0: 7 },
    });
    expect(withPlaceholders(shape)).toEqual(shape);
  });
});

function schemaNamed(document: Json, name: string): Schema {
  return getAtPointer(document, `/components/schemas/${name}`) as Schema;
}
