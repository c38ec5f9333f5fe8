import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileDescription } from "../../scripts/description/compile.js";
import { description } from "../../src/generated/full-description.js";
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
});
