import { describe, expect, it } from "vitest";
import {
  deref,
  description,
  operations,
  type Parameter,
  type Schema,
} from "./support/description.js";
import { DOCUMENT, section, sourceDocument, tableRows } from "./support/document.js";
import { ENDPOINTS, FAMILIES } from "./support/endpoints.js";
import { recordings } from "./support/recordings.js";
import { bodyPointer, responsePointer } from "./support/responses.js";
import { itWith } from "./support/shared.js";
import { validatorAt } from "./support/validators.js";

describe("the operations", () => {
  it("have the method, the path, the operationId and the result of the endpoints, in their order", () => {
    const described = operations.map(({ method, path, operation }) => [
      operation.operationId,
      method.toUpperCase(),
      path,
      operation.responses["200"]!.content!["application/json"]!.schema.$ref,
    ]);
    expect(described).toEqual(
      ENDPOINTS.map(([id, method, path, result]) => [
        id,
        method,
        path,
        `#/components/schemas/${result}`,
      ]),
    );
  });

  itWith(DOCUMENT, "are the rows of the endpoint table of the source document", () => {
    const rows = tableRows(section("Endpoints"));
    expect(rows.map(([, method, path]) => [method, path])).toEqual(
      operations.map(({ method, path }) => [method.toUpperCase(), path]),
    );
  });

  it.each(operations)("take $path apart into required identifiers", ({ path, operation }) => {
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
    for (const { operation } of operations) {
      const [query, ...more] = parametersOf(operation.parameters).filter(
        (each) => each.in === "query",
      );
      expect(more).toEqual([]);
      expect(query).toMatchObject({
        style: "form",
        explode: true,
        schema: { type: "object", additionalProperties: true },
        "x-not-specified": [{ id: operation.operationId === "account.details" ? "G10" : "G12" }],
      });
    }
  });

  it("take a request body at session convert only, which needs an access token", () => {
    const withBody = operations.filter(({ operation }) => operation.requestBody);
    expect(withBody.map(({ operation }) => operation.operationId)).toEqual([
      "authentication.convertV4Session",
    ]);
    const { requestBody } = withBody[0]!.operation;
    expect(requestBody?.required).toBe(true);
    expect(Object.keys(requestBody!.content)).toEqual(["application/json"]);
    expect(deref(requestBody!.content["application/json"]!.schema)).toMatchObject({
      type: "object",
      required: ["access_token"],
      properties: { access_token: { type: "string" } },
    });
  });

  it("answer 200 with JSON, or anything else with the one error", () => {
    for (const { operation } of operations) {
      expect(Object.keys(operation.responses)).toEqual(["200", "default"]);
      expect(Object.keys(operation.responses["200"]!.content!)).toEqual(["application/json"]);
      expect(operation.responses.default).toEqual({ $ref: "#/components/responses/Error" });
    }
  });

  it("send headers with the request token only, of which the callback is always there", () => {
    const withHeaders = operations.filter(({ operation }) => operation.responses["200"]!.headers);
    expect(withHeaders.map(({ operation }) => operation.operationId)).toEqual([
      "authentication.createRequestToken",
    ]);
    const headers = Object.entries(withHeaders[0]!.operation.responses["200"]!.headers!);
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

describe("the 28 tags", () => {
  it("are the families, in their order", () => {
    expect(description.tags.map(({ name }) => name)).toEqual(FAMILIES.split(", "));
    expect(description.tags).toHaveLength(28);
  });

  itWith(DOCUMENT, "are the families of the source document", () => {
    expect(sourceDocument()).toContain(`Resource families (tags) of the service: ${FAMILIES}.`);
  });

  it("have a description if they have an operation, and only then", () => {
    const used = operations.flatMap(({ operation }) => operation.tags);
    expect(used).toHaveLength(ENDPOINTS.length);
    for (const { name, description: text } of description.tags) {
      expect(text !== undefined, name).toBe(used.includes(name));
    }
    expect(FAMILIES.split(", ")).toEqual(expect.arrayContaining(used));
  });

  it("are displayed in title case", () => {
    for (const { name, "x-displayName": displayed } of description.tags) {
      expect(displayed.toUpperCase()).toBe(name);
      expect(displayed).toMatch(/^(TV|[A-Z][a-z]+)( (TV|[A-Z][a-z]+))*$/);
    }
  });
});

it("says that a text may be empty if the source does, or if it is a date", () => {
  const texts = Object.entries(description.components.schemas).flatMap(([name, schema]) =>
    textsOf(schema, name),
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

describe("every example", () => {
  const ofOperations = operations.flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(responses["200"]!.content!["application/json"]!.examples!).map(
      ([name, { value }]) => ({
        case: `${operationId}/${name}`,
        pointer: bodyPointer(responsePointer(operationId, 200)),
        value,
      }),
    ),
  );
  const shared = Object.entries(description.components.responses).flatMap(
    ([response, { content }]) =>
      Object.entries(content!["application/json"]!.examples!).map(([name, { value }]) => ({
        case: name,
        pointer: bodyPointer(`#/components/responses/${response}`),
        value,
      })),
  );

  it("is there: one at least for each operation and for the error", () => {
    expect(new Set(ofOperations.map(({ pointer }) => pointer)).size).toBe(ENDPOINTS.length);
    expect(shared.length).toBeGreaterThanOrEqual(1);
  });

  it.each([...ofOperations, ...shared])("fits its schema and is recorded: $case", (example) => {
    expect(validatorAt(example.pointer)(example.value)).toBe(true);
    const recorded = recordings.filter(
      ({ name }) => name === example.case || name.endsWith(`/${example.case}`),
    );
    expect(recorded.map(({ response }) => response.body)).toContainEqual(example.value);
  });

  it("of a request body is there, one at least for each, and fits its schema", () => {
    const sending = operations.filter(({ operation }) => operation.requestBody);
    expect(sending).not.toEqual([]);
    for (const { pointer, operation } of sending) {
      const values = Object.values(operation.requestBody!.content["application/json"]!.examples!);
      expect(values, pointer).not.toEqual([]);
      const validate = validatorAt(bodyPointer(`${pointer}/requestBody`));
      for (const { value } of values) expect(validate(value), pointer).toBe(true);
    }
  });
});

function parametersOf(parameters: Parameter[] = []): Parameter[] {
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
