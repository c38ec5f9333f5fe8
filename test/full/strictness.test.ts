import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readYaml } from "../../scripts/description/yaml.js";
import { FULL } from "../../scripts/shared/paths.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import type { Schema } from "../../src/openapi/schema.js";
import { root } from "../support/paths.js";
import { findUnexplained } from "./strictness.js";

const full = await readYaml(join(root, FULL));
const unexplained = findUnexplained(full);

describe("the full description", () => {
  it("each optional or nullable property of a response has a recording since 2023 or `x-because`, and no recording since 2023 contradicts a required property or a type without null", () =>
    expect(unexplained).toEqual([]));

  it("the check names the file and the line if a property becomes optional or nullable, or can no longer be null", () => {
    const document = structuredClone(full.document);
    const schemaOf = (path: string) =>
      getAtPointer(document, `/components/schemas/${path}`) as Schema;
    schemaOf("Genre").required = ["id"];
    schemaOf("Genre/properties/id").type = ["integer", "null"];
    schemaOf("PersonBase/properties/profile_path").type = "string";
    const found = findUnexplained({ ...full, document }).filter(
      (each) => !unexplained.includes(each),
    );
    const at = "^openapi/full\\.yaml:\\d+: ";
    expect(found).toHaveLength(3);
    for (const text of [
      "Genre\\.name is optional",
      "Genre\\.id is nullable",
      "PersonBase\\.profile_path is not nullable",
    ])
      expect(found).toContainEqual(expect.stringMatching(at + text));
  });
});
