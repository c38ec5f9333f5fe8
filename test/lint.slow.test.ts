import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse, parseDocument } from "yaml";
import { redocly } from "../scripts/redocly.js";
import { descriptionFile } from "./support/description.js";
import { root } from "./support/paths.js";
import { stepsOf } from "./support/pointer.js";
import { scratchFolder } from "./support/scratch.js";

const schemas = "#/components/schemas";
const details = "#/paths/~13~1network~1{network_id}/get";

/** Planted violations: a rule, the place that it reports, and the new value there, or a place below to remove (`^`). */
const table = `
operation-summary             #/paths/~13~1movie~1latest/get/summary
rule/operation-id             #/paths/~13~1genre~1tv~1list/get/operationId = genres_tv_list
rule/operation-id             #/paths/~13~1search~1multi/get/operationId = Search.multi
catalogue/response-examples   ${details}/responses/200/content/application~1json ^ examples
catalogue/response-examples   #/components/responses/Error/content/application~1json ^ examples/no-write-permission/value
catalogue/property-description ${schemas}/Account/properties/avatar/properties/tmdb ^ description
catalogue/gap-form            #/x-not-specified = G01
catalogue/gap-form            ${schemas}/Change/x-not-specified = [{ id: G3, text: Changes }]
catalogue/gap-form            ${schemas}/AccountItem/x-not-specified = [{ id: G02 }]
catalogue/gap-form            ${schemas}/PopularPerson/properties/gender/x-not-specified = [{ id: G05, text: Other }]
catalogue/open-responses      ${schemas}/Certification/additionalProperties = false
catalogue/open-responses      ${schemas}/WatchProvider/unevaluatedProperties = false
catalogue/open-responses      ${schemas}/WatchProviderCountry/maxProperties = 99
catalogue/open-responses      ${schemas}/MovieDetail/properties/status/enum = [Released]
catalogue/open-responses      ${schemas}/Account/properties/username/maxLength = 99
catalogue/open-responses      ${schemas}/MovieLists/properties/results/maxItems = 99
catalogue/open-responses      ${schemas}/Languages/unevaluatedItems = false
catalogue/open-responses      ${schemas}/EpisodeImages/properties/total = { description: Absent., not: {} }
catalogue/open-responses      ${schemas}/OtherCredit/patternProperties/^_ = false
catalogue/open-responses      ${schemas}/MovieWatchProviders/properties/results/propertyNames/maxLength = 2
catalogue/open-responses      #/paths/~13~1authentication~1token~1new/get/responses/200/headers/ETag/schema/maxLength = 99
`;
/** The rule, the pointer that it reports, the pointer of the edit, and the new value; undefined removes. */
const planted = table
  .trim()
  .split("\n")
  .map((line) => {
    const [, rule, place, below, value] = /^(\S+) +(\S+?)(?: \^ (\S+))?(?: = (.*))?$/.exec(line)!;
    const edited = below === undefined ? place! : `${place}/${below}`;
    return { rule, place, edited, value: value && (parse(value) as unknown) };
  });

it("the description has no lint problems, and every violation planted in a copy is reported", async () => {
  const copy = parseDocument(await readFile(descriptionFile, "utf8"));
  for (const { edited, value } of planted) {
    if (value === undefined) copy.deleteIn(stepsOf(edited));
    else copy.setIn(stepsOf(edited), copy.createNode(value));
  }
  const file = join(await scratchFolder(), "catalogue.yaml");
  await writeFile(file, String(copy));

  const [own, damaged] = await lint("catalogue", file);

  expect(own).toEqual([]);
  expect(existsSync(join(root, ".redocly.lint-ignore.yaml"))).toBe(false);
  expect(damaged?.map(({ ruleId, pointer }) => `${ruleId} ${pointer}`).toSorted()).toEqual(
    planted.map(({ rule, place }) => `${rule} ${place}`).toSorted(),
  );
  expect(damaged!.filter(({ severity }) => severity !== "error")).toEqual([]);
  for (const { ruleId, message } of damaged!.filter((each) => each.ruleId.includes("/"))) {
    expect(message, ruleId).toMatch(/; \w+ .+/);
  }
});

it("npm run lint prints no box about updates or the version of Node", async () => {
  const { stdout, stderr } = await redocly("lint");
  expect(stderr).toMatch(/Your API descriptions? (is|are) valid/);
  expect(stdout + stderr).not.toMatch(/[═╗╔]|deprecat|new version|update/i);
});

it("a failed run reports its output without the box", async () => {
  await expect(redocly("lint", "no-such-file.yaml")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^(?!.*Deprecation)[^═]*no-such-file\.yaml/s),
  });
});

it("the description scores at least 84 for agents and 90 for discoverability", async () => {
  const { stdout } = await redocly("score", descriptionFile, "--format=json");
  const score = JSON.parse(stdout) as { agentReadiness: number; discoverability: number };
  // Formats and minimums that restrict nothing would raise it to 90.
  expect(score.agentReadiness).toBeGreaterThanOrEqual(84);
  expect(score.discoverability).toBeGreaterThanOrEqual(90);
});

interface Problem {
  ruleId: string;
  severity: string;
  message: string;
  pointer: string;
}

/** The problems in each file; Redocly writes one JSON text after the other, and fails if there are problems. */
async function lint(...files: string[]): Promise<Problem[][]> {
  const args = ["lint", ...files, "--format=json", "--max-problems=999"];
  const { stdout } = await redocly(...args).catch((error: { stdout: string }) => error);
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
