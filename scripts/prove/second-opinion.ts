import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { description, type Exchange } from "../../src/contract/index.js";
import { bodyPointer, responsePointer } from "../../test/support/responses.js";
import { validatorAt } from "../../test/support/validators.js";
import { mutants } from "./mutants.js";
import { faultsIn } from "./mutation.js";
import { readRecordings, root } from "./project.js";
import { askPrism, askRedocly, hasPrism } from "./tools.js";

/** An exchange that every tool is asked about. */
interface Subject {
  /** `untouched`, or the operator of the mutant. */
  operator: string;
  name: string;
  exchange: Exchange;
}

/** A kind of exchange about which another tool and the gate disagree, and why. */
interface Disagreement {
  tool: string;
  operator: string;
  /** The tool is silent where the gate has a finding, or complains where it has none. */
  verdict: "silent" | "complains";
  /** Whether this holds for all exchanges of the operator. */
  share: "all" | "some";
  reason: string;
}

const MUTANTS = 400;

/** Prints what other validators say about the recordings and their mutants. @returns the exit code */
export async function proveSecondOpinion(): Promise<number> {
  if (!hasPrism()) {
    console.error("Prism is not installed; run npm ci --prefix test/second-opinion");
    return 2;
  }
  const subjects = sampleOf(readRecordings());
  const exchanges = subjects.map(({ exchange }) => exchange);
  const yaml = `${root}openapi/catalogue.yaml`;
  const [prism, redocly] = [await askPrism(exchanges, yaml), await askRedocly(exchanges, yaml)];
  const others = { ajv: exchanges.map(askAjv), prism, redocly };
  const ours = exchanges.map((each) =>
    faultsIn(each, description)
      .map(({ rule }) => rule)
      .join(),
  );

  const operators = new Map<string, number[]>();
  for (const [index, { operator }] of subjects.entries())
    operators.set(operator, [...(operators.get(operator) ?? []), index]);
  const found = [...operators].flatMap(([operator, indexes]) => {
    const tools = Object.entries({ gate: ours, ...others });
    const counts = tools.map(([tool, said]) => `${tool} ${indexes.filter((i) => said[i]).length}`);
    console.log(`${operator.padEnd(24)} asked ${indexes.length}: ${counts.join(", ")}`);
    return Object.entries(others).flatMap(([tool, said]) =>
      (["silent", "complains"] as const).flatMap((verdict) => {
        const there = indexes.filter((i) =>
          verdict === "silent" ? ours[i] && !said[i] : !ours[i] && said[i],
        );
        const share = there.length === indexes.length ? "all" : "some";
        const [first] = there;
        const example = first === undefined ? "" : `${subjects[first]!.name}: ${said[first]}`;
        return first === undefined ? [] : [{ tool, operator, verdict, share, example }];
      }),
    );
  });
  return report(found);
}

function report(
  found: (Omit<Disagreement, "reason" | "share"> & { share: string; example: string })[],
) {
  const list = `${root}test/second-opinion/disagreements.json`;
  const explained = JSON.parse(readFileSync(list, "utf8")) as Disagreement[];
  const keyOf = ({ tool, operator, verdict, share }: Omit<(typeof found)[number], "example">) =>
    `${tool} ${verdict} on ${share} of "${operator}"`;
  const [known, seen] = [new Set(explained.map(keyOf)), new Set(found.map(keyOf))];
  const problems = [
    ...found
      .filter((each) => !known.has(keyOf(each)))
      .map((each) => `not explained: ${keyOf(each)}, such as ${each.example.slice(0, 200)}`),
    ...[...known].filter((key) => !seen.has(key)).map((key) => `no longer true, remove it: ${key}`),
  ];
  for (const problem of problems) console.error(problem);
  console.log(`${known.size} disagreements explained, ${problems.length} problems with the list`);
  return problems.length > 0 ? 1 : 0;
}

/** All recordings and a sample of mutants: each operator in turn, in the order of a hash, so that rare ones are in it. */
function sampleOf(recordings: readonly Exchange[]): Subject[] {
  const byOperator = new Map<string, (Subject & { rank: string })[]>();
  for (const recording of recordings) {
    for (const { operator, place, exchange } of mutants(recording, description)) {
      const name = `${recording.name} ${place}`;
      const rank = createHash("sha256").update(`${operator} ${name}`).digest("hex");
      const all = byOperator.get(operator) ?? [];
      byOperator.set(operator, [...all, { operator, name, exchange, rank }]);
    }
  }
  const queues = [...byOperator.values()].map((all) =>
    all.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)),
  );
  const rounds = Math.max(...queues.map((all) => all.length));
  const inTurn = Array.from({ length: rounds }, (_, round) =>
    queues.flatMap((all) => all[round] ?? []),
  ).flat();
  const untouched = recordings.map((exchange) => ({
    operator: "untouched",
    name: exchange.name,
    exchange,
  }));
  return [...untouched, ...inTurn.slice(0, MUTANTS)];
}

/** What ajv says about a body, by the open schema of its status; it sees nothing of HTTP. */
function askAjv({ operation = "", response }: Exchange): string {
  if (response.body === undefined) return "not JSON";
  const validate = validatorAt(bodyPointer(responsePointer(operation, response.status)));
  return validate(response.body) ? "" : (validate.errors?.[0]?.message ?? "invalid");
}
