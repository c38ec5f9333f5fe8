import { describe, expect, it } from "vitest";
import {
  descriptionModule,
  sensitiveModule,
} from "../../../scripts/generate/description-module.js";
import { validatorsModule } from "../../../scripts/generate/validators-module.js";
import { parseDescription } from "../../../scripts/description/description.js";
import { getAtPointer, parentPointer } from "../../../src/openapi/pointer.js";
import { ContractError, validateResponse } from "../../../src/contract/validate-response.js";
import { CatalogueError } from "../../../src/client/errors.js";
import { description } from "../../../src/generated/description.js";
import type { Description, Json } from "../../../src/openapi/description.js";
import { mutants } from "../../../scripts/prove/mutants.js";
import { rejection } from "../../support/server.js";
import { createDescription, ONE, exampleExchanges } from "./support.js";

const ok = { status: 200 };

describe("generated validators", () => {
  it("every error from a generated validator points to a location in the description", () => {
    const genres = exampleExchanges.find(({ operation }) => operation === "genres.tvList")!;
    let errors = 0;
    for (const { exchange } of mutants(genres, description)) {
      const { schema = "" } = description.operations.find(({ id }) => id === "genres.tvList")!
        .responses[0]!.content[0]!;
      for (const { schemaPath = "" } of description.validators[schema]!(exchange.response.body)) {
        expect(getAtPointer(description.document, schemaPath), schemaPath).toBeDefined();
        errors += 1;
      }
    }
    expect(errors).toBeGreaterThan(10);
  });

  it("generated validators compare objects whose fields have the names of inherited methods", async () => {
    const { document } = createDescription({
      uniqueItems: true,
      items: { enum: [{ valueOf: 1, toString: [2] }, { valueOf: 1 }, {}, []] },
    });
    const yaml = JSON.stringify(document).replace('"one"', '"one.get"');
    const module = await validatorsModule(parseDescription(yaml, "one.yaml"));
    const { validators } = (await import(
      `data:text/javascript,${encodeURIComponent(module)}`
    )) as Pick<Description, "validators">;
    const keywordsOf = (body: Json) => validators[ONE]!(body).map(({ keyword }) => keyword);
    const both = { valueOf: 1, toString: [2] };
    expect(keywordsOf([both, { valueOf: 1 }, {}, []])).toEqual([]);
    expect(keywordsOf([both, { toString: [2], valueOf: 1 }])).toEqual(["uniqueItems"]);
    const others = JSON.parse('[{"valueOf":1,"toString":[3]},{"__proto__":{}},{"toString":{}}]');
    expect(keywordsOf(others)).toEqual(["enum", "enum", "enum"]);
  });

  it("the generated description omits examples, but keeps properties named `example`", () => {
    const schema = { type: "object", properties: { example: { type: "string" } } };
    const { document } = createDescription(schema);
    const yaml = parseDescription(
      JSON.stringify(document)
        .replace('"one"', '"one.get"')
        .replace('{"schema"', '{"example":{},"schema"'),
      "one.yaml",
    );
    const media = parentPointer(ONE);
    const within = Object.keys(yaml.positions).filter((each) => each.startsWith(`${media}/`));
    expect(within).toContain(`${ONE}/properties/example/type`);
    const module = descriptionModule(yaml, "one.yaml");
    expect(module).toMatch(/"properties":\{"example":\{"type":"string"\}\}/);
    expect(module).not.toContain('"example":{}');
  });

  it("the generated modules keep schemas and headers named `summary` or `x-observed`, and list sensitive schemas and headers", () => {
    const secret = { type: "string", "x-sensitive": true };
    const named = { summary: secret, "x-observed": { "x-sensitive": false } };
    const { document } = createDescription({ type: "object", properties: named }, named, {
      response: { headers: named },
    });
    const yaml = parseDescription(
      JSON.stringify(document).replace('"one"', '"one.get"'),
      "one.yaml",
    );
    const module = descriptionModule(yaml, "one.yaml").replaceAll(/\s/g, "");
    expect(module.split(JSON.stringify(named))).toHaveLength(4);
    const holders = [
      `${ONE}/properties`,
      `${parentPointer(parentPointer(parentPointer(ONE)))}/headers`,
    ];
    const marked = [...holders, "/components/schemas"].map((each) => `${each}/summary`);
    const [, sensitive = ""] = /= (\[.+\])/.exec(sensitiveModule(yaml)) ?? [];
    expect(new Set(JSON.parse(sensitive))).toEqual(new Set(marked));
  });
});

describe("validateResponse", () => {
  it("validateResponse accepts every example response, undeclared properties, and undocumented operations", () => {
    for (const { operation = "", response } of exampleExchanges)
      validateResponse(operation, response.body, { status: response.status! });
    validateResponse("genres.tvList", { genres: [{ id: 1, name: "Drama", icon: 1 }], more: 1 }, ok);
    validateResponse("GET /3/nothing", { anything: 1 }, ok);
    validateResponse("constructor", {}, ok);
  });

  it("validateResponse throws a typed error with the operation, the pointer, and the expected and actual values", () => {
    const genres = [
      { id: "1", name: "Drama" },
      { id: 2, name: null },
    ];
    const call = () => validateResponse("genres.tvList", { genres }, ok);
    expect(call).toThrow(CatalogueError);
    expect(call).toThrow(
      expect.objectContaining({
        name: "ContractError",
        operation: "genres.tvList",
        message:
          "genres.tvList: the response does not match the description: /genres/0/id is a string of 1 character, expected integer, and 1 more",
        pointer: "/genres/0/id",
        expected: "integer",
        actual: "a string of 1 character",
        violations: [
          expect.objectContaining({ rule: "schema/type", keyword: "type" }),
          expect.objectContaining({ rule: "schema/type", pointer: "/genres/1/name" }),
        ],
      }),
    );
    expect(() => validateResponse("genres.tvList", { success: false }, { status: 500 })).toThrow(
      "/status_code is absent, expected present",
    );
  });

  it("an error from validateResponse shows no string from the response, because a string can contain a secret", async () => {
    const dated = { expires_at: "SECRET-TOKEN", request_token: "x", success: true };
    const pairs: [string, unknown][] = [
      ["authentication.createRequestToken", dated],
      ["genres.tvList", { genres: [{ id: "SECRET-TOKEN", name: ["SECRET-TOKEN"] }] }],
      ["movies.watchProviders", { id: 1, results: { "SECRET-TOKEN": { link: 1 } } }],
    ];
    for (const [operation, body] of pairs) {
      const call = async () => validateResponse(operation, body, ok);
      const error = (await rejection(call())) as ContractError;
      expect(error).toBeInstanceOf(ContractError);
      expect(`${JSON.stringify(error.violations)} ${error.stack}`).not.toContain("SECRET");
    }
    expect(() => validateResponse("authentication.createRequestToken", dated, ok)).toThrow(
      /^authentication.createRequestToken: .+: \/expires_at is a string of 12 characters, expected a string that matches \^/,
    );
  });
});
