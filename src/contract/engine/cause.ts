import { isFree } from "./drift.js";
import type { Fault } from "./fault.js";
import { rules } from "./rules.js";
import type { Places } from "./walk.js";

/** Whether a fault can be the effect of another. */
export function isSerious({ rule }: Fault): boolean {
  return rules[rule].verdict !== "gap-observed";
}

/** What a cause has to cost less than: nothing may be left, or fewer than there were, the cause itself counted in. */
export function limitOf(faults: readonly Fault[]): number {
  return Math.max(1, kindsOf(faults) - 1);
}

/**
 * How much another schema or tag leaves of some faults.
 * @param unproven what it costs more where it describes nothing of what is not faulty by it, as one that takes anything
 */
export function costOf(
  faults: readonly Fault[],
  left: readonly Fault[],
  places: Places,
  unproven = Infinity,
): number {
  const wrong = new Set(left.filter(isSerious).map(({ pointer }) => pointer));
  const isProof = ({ rule, pointer }: Fault) =>
    rule !== "value/required" && !wrong.has(pointer) && !isFree(places.get(pointer)?.parts ?? []);
  return kindsOf(left) + (faults.some(isProof) ? 0 : unproven);
}

/** How many findings faults come to: the same fault in every item of a list is one. */
function kindsOf(faults: readonly Fault[]): number {
  const serious = faults.filter(isSerious);
  return new Set(serious.map(({ rule, shape, spec }) => [rule, shape, spec].join("\n"))).size;
}
