import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { redocly } from "../scripts/shared/redocly.js";
import { descriptionFile } from "./support/description.js";
import { scratchFolder } from "./support/scratch.js";

/** Lints a file with the project's rules. @returns the rule and the pointer of each problem */
async function lint(file: string): Promise<string[]> {
  const args = ["lint", file, "--format=json"];
  const { stdout } = await redocly(args).catch((error: { stdout: string }) => error);
  const { problems } = JSON.parse(stdout) as {
    problems: { ruleId: string; location: { pointer: string }[] }[];
  };
  return problems.map(({ ruleId, location }) => `${ruleId} ${location[0]!.pointer}`).toSorted();
}

it("the lint rules require tags, summaries, descriptions, and examples", async () => {
  let yaml = await readFile(descriptionFile, "utf8");
  for (const part of [
    "      summary: Get the newest movie\n",
    /(?<=networks.details\n) {6}tags: .*\n/,
    /(?<=GenreList"\n) {14}examples:\n( {16}.*\n)+/,
    "          description: The genre's name.\n",
    "      description: Movie identifier.\n",
    "      example: 1000001\n",
  ]) {
    const edited = yaml.replace(part, "");
    expect(edited).not.toBe(yaml);
    yaml = edited;
  }
  const file = join(await scratchFolder(), "catalogue.yaml");
  await writeFile(file, yaml);

  expect(await lint(file)).toEqual([
    "operation-summary #/paths/~13~1movie~1latest/get/summary",
    "parameter-description #/components/parameters/MovieId",
    "rule/parameter-example #/components/parameters/AccountId",
    "rule/property-description #/components/schemas/Genre/properties/name/description",
    "rule/response-examples #/paths/~13~1genre~1tv~1list/get/responses/200/content/application~1json",
    "rule/tag #/paths/~13~1network~1{network_id}/get/tags",
  ]);
});
