/** `npm run fit`: measures how well a description fits the evidence. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkExchange } from "../src/contract/engine/check.js";
import type { Description, Json } from "../src/openapi/description.js";
import { compileDocument } from "./description/compile.js";
import { readYaml } from "./description/yaml.js";
import { countProperties } from "./evidence/count-properties.js";
import { listDeviations } from "./evidence/deviations.js";
import { isCurrent, listEvidence, readEvidenceFiles } from "./evidence/evidence-files.js";
import type { Evidence } from "./evidence/evidence-files.js";
import { findVariants, plantMutations } from "./evidence/plant-mutations.js";
import { readFullDescription } from "./overlay/full-description.js";
import { parseArguments, runMain, UsageError } from "./shared/command-line.js";

const USAGE = `Usage: npm run fit -- [FILE] [--evidence PATH]

Measures how well an OpenAPI description fits recorded responses since 2023. Prints for each operation how many bodies
the description accepts, how many bodies contain nothing undeclared, and how many planted mutations the description
notices: a wrong type, a renamed, an additional, or an absent property, and a null. Then compares the properties of at
least five recorded objects with the description.

  FILE             the description (default: the full description)
  --evidence PATH  a folder or a file with evidence (default: test/evidence)
  -h, --help       print this help

Exit codes: 0 if everything was measured, 1 if the description is invalid, 2 for invalid arguments.`;

/** The number of objects from which a property counts in the totals. */
const USUAL = 5;
const root = fileURLToPath(new URL("..", import.meta.url));

/** How well a description fits one body. */
interface BodyFit {
  isAccepted: boolean;
  /** Whether the description accepts the body, and declares all its properties and values. */
  isComplete: boolean;
  /** For each mutation that was planted in a complete body, whether the description notices the mutation. */
  mutations: boolean[];
}

await runMain("npm run fit", USAGE, async (args) => {
  const options = { evidence: { type: "string", default: join(root, "test/evidence") } } as const;
  const { values, positionals } = parseArguments(args, options, true);
  const [file, ...others] = positionals;
  if (others.length > 0) throw new UsageError("pass only one FILE");
  for (const path of [file ?? root, values.evidence])
    if (!existsSync(path)) throw new UsageError(`${path} does not exist`);
  const { document } = await (file === undefined ? readFullDescription(root) : readYaml(file));
  const description = compileDocument({ document, positions: {} }, file);
  const files = readEvidenceFiles(values.evidence);
  const evidence = listEvidence(files, description.operations).filter(isCurrent);
  const fits: BodyFit[] = [];
  for (const operation of description.operations) {
    const own = evidence.filter((each) => each.operation === operation);
    if (own.length === 0) continue;
    const fit = measureFit(own, description);
    print(operation.id || `${operation.method} ${operation.path}`, fit);
    fits.push(...fit);
  }
  console.log();
  print("all recordings since 2023", fits);
  const usual = countProperties(evidence, description).filter(
    ({ present, absent }) => present > 0 && present + absent >= USUAL,
  );
  const exact = usual.filter((each) => listDeviations(each).length === 0);
  console.log(
    `properties of at least ${USUAL} recorded objects, as recorded: ${share(exact, usual)}`,
  );
  return 0;
});

/** Measures how well a description fits the bodies of one operation. */
function measureFit(evidence: readonly Evidence[], description: Description): BodyFit[] {
  const variants = findVariants(evidence.map(({ body }) => body));
  return evidence.map((each) => {
    const problems = findProblems(each, each.body, description);
    const isComplete = problems.length === 0;
    // A response that contains other responses can also be requested without them.
    const isComposed = each.query?.includes("append_to_response") === true;
    const parts = isComposed ? Object.keys(Object(each.body)).map((name) => `absent /${name}`) : [];
    const mutants = isComplete ? [...plantMutations(each.body, [...variants, ...parts])] : [];
    return {
      isAccepted: problems.every(({ category }) => category !== "violation"),
      isComplete,
      mutations: mutants.map((mutant) => findProblems(each, mutant, description).length > 0),
    };
  });
}

function findProblems({ exchange }: Evidence, body: Json, description: Description) {
  const response = { ...exchange.response, body };
  return checkExchange({ ...exchange, response }, description).filter(
    ({ category, rule }) => category !== "unspecified" && rule !== "http/missing-header",
  );
}

function print(label: string, fits: readonly BodyFit[]): void {
  const mutations = fits.flatMap((fit) => fit.mutations);
  const [accepted, complete] = (["isAccepted", "isComplete"] as const).map(
    (key) => fits.filter((fit) => fit[key]).length,
  );
  const noticed = share(mutations.filter(Boolean), mutations);
  console.log(
    `${label}: ${fits.length} bodies, accepted: ${accepted}, nothing undeclared: ${complete}, mutations noticed: ${noticed}`,
  );
}

function share(part: readonly unknown[], whole: readonly unknown[]): string {
  const percent = whole.length === 0 ? 100 : (100 * part.length) / whole.length;
  return `${part.length} of ${whole.length} (${percent.toFixed(1)}%)`;
}
