import { join } from "node:path";
import { expect, it } from "vitest";
import { readYaml } from "../../scripts/description/yaml.js";
import { CATALOGUE, FULL } from "../../scripts/shared/paths.js";
import { listOperations } from "../../src/openapi/document.js";
import { root } from "../support/paths.js";

it("each operation of catalogue.yaml is in full.yaml with the same method, path, and operationId", async () => {
  const [specified, full] = await Promise.all(
    [CATALOGUE, FULL].map(async (file) => {
      const { document } = await readYaml(join(root, file));
      return listOperations(document).map(({ method, path, id }) => `${method} ${path} ${id}`);
    }),
  );
  expect(specified).not.toEqual([]);
  expect(full).toEqual(expect.arrayContaining(specified!));
});
