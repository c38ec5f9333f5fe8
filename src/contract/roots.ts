import { costOf, limitOf } from "./cause.js";
import type { Fault } from "./fault.js";
import { mediaOf } from "./operations.js";
import { rules } from "./rules.js";
import { faultsByTag } from "./tags.js";
import type { DescribedResponse, Exchange, Operation } from "./types.js";
import { byPointer, placesIn, type Subject } from "./walk.js";

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
  const faults = faultsByTag(subject);
  // A field that nobody described is no reason to doubt the status.
  if (!faults.some(({ rule }) => rules[rule].verdict === "violation")) return faults;
  for (const each of operation.responses) {
    const { schema } = mediaOf(each, exchange) ?? {};
    if (schema === undefined || schema === subject.schema) continue;
    const other = { ...subject, schema };
    const places = placesIn(other);
    const left = faultsByTag(other, places);
    if (costOf(faults, left, byPointer(places)) >= limitOf(faults)) continue;
    const cause = { pointer: "", place: "status", shape: each.status, spec: response.pointer };
    const expected = `the body of status ${response.status}`;
    const actual = `the body of status ${each.status}, under ${exchange.response.status}`;
    return [{ rule: "surface/wrong-status", ...cause, expected, actual }, ...left];
  }
  return faults;
}
