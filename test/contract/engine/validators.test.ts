import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { compileDescription, noConfig } from "../../../scripts/generate/contract/compile.js";
import { descriptionModule } from "../../../scripts/generate/contract/description-module.js";
import { parseYaml } from "../../../scripts/generate/contract/yaml.js";
import { mutants } from "../../../src/contract/mutate.js";
import { ContractError, validateResponse } from "../../../src/contract/validate.js";
import { CatalogueError } from "../../../src/errors.js";
import { description } from "../../../src/generated/description.js";
import { operations } from "../../support/description.js";
import { root } from "../../support/paths.js";
import { describing, ONE, own } from "./support.js";

const source = readFileSync(join(root, "src/generated/validators.js"), "utf8");
const ok = { status: 200 };

it("are one module that needs nothing, of at most 12 kB", () => {
  expect(source).not.toMatch(/\b(eval|require|import|Function)\b/);
  expect(gzipSync(source).length).toBeLessThanOrEqual(12_000);
});

it("stand beside examples that are left out, and properties of that name that are not", () => {
  const schema = { type: "object", properties: { example: { type: "string" } }, example: {} };
  const yaml = parseYaml(JSON.stringify(describing(schema).document));
  const within = Object.keys(yaml.positions).filter((each) => each.startsWith(`${ONE}/`));
  expect(within).toContain(`${ONE}/properties/example/type`);
  expect(within).not.toContain(`${ONE}/example`);
  const module = descriptionModule(yaml, noConfig, "");
  expect(module).toContain('"properties":{"example":{"type":"string"}}');
  expect(module).not.toContain('"example":{}');
});

it("are one for each body and header", () => {
  const schemas = Object.keys(description.validators);
  const results = new Set(
    operations.map(
      ({ operation }) => operation.responses["200"]?.content?.["application/json"]?.schema.$ref,
    ),
  );
  // Beside them the error, and the one body that is sent.
  expect(schemas.filter((each) => each.startsWith("/components/schemas/"))).toHaveLength(
    results.size + 2,
  );
  expect(schemas.filter((each) => each.includes("/headers/"))).toHaveLength(5);
});

it("say the same compiled ahead as compiled now, of every mutant", async () => {
  const now = await compileDescription(join(root, "openapi/catalogue.yaml"));
  const schemas = Object.keys(description.validators).filter((each) =>
    each.startsWith("/components"),
  );
  let compared = 0;
  for (const exchange of own.filter((_, index) => index % 4 === 0)) {
    for (const { exchange: mutant } of mutants(exchange, description)) {
      const { body } = mutant.response;
      if (body === undefined) continue;
      for (const schema of schemas.slice(compared % 4, (compared % 4) + 3)) {
        const [ahead, late] = [description, now].map((each) =>
          each.validators[schema]!(body).map(({ keyword, instancePath, params }) => ({
            keyword,
            instancePath,
            params,
          })),
        );
        expect(ahead).toEqual(late);
        compared += 1;
      }
    }
  }
  expect(compared).toBeGreaterThan(5000);
}, 120_000);

it("validateResponse passes what is described, and what nobody described", () => {
  for (const { operation = "", response } of own)
    validateResponse(operation, response.body, response);
  validateResponse("genres.tvList", { genres: [{ id: 1, name: "Drama", icon: "x" }], more: 1 }, ok);
  validateResponse("GET /3/nothing", { anything: 1 }, ok);
  validateResponse("constructor", {}, ok);
});

it("validateResponse throws a typed error that names operation, pointer, expected and actual", () => {
  const body = {
    genres: [
      { id: "1", name: "Drama" },
      { id: 2, name: null },
    ],
  };
  let error: unknown;
  try {
    validateResponse("genres.tvList", body, ok);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ContractError);
  expect((error instanceof CatalogueError)).toBe(true);
  expect(error).toMatchObject({
    name: "ContractError",
    operation: "genres.tvList",
    message:
      'genres.tvList: the response is not as described: /genres/0/id is "1", expected integer, and 1 more',
    pointer: "/genres/0/id",
    expected: "integer",
    actual: '"1"',
    findings: [{ rule: "value/type" }, { rule: "value/null", pointer: "/genres/1/name" }],
  });
  expect(() => validateResponse("genres.tvList", { success: false }, { status: 500 })).toThrow(
    "/status_code is absent, expected present",
  );
});

it("validateResponse brings neither positions nor coverage along", async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(root, "src/contract/validate.ts")],
    bundle: true,
    write: false,
    format: "esm",
    minify: true,
    metafile: true,
  });
  expect(
    Object.keys(metafile.inputs).filter((each) => /description|coverage|walk/.test(each)),
  ).toEqual([]);
  expect(gzipSync(outputFiles[0]!.text).length).toBeLessThanOrEqual(12_000);
});
