import type { Exchange } from "../../src/contract/engine/types.js";
import type { Provenance } from "../overlay/overlay.js";
import { findOrigin } from "../shared/evidence-level.js";

/** An exchange with its source and date. */
export interface Evidence {
  exchange: Exchange;
  /** The name of the source, such as a file (`owner/repo:path`) or a document. */
  source: string;
  /** The date of the exchange: `YYYY`, `YYYY-MM`, or `YYYY-MM-DD`. */
  date: string;
}

export function combineProvenance(evidence: Iterable<Evidence>): Required<Provenance> {
  const all = [...new Set(evidence)];
  const dates = all.map(({ date }) => date).toSorted();
  return {
    sources: [...new Set(all.map(({ source }) => source))].toSorted(),
    exchanges: all.length,
    first: dates[0]!,
    seen: dates.at(-1)!,
  };
}

/** Adds new evidence to the provenance of a fact. Adding the same evidence again changes nothing. */
export function renewProvenance<Old extends Provenance>(
  old: Old,
  added: Required<Provenance>,
): Old {
  const known = new Set(old.sources.map(findOrigin));
  const dates = [old.first, old.seen, added.first, added.seen].toSorted();
  return {
    ...old,
    sources: [...added.sources.filter((each) => !known.has(findOrigin(each))), ...old.sources],
    first: dates[0]!,
    seen: dates.at(-1)!,
    exchanges: Math.max(old.exchanges ?? 0, added.exchanges),
  };
}
