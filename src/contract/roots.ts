import { isProven, kindsOf, limitOf, settled } from "./cause.js";
import type { Fault } from "./fault.js";
import { mediaOf } from "./operations.js";
import { rules } from "./rules.js";
import { faultsByTag } from "./tags.js";
import type { DescribedResponse, Exchange, Operation } from "./types.js";
import { placesIn, type Subject } from "./walk.js";

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
    const left = faultsByTag(other);
    if (kindsOf(left) >= limitOf(faults)) continue;
    if (!isProven(placesIn(other), settled(faults, left))) continue;
    const cause: Fault = {
      rule: "surface/wrong-status",
      pointer: "",
      shape: each.status,
      place: "status",
      spec: response.pointer,
      expected: `the body of status ${response.status}`,
      actual: `the body of status ${each.status}, under ${exchange.response.status}`,
    };
    return [cause, ...left];
  }
  return faults;
}
