import { describe, expect, it } from "vitest";
import {
  deref,
  description,
  operations,
  type MediaType,
  type Schema,
} from "./support/description.js";
import { sourceFields, sourceOperations } from "./support/ledger.js";
import { bodyPointer } from "./support/responses.js";
import { validatorAt } from "./support/validators.js";

describe("the operations of the source document", () => {
  it.each(sourceOperations)("$path: required path parameters", ({ path, operation }) => {
    const parameters = parametersOf(operation.parameters).filter((each) => each.in === "path");
    expect(parameters.map(({ name }) => name)).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    );
    for (const { required, schema } of parameters) {
      expect(required).toBe(true);
      expect(deref(schema).type).toEqual(["string", "integer"]);
    }
  });

  it("take any flat query, whose names are a gap", () => {
    for (const { operation } of sourceOperations) {
      const query = parametersOf(operation.parameters).filter((each) => each.in === "query");
      expect(query).toMatchObject([
        {
          style: "form",
          explode: true,
          schema: { type: "object", additionalProperties: true },
          "x-not-specified": [{ id: operation.operationId === "account.details" ? "G10" : "G12" }],
        },
      ]);
    }
  });

  it("have no request body, except convertV4Session, which requires an access token", () => {
    const [{ operation }, ...more] = sourceOperations.filter(
      (each) => each.operation.requestBody,
    ) as [(typeof sourceOperations)[number]];
    expect([operation.operationId, more]).toEqual(["authentication.convertV4Session", []]);
    expect(operation.requestBody!.required).toBe(true);
    expect(Object.keys(operation.requestBody!.content)).toEqual(["application/json"]);
    expect(deref(operation.requestBody!.content["application/json"]!.schema)).toMatchObject({
      type: "object",
      required: ["access_token"],
      properties: { access_token: { type: "string" } },
    });
  });

  it("respond with 200 and JSON, or with the shared error", () => {
    for (const { operation } of sourceOperations) {
      expect(Object.keys(operation.responses)).toEqual(["200", "default"]);
      expect(Object.keys(operation.responses["200"]!.content!)).toEqual(["application/json"]);
      expect(operation.responses.default).toEqual({ $ref: "#/components/responses/Error" });
    }
  });

  it("describe response headers for createRequestToken only; the callback is required", () => {
    const [{ operation }, ...more] = sourceOperations.filter(
      (each) => each.operation.responses["200"]!.headers,
    ) as [(typeof sourceOperations)[number]];
    expect([operation.operationId, more]).toEqual(["authentication.createRequestToken", []]);
    const headers = Object.entries(operation.responses["200"]!.headers!);
    expect(headers.map(([name, { required = false, schema }]) => [name, required, schema])).toEqual(
      [
        ["authentication-callback", true, { type: "string", format: "uri" }],
        ["Cache-Control", false, { type: "string" }],
        ["Content-Encoding", false, { type: "string" }],
        ["ETag", false, { type: "string" }],
        ["Vary", false, { type: "string" }],
      ],
    );
  });
});

it("is version 1.0.0, served from any base URL to the bearer of a token", () => {
  expect(description.info.version).toBe("1.0.0");
  expect(description.servers).toMatchObject([
    { url: "{base_url}", variables: { base_url: { default: "http://localhost:4010" } } },
  ]);
  expect(description.servers).toHaveLength(1);
  expect(description.security).toEqual([{ bearerAuth: [] }]);
  expect(Object.keys(description.components.securitySchemes)).toEqual(["bearerAuth"]);
  expect(description.components.securitySchemes.bearerAuth).toMatchObject({
    type: "http",
    scheme: "bearer",
  });
  for (const { operation } of operations) expect(operation).not.toHaveProperty("security");
});

describe("the tags", () => {
  const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []));

  it("have a description if and only if they have an operation", () => {
    for (const { name, description: text } of description.tags) {
      expect(text !== undefined, name).toBe(used.has(name));
    }
  });

  it("are displayed in title case", () => {
    for (const { name, "x-displayName": displayed } of description.tags) {
      expect(displayed.toUpperCase()).toBe(name);
      expect(displayed).toMatch(/^(TV|[A-Z][a-z]+)( (TV|[A-Z][a-z]+))*$/);
    }
  });
});

it("says that a text may be empty if the source does, or if it is a date", () => {
  const texts = Object.keys(sourceFields).flatMap((name) =>
    textsOf(description.components.schemas[name]!, name),
  );
  const mayBeEmpty = texts.filter(([, text]) => /empty/i.test(text.description ?? ""));
  expect(mayBeEmpty.map(([place]) => place)).toEqual([
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

describe("every example fits its schema:", () => {
  type Body = { content?: Record<string, MediaType> } | undefined;
  const bodies: [place: string, body: Body][] = [
    ...operations.flatMap(
      ({ pointer, operation: { requestBody, responses } }): [string, Body][] => [
        [`${pointer}/requestBody`, requestBody],
        ...Object.entries(responses).map(([status, response]): [string, Body] => [
          `${pointer}/responses/${status}`,
          response,
        ]),
      ],
    ),
    ...Object.entries(description.components.responses).map(([name, response]): [string, Body] => [
      `#/components/responses/${name}`,
      response,
    ]),
  ];
  const examples = bodies.flatMap(([place, body]) =>
    Object.entries(body?.content?.["application/json"]?.examples ?? {}).map(
      ([name, { value }]) => [place, name, value] as const,
    ),
  );

  it.each(examples)("%s %s", (place, _, value) => {
    const validate = validatorAt(bodyPointer(place));
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
  });
});

function parametersOf<T extends { $ref?: string }>(parameters: T[] = []): T[] {
  return parameters.map((parameter) => deref(parameter));
}

function textsOf(schema: Schema, place: string): [place: string, text: Schema][] {
  const own: [string, Schema][] = schema.type === "string" ? [[place, schema]] : [];
  return [
    ...own,
    ...(schema.allOf ?? []).flatMap((part) => textsOf(part, place)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
      textsOf(each, `${place}.${name}`),
    ),
  ];
}
