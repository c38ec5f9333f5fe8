/** `npm run prove [-- PART...]`: proves that the gate finds faults, and that the recordings cover the description. */
import { description } from "../src/contract/index.js";
import { runMain, UsageError } from "./command-line.js";
import { proveCoverage } from "./prove/coverage.js";
import { proveMutation } from "./prove/mutation.js";
import { proveObserved } from "./prove/observed.js";
import { reasons, type Proof } from "./prove/project.js";
import { proveSecondOpinion } from "./prove/second-opinion.js";
import { proveSpec } from "./prove/spec.js";
import { recordedExchanges, readDescribed } from "./prove/subject.js";

const USAGE = `Usage: npm run prove [-- PART...]

Runs every proof, or only the named parts:

  mutation        plants in the recordings every fault that the description makes possible; each must be found
  coverage        the recordings must exercise every statement of the description
  spec            weakens each statement of the description; a recording, a planted fault, or coverage must notice
  observed        every observed fact has a source, a recent date and a witness
  second-opinion  Prism and Redocly validate the same recordings and faults; disagreements must be explained

Exceptions and their reasons are in scripts/prove/reasons.json.

  -h, --help  print this

Exits with 0 if every proof holds, 1 if one does not, 2 for wrong arguments.`;

const PARTS: Record<string, () => Promise<Proof> | Proof> = {
  mutation: () => proveMutation(recordedExchanges, description, reasons),
  coverage: async () => proveCoverage(recordedExchanges, await readDescribed(), reasons),
  spec: async () => {
    const described = await readDescribed();
    const { problems } = proveCoverage(recordedExchanges, described, reasons);
    // A statement that no recording exercises would hide faults that only the coverage check finds.
    if (problems.length > 0) return { summary: ["not run: coverage is incomplete"], problems };
    return proveSpec(described.document, reasons, recordedExchanges);
  },
  observed: proveObserved,
  "second-opinion": proveSecondOpinion,
};

await runMain("npm run prove", USAGE, async (args) => {
  const unknown = args.find((each) => !Object.hasOwn(PARTS, each));
  if (unknown !== undefined)
    throw new UsageError(`unknown part ${unknown}; valid parts: ${Object.keys(PARTS).join(", ")}`);
  let code = 0;
  for (const name of args.length > 0 ? args : Object.keys(PARTS)) {
    const { summary, problems } = await PARTS[name]!();
    console.log([`${name}:`, ...summary, ""].join("\n"));
    for (const problem of problems) console.error(problem);
    if (problems.length > 0) code = 1;
  }
  return code;
});
