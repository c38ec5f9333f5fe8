import { bodyMutants } from "./mutate/body.js";
import { surfaceMutants } from "./mutate/surface.js";
import { judge } from "./judge.js";
import { isWithin } from "./pointer.js";
import type { Description, Exchange, Finding, Waiver } from "./types.js";

/** An exchange with one fault planted in it. */
export interface Mutant {
  /** How the fault was planted, such as `drop required`. */
  operator: string;
  /** Where the fault is: a pointer into the body, or a word such as `status` or `header: etag`. */
  place: string;
  /** Pointer of what describes that place. */
  spec: string;
  /** The exchange with the fault in it. */
  exchange: Exchange;
}

/** A mutant, as those who plant the faults give it. */
export type Planted = [operator: string, place: string, spec: string, exchange: Exchange];

/** A mutant that was not found. */
export interface Survivor extends Omit<Mutant, "exchange"> {
  /** Of the exchange. */
  name: string;
}

/** How many planted faults were found, and which were not. */
export interface MutationScore {
  /** Mutants that were judged. */
  total: number;
  /** Mutants that were found. */
  killed: number;
  /** Killed by exactly one finding, beside those that the exchange has without the fault. */
  oneRoot: number;
  /** Not found, for a reason that the configuration gives. */
  waived: (Survivor & { reason: string })[];
  /** Neither found nor waived. */
  survivors: Survivor[];
  /** Waivers that no surviving mutant needs: remove them. */
  stale: Waiver[];
  /** Violations and undeclared things in the exchanges as they are: a mutant of these proves nothing. */
  untouched: Finding[];
  /** Mutants by operator. */
  operators: Record<string, number>;
}

/** Plants every fault that the description makes possible, one at a time. The exchange itself is left as it is. */
export function* mutants(exchange: Exchange, description: Description): Generator<Mutant> {
  for (const plant of [surfaceMutants, bodyMutants]) {
    for (const [operator, place, spec, mutant] of plant(exchange, description))
      yield { operator, place, spec, exchange: mutant };
  }
}

/** Whether findings give a fault away: a gap that is observed is no fault. */
export function isKilled(findings: readonly Finding[]): boolean {
  return findings.some(({ verdict }) => verdict === "violation" || verdict === "undeclared");
}

/** Judges every mutant of every exchange. */
export function mutationScore(
  exchanges: Iterable<Exchange>,
  description: Description,
): MutationScore {
  const { waivers } = description.config;
  const score: MutationScore = {
    total: 0,
    killed: 0,
    oneRoot: 0,
    waived: [],
    survivors: [],
    stale: [],
    untouched: [],
    operators: {},
  };
  const faultsOf = (exchange: Exchange) =>
    judge(exchange, description).filter((each) => isKilled([each]));
  const used = new Set<Waiver>();
  for (const exchange of exchanges) {
    score.untouched.push(...faultsOf(exchange));
    for (const { operator, place, spec, exchange: mutant } of mutants(exchange, description)) {
      score.total += 1;
      score.operators[operator] = (score.operators[operator] ?? 0) + 1;
      const faults = faultsOf(mutant);
      if (faults.length === 1) score.oneRoot += 1;
      if (faults.length > 0) {
        score.killed += 1;
        continue;
      }
      const survivor = { operator, name: exchange.name, place, spec };
      const waiver = waivers.find(
        (each) => each.operator === operator && isWithin(spec, each.spec),
      );
      if (waiver) {
        used.add(waiver);
        score.waived.push({ ...survivor, reason: waiver.reason });
      } else score.survivors.push(survivor);
    }
  }
  score.stale = waivers.filter((each) => !each.operator.startsWith("spec:") && !used.has(each));
  return score;
}
