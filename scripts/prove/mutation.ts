import {
  checkExchange,
  type Description,
  type Exchange,
  type Finding,
} from "../../src/contract/index.js";
import { isWithin } from "../../src/contract/engine/pointer.js";
import { mutants, type Mutant } from "./mutants.js";
import type { Waiver } from "./project.js";

/** How many planted faults were found, and which were not. */
export interface MutationScore {
  total: number;
  killed: number;
  /** Killed by exactly one finding. */
  single: number;
  /** Not found, with the waiver that accepts it. */
  survivors: (Omit<Mutant, "exchange"> & { name: string; waiver?: Waiver | undefined })[];
  /** Waivers that no survivor needs. */
  stale: Waiver[];
  /** Faults in the untouched exchanges: their mutants prove nothing. */
  untouched: Finding[];
  /** Mutants by operator. */
  operators: Record<string, number>;
}

/** The findings that give a fault away; an observed gap does not. */
export function faultsIn(exchange: Exchange, description: Description): Finding[] {
  return checkExchange(exchange, description).filter(({ verdict }) => verdict !== "gap-observed");
}

/** Checks every mutant of every exchange. */
export function mutationScore(
  exchanges: Iterable<Exchange>,
  description: Description,
  waivers: readonly Waiver[],
): MutationScore {
  const score: MutationScore = {
    ...{ total: 0, killed: 0, single: 0 },
    ...{ survivors: [], stale: [], untouched: [], operators: {} },
  };
  const own = waivers.filter(({ operator }) => !operator.startsWith("spec:"));
  for (const exchange of exchanges) {
    score.untouched.push(...faultsIn(exchange, description));
    for (const { operator, place, spec, exchange: mutant } of mutants(exchange, description)) {
      const faults = faultsIn(mutant, description);
      score.total += 1;
      score.operators[operator] = (score.operators[operator] ?? 0) + 1;
      if (faults.length === 1) score.single += 1;
      if (faults.length > 0) score.killed += 1;
      else {
        const waiver = own.find((each) => each.operator === operator && isWithin(spec, each.spec));
        score.survivors.push({ operator, place, spec, name: exchange.name, waiver });
      }
    }
  }
  const used = new Set(score.survivors.map(({ waiver }) => waiver));
  return { ...score, stale: own.filter((each) => !used.has(each)) };
}
