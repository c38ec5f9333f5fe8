import { expect, it } from "vitest";
import { fillPath } from "../../src/client/url.js";
import { description as full } from "../../src/generated/full-description.js";
import { description as specified } from "../../src/generated/description.js";
import type { Operation } from "../../src/openapi/description.js";
import { createSandbox } from "../../src/sandbox/index.js";

const sandbox = createSandbox();

it.each([
  ["catalogue.yaml", specified],
  ["full.yaml", full],
])(
  "in %s, the example of each path parameter of a GET operation exists in the sandbox",
  async (_, { operations }) => {
    for (const operation of operations.filter(({ method }) => method === "GET")) {
      const { id } = operation;
      // Only the full description names the query parameters.
      const named = full.operations.find((each) => each.id === id)!;
      const path = fillPath(id, operation.path, examplesIn(operation, "path"));
      const query = new URLSearchParams(examplesIn(named, "query"));
      const headers = { authorization: "Bearer any" };
      const { status } = await sandbox.fetch(`https://sandbox.test${path}?${query}`, { headers });
      expect([id, status]).toEqual([id, 200]);
    }
  },
);

function examplesIn({ parameters }: Operation, location: string): Record<string, string> {
  const given = parameters.filter((each) => each.in === location && each.example !== undefined);
  return Object.fromEntries(given.map(({ name, example }) => [name, String(example)]));
}
