import ky, { SchemaValidationError } from "ky";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { CatalogueMethods, MovieDetail, MultiSearchResults } from "../../src/index.js";
import type { AccountRatedMoviesResponse } from "../../src/full/index.js";
import {
  responseSchemas as fullSchemas,
  validateResponse as validateFull,
} from "../../src/full/validate.js";
import {
  ContractError,
  responseSchemas,
  validateResponse,
} from "../../src/contract/validate-response.js";
import { createValidator } from "../../src/contract/create-validator.js";
import { createResponseSchemas, type ResponseSchema } from "../../src/contract/response-schemas.js";
import { operations as fullOperations } from "../../src/generated/full-operations.js";
import { operations } from "../../src/generated/operations.js";
import { serveHandler } from "../support/app.js";
import { exampleResponses } from "../support/example-responses.js";
import { getAtPointer } from "../../src/openapi/pointer.js";

type Id = keyof typeof responseSchemas;
const successes = exampleResponses.filter(({ response }) => response.status < 300);
const bodyOf = (name: string) =>
  structuredClone(successes.find((each) => each.name === name)!.response.body) as never;
const search: MultiSearchResults = bodyOf("search.multi/typical");

/**
 * Creates search results with three kinds of mismatches: invalid values, a missing field, and an unknown discriminator.
 */
function brokenSearch() {
  const secret = "a-secret-session-id";
  const [first, second, ...others] = structuredClone(search.results) as object[];
  const { id: _, ...withoutId } = second as { id: number };
  const changed = { ...first, id: secret, genre_ids: [1, secret], popularity: null };
  const unknown = { ...others[0], media_type: secret };
  return { secret, body: { ...search, page: "1", results: [changed, withoutId, unknown] } };
}

describe.each([
  ["media-catalogue/validate", responseSchemas, validateResponse, operations],
  ["media-catalogue/full/validate", fullSchemas, validateFull, fullOperations],
])("responseSchemas of %s", (_, schemas, validate, methods) => {
  it("responseSchemas has a Standard Schema for every operation, and each schema agrees with validateResponse", () => {
    expect(Object.keys(schemas).toSorted()).toEqual(Object.keys(methods).toSorted());
    for (const { operation, response } of successes) {
      const standard = schemas[operation as Id]["~standard"];
      expect(standard).toMatchObject({ version: 1, vendor: "media-catalogue" });
      const result = standard.validate(response.body);
      if (result.issues) expect(() => validate(operation, response.body, response)).toThrow();
      else {
        expect(result.value).toBe(response.body);
        validate(operation, response.body, response);
      }
    }
  });
});

it("a response schema accepts the body of every documented 2xx response, and rejects an error body", () => {
  const accepts = (allowed: unknown) => (value: unknown) =>
    value === allowed
      ? []
      : [{ keyword: "type", instancePath: "", schemaPath: "", params: { type: `${allowed}` } }];
  const responses = { 200: accepts("ok"), 201: accepts("made"), default: accepts("no") };
  const schemas = createResponseSchemas<never>([{ operation: "a.b", responses, sensitive: [] }]);
  const { validate } = (schemas as Record<string, ResponseSchema<unknown>>)["a.b"]!["~standard"];
  expect(["ok", "made", "no"].map((body) => validate(body).issues?.[0]?.message)).toEqual([
    undefined,
    undefined,
    "expected ok, got a string of 2 characters",
  ]);
});

it("a validator for the exact status takes precedence over a validator for a status range, and `default` comes last", () => {
  const only = (allowed: string) => (value: unknown) =>
    value === allowed ? [] : [{ keyword: "not", instancePath: "", schemaPath: "", params: {} }];
  const responses = { 404: only("own"), "4XX": only("range"), default: only("other") };
  const validate = createValidator([{ operation: "a.b", responses, sensitive: [] }]);
  for (const [status, body] of [
    [404, "own"],
    [403, "range"],
    [500, "other"],
  ] as const) {
    const check = (each: string) => () => validate("a.b", each, { status });
    check(body)();
    for (const each of ["own", "range", "other"])
      if (each !== body) expect(check(each)).toThrow(ContractError);
  }
});

