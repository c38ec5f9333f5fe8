/** `npm run fit`: measures how well a description fits the evidence. */
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { closestAncestor } from "../src/openapi/pointer.js";
import { compileDocument } from "./description/compile.js";
import { readYaml } from "./description/yaml.js";
import { nameOf } from "./evidence/deviations.js";
import { isCurrent, listEvidence, readEvidenceFiles } from "./evidence/evidence-files.js";
import { addFits, compareProperties, measureFit, type Fit } from "./evidence/measure-fit.js";
import { MUTATIONS } from "./evidence/plant-mutations.js";
import { readFullDescription, type FullDescription } from "./overlay/full-description.js";
import { parseArguments, runMain, UsageError } from "./shared/command-line.js";

const USAGE = `Usage: npm run fit -- [FILE] [--evidence PATH]

Measures how well an OpenAPI description fits recorded response bodies. Prints for each operation how many bodies the
description accepts, how many of these contain nothing undeclared, and how many planted mutations the description
notices: a wrong type, a renamed, an additional, or an absent property, and a null. Then lists the properties of the
operation that are looser or tighter than the recordings show, as FILE:LINE.

Only recordings since 2023 count. Older recordings and the examples in the deployment's documentation have a line of
their own.

  FILE             the description (default: the full description)
  --evidence PATH  a folder or a file with evidence (default: test/evidence)
  -h, --help       print this help

Exit codes: 0 if everything was measured, 1 if the description is invalid, 2 for invalid arguments.`;

/** The minimum number of objects that must show a property for the property to count in the totals. */
const SEEN = 5;
const root = fileURLToPath(new URL("..", import.meta.url));

await runMain("npm run fit", USAGE, async (args) => {
  const options = { evidence: { type: "string", default: join(root, "test/evidence") } } as const;
  const { values, positionals } = parseArguments(args, options, true);
  const [file, ...others] = positionals;
  if (others.length > 0) throw new UsageError("pass only one FILE");
  for (const path of [file ?? root, values.evidence])
    if (!existsSync(path)) throw new UsageError(`${path} does not exist`);
  const { document, locate } = await (file === undefined ? readFullDescription(root) : read(file));
  const description = compileDocument({ document, positions: {} }, file);
  const all = listEvidence(readEvidenceFiles(values.evidence), description.operations);
  const evidence = all.filter(isCurrent);
  const { counts, deviations } = compareProperties(evidence, description);
  const line = (label: string, fit: Fit) => console.log(label.padEnd(44) + format(fit));
  const waiting = new Set(deviations.filter(({ isExplained }) => !isExplained));
  const fits: Fit[] = [];
  for (const { id, method, path } of description.operations) {
    const own = evidence.filter(
      ({ operation }) => operation.path === path && operation.method === method,
    );
    if (own.length === 0) continue;
    fits.push(measureFit(own, description));
    line(id || `${method} ${path}`, fits.at(-1)!);
    const names = new Set(own.map(({ exchange }) => exchange.name));
    for (const each of waiting) {
      // A property of a shared schema is listed with the first operation that shows the property.
      if (![...each.count.exchanges].some((name) => names.has(name))) continue;
      waiting.delete(each);
      const [source, row] = locate(each.pointer);
      console.log(`  ${source}:${row} ${nameOf(document, each.count.pointer)} ${each.text}`);
    }
  }
  console.log();
  const total = addFits(fits);
  line("recordings since 2023", total);
  const older = all.filter((each) => !isCurrent(each));
  line("older recordings and documented examples", measureFit(older, description));
  for (const kind of MUTATIONS) {
    const { planted, noticed } = total.mutations[kind];
    console.log(`mutations, ${kind}: ${share(noticed, planted)}`);
  }
  const usual = counts.filter(({ present, absent }) => present + absent >= SEEN);
  const deviating = deviations.filter(({ count }) => usual.includes(count));
  const withKind = (...kinds: string[]) =>
    new Set(deviating.filter(({ kind }) => kinds.includes(kind)).map(({ count }) => count)).size;
  const exact = usual.length - new Set(deviating.map(({ count }) => count)).size;
  console.log(`properties that at least ${SEEN} objects show or omit:`);
  console.log(`  as recorded          ${share(exact, usual.length)}`);
  console.log(`  needlessly optional  ${share(withKind("optional"), usual.length)}`);
  console.log(`  needlessly nullable  ${share(withKind("nullable"), usual.length)}`);
  console.log(
    `  too strict           ${share(withKind("required", "not nullable"), usual.length)}`,
  );
  const explained = deviating.filter(({ isExplained }) => isExplained).length;
  console.log(`  (${explained} leniencies have a reason in x-because, and are not listed above)`);
  return 0;
});

async function read(file: string): Promise<FullDescription> {
  const { document, positions } = await readYaml(file);
  const name = relative(process.cwd(), file);
  const locate: FullDescription["locate"] = (pointer) => {
    const here = closestAncestor(pointer, { has: (each) => Object.hasOwn(positions, each) });
    return [name, ...(positions[here ?? ""] ?? ([1, 1] as const))];
  };
  return { document, locate };
}

function format({ bodies, accepted, complete, mutations }: Fit): string {
  const all = Object.values(mutations);
  const [planted, noticed] = (["planted", "noticed"] as const).map((key) =>
    all.reduce((sum, each) => sum + each[key], 0),
  ) as [number, number];
  return [
    `${bodies} ${bodies === 1 ? "body" : "bodies"}`.padStart(11),
    `${accepted} accepted`.padStart(14),
    `${complete} nothing undeclared`.padStart(23),
    `${share(noticed, planted)} mutations`.padStart(37),
  ].join("");
}

function share(part: number, whole: number): string {
  return whole === 0 ? "0 of 0" : `${part} of ${whole} (${((100 * part) / whole).toFixed(1)}%)`;
}
