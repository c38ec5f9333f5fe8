import { checkExchange } from "./engine/check.js";
import { bodyMutants } from "./mutate/body.js";
import { surfaceMutants } from "./mutate/surface.js";
import { isWithin } from "./engine/pointer.js";
import type { Description, Exchange, Finding, Waiver } from "./engine/types.js";

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
  for (const plant of [surfaceMutants, bodyMutants])
    for (const [operator, place, spec, mutant] of plant(exchange, description))
      yield { operator, place, spec, exchange: mutant };
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
  const faultsOf = (exchange: Exchange) =>
    checkExchange(exchange, description).filter((each) => isKilled([each]));
  const waiverOf = ({ operator, spec }: Survivor) =>
    waivers.find((each) => each.operator === operator && isWithin(spec, each.spec));
  let [total, killed, oneRoot] = [0, 0, 0];
  const operators: Record<string, number> = {};
  const untouched: Finding[] = [];
  const unfound: Survivor[] = [];
  for (const exchange of exchanges) {
    untouched.push(...faultsOf(exchange));
    for (const { operator, place, spec, exchange: mutant } of mutants(exchange, description)) {
      total += 1;
      operators[operator] = (operators[operator] ?? 0) + 1;
      const faults = faultsOf(mutant);
      if (faults.length === 1) oneRoot += 1;
      if (faults.length > 0) killed += 1;
      else unfound.push({ operator, name: exchange.name, place, spec });
    }
  }
  const reasoned = unfound.map((survivor) => ({ survivor, waiver: waiverOf(survivor) }));
  const survivors = reasoned.flatMap(({ survivor, waiver }) => (waiver ? [] : survivor));
  const waived = reasoned.flatMap(({ survivor, waiver }) =>
    waiver ? { ...survivor, reason: waiver.reason } : [],
  );
  const used = new Set(reasoned.map(({ waiver }) => waiver));
  const stale = waivers.filter((each) => !each.operator.startsWith("spec:") && !used.has(each));
  return { total, killed, oneRoot, waived, survivors, stale, untouched, operators };
}
