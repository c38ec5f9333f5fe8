/** `npm run prove [-- PART...]`: proves that the gate finds mutations, and that the examples cover the description. */
import { description } from "../src/contract/index.js";
import { runMain, UsageError } from "./shared/command-line.js";
import { proveCoverage } from "./prove/coverage.js";
import { proveMutation, type Proof } from "./prove/mutation.js";
import reasons from "./prove/reasons.json" with { type: "json" };
import {
  exampleExchanges,
  fullDescription,
  listInlineExchanges,
} from "./prove/example-exchanges.js";

const USAGE = `Usage: npm run prove [-- PART...]

Runs every proof, or only the named parts:

  mutation   plants every possible mutation of the example responses; the gate must find every mutation
  coverage   the example responses must exercise every statement of the description

For an operation without example responses, mutation and coverage use the examples of the description. Those examples
need not exercise every statement.

Exceptions and their reasons are in scripts/prove/reasons.json.

  -h, --help  print this help

Exit codes: 0 if every proof holds, 1 if a proof fails, 2 for invalid arguments.`;

const PARTS: Record<string, () => Proof> = {
  mutation: () =>
    proveMutation([...exampleExchanges, ...listInlineExchanges()], description, reasons),
  coverage: () => proveCoverage(exampleExchanges, fullDescription, reasons, listInlineExchanges()),
};

await runMain("npm run prove", USAGE, async (args) => {
  const unknown = args.find((each) => !Object.hasOwn(PARTS, each));
  if (unknown !== undefined)
    throw new UsageError(`unknown part ${unknown}; valid parts: ${Object.keys(PARTS).join(", ")}`);
  let code = 0;
  for (const name of args.length > 0 ? args : Object.keys(PARTS)) {
    const { summary, problems } = PARTS[name]!();
    console.log([`${name}:`, ...summary, ""].join("\n"));
    for (const problem of problems) console.error(problem);
    if (problems.length > 0) code = 1;
  }
  return code;
});
