import { describe, expect, it } from "vitest";
import { deref, description, operations, type Response } from "./support/description.js";
import { isExchange } from "./support/exchange.js";
import { get } from "./support/pointer.js";
import { recordings, type Recording } from "./support/recordings.js";
import { bodyPointer, describedOf, responsePointer } from "./support/responses.js";
import { validatorAt } from "./support/validators.js";

it("has at least 55 recordings, including a typical one per operation", () => {
  expect(recordings.length).toBeGreaterThanOrEqual(55);
  const names = recordings.map(({ name }) => name);
  for (const { operation } of operations)
    expect(names).toContain(`${operation.operationId}/typical`);
});

describe.each(recordings)("recording $name, validated by ajv alone", (recording) => {
  const { name, operation, request, response, file } = recording;
  const described = describedOf(operation);
  const at = responsePointer(operation, response.status);

  it("is an exchange in the folder of its operation", () => {
    expect(errorsOf(isExchange, file)).toEqual([]);
    expect(name.split("/")[0]).toBe(operation);
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
    expect(wrongHeaders(recording, at)).toEqual([]);
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

function wrongHeaders({ response }: Recording, at: string): string[] {
  const { headers = {} } = get(description, at) as Response;
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
  // Error headers are undescribed; a success has only described headers.
  const others = response.status === 200 ? [...sent.keys()] : [];
  return [...wrong, ...others.map((name) => `${name} is not described`)];
}
