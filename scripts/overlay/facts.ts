import { listOperations } from "../../src/openapi/document.js";
import { getAtPointer, isWithin, refToPointer } from "../../src/openapi/pointer.js";
import type { Json, ObservedFact } from "../../src/openapi/description.js";
import { reach } from "../shared/reach.js";
import type { Action, FactProvenance, AppliedOverlay } from "./overlay.js";

/** An observed fact that one or more overlay actions state. */
export interface Fact extends FactProvenance {
  /** The indexes of the actions that state the fact. */
  actions: number[];
  /** Pointers to the values that these actions added, replaced, or removed. */
  locations: string[];
  /** The operationIds of the affected operations, in the order of the description. */
  operations: string[];
}

/** Lists the facts in an overlay, in the order of the overlay. */
export function listFacts({ actions, document, locations }: AppliedOverlay, before: Json): Fact[] {
  const facts = [...groupActionsByFact(actions).values()].map((own): Fact => ({
    ...actions[own[0]!]!["x-observed"],
    actions: own,
    locations: own.flatMap((index) => locations[index]!),
    operations: [],
  }));
  for (const { id, pointer } of listOperations(document)) {
    // A value that the overlay removes exists only in the description to which the overlay is not yet applied.
    const reached = new Set(
      [before, document].flatMap((each) => [...reachReferences(each, pointer)]),
    );
    for (const fact of facts) {
      // If a fact replaces a schema, the location of the old schema is ignored, because other operations might have
      // used the old schema, too.
      const added = fact.actions.filter((index) => !actions[index]!.remove);
      const shown = (added.length > 0 ? added : fact.actions).flatMap((each) => locations[each]!);
      const isReached = (location: string) => [...reached].some((each) => isWithin(location, each));
      if (shown.some(isReached)) fact.operations.push(id);
    }
  }
  return facts;
}

/** Lists the facts that a response can contradict, with the locations that state them. Omits removals. */
export function listObservedFacts({ actions, locations }: AppliedOverlay): ObservedFact[] {
  return [...groupActionsByFact(actions)].flatMap(([fact, own]) => {
    const added = own.flatMap((index) => (actions[index]!.remove ? [] : locations[index]!));
    const stated = added.filter((each) => !/\/(parameters|description|examples)\b/.test(each));
    const { sources, seen } = actions[own[0]!]!["x-observed"];
    return stated.length > 0 ? [{ fact, sources, seen, locations: stated }] : [];
  });
}

/** Returns the indexes of the actions that state each fact. */
export function groupActionsByFact(actions: readonly Action[]): Map<string, number[]> {
  const indexes = new Map<string, number[]>();
  for (const [index, { "x-observed": observed }] of actions.entries())
    if (observed) indexes.set(observed.fact, [...(indexes.get(observed.fact) ?? []), index]);
  return indexes;
}

/** Counts the months between two dates, such as `2026` and `2026-08`. A year without a month counts as January. */
export function countMonths(from: string, to: string): number {
  const [start = 0, end = 0] = [from, to].map((date) => {
    const [year = 0, month = 1] = date.split("-").map(Number);
    return year * 12 + month;
  });
  return end - start;
}

/** Returns pointers to a value and to everything that the value references, directly or indirectly. */
export function reachReferences(document: Json, pointer: string): Set<string> {
  return reach([pointer], (each) => findReferences(getAtPointer(document, each)).map(refToPointer));
}

function findReferences(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === "$ref" ? [String(each)] : findReferences(each),
  );
}
