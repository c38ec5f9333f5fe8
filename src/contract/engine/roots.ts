import { costOf, isSerious, limitOf } from "./cause.js";
import type { Fault } from "./fault.js";
import { mediaOf } from "./operations.js";
import { rules } from "./rules.js";
import type { Part } from "./schema.js";
import { faultsByTag } from "./tags.js";
import type { DescribedResponse, Exchange, Operation } from "./types.js";
import { byPointer, placesIn, type Place, type Subject } from "./walk.js";

/**
 * Finds the causes of many faults: objects whose tag does not belong to their fields, and a body that belongs to
 * another status. What a cause does not explain is left beside it, as the schema of the cause has it.
 */
export function rootFaults(
  subject: Subject,
  operation: Operation,
  response: DescribedResponse,
  exchange: Exchange,
): Fault[] {
  const own = placesIn(subject);
  const faults = faultsByTag(subject, own);
  // A field that nobody described is no reason to doubt the status.
  const isWrong = faults.some(({ rule }) => rules[rule].verdict === "violation");
  const isAny = response.status.startsWith("2") && !own[0]?.parts.some(isDemanding);
  if (!isWrong && !isAny) return faults;
  for (const each of operation.responses) {
    const { schema } = mediaOf(each, exchange) ?? {};
    if (schema === undefined || schema === subject.schema) continue;
    const other = { ...subject, schema };
    const places = placesIn(other);
    const left = faultsByTag(other, places);
    const isMeant = isWrong
      ? costOf(faults, left, byPointer(places)) < limitOf(faults)
      : !each.status.startsWith("2") && !left.some(isSerious) && hasConstant(places);
    if (!isMeant) continue;
    const cause = { pointer: "", place: "status", shape: each.status, spec: response.pointer };
    const expected = `the body of status ${response.status}`;
    const actual = `the body of status ${each.status}, under ${exchange.response.status}`;
    return [{ rule: "surface/wrong-status", ...cause, expected, actual }, ...left];
  }
  return faults;
}

function isDemanding({ schema }: Part): boolean {
  return (schema.required ?? []).length > 0;
}

/** Whether a value is the very one that is described: that a body merely fits proves little. */
function hasConstant(places: readonly Place[]): boolean {
  return places.some(({ parts }) => parts.some(({ schema }) => "const" in schema));
}
