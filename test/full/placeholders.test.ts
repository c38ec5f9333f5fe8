import { describe, expect, it } from "vitest";
import { addEvidence } from "../../scripts/evidence/add-evidence.js";
import { withPlaceholders } from "../../scripts/evidence/placeholders.js";
import { createDescription, ONE } from "../contract/engine/support.js";
import { description as full } from "../../src/generated/full-description.js";
import { description as specified } from "../../src/generated/description.js";
import type { Json } from "../../src/openapi/description.js";
import type { Exchange } from "../../src/types/exchange.js";

const shapeOf = (body: Json, schema: Json = {}) =>
  withPlaceholders({ description: createDescription(schema), schema: ONE, body });

describe("placeholders in evidence", () => {
  it("a placeholder has the type and the form of its value", () => {
    expect(
      shapeOf({
        text: "Jane Doe",
        whole: 603,
        fraction: 8.25,
        flag: false,
        day: "1999-03-31",
        time: "2026-01-02 03:04:05 UTC",
        link: "https://jane.example/?token=1",
        path: "/p96dm7sCMn4VYAStA6siNz30G1r.jpg",
        movie: "tt0133093",
        digits: "4|5",
        language: "de",
        id: "4bc889ac017a3c57fe002a2f",
      }),
    ).toEqual({
      text: "text",
      whole: 7,
      fraction: 6.5,
      flag: true,
      day: "2020-01-01",
      time: "2020-01-01 00:00:00 UTC",
      link: "https://example.org/x",
      path: "/x.jpg",
      movie: "tt0000001",
      digits: "7|7",
      language: "en",
      id: "0".repeat(24),
    });
  });

  it("nulls and empty values stay, and a list keeps one item of each shape", () => {
    expect(shapeOf({ a: null, b: "", c: [], d: {}, e: [{ x: 1 }, { x: 2 }, { x: "1" }] })).toEqual({
      a: null,
      b: "",
      c: [],
      d: {},
      e: [{ x: 7 }, { x: "7" }],
    });
  });

  it("constants, enumerated and known values, and the keys of declared maps stay", () => {
    const schema = {
      type: "object",
      properties: {
        kind: { const: "movie" },
        gender: { enum: [0, 1, 2] },
        status: { type: "string", "x-known-values": ["Released"] },
        results: { type: "object", additionalProperties: { type: "object" } },
      },
    };
    const body = { kind: "movie", gender: 2, status: "Released", results: { DE: { a: 1 } } };
    expect(shapeOf(body, schema)).toEqual({ ...body, results: { DE: { a: 7 } } });
    expect(shapeOf({ status: "Secret", "jane@host.example": 1 }, schema)).toEqual({
      status: "text",
      text: 7,
    });
  });

  it("a placeholder matches the pattern and the range that its value matches", () => {
    const properties = {
      code: { type: "string", pattern: "^[A-Z]{3}-\\d$" },
      rating: { type: "number", minimum: 0.5, maximum: 5, multipleOf: 0.5 },
    };
    expect(shapeOf({ code: "ABC-1", rating: 4.5 }, { properties })).toEqual({
      code: "AAA-1",
      rating: 0.5,
    });
  });
});

describe("addEvidence", () => {
  const recorded = (path: string, body: Json, date = "2026-11"): Exchange => ({
    name: "a.json",
    source: { name: "staging", date },
    request: { method: "GET", path, query: { page: "1", api_key: "secret" } },
    response: { status: 200, headers: { "content-type": "application/json" }, body },
  });
  const add = (...all: Exchange[]) => addEvidence([], all, full, specified.document);

  it("the evidence for a specified operation and for any other operation goes into the file of the operation", () => {
    const { changed } = add(recorded("/3/movie/latest", { id: 1 }), recorded("/3/review/1", {}));
    expect([...changed.keys()]).toEqual([
      "test/evidence/movies.latest.json",
      "test/evidence/GET.3.review.{review_id}.json",
    ]);
    expect(changed.get("test/evidence/movies.latest.json")).toEqual({
      exchanges: [
        {
          source: { kind: "recording", name: "staging", date: "2026-11", values: "placeholders" },
          request: { method: "GET", path: "/3/movie/latest", query: ["api_key", "page"] },
          response: { status: 200, body: { id: 7 } },
        },
      ],
    });
    const rated = {
      ...recorded("/3/movie/1/rating", {}),
      request: { method: "POST", path: "/3/movie/1/rating" },
    };
    const [file] = add(rated).changed.values();
    expect(file!.exchanges[0]!.request).toEqual({
      method: "POST",
      path: "/3/movie/{movie_id}/rating",
      isBodyUnrecorded: true,
    });
  });

  it("adding the same response again changes nothing, and an unknown path is returned", () => {
    const one = recorded("/3/movie/latest", { id: 1 });
    const { changed } = add(one);
    const again = addEvidence(
      changed,
      [recorded("/3/movie/latest", { id: 2 }, "2026-12")],
      full,
      specified.document,
    );
    expect(again).toMatchObject({ changed: new Map(), known: 1 });
    expect(add(recorded("/3/planet", {})).unknown).toHaveLength(1);
  });
});
