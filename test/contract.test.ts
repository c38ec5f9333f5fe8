import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readExampleResponses } from "../scripts/generate/example-responses.js";
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

it("an example response can have its query in the path or under `query`", async () => {
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

describe.each(exampleResponses)("example response $name, validated by ajv alone", (example) => {
  const { name, operation, request, response } = example;
  const described = operationOf(operation);
  const at = responsePointer(operation, response.status);

  it("is in its operation's folder, and names its source", () => {
    const file = readFileSync(join(root, "test/example-responses", `${name}.json`), "utf8");
    expect(JSON.parse(file)).toMatchObject({
      operation,
      source: {
        kind: "specification",
        note: expect.stringMatching(/./),
      },
    });
  });

  it("has a request that the description allows", () => {
    expect(request.method).toBe(described.method.toUpperCase());
    expect(request.path).toMatch(templateOf(described.path));
    expect("body" in request).toBe("requestBody" in described.operation);
    if ("body" in request) {
      const validate = validatorAt(bodyPointer(`${described.pointer}/requestBody`));
      expect(errorsOf(validate, request.body)).toEqual([]);
    }
  });

  it("has a response that the description allows", () => {
    expect(response.headers["content-type"]).toMatch(/^application\/json\b/);
    expect(wrongHeaders(example, at)).toEqual([]);
    expect(errorsOf(validatorAt(bodyPointer(at)), response.body)).toEqual([]);
  });
});

function errorsOf(validate: ReturnType<typeof validatorAt>, value: unknown): string[] {
  if (validate(value)) return [];
  return validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** A path template as a regular expression: each parameter is one segment. */
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
  // The description states no headers of errors, but every header of 2xx responses.
  const others = response.status === 200 ? [...sent.keys()] : [];
  return [...wrong, ...others.map((name) => `${name} is undocumented`)];
}
