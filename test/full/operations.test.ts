import { describe, expect, it } from "vitest";
import { listOperations } from "../../src/openapi/document.js";
import type { Json } from "../../src/openapi/description.js";
import { description } from "../../src/generated/full-description.js";
import { operations } from "../../src/generated/full-operations.js";
import { operations as specified } from "../../src/generated/operations.js";
import { createCatalogue } from "../../src/full/index.js";
import { responseSchemas, validateResponse } from "../../src/full/validate.js";
import { listExamples } from "../../scripts/shared/list-examples.js";
import { createSandbox } from "../../src/sandbox/index.js";
import { typicalCall } from "../../scripts/shared/typical-call.js";

type Method = (...args: unknown[]) => Promise<Json>;

const ids = Object.keys(operations);
const options = { baseUrl: "https://sandbox.test", token: "any", fetch: createSandbox().fetch };
const catalogue = createCatalogue({ ...options, validate: validateResponse });
const methods = catalogue as unknown as Record<string, Record<string, Method>>;
const examples = listExamples();

describe("operations of media-catalogue/full", () => {
  it("media-catalogue/full contains every specified operation, and exports a response schema for each of its operations", () => {
    expect(ids).toEqual(expect.arrayContaining(Object.keys(specified)));
    expect(Object.keys(responseSchemas).toSorted()).toEqual(ids.toSorted());
    for (const { id, method, path } of listOperations(description.document))
      expect(operations[id as keyof typeof operations]).toMatchObject({ method, path });
  });

  it("each method resolves to the body of its typical example response", async () => {
    for (const id of ids) {
      const [group, name] = id.split(".") as [string, string];
      const { path } = operations[id as keyof typeof operations];
      const { args = [], response } = typicalCall({ id, path }, examples) ?? {};
      expect(response, `${id} needs an example response`).toBeDefined();
      expect(await methods[group]![name]!(...args), id).toEqual(response?.body);
    }
  });
});
