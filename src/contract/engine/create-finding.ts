import { hash } from "./hash.js";
import { closestAncestor } from "../../openapi/pointer.js";
import type { Mismatch } from "./mismatches.js";
import { ruleOf, severityOf, subjectOf } from "./rules.js";
import type { Description } from "../../openapi/description.js";
import type { Finding, Occurrence } from "./types.js";
import type { Exchange, Position } from "../../types/exchange.js";

/** Creates the finding for one mismatch, with its positions, a title, a fix, and a fingerprint. */
export function createFinding(
  mismatch: Mismatch,
  exchange: Exchange,
  description: Description,
  operation: string,
): Finding {
  const { rule, pointer, location = pointer, groupKey, descriptionPointer, expected } = mismatch;
  const { value, actual, declared = [], didYouMean, gap } = mismatch;
  const { category, title, fix } = ruleOf(rule, subjectOf(mismatch));
  const { status } = exchange.response;
  // V8 would give an object literal that starts with a spread a hidden class of its own, which needs more memory than
  // the occurrence.
  const occurrence: Occurrence = Object.assign({}, exchange.locate?.(location), {
    pointer,
    exchange: exchange.name,
    status,
    value,
    ...(actual !== undefined && { actual }),
  });
  const { file, line, column } = positionOf(description, descriptionPointer);
  return {
    rule,
    category,
    title: gap ? `${title} (${gap.id}: ${gap.text})` : title,
    operation,
    status,
    pointer,
    pointerTemplate: pointer === "" ? "" : groupKey,
    occurrences: [occurrence],
    descriptionLocation: { file, line, column, pointer: descriptionPointer },
    expected,
    value,
    declared,
    ...(didYouMean !== undefined && { didYouMean }),
    fix,
    ...(gap !== undefined && { gap }),
    fingerprint: hash([rule, operation, groupKey, descriptionPointer, gap?.id ?? ""].join("\n")),
    severity: severityOf(category, "warning"),
    count: 1,
  };
}

/**
 * Merges findings with the same fingerprint, including findings from different exchanges. Keeps the location of the
 * first finding.
 */
export function groupFindings(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding>();
  for (const finding of findings) {
    const { fingerprint, occurrences } = finding;
    const group = groups.get(fingerprint);
    if (!group) groups.set(fingerprint, { ...finding, occurrences: [...occurrences] });
    else for (const each of occurrences) group.count = group.occurrences.push(each);
  }
  return [...groups.values()];
}

/** Compares the positions of two findings in their recording. */
export function byLocation(a: Finding, b: Finding): number {
  const [one, other] = [a.occurrences[0]!, b.occurrences[0]!];
  const nameOf = ({ rule, pointer, fingerprint }: Finding) => `${rule} ${pointer} ${fingerprint}`;
  const [line = 0, column = 0] = [one.line, one.column];
  return (
    line - (other.line ?? 0) || column - (other.column ?? 0) || (nameOf(a) < nameOf(b) ? -1 : 1)
  );
}

/**
 * Returns the position of a pointer in the YAML file or, if the pointer has no position, of the closest enclosing
 * value.
 */
function positionOf({ file, positions }: Description, pointer: string): Position {
  const here = closestAncestor(pointer, { has: (each) => Object.hasOwn(positions, each) });
  const [line, column] = positions[here ?? ""] ?? [1, 1];
  return { file, line, column };
}
