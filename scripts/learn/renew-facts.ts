import { getAtPointer, isWithin, parentPointer } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/openapi/description.js";
import type { ComparedExchange, Deviation } from "./deviations.js";
import { combineProvenance, renewProvenance } from "./evidence.js";
import { groupActionsByFact } from "../overlay/facts.js";
import type { Action, FactProvenance, AppliedOverlay } from "../overlay/overlay.js";

/**
 * Finds the facts that exchanges show again: the facts that explain deviations from the specification.
 * @param before the exchanges, compared with the specification
 * @param after the same exchanges, compared with the full description
 * @returns the new provenance of each fact, keyed by the text of the fact
 */
export function renewFacts(
  before: readonly ComparedExchange[],
  after: readonly ComparedExchange[],
  { actions, document, locations }: AppliedOverlay,
): Map<string, FactProvenance> {
  const facts = [...groupActionsByFact(actions)].flatMap(([fact, indexes]) => {
    const shows = before.filter(({ comparison }, number) =>
      comparison.deviations.some((deviation) => {
        const pointers = after[number]!.comparison.pointersFor(deviation);
        return indexes.some((index) =>
          locations[index]!.some((location) =>
            explains(actions[index]!, location, deviation, pointers, document),
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

/** Returns whether an action's change at a location allows a deviation. */
function explains(
  { target, remove }: Action,
  location: string,
  { kind, descriptionPointer, name, value }: Deviation,
  pointers: readonly string[],
  document: Json,
): boolean {
  const isItem = (list: string) => parentPointer(location) === `${descriptionPointer}/${list}`;
  if (kind === "absence")
    return remove === true && isItem("required") && target.endsWith(`[?@ == '${name}']`);
  if (remove === true) return false;
  if (kind === "unlisted")
    return isItem("x-known-values") && getAtPointer(document, location) === value;
  const isTyped = [`${descriptionPointer}/type`, `${descriptionPointer}/anyOf`].some((each) =>
    isWithin(each, location),
  );
  if (kind === "type" || isTyped) return isTyped;
  return pointers.some((each) => isWithin(each, location));
}
