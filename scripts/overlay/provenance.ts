import { getAtPointer, lastKey, parentPointer } from "../../src/openapi/pointer.js";
import type { Json } from "../../src/openapi/description.js";
import { describeLevel, levelOf, type EvidenceLevel } from "../shared/evidence-level.js";
import type { AppliedOverlay } from "./overlay.js";

/**
 * Copies the full description, and adds a sentence about the evidence to each `description` to which an action
 * applies. The types are generated from this copy.
 */
export function addProvenance({ actions, document, locations }: AppliedOverlay): Json {
  const copy = structuredClone(document);
  const texts = new Map<object, string>();
  for (const [index, action] of actions.entries()) {
    if (!action["x-observed"]) continue;
    for (const location of locations[index]!) {
      const value = getAtPointer(copy, location);
      const isText = lastKey(location) === "description" && typeof value === "string";
      // An action with this target makes a field optional.
      const [, optional] = /required\[\?@ == '(\w+)'\]$/.exec(action.target) ?? [];
      const property = `${parentPointer(parentPointer(location))}/properties/${optional}`;
      const own = isText
        ? [getAtPointer(copy, parentPointer(location)) as object]
        : findDescribed(value);
      const described = optional === undefined ? own : findDescribed(getAtPointer(copy, property));
      const { sources, seen } = action["x-observed"];
      const text = describeLevel({ level: levelOf(sources), seen })!;
      for (const each of described) texts.set(each, text);
    }
  }
  for (const [described, text] of texts) {
    const { description } = described as { description: string };
    Object.assign(described, { description: `${description} ${text}` });
  }
  return copy;
}

/** Adds the level of evidence in each `x-observed` to the `description` next to it. */
export function addLevels(document: Json): Json {
  if (Array.isArray(document)) return document.map(addLevels);
  if (typeof document !== "object" || document === null) return document;
  const entries = Object.entries(document).map(([key, each]) => [key, addLevels(each)]);
  const copy = Object.fromEntries(entries) as { [key: string]: Json };
  const text = describeLevel(copy["x-observed"] as EvidenceLevel | undefined);
  if (text === undefined) return copy;
  const own = typeof copy.description === "string" ? `${copy.description.trim()} ` : "";
  return { ...copy, description: own + text };
}

/** Finds all objects with a `description` inside a value, including the value itself. */
function findDescribed(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "description" in value && typeof value.description === "string" ? [value] : [];
  return [...own, ...Object.values(value).flatMap(findDescribed)];
}
