import { getAtPointer } from "./pointer.js";
import type { Json, SchemaHolder } from "./description.js";

/**
 * The `x-rule` of a query parameter. It relates the parameter to another one, which a schema cannot do.
 */
export type ParameterRule =
  { requires: string } | { requiredWithout: string } | { after: string; maxDays: number };

/** The extension that contains the rule of a parameter. */
export const RULE = "x-rule";

const DAY = 86_400_000;

/** Returns the rule of a parameter. */
export function ruleOf(document: Json, { pointer }: SchemaHolder): ParameterRule | undefined {
  return getAtPointer(document, `${pointer}/${RULE}`) as ParameterRule | undefined;
}

/** Returns whether requests usually have a parameter: it is required, or required if another parameter is absent. */
export function isNeeded(document: Json, parameter: SchemaHolder): boolean {
  const rule = ruleOf(document, parameter);
  return parameter.required === true || (rule !== undefined && "requiredWithout" in rule);
}

/** Returns the name of the parameter to which a rule relates its own parameter. */
export function relatedParameter(rule: ParameterRule): string {
  if ("requires" in rule) return rule.requires;
  return "after" in rule ? rule.after : rule.requiredWithout;
}

/** Describes a rule, as the last sentence of its parameter's description. */
export function describeRule(rule: ParameterRule): string {
  if ("requires" in rule) return `Requires \`${rule.requires}\`.`;
  if ("after" in rule) return `At most ${rule.maxDays} days after \`${rule.after}\`.`;
  return `Required, unless \`${rule.requiredWithout}\` is present.`;
}

/** Describes how a query breaks the rule of a parameter. Returns undefined if the query follows the rule. */
export function findBrokenRule(
  name: string,
  rule: ParameterRule,
  query: URLSearchParams,
): string | undefined {
  const [value, other] = [query.get(name), query.get(relatedParameter(rule))];
  if ("requires" in rule)
    return value && !other ? `incomplete: also send ${rule.requires}` : undefined;
  if ("requiredWithout" in rule)
    return value || other ? undefined : `missing: send ${name} or ${rule.requiredWithout}`;
  if (!value || !other) return undefined;
  const days = (Date.parse(value) - Date.parse(other)) / DAY;
  if (days >= 0 && days <= rule.maxDays) return undefined;
  return `invalid: expected a date from ${rule.after} to ${rule.maxDays} days later`;
}
