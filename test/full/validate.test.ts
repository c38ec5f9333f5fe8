import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileDescription } from "../../scripts/description/compile.js";
import { description } from "../../src/generated/full-description.js";
import { listExamples } from "../../scripts/shared/list-examples.js";
import { typicalCall } from "../../scripts/shared/typical-call.js";
import { createCatalogue } from "../../src/full/index.js";
import { ContractError, validateResponse } from "../../src/full/validate.js";
import { validateResponse as validateLiterally } from "../../src/contract/validate-response.js";
import { checkExchange } from "../../src/contract/engine/check.js";
import { walkPointers } from "../../src/openapi/document.js";
import { getAtPointer, lastKey, parentPointer } from "../../src/openapi/pointer.js";
import { root } from "../support/paths.js";

describe("generated module of the full description", () => {
  it("the generated module contains the positions, operations, and validators of openapi/full.yaml, but no prose", async () => {
    const now = await compileDescription(join(root, "openapi/full.yaml"));
    const used = [...walkPointers(description.document)];
    expect(used.filter((each) => /\/(x-because|summary)$/.test(each))).toEqual([]);
    expect(description.positions).toEqual(
      Object.fromEntries(used.map((each) => [each, now.positions[each]])),
    );
    expect(description.operations).toEqual(now.operations);
    expect(Object.keys(description.validators)).toEqual(Object.keys(now.validators));
  });
});

describe("validateResponse of media-catalogue/full", () => {
  it("the full `validateResponse` checks values that the specification leaves open", () => {
    const body = { success: true, session_id: 7 };
    const operation = "authentication.convertV4Session";
    expect(() => validateResponse(operation, body, { status: 200 })).toThrow(ContractError);
    expect(() => validateLiterally(operation, body, { status: 200 })).not.toThrow();
    createCatalogue({
      baseUrl: "http://localhost",
      token: "t",
      validate: (...all) => validateResponse(...all),
    });
  });

  it.each(["movies.recommendations", "people.popular"])(
    "a collection can be among the titles of %s",
    (operation) => {
      const collection = {
        ...{ id: 7, media_type: "collection", title: "Night", original_title: "Nacht" },
        ...{ original_language: "de", overview: "", backdrop_path: null, poster_path: null },
        adult: false,
      };
      const { body } = typicalCall({ id: operation, path: "" }, listExamples())!.response;
      const page = body as { results: { known_for?: object[] }[] };
      const add = (row: object) =>
        operation === "people.popular"
          ? { ...page, results: [{ ...page.results[0], known_for: [row] }] }
          : { ...page, results: [row] };
      const check = (row: object) => validateResponse(operation, add(row), { status: 200 });
      expect(() => check(collection)).not.toThrow();
      expect(() => check({ ...collection, title: 7 })).toThrow(ContractError);
    },
  );

  it.each([
    ["search.multi", "/results/0"],
    ["trending.all", "/results/0"],
    ["movies.recommendations", "/results/0"],
    ["people.popular", "/results/0/known_for/0"],
    ["search.people", "/results/0/known_for/0"],
    ["people.combinedCredits", "/cast/0"],
    ["people.combinedCredits", "/crew/0"],
    ["people.taggedImages", "/results/0/media"],
    ["collections.details", "/parts/0"],
    ["lists.details", "/items/0"],
    ["credits.details", "/media"],
  ])("an entry of an unknown kind is valid in %s at %s, and a note of the gate", (id, pointer) => {
    const exchange = typicalCall({ id, path: "" }, listExamples())!;
    const replace = (entry: object) => {
      const body = structuredClone(exchange.response.body!);
      const parent = getAtPointer(body, parentPointer(pointer)) as Record<string, unknown>;
      parent[lastKey(pointer)] = entry;
      return body;
    };
    const validate = (entry: object) => validateResponse(id, replace(entry), { status: 200 });
    const entry = getAtPointer(exchange.response.body, pointer) as object;
    const unknown = { ...entry, media_type: "podcast", host: "Maren" };
    expect(() => validate(unknown)).not.toThrow();
    expect(() => validate({ id: 7, media_type: "podcast" })).not.toThrow();
    expect(() => validate({ ...entry, id: "7" })).toThrow(ContractError);
    expect(() => validate({ ...unknown, media_type: 7 })).toThrow(ContractError);

    const response = { ...exchange.response, body: replace(unknown) };
    const found = checkExchange({ ...exchange, name: id, response }, description);
    expect(found.filter(({ severity }) => severity !== "note")).toEqual([]);
    const [value, ...others] = found.filter(({ rule }) => rule === "unspecified/value");
    expect(others).toEqual([]);
    expect(value).toMatchObject({ pointer: `${pointer}/media_type`, value: '"podcast"' });
    expect(value!.expected).toMatch(/^"movie".*, or any other value$/);
  });
});
