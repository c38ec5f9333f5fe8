import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseDocument } from "yaml";
import { descriptionFile } from "./support/description.js";
import { root } from "./support/paths.js";
import { stepsOf } from "./support/pointer.js";
import { run } from "./support/run.js";
import { scratchFolder } from "./support/scratch.js";

const redocly = "@redocly/cli/bin/cli.js";
const schemas = "#/components/schemas";
const details = "#/paths/~13~1network~1{network_id}/get";

/** What is planted, where, and the rule that has to name it: at that place, or at the one that is given. */
const planted: [rule: string, pointer: string, value: unknown, at?: string][] = [
  ["operation-summary", "#/paths/~13~1movie~1latest/get/summary", undefined],
  ["rule/operation-id", "#/paths/~13~1genre~1tv~1list/get/operationId", "genres_tv_list"],
  ["rule/operation-id", "#/paths/~13~1search~1multi/get/operationId", "Search.multi"],
  [
    "catalogue/response-examples",
    `${details}/responses/200/content/application~1json/examples`,
    undefined,
    `${details}/responses/200/content/application~1json`,
  ],
  [
    "catalogue/response-examples",
    "#/components/responses/Error/content/application~1json/examples/no-write-permission/value",
    undefined,
    "#/components/responses/Error/content/application~1json",
  ],
  [
    "catalogue/property-description",
    `${schemas}/Account/properties/avatar/properties/tmdb/description`,
    undefined,
    `${schemas}/Account/properties/avatar/properties/tmdb`,
  ],
  ["catalogue/gap-form", "#/x-not-specified", "G01"],
  ["catalogue/gap-form", `${schemas}/Change/x-not-specified`, [{ id: "G3", text: "Changes" }]],
  ["catalogue/gap-form", `${schemas}/AccountItem/x-not-specified`, [{ id: "G02" }]],
  [
    "catalogue/gap-form",
    `${schemas}/PopularPerson/properties/gender/x-not-specified`,
    [{ id: "G05", text: "Other words" }],
  ],
  ["catalogue/open-responses", `${schemas}/Certification/additionalProperties`, false],
  ["catalogue/open-responses", `${schemas}/WatchProvider/unevaluatedProperties`, false],
  ["catalogue/open-responses", `${schemas}/WatchProviderCountry/maxProperties`, 99],
  ["catalogue/open-responses", `${schemas}/MovieDetail/properties/status/enum`, ["Released"]],
  ["catalogue/open-responses", `${schemas}/Account/properties/username/maxLength`, 99],
  ["catalogue/open-responses", `${schemas}/MovieLists/properties/results/maxItems`, 99],
  ["catalogue/open-responses", `${schemas}/Languages/unevaluatedItems`, false],
  [
    "catalogue/open-responses",
    `${schemas}/EpisodeImages/properties/total`,
    { description: "Must not be there.", not: {} },
  ],
  ["catalogue/open-responses", `${schemas}/OtherCredit/patternProperties/^_`, false],
  [
    "catalogue/open-responses",
    `${schemas}/MovieWatchProviders/properties/results/propertyNames/maxLength`,
    2,
  ],
  [
    "catalogue/open-responses",
    "#/paths/~13~1authentication~1token~1new/get/responses/200/headers/ETag/schema/maxLength",
    99,
  ],
];

it("lints with 0 problems, without an ignore file, and names every violation that is planted in a copy", async () => {
  const copy = parseDocument(await readFile(descriptionFile, "utf8"));
  for (const [, pointer, value] of planted) {
    if (value === undefined) copy.deleteIn(stepsOf(pointer));
    else copy.setIn(stepsOf(pointer), copy.createNode(value));
  }
  const file = join(await scratchFolder(), "catalogue.yaml");
  await writeFile(file, String(copy));

  const [own, damaged] = await lint("catalogue", file);

  expect(own).toEqual([]);
  expect(existsSync(join(root, ".redocly.lint-ignore.yaml"))).toBe(false);
  expect(damaged?.map(({ ruleId, pointer }) => `${ruleId} ${pointer}`).toSorted()).toEqual(
    planted.map(([rule, pointer, , at]) => `${rule} ${at ?? pointer}`).toSorted(),
  );
  expect(damaged!.filter(({ severity }) => severity !== "error")).toEqual([]);
  for (const { ruleId, message } of damaged!.filter((each) => each.ruleId.includes("/"))) {
    expect(message, ruleId).toMatch(/; \w+ .+/);
  }
});

it("scores at least 84 in agent readiness, and 90 in discoverability", async () => {
  const { stdout } = await run(redocly, ["score", descriptionFile, "--format=json"]);
  const score = JSON.parse(stdout) as { agentReadiness: number; discoverability: number };
  // It was 90 with `int64`, `double` and `minItems: 0` on 99 lines: constraints that restrict nothing, but score.
  expect(score.agentReadiness).toBeGreaterThanOrEqual(84);
  expect(score.discoverability).toBeGreaterThanOrEqual(90);
});

interface Problem {
  ruleId: string;
  severity: string;
  message: string;
  pointer: string;
}

/** The problems of each file; Redocly writes one JSON text after the other. */
async function lint(...files: string[]): Promise<Problem[][]> {
  const { stdout } = await run(redocly, ["lint", ...files, "--format=json", "--max-problems=999"]);
  const texts = stdout.split(/(?<=\n\})(?=\{)/);
  return texts.map((text) => {
    const { problems } = JSON.parse(text) as {
      problems: (Omit<Problem, "pointer"> & { location: { pointer: string }[] })[];
    };
    return problems.map(({ ruleId, severity, message, location }) => ({
      ruleId,
      severity,
      message,
      pointer: location[0]!.pointer,
    }));
  });
}
