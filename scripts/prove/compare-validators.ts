import { readFileSync } from "node:fs";
import { description, type Exchange } from "../../src/contract/index.js";
import { mutants } from "./mutants.js";
import { findMismatches, root, type Proof } from "./project.js";
import { exampleExchanges } from "./example-exchanges.js";
import { askPrism, askRedocly, hasPrism } from "./tools.js";

/** A kind of exchange on which another tool and the gate disagree, and the reason. */
interface Disagreement {
  tool: string;
  /** `untouched`, or the operator of the mutants. */
  operator: string;
  /** The tool misses a fault that the gate finds, or reports a correct exchange. */
  verdict: "silent" | "complains";
  reason: string;
}

/** How many mutants per operator the tools check. */
const MUTANTS = 14;
const INSTALL = "Prism is not installed; run npm ci --prefix test/tools";

/** Compares other validators' verdicts on example responses and mutants with the gate's. */
export async function compareValidators(): Promise<Proof> {
  if (!hasPrism()) return { summary: [], problems: [INSTALL] };
  const subjects = sampleOf(exampleExchanges);
  const exchanges = subjects.map(({ exchange }) => exchange);
  const yaml = `${root}openapi/catalogue.yaml`;
  const tools = Object.entries({
    prism: await askPrism(exchanges, yaml),
    redocly: await askRedocly(exchanges, yaml),
  });
  const explained = JSON.parse(
    readFileSync(`${root}scripts/prove/disagreements.json`, "utf8"),
  ) as Disagreement[];
  const known = new Set(explained.map(keyOf));
  const found = new Map<string, string>();
  for (const [index, { operator, exchange }] of subjects.entries()) {
    const isFaulty = findMismatches(exchange, description).length > 0;
    for (const [tool, said] of tools) {
      const complaint = said[index] ?? "";
      if (isFaulty === (complaint !== "")) continue;
      const key = keyOf({ tool, operator, verdict: isFaulty ? "silent" : "complains" });
      found.set(key, `${exchange.name}: ${complaint.slice(0, 200)}`);
    }
  }
  const unexplained = [...found].filter(([key]) => !known.has(key));
  const outdated = [...known].filter((key) => !found.has(key));
  return {
    summary: [
      `${subjects.length} exchanges, ${found.size} kinds of disagreement, ${known.size} explained`,
    ],
    problems: [
      ...unexplained.map(([key, example]) => `not explained: ${key}, such as ${example}`),
      ...outdated.map((key) => `no longer true, remove it: ${key}`),
    ],
  };
}

function keyOf({ tool, operator, verdict }: Omit<Disagreement, "reason">): string {
  return `${tool} ${verdict} on "${operator}"`;
}

/** All example responses, and mutants of every operator, evenly spread. */
function sampleOf(
  exampleResponses: readonly Exchange[],
): { operator: string; exchange: Exchange }[] {
  const byOperator = new Map<string, Exchange[]>();
  for (const example of exampleResponses) {
    for (const { operator, location, exchange } of mutants(example, description)) {
      const all = byOperator.get(operator) ?? [];
      all.push({ ...exchange, name: `${example.name} ${location}` });
      byOperator.set(operator, all);
    }
  }
  const untouched = exampleResponses.map((exchange) => ({ operator: "untouched", exchange }));
  const sample = [...byOperator].flatMap(([operator, all]) => {
    const every = Math.ceil(all.length / MUTANTS);
    const some = all.filter((_, index) => index % every === 0);
    return some.map((exchange) => ({ operator, exchange }));
  });
  return [...untouched, ...sample];
}
