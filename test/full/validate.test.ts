import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileDescription } from "../../scripts/description/compile.js";
import { description } from "../../src/generated/full-description.js";
import { listExamples } from "../../scripts/shared/list-examples.js";
import { typicalCall } from "../../scripts/shared/typical-call.js";
import { createCatalogue } from "../../src/full/index.js";
import { ContractError, validateResponse } from "../../src/full/validate.js";
import { validateResponse as validateLiterally } from "../../src/contract/validate-response.js";
import { walkPointers } from "../../src/openapi/document.js";
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
});
