/** `npm run prove`: proves that the gate finds mutations. */
import { description } from "../src/contract/index.js";
import { exampleExchanges } from "./prove/example-exchanges.js";
import { proveMutation } from "./prove/mutation.js";
import waivers from "./prove/waivers.json" with { type: "json" };
import { parseArguments, runMain } from "./shared/command-line.js";

const USAGE = `Usage: npm run prove

Plants every possible mutation of the example responses of the specification, and of the examples in its description. The
gate must find every mutation, except for those in scripts/prove/waivers.json, which gives the reasons.

  -h, --help  print this help

Exit codes: 0 if the gate finds every mutation, 1 if the gate misses a mutation, 2 for invalid arguments.`;

await runMain("npm run prove", USAGE, async (args) => {
  parseArguments(args, {});
  const { summary, problems } = proveMutation(exampleExchanges, description, waivers);
  console.log(summary);
  for (const problem of problems) console.error(problem);
  return problems.length > 0 ? 1 : 0;
});
