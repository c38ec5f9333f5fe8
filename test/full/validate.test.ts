import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileDescription } from "../../scripts/description/compile.js";
import { description, facts } from "../../src/generated/full-description.js";
import { createCatalogue } from "../../src/full/index.js";
import { ContractError, validateResponse } from "../../src/full/validate.js";
import { validateResponse as validateLiterally } from "../../src/contract/validate-response.js";
import { walkPointers } from "../../src/openapi/document.js";
import { root } from "../support/paths.js";
import { readFactExamples } from "./fact-examples.js";

const examples = readFactExamples();
const rated = examples.find(({ operation }) => operation === "account.ratedMovies")!;

describe("generated module of the full description", () => {
  it("the generated module contains the positions, operations, and validators of openapi/full.yaml, but omits levels of evidence", async () => {
    const now = await compileDescription(join(root, "openapi/full.yaml"));
    const used = [...walkPointers(description.document)];
    expect(used.filter((each) => /\/(x-observed|summary)$/.test(each))).toEqual([]);
    expect(description.positions).toEqual(
      Object.fromEntries(used.map((each) => [each, now.positions[each]])),
    );
    expect(description.operations).toEqual(now.operations);
    expect(Object.keys(description.validators)).toEqual(Object.keys(now.validators));
  });

  it("each fact in the generated module has sources and locations", () => {
    expect(facts.length).toBeGreaterThan(10);
    for (const { sources, locations } of facts)
      expect([sources.length, locations.length]).not.toContain(0);
  });
});

describe("validateResponse of media-catalogue/full", () => {
  it("the observed `validateResponse` accepts the example of every fact, and rejects all counterexamples", () => {
    for (const { operation, status = 200, body, rejected = [] } of examples) {
      validateResponse(operation, body, { status });
      for (const each of rejected)
        expect(() => validateResponse(operation, each, { status })).toThrow(ContractError);
    }
  });

  it("the observed `validateResponse` checks values that the specification leaves open", () => {
    const body = structuredClone(rated.body) as { results: { rating: unknown }[] };
    body.results[0]!.rating = "high";
    expect(() => validateResponse(rated.operation, body, { status: 200 })).toThrow(ContractError);
    expect(() => validateLiterally(rated.operation, body, { status: 200 })).not.toThrow();
    createCatalogue({
      baseUrl: "http://localhost",
      token: "t",
      validate: (...all) => validateResponse(...all),
    });
  });
});
