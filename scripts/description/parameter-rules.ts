import {
  describeRule,
  relatedParameter,
  RULE,
  ruleOf,
  type ParameterRule,
} from "../../src/openapi/parameter-rule.js";
import { getAtPointer } from "../../src/openapi/pointer.js";
import { isObject } from "../../src/openapi/schema.js";
import type { Json, Operation } from "../../src/openapi/description.js";

/** Reports rules that the sandbox cannot check. */
export function checkRules(
  document: Json,
  { id, parameters }: Operation,
  report: (pointer: string, text: string) => void,
): void {
  const inQuery = new Set(parameters.flatMap((each) => (each.in === "query" ? each.name : [])));
  for (const { name, pointer, in: location } of parameters) {
    const at = `${pointer}/${RULE}`;
    const rule = getAtPointer(document, at) as Json | undefined;
    if (rule === undefined) continue;
    if (location !== "query")
      report(at, `only query parameters can have an ${RULE}; remove the rule of ${name}`);
    else if (!isRule(rule))
      report(
        at,
        `the rule of ${name} is invalid; write { requires: NAME }, { requiredWithout: NAME }, or { after: NAME, maxDays: NUMBER }`,
      );
    else if (!inQuery.has(relatedParameter(rule)))
      report(
        at,
        `${id} has no query parameter ${relatedParameter(rule)}, which the rule of ${name} names; add it, or correct the name`,
      );
  }
}

function isRule(value: Json): value is Json & ParameterRule {
  if (!isObject(value)) return false;
  const { after, maxDays, ...others } = value;
  const names = Object.entries(others);
  if (after !== undefined)
    return typeof after === "string" && typeof maxDays === "number" && names.length === 0;
  return (
    maxDays === undefined &&
    names.length === 1 &&
    names.every(
      ([key, name]) => /^(requires|requiredWithout)$/.test(key) && typeof name === "string",
    )
  );
}

/** Adds the text of each rule to the description of its parameter, which editors and the docs show. */
export function addRuleText(document: Json, operations: readonly Operation[]): void {
  const parameters = operations.flatMap((each) => each.parameters);
  const byPointer = new Map(parameters.map((each) => [each.pointer, each]));
  for (const each of byPointer.values()) {
    const rule = ruleOf(document, each);
    const parameter = getAtPointer(document, each.pointer) as { description?: string };
    if (rule)
      parameter.description = `${parameter.description?.trim() ?? ""} ${describeRule(rule)}`.trim();
  }
}
