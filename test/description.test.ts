import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { deref, description, operations, type Schema } from "./support/description.js";
import { root } from "./support/paths.js";
import {
  rowOf,
  specifiedFields,
  specifiedHeaders,
  specifiedOperations,
} from "./support/specification.js";

// Many tools still follow YAML 1.1, where an unquoted 2024-05-01 is a date, and an unquoted no is false.
it.each(["catalogue", "full"])(
  "parsers of YAML 1.1 and 1.2 read the same values from %s.yaml",
  (name) => {
    const text = readFileSync(join(root, `openapi/${name}.yaml`), "utf8");
    expect(parse(text, { version: "1.1", schema: "yaml-1.1" })).toEqual(parse(text));
  },
);

describe("operations of the specification", () => {
  it.each(specifiedOperations)(
    "$path declares a parameter for each placeholder, and the specified query parameters or any flat query object",
    ({ path, operation }) => {
      const { operationId: id } = operation;
      const parameters = (operation.parameters ?? []).map(deref);
      const inPath = parameters.filter((each) => each.in === "path");
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      const { query, types } = rowOf(id);
      for (const { name, required, schema } of inPath) {
        const type = types.get(name) ?? ["string", "integer"];
        const fix = `if the specification states the type of ${name} of ${id}, write it into test/specification.yaml, as in {${name}:integer}`;
        expect([required, deref(schema).type], fix).toEqual([true, type]);
      }
      const others = parameters.filter((each) => each.in !== "path");
      const anyQuery = {
        name: "query",
        style: "form",
        explode: true,
        schema: { type: "object", additionalProperties: true },
        "x-not-specified": [{ id: id === "account.details" ? "G10" : "G12" }],
      };
      const fix = `if the specification names the query parameters of ${id}, write them into test/specification.yaml, as in ${path}?page&region, or ${path}? if there are none`;
      const expected = query?.map((name) => ({ name })) ?? [anyQuery];
      expect(others, fix).toMatchObject(expected.map((each) => ({ ...each, in: "query" })));
    },
  );

  it("the specified operations have a JSON body with the specified fields, or no body", () => {
    for (const { operation } of specifiedOperations) {
      const { operationId: id, requestBody: body } = operation;
      const {
        type,
        required = [],
        properties = {},
      } = deref(body?.content["application/json"]?.schema ?? {});
      const fields = Object.entries(properties).map(([name, property]) => {
        const mark = required.includes(name) ? "" : "?";
        return `${name}${mark}:${String(deref(property).type)}`;
      });
      const fix = `write the fields of the body of ${id} into test/specification.yaml, as in ConvertV4SessionResult access_token:string`;
      expect(body && fields, fix).toEqual(rowOf(id).body);
      if (!body) continue;
      expect(Object.keys(body.content)).toEqual(["application/json"]);
      expect([type, body.required ?? false]).toEqual(["object", required.length > 0]);
    }
  });

  it("every specified operation has a JSON response with the specified status, or no body, and the shared error response", () => {
    for (const { operation } of specifiedOperations) {
      const { id, status, schema } = rowOf(operation.operationId);
      const fix = `if the specification states another status for ${id}, write it into test/specification.yaml, as in 201:Network, or 204`;
      expect(Object.keys(operation.responses), fix).toEqual([status, "default"]);
      const types = schema === undefined ? undefined : ["application/json"];
      const { content } = operation.responses[status]!;
      expect(content && Object.keys(content)).toEqual(types);
      expect(operation.responses.default).toEqual({ $ref: "#/components/responses/Error" });
    }
  });

  it("the specified operations have the specified response headers", () => {
    for (const { operation } of specifiedOperations) {
      const { operationId: id, responses } = operation;
      const { headers = {} } = responses[rowOf(id).status]!;
      const rows = Object.entries(headers).map(([name, { required = false, schema }]) => {
        return `${name}${required ? "" : "?"}: ${Object.values(schema).join(" ")}`;
      });
      const fix = `write the headers of ${id} into test/specification.yaml`;
      expect(rows, fix).toEqual(specifiedHeaders[id] ?? []);
    }
  });
});

it("the description allows any base URL and requires a bearer token", () => {
  expect(description.servers).toEqual([
    expect.objectContaining({
      url: "{base_url}",
      variables: { base_url: expect.objectContaining({ default: "http://localhost:4010" }) },
    }),
  ]);
  expect(description.security).toEqual([{ bearerAuth: [] }]);
  expect(description.components.securitySchemes).toEqual({
    bearerAuth: expect.objectContaining({ type: "http", scheme: "bearer" }),
  });
  for (const { operation } of operations) expect(operation).not.toHaveProperty("security");
});

it("the description says that a string can be empty only if the specification says so or the string is a date", () => {
  const texts = Object.keys(specifiedFields).flatMap((name) =>
    textsOf(description.components.schemas[name]!, name),
  );
  const possiblyEmpty = texts.filter(([, text]) => /empty/i.test(text.description ?? ""));
  expect(possiblyEmpty.map(([location]) => location)).toEqual([
    "Account.name",
    "MovieSummary.release_date",
    "TvSummary.first_air_date",
    "MovieDetail.release_date",
    "ListSummary.description",
    "PersonTranslation.data.biography",
    "PersonTranslation.data.name",
    "MovieTranslation.data.title",
    "Language.name",
    "Certification.meaning",
  ]);
});

it("schemas from the specification have no enums or upper limits, and allow additional properties", () => {
  const closing = /"(?:enum|max\w+|unevaluated\w+)":|"additionalProperties":false/;
  for (const name of Object.keys(specifiedFields)) {
    expect(JSON.stringify(description.components.schemas[name])).not.toMatch(closing);
  }
});

function textsOf(schema: Schema, location: string): [location: string, text: Schema][] {
  const own: [string, Schema][] = schema.type === "string" ? [[location, schema]] : [];
  return [
    ...own,
    ...(schema.allOf ?? []).flatMap((part) => textsOf(part, location)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
      textsOf(each, `${location}.${name}`),
    ),
  ];
}
