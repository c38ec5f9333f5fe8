import { describe, expect, expectTypeOf, it } from "vitest";
import * as specified from "../../src/contract/validate-response.js";
import * as full from "../../src/full/validate.js";
import { createCatalogue } from "../../src/full/index.js";
import { operations as fullOperations } from "../../src/generated/full-operations.js";
import { operations } from "../../src/generated/operations.js";
import { validatorName } from "../../scripts/description/validator-name.js";
import { exampleResponses } from "../../src/generated/example-responses.js";

const { ContractError, createValidator, moviesDetails, searchMulti, validateResponse } = full;
const ok = { status: 200 };
const movie = exampleResponses.find(({ operation }) => operation === "movies.details")!.response
  .body as object;

it.each([
  ["media-catalogue/validate", specified as object, operations],
  ["media-catalogue/full/validate", full, fullOperations],
])("%s exports a validator for each operation, named for its operationId", (_, module, table) => {
  const names = Object.keys(table).map(validatorName);
  expect(module).toMatchObject(Object.fromEntries(names.map((name) => [name, {}])));
});

describe("createValidator", () => {
  it("validates the responses of the given operations, with their parts, and accepts all others", () => {
    const validate = createValidator([moviesDetails, searchMulti]);
    const broken: [operation: string, body: object][] = [
      ["movies.details", { ...movie, id: "1" }],
      ["movies.details", { ...movie, credits: { cast: 1 } }],
      ["search.multi", {}],
      ["search.movies", {}],
      ["constructor", {}],
    ];
    const results = broken.map(([operation, body]) => {
      try {
        validate(operation, body, ok);
        return "accepted";
      } catch (error) {
        expect(error).toBeInstanceOf(ContractError);
        expect(() => validateResponse(operation, body, ok)).toThrow((error as Error).message);
        return "rejected";
      }
    });
    expect(results).toEqual(["rejected", "rejected", "rejected", "accepted", "accepted"]);
    validate("movies.details", movie, ok);
  });

  it("fits the `validate` option, and takes validators from both entry points", () => {
    const validate = createValidator([specified.moviesLatest, moviesDetails]);
    createCatalogue({ baseUrl: "http://localhost", token: "t", validate });
    expectTypeOf(moviesDetails).toEqualTypeOf<full.OperationValidator>();
    expectTypeOf(validateResponse).toEqualTypeOf<full.ValidateResponse>();
  });

  it.each([
    ["the name of an operation", ["movies.details"]],
    ["a function", [validateResponse]],
    ["undefined", [moviesDetails, undefined]],
  ])("throws a TypeError for %s instead of a validator", (_, validators) => {
    const message = `createValidator: item ${validators.length - 1} is not a validator; import validators by name, such as moviesDetails`;
    // @ts-expect-error the list must contain validators
    expect(() => createValidator(validators)).toThrow(new TypeError(message));
  });

  it("throws a TypeError for a validator without a list", () => {
    // @ts-expect-error the argument must be a list
    expect(() => createValidator(moviesDetails)).toThrow(
      new TypeError(
        "createValidator needs an array of validators; import validators by name, such as moviesDetails",
      ),
    );
  });
});
