import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ContractReport } from "../../src/contract/report/create-report.js";
import { checkAll } from "../../src/contract/gate/check-all.js";
import { run } from "../contract/cli/support.js";
import { createDescription, exchange, ONE } from "../contract/engine/support.js";
import { readFactExamples } from "./fact-examples.js";
import { scratchFolder } from "../support/scratch.js";

const examples = readFactExamples();
const rated = examples.find(({ operation }) => operation === "account.ratedMovies")!;

describe("media-catalogue contract --full", () => {
  async function gate(config: object | undefined, ...options: string[]) {
    const folder = await scratchFolder();
    const body = structuredClone(rated.body) as { results: { rating: unknown }[] };
    body.results[0]!.rating = "high";
    const headers = { "content-type": "application/json" };
    const recording = {
      request: { method: "GET", path: "/3/account/1/rated/movies" },
      response: { status: 200, headers, body },
    };
    await writeFile(join(folder, "rated.json"), JSON.stringify(recording));
    if (config) await writeFile(join(folder, "contract.config.json"), JSON.stringify(config));
    const args = ["contract", "rated.json", "--format", "json"];
    const { code, stdout, stderr } = await run([...args, ...options], { cwd: folder });
    return { report: (stdout ? JSON.parse(stdout) : undefined) as ContractReport, stderr, code };
  }

  it("`contract --full` reports a value that contradicts an observed fact, and names the fact's sources", async () => {
    const { report, code } = await gate(undefined, "--full");
    expect(code).toBe(1);
    const finding = report.findings.find(({ pointer }) => pointer.endsWith("/rating"))!;
    expect(finding).toMatchObject({ rule: "schema/type", severity: "error" });
    expect(finding.descriptionLocation.file).toMatch(/openapi\/observed\.yaml$/);
    const line = (await readFile(finding.descriptionLocation.file, "utf8")).split("\n")[
      finding.descriptionLocation.line - 1
    ];
    expect(line).toContain("type");
    expect(finding.observed!.sources.length).toBeGreaterThan(0);
    for (const source of finding.observed!.sources) expect(finding.fix).toContain(source);
  });

  it("if two observed facts apply to the same value, a finding names the more specific fact", async () => {
    const properties = { a: { type: "string" } };
    const description = createDescription({ type: "object", properties });
    const facts = [ONE, `${ONE}/properties/a`].map((location, index) => {
      return { fact: `Fact ${index}.`, sources: ["s"], seen: "2026-11", locations: [location] };
    });
    const item = { exchange: exchange("GET", "/one", { body: { a: 1 } }) };
    const loaded = { description, facts };
    const { findings } = await checkAll([item], loaded, { undeclared: "error" }, (path) => path);
    expect(findings).toMatchObject([{ observed: { fact: "Fact 1." } }]);
  });

  it("`contract` uses openapi/catalogue.yaml by default, or the description that the configuration names", async () => {
    expect((await gate({ description: "full" })).code).toBe(1);
    expect((await gate(undefined)).code).toBe(0);
    const wrong = await gate({ description: "observd" });
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('did you mean "full"?');
  });
});
