import type { Description, Exchange, Finding } from "../../src/contract/index.js";
import { isWithin } from "../../src/contract/engine/pointer.js";
import { mutants, type Mutant } from "./mutants.js";
import { faultsIn, report, type Reasons, type Waiver } from "./project.js";

/** The number of planted faults found, and the ones missed. */
export interface MutationScore {
  total: number;
  killed: number;
  /** Found as exactly one finding. */
  single: number;
  waived: number;
  /** Neither found nor waived. */
  survivors: (Omit<Mutant, "exchange"> & { name: string })[];
  /** Waivers that no mutant needs. */
  stale: Waiver[];
  /** Faults in the original exchanges, whose mutants prove nothing. */
  untouched: Finding[];
}

/** Checks every mutant of every exchange. */
export function mutationScore(
  exchanges: Iterable<Exchange>,
  description: Description,
  { waivers }: Pick<Reasons, "waivers">,
): MutationScore {
  const own = waivers.filter(({ operator }) => !operator.startsWith("spec:"));
  const used = new Set<Waiver>();
  const untouched: Finding[] = [];
  const survivors: MutationScore["survivors"] = [];
  let [total, killed, single, waived] = [0, 0, 0, 0];
  for (const exchange of exchanges) {
    untouched.push(...faultsIn(exchange, description));
    for (const { operator, place, spec, exchange: mutant } of mutants(exchange, description)) {
      const { length } = faultsIn(mutant, description);
      total += 1;
      if (length === 1) single += 1;
      if (length > 0) {
        killed += 1;
        continue;
      }
      const waiver = own.find((each) => each.operator === operator && isWithin(spec, each.spec));
      if (waiver) used.add(waiver);
      if (waiver) waived += 1;
      else survivors.push({ operator, place, spec, name: exchange.name });
    }
  }
  const stale = own.filter((each) => !used.has(each));
  return { total, killed, single, waived, survivors, stale, untouched };
}

/** Prints the mutation score. @returns the exit code */
export function proveMutation(...args: Parameters<typeof mutationScore>): number {
  const score = mutationScore(...args);
  const { total, killed, waived, survivors, stale, untouched } = score;
  const single = ((100 * score.single) / killed).toFixed(2);
  const found = `${killed} of ${total} planted faults found (${single} % as exactly one finding)`;
  return report(
    [`${found}, ${waived} waived, ${survivors.length} not found`],
    [
      ...untouched.map(
        (each) => `fault in a recording: ${each.rule} in ${each.recording[0]?.exchange}`,
      ),
      ...survivors.map((each) => `not found: ${each.operator} at ${each.place} in ${each.name}`),
      ...stale.map(staleWaiver),
    ],
  );
}

export function staleWaiver({ operator, spec }: Waiver): string {
  return `the waiver of ${operator} at ${spec} is not needed; remove it`;
}
