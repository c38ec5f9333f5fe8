import type { Description, Exchange } from "../../src/contract/index.js";
import { mutants, type Mutant } from "./mutants.js";
import { faultsIn, waive, type Proof, type Reasons } from "./project.js";

/** Checks every mutant of every exchange: each must give a finding, and the original none. */
export function proveMutation(
  exchanges: Iterable<Exchange>,
  description: Description,
  { waivers }: Pick<Reasons, "waivers">,
) {
  const silent: (Omit<Mutant, "exchange"> & { name: string })[] = [];
  const problems: string[] = [];
  let [total, killed, single] = [0, 0, 0];
  for (const exchange of exchanges) {
    for (const { rule } of faultsIn(exchange, description))
      problems.push(`fault in a recording: ${rule} in ${exchange.name}`);
    for (const { operator, place, spec, exchange: mutant } of mutants(exchange, description)) {
      const { length } = faultsIn(mutant, description);
      total += 1;
      if (length === 1) single += 1;
      if (length > 0) killed += 1;
      else silent.push({ operator, place, spec, name: exchange.name });
    }
  }
  const own = waivers.filter(({ operator }) => !operator.startsWith("spec:"));
  const { survivors, waived, ...left } = waive(silent, own);
  for (const { operator, place, name } of survivors)
    problems.push(`not found: ${operator} at ${place} in ${name}`);
  const share = `${((100 * single) / killed).toFixed(2)} % as exactly one finding`;
  const counts = `${killed} of ${total} planted faults found (${share}), ${waived} waived`;
  const proof: Proof = {
    summary: [`${counts}, ${survivors.length} not found`],
    problems: [...problems, ...left.problems],
  };
  return { ...proof, total, killed, single, waived, survivors };
}
