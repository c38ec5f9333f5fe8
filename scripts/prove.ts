/** `npm run prove [-- PART...]`: proves that the gate finds faults, and that the recordings cover the description. */
import { description } from "../src/contract/index.js";
import { runMain, UsageError } from "./command-line.js";
import { readYaml } from "./generate/contract/yaml.js";
import { proveCoverage } from "./prove/coverage.js";
import { proveMutation } from "./prove/mutation.js";
import { readRecordings, reasons, root } from "./prove/project.js";

const USAGE = `Usage: npm run prove [-- PART...]

Runs every proof, or only the named parts:

  mutation        plants every fault that the description makes possible into the recordings; each must be found
  coverage        the recordings must exercise every statement of the description
  spec            weakens every statement of the description; a recording, a fault or coverage must notice
  corpus          33 broken and 7 clean exchanges of another description, checked by the gate and by other tools
  observed        every observed fact has a source, a recent date and a witness
  second-opinion  Prism and Redocly validate the same recordings and faults; disagreements must be explained

Exceptions and their reasons are in scripts/prove/reasons.json.

  -h, --help  print this

Exits with 0 if every proof holds, 1 if one does not, 2 for wrong arguments.`;

/** Each part prints its result and returns the exit code. */
const PARTS: Record<string, () => Promise<number> | number> = {
  mutation: () => proveMutation(readRecordings(), description, reasons),
  coverage: () => proveCoverage(readRecordings(), description, reasons),
  spec: proveSpec,
  observed: async () => (await import("./prove/observed.js")).observed(),
  corpus: async () => (await import("./prove/second-opinion.js")).proveCorpus(),
  "second-opinion": async () => (await import("./prove/second-opinion.js")).proveSecondOpinion(),
};

await runMain("npm run prove", USAGE, async (args) => {
  const unknown = args.find((each) => !Object.hasOwn(PARTS, each));
  if (unknown !== undefined)
    throw new UsageError(`${unknown} is not a part; give one of ${Object.keys(PARTS).join(", ")}`);
  let code = 0;
  for (const name of args.length > 0 ? args : Object.keys(PARTS)) {
    console.log(`${name}:`);
    code = Math.max(code, (await PARTS[name]?.()) ?? 0);
    console.log();
  }
  return code;
});

async function proveSpec(): Promise<number> {
  const { proveWeakenings } = await import("./prove/spec.js");
  const { document } = await readYaml(`${root}openapi/catalogue.yaml`);
  return proveWeakenings(document, reasons, readRecordings());
}
