import { isFree } from "./drift.js";
import type { Fault } from "./fault.js";
import { rules } from "./rules.js";
import type { Places } from "./walk.js";

/** How many findings faults come to: the same fault in every item of a list is one, and a gap is none. */
export function kindsOf(faults: readonly Fault[]): number {
  const serious = faults.filter(isSerious);
  return new Set(serious.map(({ rule, shape, spec }) => [rule, shape, spec].join("\n"))).size;
}

/** What a cause has to cost less than: nothing may be left, or fewer than there were, the cause itself counted in. */
export function limitOf(faults: readonly Fault[]): number {
  return Math.max(1, kindsOf(faults) - 1);
}

/** What another schema has nothing against. */
export function settled(faults: readonly Fault[], left: readonly Fault[]): Fault[] {
  const wrong = new Set(left.filter(isSerious).map(({ pointer }) => pointer));
  return faults.filter(({ pointer }) => !wrong.has(pointer));
}

/** Whether a schema describes some of what is not faulty by it; one that takes anything proves nothing. */
export function isProven(places: Places, gone: readonly Fault[]): boolean {
  return gone.some(
    ({ rule, pointer }) => rule !== "value/required" && !isFree(places.get(pointer)?.parts ?? []),
  );
}

/** Whether a fault can be the effect of another. */
export function isSerious({ rule }: Fault): boolean {
  return rules[rule].verdict !== "gap-observed";
}
