import { getAtPointer, isWithin, parentPointer } from "../../src/contract/engine/pointer.js";
import type { Json } from "../../src/contract/engine/types.js";
import type { Deviation } from "./deviations.js";
import { combineProvenance, renewProvenance } from "./evidence.js";
import { groupActionsByFact } from "./facts.js";
import type { Case } from "./observe.js";
import type { Action, Observed, Overlaid } from "./overlay.js";

/**
 * Finds the facts that exchanges show again: those that explain a deviation from the source document.
 * @param before the exchanges, compared with the source document
 * @param after the same exchanges, compared with the observed description
 * @returns the new provenance of each fact, by its text
 */
export function findSeenAgain(
  before: readonly Case[],
  after: readonly Case[],
  { actions, document, places }: Overlaid,
): Map<string, Observed> {
  const facts = [...groupActionsByFact(actions)].flatMap(([fact, indexes]) => {
    const shows = before.filter(({ reading }, number) =>
      reading.deviations.some((deviation) => {
        const specs = after[number]!.reading.specsFor(deviation);
        return indexes.some((index) =>
          places[index]!.some((place) =>
            explains(actions[index]!, place, deviation, specs, document),
          ),
        );
      }),
    );
    if (shows.length === 0) return [];
    const old = actions[indexes[0]!]!["x-observed"];
    return [
      [
        fact,
        renewProvenance(old, combineProvenance(shows.map(({ evidence }) => evidence))),
      ] as const,
    ];
  });
  return new Map(facts);
}

/** Whether what an action set or removed at a place allows a deviation. */
function explains(
  { target, remove }: Action,
  place: string,
  { kind, spec, name, value }: Deviation,
  specs: readonly string[],
  document: Json,
): boolean {
  const isItem = (list: string) => parentPointer(place) === `${spec}/${list}`;
  if (kind === "absence")
    return remove === true && isItem("required") && target.endsWith(`[?@ == '${name}']`);
  if (remove === true) return false;
  if (kind === "listed") return isItem("x-known-values") && getAtPointer(document, place) === value;
  const isTyped = [`${spec}/type`, `${spec}/anyOf`].some((each) => isWithin(each, place));
  if (kind === "type" || isTyped) return isTyped;
  return specs.some((each) => isWithin(each, place));
}
