/** `npm run fit`: measures how well a description fits the evidence. */
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { compileDocument } from "./description/compile.js";
import { positionOf, readYaml } from "./description/yaml.js";
import { countProperties } from "./evidence/count-properties.js";
import { findReasons, isLoose, listDeviations } from "./evidence/deviations.js";
import {
  isCurrent,
  matchEvidence,
  readAllEvidence,
  readEvidence,
} from "./evidence/evidence-files.js";
import { measureFit, type BodyFit, type PlantedMutation } from "./evidence/measure-fit.js";
import { MUTATIONS } from "./evidence/plant-mutations.js";
import { parseArguments, runMain, UsageError } from "./shared/command-line.js";
import { FULL } from "./shared/paths.js";

const USAGE = `Usage: npm run fit -- [FILE] [--evidence PATH]

Measures how well an OpenAPI description fits recorded responses since 2023. Prints for each operation how many bodies
the description accepts, how many bodies contain nothing undeclared, and how many planted mutations the description
notices: a wrong type, a renamed, an additional, or an absent property, and a null. Then lists the properties of the
operation that are looser or tighter than the recordings show.

  FILE             the description (default: the full description)
  --evidence PATH  a folder or a file with evidence (default: test/evidence and test/older-evidence)
  -h, --help       print this help

Exit codes: 0 if everything was measured, 1 if the description is invalid, 2 for invalid arguments.`;

/** The number of objects from which a property counts in the totals. */
const USUAL = 5;
const root = fileURLToPath(new URL("..", import.meta.url));

await runMain("npm run fit", USAGE, async (args) => {
  const options = { evidence: { type: "string" } } as const;
  const { values, positionals } = parseArguments(args, options, true);
  const [file = join(root, FULL), ...others] = positionals;
  if (others.length > 0) throw new UsageError("pass only one FILE");
  for (const path of [file, values.evidence ?? file])
    if (!existsSync(path)) throw new UsageError(`${path} does not exist`);
  const yaml = await readYaml(file);
  const description = compileDocument(yaml, file);
  const recorded = values.evidence ? readEvidence(values.evidence) : readAllEvidence(root);
  const all = matchEvidence(recorded, description);
  const current = all.filter(({ exchange }) => isCurrent(exchange));
  const counts = countProperties(current, description).filter(({ present }) => present > 0);
  const deviations = counts.flatMap((count) => {
    const reasons = findReasons(yaml.document, count.pointer).length;
    return listDeviations(count).map((each) => {
      return { ...each, count, isExplained: isLoose(each) && reasons > 0 };
    });
  });
  const waiting = new Set(deviations.filter(({ isExplained }) => !isExplained));
  const fits: BodyFit[] = [];
  for (const operation of description.operations) {
    const own = current.filter((each) => each.operation === operation);
    if (own.length === 0) continue;
    const fit = measureFit(own, description, counts);
    print(operation.id || `${operation.method} ${operation.path}`, fit);
    fits.push(...fit);
    const names = new Set(own.map(({ exchange }) => exchange.name));
    for (const each of waiting) {
      // A property of a shared schema is listed with the first operation that shows the property.
      if (![...each.count.exchanges].some((name) => names.has(name))) continue;
      waiting.delete(each);
      const [line] = positionOf(yaml, each.pointer);
      console.log(`  ${relative(process.cwd(), file)}:${line} ${each.text}`);
    }
  }
  console.log();
  print("all recordings since 2023", fits);
  const older = all.filter(({ exchange }) => !isCurrent(exchange));
  print("older recordings and documented examples", measureFit(older, description, counts));
  const mutations = fits.flatMap((fit) => fit.mutations);
  for (const kind of MUTATIONS) {
    const own = mutations.filter((each) => each.kind === kind);
    console.log(`  mutation: ${kind.padEnd(12)} ${shareNoticed(own)}`);
  }
  const unrecorded = mutations.filter(({ isRecorded }) => !isRecorded);
  const mistakes = unrecorded.filter(({ isExplained }) => !isExplained);
  console.log(
    `  without the ${mutations.length - unrecorded.length} unnoticed nulls and absences that a recording of another operation shows: ${shareNoticed(unrecorded)}`,
  );
  console.log(
    `  and without the ${unrecorded.length - mistakes.length} for which x-because gives a reason: ${shareNoticed(mistakes)}`,
  );
  const usual = counts.filter(({ present, absent }) => present + absent >= USUAL);
  const withKind = (...kinds: string[]) =>
    usual.filter((count) =>
      deviations.some((each) => each.count === count && kinds.includes(each.kind)),
    );
  const exact = usual.filter((count) => deviations.every((each) => each.count !== count));
  console.log(`\nproperties of at least ${USUAL} recorded objects`);
  console.log(`  as recorded          ${share(exact, usual)}`);
  console.log(`  needlessly optional  ${share(withKind("optional"), usual)}`);
  console.log(`  needlessly nullable  ${share(withKind("nullable"), usual)}`);
  console.log(`  too strict           ${share(withKind("required", "not nullable"), usual)}`);
  const explained = deviations.filter(({ isExplained }) => isExplained).length;
  console.log(`\nnot listed, because x-because gives a reason: ${explained}`);
  return 0;
});

function print(label: string, fits: readonly BodyFit[]): void {
  const mutations = fits.flatMap((fit) => fit.mutations);
  const [accepted, complete] = (["isAccepted", "isComplete"] as const).map(
    (key) => fits.filter((fit) => fit[key]).length,
  );
  const planted = mutations.length > 0 ? `, mutations noticed: ${shareNoticed(mutations)}` : "";
  console.log(
    `${label}: ${fits.length} bodies, accepted: ${accepted}, nothing undeclared: ${complete}${planted}`,
  );
}

function shareNoticed(mutations: readonly PlantedMutation[]): string {
  return share(
    mutations.filter(({ isNoticed }) => isNoticed),
    mutations,
  );
}

function share(part: readonly unknown[], whole: readonly unknown[]): string {
  const percent = whole.length === 0 ? 100 : (100 * part.length) / whole.length;
  return `${part.length} of ${whole.length} (${percent.toFixed(1)}%)`;
}
