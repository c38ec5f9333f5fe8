import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ErrorObject } from "ajv";
import { expect, it } from "vitest";
import { chooseByTag } from "../scripts/start/tagged.js";
import disagreements from "./disagreements.json" with { type: "json" };
import { description } from "./support/description.js";
import { bodyPointer, responsePointer } from "./support/responses.js";
import { besideProject, itWith } from "./support/shared.js";
import { validatorsOf } from "./support/validators.js";

// By its tag a wrong value is reported against the branch that was meant, not against all of them.
const validatorAt = validatorsOf("by-tag", chooseByTag(description));

itWith("recorded", "real bodies disagree with the description as listed, and nowhere else", () => {
  const listed = disagreements.map(({ file, path, what }) => `${file} ${path} ${what}`);
  expect(recordedFiles().flatMap(disagreementsOf).toSorted()).toEqual(listed.toSorted());
});

itWith("recorded", "real bodies of every operation are judged", () => {
  const names = recordedFiles().map((file) => file.split(/\.\d+\.json$/)[0]);
  const operations = Object.values(description.paths).flatMap((item) => Object.values(item));
  for (const { operationId } of operations) expect(names).toContain(operationId);
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
  const [response, body] = file.startsWith("errors/")
    ? ["#/components/responses/Error", recorded.body]
    : [responsePointer(file.split(/\.\d+\.json$/)[0]!, 200), recorded];
  const validate = validatorAt(bodyPointer(response));
  if (validate(body)) return [];
  return [...new Set(validate.errors!.map((error) => `${file} ${whereAndWhat(error)}`))];
}

function whereAndWhat({ instancePath, keyword, params, data, message }: ErrorObject): string {
  const path = instancePath.replaceAll(/\/\d+(?=\/|$)/g, "/[]");
  switch (keyword) {
    case "required":
      return `${path} required ${params.missingProperty as string}`;
    case "type":
      return `${path} type ${data === null ? "null" : Array.isArray(data) ? "array" : typeof data}`;
    default:
      return `${path} ${message}`;
  }
}
