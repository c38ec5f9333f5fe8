import { checkExchange } from "../../src/contract/index.js";
import type { Description, Exchange, Finding } from "../../src/contract/index.js";
import { isWithin } from "../../src/openapi/pointer.js";
import { mutants, type Mutant } from "./mutants.js";

/** An exception for the undetected mutations that one operator makes at a statement or inside the statement. */
interface Waiver {
  operator: string;
  /** Pointer into the description. */
  descriptionPointer: string;
  reason: string;
}

/** Returns the findings that reveal a mutation. Omits findings about gaps. */
export function findMismatches(exchange: Exchange, description: Description): Finding[] {
  return checkExchange(exchange, description).filter(({ category }) => category !== "unspecified");
}

/** Checks that every mutant of every exchange causes a finding, and that the exchange itself does not. */
export function proveMutation(
  exchanges: Iterable<Exchange>,
  description: Description,
  waivers: readonly Waiver[] = [],
) {
  const silent: (Omit<Mutant, "exchange"> & { name: string })[] = [];
  const problems: string[] = [];
  let [total, killed, single] = [0, 0, 0];
  for (const exchange of exchanges) {
    const mismatches = findMismatches(exchange, description);
    for (const { rule } of mismatches)
      problems.push(
        `finding in an example response: ${rule} in ${exchange.name}; npm run contract shows it`,
      );
    // A finding in the original exchange would hide mutations that the gate misses.
    if (mismatches.length > 0) continue;
    for (const { operator, location, descriptionPointer, exchange: mutant } of mutants(
      exchange,
      description,
    )) {
      const { length } = findMismatches(mutant, description);
      total += 1;
      if (length === 1) single += 1;
      if (length > 0) killed += 1;
      else silent.push({ operator, location, descriptionPointer, name: exchange.name });
    }
  }
  const isWaived = (waiver: Waiver, { operator, descriptionPointer }: (typeof silent)[number]) =>
    waiver.operator === operator && isWithin(descriptionPointer, waiver.descriptionPointer);
  const survivors = silent.filter((each) => !waivers.some((waiver) => isWaived(waiver, each)));
  const waived = silent.length - survivors.length;
  for (const { operator, location, name } of survivors)
    problems.push(`not found: ${operator} at ${location} in ${name}`);
  for (const waiver of waivers)
    if (!silent.some((each) => isWaived(waiver, each)))
      problems.push(
        `the waiver of ${waiver.operator} at ${waiver.descriptionPointer} is not needed; remove it`,
      );
  const share = `${((100 * single) / killed).toFixed(2)}% reported as exactly one finding`;
  const counts = `${killed} of ${total} mutations found (${share}), ${waived} waived`;
  const summary = `${counts}, ${survivors.length} not found`;
  return { summary, problems, total, killed, survivors };
}
