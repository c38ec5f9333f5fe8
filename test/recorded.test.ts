import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { selectResponse } from "../src/openapi/route.js";
import { getAtPointer } from "../src/openapi/pointer.js";
import type { SchemaError } from "../src/openapi/description.js";
import { jsonType } from "../src/openapi/schema.js";
import { description } from "../src/generated/description.js";
import disagreements from "./disagreements.json" with { type: "json" };
import { sourceRows } from "./support/ledger.js";
import { besideProject, itWith } from "./support/shared.js";

const described = description.operations;

itWith(
  "recorded",
  "finds only the listed disagreements of real bodies with the description",
  () => {
    const listed = disagreements.map(({ file, path, what }) => `${file} ${path} ${what}`);
    expect(recordedFiles().flatMap(disagreementsOf).toSorted()).toEqual(listed.toSorted());
  },
);

itWith("recorded", "checks real bodies of every operation of the source document", () => {
  const names = recordedFiles().map((file) => file.split(/\.\d+\.json$/)[0]);
  for (const [id] of sourceRows) expect(names).toContain(id);
});

it("gives a reason for each listed disagreement", () => {
  for (const { file, reason } of disagreements) expect(reason, file).toMatch(/^[A-Z][^.]{20,}\.$/);
});

const folder = besideProject("recorded");

function recordedFiles(): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".json")).toSorted();
}

/** The differences between a body and the description. A fault in several items is listed once. */
function disagreementsOf(file: string): string[] {
  const recorded = JSON.parse(readFileSync(join(folder, file), "utf8")) as { body: unknown };
  const isError = file.startsWith("errors/");
  const [body, status] = isError ? [recorded.body, 404] : [recorded, 200];
  const named = described.find(({ id }) => isError || id === file.split(/\.\d+\.json$/)[0]);
  const { schema } = selectResponse(named!, status)!.content[0]!;
  const errors = description.validators[schema!]!(body);
  return [...new Set(errors.map((error) => `${file} ${whereAndWhat(error, body)}`))];
}

function whereAndWhat({ instancePath, keyword, params }: SchemaError, body: unknown): string {
  const path = instancePath.replaceAll(/\/\d+(?=\/|$)/g, "/[]");
  switch (keyword) {
    case "required":
      return `${path} required ${params.missingProperty as string}`;
    case "type":
      return `${path} type ${jsonType(getAtPointer(body, instancePath))}`;
    default:
      return `${path} ${keyword}`;
  }
}
