import { getAtPointer, lastKey, parentPointer } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/openapi/description.js";
import { levelOf, type Level } from "../shared/origin.js";
import type { AppliedOverlay } from "./overlay.js";

const LEVELS: Readonly<Record<Level, string>> = {
  documented: "Documented only",
  "one source": "Observed in one source",
  "several sources": "Observed in several sources",
};

/**
 * A copy of the observed description that marks everything added by the overlay, in its `description`:
 * "Observed in several sources, not in the specification; seen 2026-08." Types are generated from it.
 */
export function addProvenance({ actions, document, locations }: AppliedOverlay): Json {
  const copy = structuredClone(document);
  const texts = new Map<object, string>();
  for (const [index, action] of actions.entries()) {
    for (const location of locations[index]!) {
      const value = getAtPointer(copy, location);
      const isText = lastKey(location) === "description" && typeof value === "string";
      // The action made a field optional.
      const [, optional] = /required\[\?@ == '(\w+)'\]$/.exec(action.target) ?? [];
      const property = `${parentPointer(parentPointer(location))}/properties/${optional}`;
      const own = isText
        ? [getAtPointer(copy, parentPointer(location)) as object]
        : findDescribed(value);
      const described = optional === undefined ? own : findDescribed(getAtPointer(copy, property));
      const { sources, seen } = action["x-observed"];
      const text = `${LEVELS[levelOf(sources)]}, not in the specification; seen ${seen}.`;
      for (const each of described) texts.set(each, text);
    }
  }
  for (const [described, text] of texts) {
    const { description } = described as { description: string };
    Object.assign(described, { description: `${description} ${text}` });
  }
  return copy;
}

/** The values inside a value, including itself, that have a description. */
function findDescribed(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "description" in value && typeof value.description === "string" ? [value] : [];
  return [...own, ...Object.values(value).flatMap(findDescribed)];
}
