import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readYaml } from "../../scripts/description/yaml.js";
import { CATALOGUE, FULL } from "../../scripts/shared/paths.js";
import { listOperations, walkPointers } from "../../src/openapi/document.js";
import { getAtPointer, lastKey } from "../../src/openapi/pointer.js";
import { root } from "../support/paths.js";

const documents = await Promise.all(
  [CATALOGUE, FULL].map(async (file) => (await readYaml(join(root, file))).document),
);

it("each operation of catalogue.yaml is in full.yaml with the same method, path, and operationId", () => {
  const [specified, full] = documents.map((document) =>
    listOperations(document).map(({ method, path, id }) => `${method} ${path} ${id}`),
  );
  expect(specified).not.toEqual([]);
  expect(full).toEqual(expect.arrayContaining(specified!));
});

it("in both descriptions, exactly the operations about a user or a list are private", () => {
  for (const document of documents) {
    const marked = listOperations(document).filter(
      ({ pointer }) => getAtPointer(document, `${pointer}/x-private`) === true,
    );
    const expected = listOperations(document).filter(({ id }) =>
      /^(authentication|account|guestSessions|lists)\.|\.accountStates$/.test(id),
    );
    expect(expected).not.toEqual([]);
    expect(marked).toEqual(expected);
  }
});

it("docs/design.md explains each extension that the descriptions use", () => {
  const keys = documents.flatMap((document) => [...walkPointers(document)].map(lastKey));
  const used = new Set(keys.filter((key) => key.startsWith("x-") && key !== "x-displayName"));
  const page = readFileSync(join(root, "docs/design.md"), "utf8");
  const explained = [...page.matchAll(/^\| `(x-[a-z-]+)`/gm)].map(([, name]) => name);
  expect([...used].toSorted()).toEqual(explained);
});
