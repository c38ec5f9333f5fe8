import { at, isWithin, parentOf } from "../../src/contract/engine/pointer.js";
import type { Json } from "../../src/contract/engine/types.js";
import type { Deviation } from "./deviations.js";
import { provenanceOf, renewed } from "./evidence.js";
import type { Case } from "./observe.js";
import type { Action, Observed, Overlaid } from "./overlay.js";

/**
 * Finds the facts that exchanges show again: those that explain a deviation from the source document.
 * @param before the exchanges, compared with the source document
 * @param after the same exchanges, compared with the observed description
 * @returns the new provenance of each fact, by its text
 */
export function seenAgain(
  before: readonly Case[],
  after: readonly Case[],
  { overlay, document, places }: Overlaid & { overlay: readonly Action[] },
): Map<string, Observed> {
  const renewals = new Map<string, Observed>();
  for (const [index, action] of overlay.entries()) {
    const { fact } = action["x-observed"];
    const shows = before.filter(({ reading }, number) =>
      reading.deviations.some((deviation) => {
        const specs = after[number]!.reading.specsFor(deviation);
        return places[index]!.some((place) => explains(action, place, deviation, specs, document));
      }),
    );
    if (shows.length === 0) continue;
    const added = provenanceOf(shows.map(({ evidence }) => evidence));
    renewals.set(fact, renewed(renewals.get(fact) ?? action["x-observed"], added));
  }
  return renewals;
}

/** Whether a deviation is allowed by what an action set or removed at a place. */
function explains(
  { target, remove }: Action,
  place: string,
  { kind, spec, name, value }: Deviation,
  specs: readonly string[],
  document: Json,
): boolean {
  const isItem = (list: string) => parentOf(place) === `${spec}/${list}`;
  if (kind === "absence")
    return remove === true && isItem("required") && target.endsWith(`[?@ == '${name}']`);
  if (remove === true) return false;
  if (kind === "listed") return isItem("x-known-values") && at(document, place) === value;
  const isTyped = [`${spec}/type`, `${spec}/anyOf`].some((each) => isWithin(each, place));
  if (kind === "type" || isTyped) return isTyped;
  return specs.some((each) => isWithin(each, place));
}
