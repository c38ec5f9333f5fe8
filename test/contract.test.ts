import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readExampleResponses } from "../scripts/generate/example-responses.js";
import { operations } from "../src/generated/operations.js";
import { deref, description, type Response } from "./support/description.js";
import { root } from "./support/paths.js";
import { getAtPointer } from "./support/pointer.js";
import { scratchFolder } from "./support/scratch.js";
import { exampleResponses, type ExampleResponse } from "./support/example-responses.js";
import { bodyPointer, operationOf, responsePointer } from "./support/responses.js";
import { specifiedOperations } from "./support/specification.js";
import { validatorAt } from "./support/validators.js";

it("the project has a typical example response for each operation of the specification", () => {
  const names = new Set(exampleResponses.map(({ name }) => name));
  const ids = specifiedOperations.map(({ operation }) => operation.operationId);
  expect(ids.filter((id) => !names.has(`${id}/typical`))).toEqual([]);
});

it("an example response can have query parameters in its path, under `query`, or in both", async () => {
  const folder = await scratchFolder();
  await mkdir(join(folder, "movies.lists"));
  const request = { method: "GET", path: "/3/movie/603/lists?page=2", query: { language: "de" } };
  const file = join(folder, "movies.lists/page-2.json");
  await writeFile(file, JSON.stringify({ request, response: { status: 200, headers: {} } }));
  const query = { page: "2", language: "de" };
  expect(await readExampleResponses(folder)).toMatchObject([
    { name: "page-2", request: { path: "/3/movie/603/lists", query } },
  ]);
});

it("each example response is in the folder of its operation, and states its source", async () => {
  const folder = join(root, "test/example-responses");
  for (const { operation, name } of await readExampleResponses(folder)) {
    const file = JSON.parse(
      readFileSync(join(folder, operation, `${name}.json`), "utf8"),
    ) as unknown;
    const kind = operation in operations ? "specification" : "full";
    expect(file).toMatchObject({ operation, source: { kind, note: expect.stringMatching(/./) } });
  }
});

describe.each(exampleResponses)("example response $name, validated with only Ajv", (example) => {
  const { operation, request, response } = example;
  const described = operationOf(operation);
  const at = responsePointer(operation, response.status);

  it("the request of the example response matches the description", () => {
    expect(request.method).toBe(described.method.toUpperCase());
    expect(request.path).toMatch(templateOf(described.path));
    expect("body" in request).toBe("requestBody" in described.operation);
    if ("body" in request) {
      const validate = validatorAt(bodyPointer(`${described.pointer}/requestBody`));
      expect(errorsOf(validate, request.body)).toEqual([]);
    }
  });

  it("the example response matches the description", () => {
    expect(response.headers["content-type"]).toMatch(/^application\/json\b/);
    expect(wrongHeaders(example, at)).toEqual([]);
    expect(errorsOf(validatorAt(bodyPointer(at)), response.body)).toEqual([]);
  });
});

function errorsOf(validate: ReturnType<typeof validatorAt>, value: unknown): string[] {
  if (validate(value)) return [];
  return validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Converts a path template to a regular expression, in which each parameter matches one segment. */
function templateOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{[^{}]+\}/g, "[^/]+")}$`);
}

function wrongHeaders({ response }: ExampleResponse, at: string): string[] {
  const { headers = {} } = getAtPointer(description, at) as Response;
  const sent = new Map(Object.entries(response.headers));
  sent.delete("content-type");
  const wrong = Object.entries(headers).flatMap(([name, { required, schema }]) => {
    const key = name.toLowerCase();
    const value = sent.get(key);
    sent.delete(key);
    if (value === undefined) return required ? [`${name} is missing`] : [];
    const validate = validatorAt(`${at}/headers/${name}/schema`);
    return validate(value) ? [] : [`${name} is not ${String(deref(schema).format)}`];
  });
  // The description documents every header of 2xx responses, but no headers of error responses.
  const others = response.status === 200 ? [...sent.keys()] : [];
  return [...wrong, ...others.map((name) => `${name} is undocumented`)];
}
