import { describe, expect, it } from "vitest";
import { responseFor } from "../src/contract/engine/route.js";
import { description as ready } from "../src/generated/description.js";
import { damages } from "./support/damage.js";
import { deref, description, operations, type Response } from "./support/description.js";
import { isExchange } from "./support/exchange.js";
import { get } from "./support/pointer.js";
import { recordings, type Recording } from "./support/recordings.js";
import { bodyPointer, describedOf, responsePointer } from "./support/responses.js";
import { validatorAt } from "./support/validators.js";

it("records at least 55 exchanges, and a typical one of every operation", () => {
  expect(recordings.length).toBeGreaterThanOrEqual(55);
  const names = recordings.map(({ name }) => name);
  for (const { operation } of operations)
    expect(names).toContain(`${operation.operationId}/typical`);
});

describe.each(recordings)("recording $name", (recording) => {
  const { name, operation, request, response, file } = recording;
  const described = describedOf(operation);
  const at = responsePointer(operation, response.status);

  it("has the form of an exchange, in the folder of its operation", () => {
    expect(valid(isExchange, file)).toEqual([]);
    expect(name.split("/")[0]).toBe(operation);
  });

  it("asks what the description says", () => {
    expect(request.method).toBe(described.method.toUpperCase());
    expect(request.path).toMatch(templateOf(described.path));
    expect("body" in request).toBe("requestBody" in described.operation);
    if ("body" in request) {
      const validate = validatorAt(bodyPointer(`${described.pointer}/requestBody`));
      expect(valid(validate, request.body)).toEqual([]);
    }
  });

  it("is answered as the description says", () => {
    expect(response.headers["content-type"]).toMatch(/^application\/json\b/);
    expect(wrongHeaders(recording, at)).toEqual([]);
    expect(valid(validatorAt(bodyPointer(at)), response.body)).toEqual([]);
  });
});

const broken = recordings.map(({ name, operation, response }) => {
  const pointer = bodyPointer(responsePointer(operation, response.status));
  const { schema } = responseFor(
    ready.operations.find(({ id }) => id === operation)!,
    response.status,
  )!.media[0]!;
  const copies = [...damages({ $ref: pointer }, response.body)];
  return { name, pointer, compiled: ready.validators[schema!]!, copies };
});
const copies = broken.flatMap((each) => each.copies);

describe(`${copies.length} damaged copies of the recordings`, () => {
  it("are thousands, of every kind, and of every recording whose body is described", () => {
    expect(copies.filter(({ kind }) => kind === "drop").length).toBeGreaterThan(1000);
    expect(copies.filter(({ kind }) => kind === "null").length).toBeGreaterThan(1000);
    expect(copies.filter(({ kind }) => kind === "type").length).toBeGreaterThan(5000);
    expect(copies.filter(({ kind }) => kind === "form").length).toBeGreaterThan(100);
    const whole = broken
      .filter(({ copies: [first] }) => first === undefined)
      .map(({ name }) => name);
    expect(whole).toEqual(["authentication.convertV4Session/typical"]);
  });

  it.each(broken)("are refused: $name", ({ pointer, copies: own }) => {
    const validate = validatorAt(pointer);
    const survivors = own.filter(({ damaged }) => validate(damaged)).map(({ what }) => what);
    expect(survivors).toEqual([]);
  });

  it("are refused as well by the validators of the gate, which were compiled ahead", () => {
    const survivors = broken.flatMap(({ name, compiled, copies: own }) =>
      own
        .filter(({ damaged }) => compiled(damaged).length === 0)
        .map(({ what }) => `${name} ${what}`),
    );
    expect(survivors).toEqual([]);
  });
});

function valid(validate: ReturnType<typeof validatorAt>, value: unknown): string[] {
  if (validate(value)) return [];
  return validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** A path template as an expression: each parameter is one segment. */
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
  // No header of an error is described; of a success those that are described are all that a recording shows.
  const others = response.status === 200 ? [...sent.keys()] : [];
  return [...wrong, ...others.map((name) => `${name} is not described`)];
}
