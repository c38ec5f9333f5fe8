import { createHash } from "node:crypto";
import { mutants } from "../../../src/contract/mutate.js";
import type { Description, Exchange } from "../../../src/contract/engine/types.js";

/** An exchange that everyone is asked about, and what was done to it. */
export interface Subject {
  /** `untouched`, or the operator of the mutant. */
  operator: string;
  name: string;
  exchange: Exchange;
}

/**
 * Every recording as it is, and a sample of their mutants: of each operator in turn, in the order of a hash, so that
 * it is the same for the same recordings and rare operators are in it.
 */
export function sampleOf(
  exchanges: readonly Exchange[],
  description: Description,
  size: number,
): Subject[] {
  const untouched = exchanges.map((exchange) => ({
    operator: "untouched",
    name: exchange.name,
    exchange,
  }));
  const ranked = new Map<string, (Subject & { rank: string })[]>();
  for (const original of exchanges) {
    for (const { operator, place, exchange } of mutants(original, description)) {
      const name = `${original.name} ${place}`;
      const rank = createHash("sha256").update(`${operator} ${name}`).digest("hex");
      const all = ranked.get(operator) ?? ranked.set(operator, []).get(operator)!;
      all.push({ operator, name, exchange, rank });
    }
  }
  const queues = [...ranked.values()].map((all) =>
    all.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)),
  );
  const chosen: Subject[] = [];
  for (let round = 0; chosen.length < size && queues.some((all) => all[round]); round += 1) {
    for (const all of queues) {
      const next = all[round];
      if (next && chosen.length < size) chosen.push(next);
    }
  }
  return [...untouched, ...chosen];
}

/** The indexes of the subjects of each operator. */
export function byOperator(subjects: readonly Subject[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, { operator }] of subjects.entries()) {
    groups.set(operator, [...(groups.get(operator) ?? []), index]);
  }
  return groups;
}
