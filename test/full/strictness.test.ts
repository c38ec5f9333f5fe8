import { describe, expect, it } from "vitest";
import { readFullDescription } from "../../scripts/overlay/full-description.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import type { Schema } from "../../src/openapi/schema.js";
import { root } from "../support/paths.js";
import { findUnexplained } from "./strictness.js";

const full = await readFullDescription(root);
const unexplained = findUnexplained(full);

describe("the full description", () => {
  it("each optional or nullable property of a response has a recording since 2023 or `x-because`, and no recording since 2023 contradicts a required property or a type without null", () =>
    expect(unexplained).toEqual([]));

  const genre = "/components/schemas/Genre";
  const poster = "/components/schemas/CollectionSummary/properties/poster_path";
  it.each<[string, string, (schema: Schema) => void, string]>([
    [
      "a property becomes optional",
      genre,
      (schema) => schema.required!.splice(schema.required!.indexOf("name"), 1),
      "Genre.name is optional",
    ],
    [
      "a property becomes nullable",
      `${genre}/properties/name`,
      (schema) => (schema.type = ["string", "null"]),
      "Genre.name is nullable",
    ],
    [
      "a nullable property can no longer be null",
      poster,
      (schema) => (schema.type = "string"),
      "poster_path is not nullable",
    ],
  ])("the check names the file and the line if %s", (_, pointer, change, text) => {
    const document = structuredClone(full.document);
    change(getAtPointer(document, pointer) as Schema);
    const found = findUnexplained({ ...full, document }).filter(
      (each) => !unexplained.includes(each),
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(text);
    expect(found[0]).toMatch(/^openapi\/[\w./-]+\.yaml:\d+: /);
  });
});
