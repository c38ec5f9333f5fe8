import { coverage, type Judged } from "../../src/contract/coverage.js";
import { checkExchange } from "../../src/contract/engine/check.js";
import { isKilled, mutants, type Mutant } from "../../src/contract/mutate.js";
import { parentOf } from "../../src/contract/engine/pointer.js";
import type { ContractConfig, Exchange, Json, Waiver } from "../../src/contract/engine/types.js";
import { compileDocument, readConfig } from "../generate/contract/compile.js";
import { readYaml } from "../generate/contract/yaml.js";
import { weakenings } from "./weaken.js";

/** How many weakenings of a description its recordings notice. */
export interface SpecMutationScore {
  total: number;
  noticed: number;
  /** By what: a recording with a finding, a planted fault that is no longer found, or a coverage line. */
  by: { recording: number; mutant: number; coverage: number };
  waived: { operator: string; spec: string; reason: string }[];
  survivors: { operator: string; spec: string }[];
  /** Waivers that no unnoticed weakening needs: remove them. */
  stale: Waiver[];
}

/** Faults that are tried of one kind and operation at one place. */
const TRIED = 2;

/**
 * Leaves out one statement of the description after the other. Something has to notice: an untouched recording, a
 * planted fault that the whole description finds, or the coverage.
 * @param project folder with openapi/catalogue.yaml and contract.config.json
 */
export async function specMutationScore(
  project: string,
  exchanges: readonly Exchange[],
): Promise<SpecMutationScore> {
  const yaml = await readYaml(`${project}/openapi/catalogue.yaml`);
  return scoreWeakenings(yaml.document, await readConfig(project), exchanges);
}

/** As {@link specMutationScore}, of a parsed description. */
export function scoreWeakenings(
  document: Json,
  config: ContractConfig,
  exchanges: readonly Exchange[],
): SpecMutationScore {
  const score: SpecMutationScore = {
    total: 0,
    noticed: 0,
    by: { recording: 0, mutant: 0, coverage: 0 },
    waived: [],
    survivors: [],
    stale: [],
  };
  const used = new Set<Waiver>();
  const planted = plantedFaults(document, config, exchanges);
  for (const { operator, spec, document: weakened } of weakenings(document)) {
    score.total += 1;
    const by = noticedBy(weakened(), config, exchanges, faultsAt(planted, spec));
    if (by) {
      score.noticed += 1;
      score.by[by] += 1;
      continue;
    }
    const waiver = config.waivers.find((each) => each.operator === operator && each.spec === spec);
    if (waiver) {
      used.add(waiver);
      score.waived.push({ operator, spec, reason: waiver.reason });
    } else score.survivors.push({ operator, spec });
  }
  score.stale = config.waivers.filter(
    (each) => each.operator.startsWith("spec:") && !used.has(each),
  );
  return score;
}

/** The faults that the whole description finds, by the statement that they break. */
function plantedFaults(
  document: Json,
  config: ContractConfig,
  exchanges: readonly Exchange[],
): Map<string, Mutant[]> {
  const description = compileDocument({ document, positions: {} }, config);
  const planted = new Map<string, Mutant[]>();
  for (const exchange of exchanges) {
    for (const mutant of mutants(exchange, description)) {
      const known = planted.get(mutant.spec) ?? [];
      const same = known.filter(
        (each) =>
          each.exchange.operation === exchange.operation && each.operator === mutant.operator,
      );
      if (same.length >= TRIED || !isKilled(checkExchange(mutant.exchange, description))) continue;
      planted.set(mutant.spec, [...known, mutant]);
    }
  }
  return planted;
}

/** A statement is broken at its own place, or at that of the schema or header which holds it. */
function faultsAt(planted: Map<string, Mutant[]>, spec: string): Mutant[] {
  const places = [spec, parentOf(spec), parentOf(parentOf(spec))];
  return places.flatMap((place) => planted.get(place) ?? []);
}

function noticedBy(
  document: Json,
  config: ContractConfig,
  exchanges: readonly Exchange[],
  faults: readonly Mutant[],
) {
  let description;
  try {
    description = compileDocument({ document, positions: {} }, config);
  } catch {
    // The configuration names a place that is gone: the generator refuses it.
    return "coverage";
  }
  for (const { exchange } of faults)
    if (!isKilled(checkExchange(exchange, description))) return "mutant";
  const judged: Judged[] = [];
  for (const exchange of exchanges) {
    const findings = checkExchange(exchange, description);
    if (isKilled(findings)) return "recording";
    judged.push({ exchange, findings });
  }
  const isShort = coverage(judged, description).dimensions.some(
    ({ ratio, threshold }) => ratio < threshold,
  );
  return isShort ? "coverage" : undefined;
}
