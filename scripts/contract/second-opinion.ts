/** `npm run contract -- --second-opinion`: what other validators say of the same recordings and mutants. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { description, judge } from "../../src/contract/index.js";
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
import { byOperator, sampleOf, type Subject } from "./second-opinion/sample.js";

const MUTANTS = 400;
const root = fileURLToPath(new URL("../..", import.meta.url));
const yaml = fileURLToPath(new URL("../../openapi/catalogue.yaml", import.meta.url));
const list = new URL("../../test/second-opinion/disagreements.json", import.meta.url);

process.exitCode = await main();

/** @returns the exit code: 1 where a disagreement is not explained, or an explained one is none any more */
async function main(): Promise<number> {
  if (!hasPrism()) {
    console.error(
      "second opinion: Prism is not installed; run npm ci --prefix test/second-opinion",
    );
    return 2;
  }
  const subjects = sampleOf(await readRecordings(root), description, MUTANTS);
  const exchanges = subjects.map(({ exchange }) => exchange);
  const ours = exchanges.map((each) => {
    const faults = judge(each, description).filter((finding) => isKilled([finding]));
    return faults.map(({ rule }) => rule).join(", ");
  });
  const [prism, redocly] = await Promise.all([
    askPrism(exchanges, yaml),
    askRedocly(exchanges, yaml),
  ]);
  const others: Opinions = { ajv: askAjv(exchanges), prism, redocly };

  console.log(table(subjects, { ours, ...others }));
  console.log(`\n${await corpusTable()}\n`);
  const explained = JSON.parse(readFileSync(list, "utf8")) as Disagreement[];
  const problems = staleness(disagreementsOf(subjects, ours, others), explained);
  for (const problem of problems) console.error(problem);
  console.log(
    `${explained.length} kinds of disagreement are explained; ${problems.length} problems with the list`,
  );
  return problems.length > 0 ? 1 : 0;
}

/** Who complains of how many, by operator. */
function table(subjects: readonly Subject[], opinions: Opinions): string {
  const names = Object.keys(opinions);
  const row = (title: string, indexes: number[]) => {
    const counts = names.map((name) => indexes.filter((index) => opinions[name]![index]).length);
    const cells = [indexes.length, ...counts].map((each) => String(each).padStart(8));
    return title.padEnd(32) + cells.join("");
  };
  const mutated = [...subjects.keys()].filter((index) => subjects[index]!.operator !== "untouched");
  return [
    "complaints about".padEnd(32) + ["asked", ...names].map((name) => name.padStart(8)).join(""),
    ...[...byOperator(subjects)].map(([operator, indexes]) => row(operator, indexes)),
    row("all mutants", mutated),
  ].join("\n");
}
