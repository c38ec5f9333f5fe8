import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { responseFor } from "../src/contract/engine/route.js";
import { at } from "../src/contract/engine/pointer.js";
import type { SchemaError } from "../src/contract/engine/types.js";
import { typeOf } from "../src/contract/engine/schema.js";
import { description } from "../src/generated/description.js";
import disagreements from "./disagreements.json" with { type: "json" };
import { besideProject, itWith } from "./support/shared.js";

const described = description.operations;

itWith("recorded", "real bodies disagree with the description as listed, and nowhere else", () => {
  const listed = disagreements.map(({ file, path, what }) => `${file} ${path} ${what}`);
  expect(recordedFiles().flatMap(disagreementsOf).toSorted()).toEqual(listed.toSorted());
});

itWith("recorded", "real bodies of every operation are judged", () => {
  const names = recordedFiles().map((file) => file.split(/\.\d+\.json$/)[0]);
  for (const { id } of described) expect(names).toContain(id);
});

it("each listed disagreement has a reason in one sentence", () => {
  for (const { file, reason } of disagreements) expect(reason, file).toMatch(/^[A-Z][^.]{20,}\.$/);
});

const folder = besideProject("recorded");

function recordedFiles(): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".json")).toSorted();
}

/** What a body has that the description does not allow, each fault once, however many items have it. */
function disagreementsOf(file: string): string[] {
  const recorded = JSON.parse(readFileSync(join(folder, file), "utf8")) as { body: unknown };
  const isError = file.startsWith("errors/");
  const [body, status] = isError ? [recorded.body, 404] : [recorded, 200];
  const named = described.find(({ id }) => isError || id === file.split(/\.\d+\.json$/)[0]);
  const { schema } = responseFor(named!, status)!.media[0]!;
  const errors = description.validators[schema!]!(body);
  return [...new Set(errors.map((error) => `${file} ${whereAndWhat(error, body)}`))];
}

function whereAndWhat({ instancePath, keyword, params }: SchemaError, body: unknown): string {
  const path = instancePath.replaceAll(/\/\d+(?=\/|$)/g, "/[]");
  switch (keyword) {
    case "required":
      return `${path} required ${params.missingProperty as string}`;
    case "type":
      return `${path} type ${typeOf(at(body, instancePath))}`;
    default:
      return `${path} ${keyword}`;
  }
}
