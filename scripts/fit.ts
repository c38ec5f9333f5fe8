/** `npm run fit`: measures how well a description fits the evidence. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { checkExchange } from "../src/contract/engine/check.js";
import type { Description, Json } from "../src/openapi/description.js";
import type { Finding } from "../src/contract/engine/types.js";
import { listOperations } from "../src/openapi/document.js";
import { parseArguments, runMain, UsageError } from "./shared/command-line.js";
import { compileDescription, compileDocument } from "./description/compile.js";
import { listDocumented } from "./learn/documented.js";
import { findOrigin } from "./shared/evidence-level.js";
import { learnOperations } from "./learn/learn-operations.js";
import { addFullFiles, readFullFiles } from "./overlay/full-files.js";
import { plantMutations } from "./learn/plant-mutations.js";
import { readEvidence, type EvidenceExchange } from "./learn/read-evidence.js";
import { applyOverlay, readOverlay, type Action, type AppliedOverlay } from "./overlay/overlay.js";

const USAGE = `Usage: npm run fit -- [FILE] [OPTION...]

Measures how well an OpenAPI description fits the evidence: how many response bodies the description accepts, how many
of the accepted bodies have no undeclared property, and how many mutations of those bodies the description detects.
Prints one line for each year.

  FILE             the description (default: the full description)
  --evidence DIR   the folder with the evidence (default: test/evidence)
  --leave-one-out  measure the evidence of each repository with a description that is learned only from the
                   specification and the other repositories; also print one line for each repository
  --list           list every mismatch, undeclared property, and undeclared value
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
  const [file] = positionals;
  if (file !== undefined && values["leave-one-out"])
    throw new UsageError("--leave-one-out learns its own descriptions; omit FILE");
  const catalogue = parse(readFileSync(`${root}openapi/catalogue.yaml`, "utf8")) as Json;
  const overlaid = await readOverlay(`${root}openapi/full.overlay.yaml`, catalogue);
  const full = addFullFiles(overlaid.document, readFullFiles(root));
  const evidence = readEvidence(values.evidence, listOperations(full));
  const results = values["leave-one-out"]
    ? leaveOneOut(evidence, catalogue, overlaid, full)
    : measure(
        evidence,
        file === undefined
          ? compileDocument({ document: full, positions: {} })
          : await compileDescription(file),
      );
  print("", ["bodies", "accepted", "nothing undeclared", "mutations detected"]);
  const byYear = groupBy(results, ({ evidence: { date } }) => date.slice(0, 4));
  for (const [year, own] of byYear) print(year, summarize(own));
  print("all", summarize(results));
  const recorded = results.filter(({ evidence: { isDocumentation } }) => !isDocumentation);
  print("all except the documentation's examples", summarize(recorded));
  if (values["leave-one-out"])
    for (const [origin, own] of groupBy(results, originOf)) print(origin, summarize(own));
  if (values.list)
    for (const { evidence: one, problems } of results)
      for (const { rule, pointer } of problems)
        console.log(`  ${one.exchange.name} ${rule} ${pointer}`);
  return 0;
});

/** The result of checking one response body and its mutations. */
interface Fit {
  evidence: EvidenceExchange;
  problems: Finding[];
  /** The number of mutations planted in the body; 0 if the body has problems. */
  planted: number;
  detected: number;
}

function measure(evidence: readonly EvidenceExchange[], description: Description): Fit[] {
  return evidence.map((each): Fit => {
    const { exchange } = each;
    const { body = null } = exchange.response;
    const problemsOf = (given: Json) =>
      checkExchange(
        { ...exchange, response: { ...exchange.response, body: given } },
        description,
      ).filter(
        ({ category, rule }) => category !== "unspecified" && rule !== "http/missing-header",
      );
    const problems = problemsOf(body);
    const mutants = problems.length > 0 ? [] : [...plantMutations(body)];
    const detected = mutants.filter((mutant) => problemsOf(mutant).length > 0).length;
    return { evidence: each, problems, planted: mutants.length, detected };
  });
}

/** Measures the evidence of each repository with a description that is learned from all other repositories. */
function leaveOneOut(
  evidence: readonly EvidenceExchange[],
  catalogue: Json,
  { actions }: AppliedOverlay,
  full: Json,
): Fit[] {
  const documented = listDocumented(full);
  const existing = readFullFiles(root);
  return groupBy(evidence, (each) => originOf({ evidence: each })).flatMap(([origin, own]) => {
    const others = evidence.filter((each) => originOf({ evidence: each }) !== origin);
    const specified = applyFactsOfOthers(origin, actions, catalogue);
    const { files } = learnOperations(documented, others, specified, existing);
    const document = addFullFiles(specified, [...files]) as { paths: Record<string, Json> };
    // Only paths with evidence from this repository are compiled, because compiling all paths would take a long time.
    const paths = new Set(own.map(({ path }) => path));
    const needed = Object.entries(document.paths).filter(([path]) => paths.has(path));
    const part = { ...document, paths: Object.fromEntries(needed) };
    return measure(own, compileDocument({ document: part, positions: {} }));
  });
}

/**
 * Applies two kinds of facts to the specification: facts that other repositories show, and facts about shared
 * parameters, which do not affect bodies.
 */
function applyFactsOfOthers(origin: string, actions: readonly Action[], catalogue: Json): Json {
  const shown = actions.filter(
    ({ target, "x-observed": { sources } }) =>
      target.startsWith("$.components.parameters") ||
      sources.some((each) => findOrigin(each) !== origin),
  );
  return shown.reduce((document, action) => {
    try {
      const { document: applied } = applyOverlay(document, [action]);
      listOperations(applied); // Throws if a referenced parameter does not exist.
      return applied;
    } catch {
      return document; // The action depends on a fact that was not applied.
    }
  }, catalogue);
}

function originOf({ evidence: { source } }: Pick<Fit, "evidence">): string {
  return findOrigin(source);
}

function summarize(results: readonly Fit[]): string[] {
  const accepted = results.filter(({ problems }) =>
    problems.every(({ category }) => category !== "violation"),
  );
  const complete = results.filter(({ problems }) => problems.length === 0);
  const [planted, detected] = (["planted", "detected"] as const).map((key) =>
    results.reduce((sum, each) => sum + each[key], 0),
  ) as [number, number];
  const share = planted === 0 ? "–" : `${((100 * detected) / planted).toFixed(1)}%`;
  return [...[results.length, accepted.length, complete.length].map(String), share];
}

function print(label: string, cells: readonly string[]): void {
  console.log(label.padEnd(56) + cells.map((each) => each.padStart(20)).join(""));
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, Item[]][] {
  const groups = new Map<string, Item[]>();
  for (const each of items) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