it("a ContractError shows neither a sensitive number nor the name of a forbidden property, but shows a number that is not sensitive", () => {
  const sensitive = ["/properties/id"];
  const type = (name: string) => ({
    keyword: "type",
    instancePath: `/${name}`,
    schemaPath: `/properties/${name}/type`,
    params: { type: "string" },
  });
  const additionalProperty = "secret-key-1";
  const forbidden = { keyword: "additionalProperties", instancePath: "", schemaPath: "" };
  const errors = [type("id"), type("id_2"), { ...forbidden, params: { additionalProperty } }];
  const responses = { 200: () => errors };
  let error: unknown;
  try {
    const validate = createValidator([{ operation: "a.b", responses, sensitive }]);
    validate("a.b", { id: 1, id_2: 2 }, { status: 200 });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({
    violations: [
      { pointer: "/id", actual: "a number" },
      { pointer: "/id_2", actual: "2" },
      { pointer: "/(12 characters)", expected: "absent" },
    ],
  });
});

describe("issues", () => {
  it("an issue states the same expected and actual values as the ContractError of validateResponse, and contains no string from the body", () => {
    const { secret, body } = brokenSearch();
    const { issues = [] } = responseSchemas["search.multi"]["~standard"].validate(body);
    expect(JSON.stringify(issues)).not.toContain(secret);
    let error: unknown;
    try {
      validateResponse("search.multi", body, { status: 200 });
    } catch (thrown) {
      error = thrown;
    }
    const { violations } = error as ContractError;
    expect(issues.map(({ message }) => message)).toEqual(
      violations.map(({ expected, actual }) => `expected ${expected}, got ${actual}`),
    );
    expect(issues.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        ["page"],
        ["results", 0, "id"],
        ["results", 0, "genre_ids", 1],
        ["results", 0, "popularity"],
        ["results", 1, "id"],
        ["results", 2, "media_type"],
      ]),
    );
    for (const [index, { pointer }] of violations.entries()) {
      const value = issues[index]!.path.reduce<unknown>((at, key) => Object(at)[key], body);
      expect(value).toBe(getAtPointer(body, pointer));
    }
  });

  it("the path of an issue contains a numeric property name as a string", () => {
    const validate = () => [
      { keyword: "type", instancePath: "/1/0", schemaPath: "", params: { type: "string" } },
    ];
    const validator = { operation: "a.b", responses: { 200: validate }, sensitive: [] };
    const schemas: Record<string, ResponseSchema<unknown>> = createResponseSchemas<never>([
      validator,
    ]);
    const { issues } = schemas["a.b"]!["~standard"].validate({ 1: [2] });
    expect(issues).toMatchObject([{ path: ["1", 0] }]);
  });

  it("the path of an issue shows only the length of an invalid key", () => {
    const results = { US: { link: 1 }, "secret-key-1": { link: 1 } };
    const { issues = [] } = responseSchemas["movies.watchProviders"]["~standard"].validate({
      id: 1,
      results,
    });
    expect(issues.map(({ path }) => path)).toEqual([
      ["results", "(12 characters)"],
      ["results", "US", "link"],
    ]);
  });
});

describe("other libraries", () => {
  it("Vitest's expect.schemaMatching accepts a response schema", () => {
    expect({ body: search }).toEqual({
      body: expect.schemaMatching(responseSchemas["search.multi"]),
    });
    expect(brokenSearch().body).not.toEqual(expect.schemaMatching(responseSchemas["search.multi"]));
  });

  it("ky's json() method accepts a response schema", async () => {
    const headers = { authorization: "Bearer any" };
    const get = (url: string, path: string) => ky(`${url}/3/${path}`, { headers, retry: 0 });
    const url = await serveHandler();
    const latest = await get(url, "movie/latest").json(responseSchemas["movies.latest"]);
    expectTypeOf(latest).toEqualTypeOf<MovieDetail>();
    expect(latest.title).toBe("The Long Quiet");
    const rated = await get(url, "account/1000001/rated/movies").json(
      fullSchemas["account.ratedMovies"],
    );
    expectTypeOf(rated).toEqualTypeOf<AccountRatedMoviesResponse>();

    const broken = await serveHandler(async () => Response.json(brokenSearch().body));
    const failing = get(broken, "search/multi").json(responseSchemas["search.multi"]);
    const error: unknown = await failing.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SchemaValidationError);
    expect((error as SchemaValidationError).issues[0]).toMatchObject({ path: ["page"] });
  });
});

it("the type of responseSchemas has a property for every catalogue method, and no other properties", () => {
  type Methods = {
    [
      Group in keyof CatalogueMethods & string
    ]: `${Group}.${keyof CatalogueMethods[Group] & string}`;
  }[keyof CatalogueMethods & string];
  expectTypeOf<Id>().toEqualTypeOf<Methods>();
  // @ts-expect-error: the operation does not exist
  expect(responseSchemas["movies.lastest"]).toBeUndefined();
});
