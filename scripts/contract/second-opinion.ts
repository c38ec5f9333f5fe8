import { readFileSync } from "node:fs";
import { join } from "node:path";
import { description, checkExchange } from "../../src/contract/index.js";
import { isKilled } from "../../src/contract/mutate.js";
import { readRecordings } from "./recordings.js";
import { askAjv } from "./second-opinion/ajv.js";
import { corpusTable } from "./second-opinion/corpus.js";
import {
  disagreementsOf,
  staleness,
  type Disagreement,
  type Opinions,
} from "./second-opinion/disagreements.js";
import { askPrism, hasPrism } from "./second-opinion/prism.js";
import { askRedocly } from "./second-opinion/redocly.js";
import { byOperator, sampleOf } from "./second-opinion/sample.js";
import { tableOf } from "./second-opinion/table.js";

const MUTANTS = 400;

/**
 * `npm run contract -- --second-opinion`: prints what other validators say of the same recordings and mutants.
 * @returns the exit code: 1 where a disagreement is not explained, or an explained one is none any more
 */
export async function secondOpinion(project: string): Promise<number> {
  if (!hasPrism()) {
    console.error(
      "second opinion: Prism is not installed; run npm ci --prefix test/second-opinion",
    );
    return 2;
  }
  const subjects = sampleOf(await readRecordings(project), description, MUTANTS);
  const exchanges = subjects.map(({ exchange }) => exchange);
  const ours = exchanges.map((each) => {
    const faults = checkExchange(each, description).filter((finding) => isKilled([finding]));
    return faults.map(({ rule }) => rule).join(", ");
  });
  const yaml = join(project, "openapi/catalogue.yaml");
  const [prism, redocly] = await Promise.all([
    askPrism(exchanges, yaml),
    askRedocly(exchanges, yaml),
  ]);
  const others: Opinions = { ajv: askAjv(exchanges), prism, redocly };

  const groups = byOperator(subjects);
  const mutated = [...groups].flatMap(([operator, indexes]) =>
    operator === "untouched" ? [] : indexes,
  );
  console.log(tableOf({ ours, ...others }, [...groups, ["all mutants", mutated]]));
  console.log(`\n${await corpusTable()}\n`);
  const list = join(project, "test/second-opinion/disagreements.json");
  const explained = JSON.parse(readFileSync(list, "utf8")) as Disagreement[];
  const problems = staleness(disagreementsOf(subjects, ours, others), explained);
  for (const problem of problems) console.error(problem);
  console.log(
    `${explained.length} kinds of disagreement are explained; ${problems.length} problems with the list`,
  );
  return problems.length > 0 ? 1 : 0;
}
