import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkExchange, type Description } from "../../src/contract/index.js";
import type { Exchange, Finding } from "../../src/contract/index.js";
import { isWithin } from "../../src/openapi/pointer.js";

/** The result of a proof. The proof holds if `problems` is empty. */
export interface Proof {
  summary: string[];
  problems: string[];
}

/** An exception for the undetected mutations that one operator makes at a statement or inside the statement. */
export interface Waiver {
  operator: string;
  /** Pointer into the description. */
  descriptionPointer: string;
  reason: string;
}

/** Accepted exceptions: reasons for uncovered items, by dimension and item, and waivers for undetected mutations. */
export interface Reasons {
  coverage: Record<string, Record<string, string>>;
  waivers: Waiver[];
}

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The exceptions of this project. The proof fails if an exception is unnecessary. */
export const reasons = JSON.parse(
  readFileSync(`${root}scripts/prove/reasons.json`, "utf8"),
) as Reasons;

/** Returns the findings that reveal a mutation. Omits findings about gaps. */
export function findMismatches(exchange: Exchange, description: Description): Finding[] {
  return checkExchange(exchange, description).filter(({ category }) => category !== "unspecified");
}

/** Separates undetected mutations with a waiver from mutations without a waiver, and finds unnecessary waivers. */
export function waive<T extends Omit<Waiver, "reason">>(silent: readonly T[], waivers: Waiver[]) {
  const isWaived = (waiver: Waiver, { operator, descriptionPointer }: T) =>
    waiver.operator === operator && isWithin(descriptionPointer, waiver.descriptionPointer);
  const survivors = silent.filter((each) => !waivers.some((waiver) => isWaived(waiver, each)));
  const stale = waivers.filter((waiver) => !silent.some((each) => isWaived(waiver, each)));
  const problems = stale.map(
    ({ operator, descriptionPointer }) =>
      `the waiver of ${operator} at ${descriptionPointer} is not needed; remove it`,
  );
  return { survivors, stale, waived: silent.length - survivors.length, problems };
}
