import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ContractReport } from "../../src/contract/report/create-report.js";
import { exampleResponses } from "../../src/generated/example-responses.js";
import { checkExchange, description, type Exchange } from "../../src/full/contract.js";
import { run } from "../contract/cli/support.js";
import { scratchFolder } from "../support/scratch.js";

/** Runs the gate with a session that has the wrong type, and with a review that omits most properties. */
async function gate(config: object | undefined, ...options: string[]) {
  const folder = await scratchFolder();
  const record = (name: string, path: string, body: object) =>
    writeFile(
      join(folder, `${name}.json`),
      JSON.stringify({
        request: { method: "GET", path },
        response: { status: 200, headers: { "content-type": "application/json" }, body },
      }),
    );
  await record("session", "/3/authentication/session/convert/4", { success: true, session_id: 7 });
  await record("review", "/3/review/1", { id: 7 });
  if (config) await writeFile(join(folder, "contract.config.json"), JSON.stringify(config));
  const args = ["contract", "session.json", "review.json", "--format", "json"];
  const { code, stdout, stderr } = await run([...args, ...options], { cwd: folder });
  return { report: (stdout ? JSON.parse(stdout) : undefined) as ContractReport, stderr, code };
}

describe("media-catalogue contract --full", () => {
  it("a finding points to the line of openapi/full.yaml that a person edits", async () => {
    const { report } = await gate(undefined, "--full");
    const finding = report.findings.find(({ operation }) => operation === "reviews.details")!;
    const { file, line, pointer } = finding.descriptionLocation;
    expect(file).toMatch(/openapi\/full\.yaml$/);
    const text = (await readFile(file, "utf8")).split("\n")[line - 1];
    expect([pointer, text]).toEqual([expect.stringContaining("Review"), expect.any(String)]);
    expect(text).toMatch(/id|required/);
  });

  it("`contract` uses openapi/catalogue.yaml by default, or the description that the configuration names", async () => {
    const operationsOf = ({ report }: { report: ContractReport }) =>
      report.exchanges.map(({ operation }) => operation);
    expect(operationsOf(await gate({ description: "full" }))).toContain("reviews.details");
    expect(operationsOf(await gate(undefined))).not.toContain("reviews.details");
    const wrong = await gate({ description: "ful" });
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('did you mean "full"?');
  });
});

it("an invalid or missing field of a movie among movies and collections is reported as one finding", () => {
  const { request, response } = exampleResponses.find(
    ({ operation, name }) => operation === "search.movies" && name === "typical",
  )!;
  const { results, ...page } = response.body as { results: object[] };
  const findingsFor = (fields: object) => {
    const body = { ...page, results: [{ ...results[0], ...fields }] };
    const exchange = { name: "a", request, response: { ...response, body } };
    const sent = JSON.parse(JSON.stringify(exchange)) as Exchange;
    return checkExchange(sent, description).map(({ rule, pointer }) => `${rule} ${pointer}`);
  };
  expect(findingsFor({})).toEqual([]);
  expect(findingsFor({ popularity: "high" })).toEqual(["schema/type /results/0/popularity"]);
  for (const name of ["genre_ids", "video"])
    expect(findingsFor({ [name]: undefined })).toEqual([`schema/required /results/0/${name}`]);
});

it.each([
  ["GET", "/3/search/tv"],
  ["GET", "/3/search/keyword"],
  ["POST", "/3/movie/701/rating"],
  ["POST", "/3/list"],
])(
  "the response to an invalid %s %s can contain a list of errors instead of a status",
  (method, path) => {
    const body = { value: 7, name: "Ferries", description: "", language: "en" };
    const request = { method, path, ...(method === "POST" ? { body } : {}) };
    const headers = { "content-type": "application/json" };
    const rulesFor = (status: number) => {
      const response = { status, headers, body: { errors: ["invalid"] } };
      return checkExchange({ name: "a", request, response }, description).flatMap(
        ({ rule, category }) => (category === "violation" ? rule : []),
      );
    };
    expect(rulesFor(422)).toEqual([]);
    expect(rulesFor(401)).toEqual(["http/status-body-mismatch"]);
  },
);
