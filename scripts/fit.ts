/** `npm run fit`: measures how well a description fits the evidence. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { checkExchange } from "../src/contract/engine/check.js";
import type { Description, Json } from "../src/openapi/description.js";
import { parseArguments, runMain } from "./shared/command-line.js";
import { compileDescription, compileDocument } from "./description/compile.js";
import { listDocumented } from "./learn/documented.js";
import { findOrigin } from "./learn/evidence.js";
import { learnOperations } from "./learn/learn-operations.js";
import { addObservedFiles, readObservedFiles } from "./overlay/observed-files.js";
import { plantMutations } from "./learn/plant-mutations.js";
import { readEvidence, type EvidenceExchange } from "./learn/read-evidence.js";
import { readOverlay } from "./overlay/overlay.js";

const USAGE = `Usage: npm run fit -- [FILE] [OPTION...]

Measures how well an OpenAPI description fits the evidence: how many response bodies it accepts, in how many nothing is
undeclared, and how many mutations of the latter it detects. Prints one line for each year.

  FILE             the description (default: openapi/observed.yaml with openapi/observed)
  --evidence DIR   the evidence (default: test/evidence)
  --leave-one-out  for each repository, learn the operations from all others, and measure how well they fit this one
  --list           also list what the description rejects or does not declare
  -h, --help       print this help

Exit codes: 0 if everything was measured, 2 for invalid arguments.`;

const root = fileURLToPath(new URL("..", import.meta.url));

await runMain("npm run fit", USAGE, async (args) => {
  const options = {
    evidence: { type: "string", default: `${root}test/evidence` },
    "leave-one-out": { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  } as const;
  const { values, positionals } = parseArguments(args, options, true);
  const { evidence: folder, list } = values;
  const [file] = positionals;
  const catalogue = parse(readFileSync(`${root}openapi/catalogue.yaml`, "utf8")) as Json;
  const { document } = await readOverlay(`${root}openapi/observed.overlay.yaml`, catalogue);
  const existing = readObservedFiles(root);
  const description =
    file === undefined
      ? compileDocument({ document: addObservedFiles(document, existing), positions: {} })
      : await compileDescription(file);
  const evidence = readEvidence(folder, description.operations);
  console.log(row("", ["bodies", "accepted", "nothing undeclared", "mutations noticed"]));
  if (!values["leave-one-out"]) {
    for (const [year, own] of groupBy(evidence, ({ date }) => date.slice(0, 4)))
      print(year, measure(own, description));
    const all = measure(evidence, description);
    print("all", all);
    if (list) for (const each of all.problems) console.log(each);
    return 0;
  }
  const documented = listDocumented(description.document);
  for (const [origin, own] of groupBy(evidence, ({ source }) => findOrigin(source))) {
    const others = evidence.filter(({ source }) => findOrigin(source) !== origin);
    const { files } = learnOperations(documented, others, document, existing);
    const learned = addObservedFiles(document, [...files]);
    const result = measure(own, compileDocument({ document: learned, positions: {} }));
    print(`without ${origin}`, result);
    if (list) for (const each of result.problems) console.log(each);
  }
  return 0;
});

interface Fit {
  bodies: number;
  accepted: number;
  /** How many bodies the description accepts with nothing undeclared. */
  complete: number;
  planted: number;
  noticed: number;
  problems: string[];
}

function measure(evidence: readonly EvidenceExchange[], description: Description): Fit {
  const fit: Fit = { bodies: 0, accepted: 0, complete: 0, planted: 0, noticed: 0, problems: [] };
  for (const { exchange } of evidence) {
    const { body = null } = exchange.response;
    const findingsOf = (given: Json) =>
      checkExchange(
        { ...exchange, response: { ...exchange.response, body: given } },
        description,
      ).filter(
        ({ category, rule }) => category !== "unspecified" && rule !== "http/missing-header",
      );
    const findings = findingsOf(body);
    fit.bodies++;
    if (findings.every(({ category }) => category !== "violation")) fit.accepted++;
    fit.problems.push(
      ...findings.map(({ rule, pointer }) => `  ${exchange.name} ${rule} ${pointer}`),
    );
    if (findings.length > 0) continue;
    fit.complete++;
    for (const mutant of plantMutations(body)) {
      fit.planted++;
      if (findingsOf(mutant).length > 0) fit.noticed++;
    }
  }
  return fit;
}

function print(label: string, { bodies, accepted, complete, planted, noticed }: Fit): void {
  const share = planted === 0 ? "–" : `${((100 * noticed) / planted).toFixed(1)} %`;
  console.log(row(label, [bodies, accepted, complete, share].map(String)));
}

function row(label: string, cells: readonly string[]): string {
  return label.padEnd(40) + cells.map((each) => each.padStart(20)).join("");
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, Item[]][] {
  const groups = new Map<string, Item[]>();
  for (const each of items) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
