import type { Severity, Verdict } from "./types.js";

/** A kind of finding and how to fix it; docs/findings.md has a section for each. */
export interface Rule {
  /** The problem in a few words. */
  title: string;
  verdict: Verdict;
  /** How to fix it, in one sentence. */
  fix: string;
}

const VIOLATIONS = {
  "value/required": ["A required field is missing", "Send it, or remove it from `required`."],
  "value/type": ["A value has the wrong type", "Send the right type, or correct `type`."],
  "value/null": ["A value is null but not nullable", "Send a value, or allow `null` in `type`."],
  "value/const": ["A value is not allowed", "Send an allowed one, or correct `const` or `enum`."],
  "value/tag": ["A tag does not fit its object", "Send the tag of these fields, or add a branch."],
  "value/pattern": ["A string has the wrong form", "Match `pattern`, or correct it."],
  "value/format": ["A string has the wrong format", "Match `format`, or correct it."],
  "value/range": ["A number or size is out of range", "Stay within the limit, or correct it."],
  "value/items": ["Array items repeat", "Send each once, or remove `uniqueItems`."],
  "value/key": ["A map key has the wrong form", "Match `propertyNames`, or correct it."],
  "value/not": ["A value is excluded", "Send another value, or correct `not`."],
  "surface/status": ["No response has this status", "Correct it, or add it to `responses`."],
  "surface/wrong-status": ["The body fits another status", "Send the body of this status."],
  "surface/media-type": ["The media type is undescribed", "Correct it, or add it to `content`."],
  "surface/no-media-type": ["A body has no media type", "Send the header `content-type`."],
  "surface/header-missing": ["A required header is missing", "Send it, or remove `required`."],
  "surface/header-value": ["A header has the wrong form", "Match its schema, or correct that."],
  "surface/empty-body": ["The body is missing", "Send it, or remove `content`."],
  "surface/not-json": ["The body is not JSON", "Send the whole body, as JSON."],
  "surface/repeated-key": ["A key occurs twice in an object", "Send each key once."],
  "request/body": ["The request body is wrong or missing", "Match `requestBody`, or correct it."],
} as const;

const UNDECLARED = {
  "drift/field": ["A field is undeclared", "Describe it, or correct its name."],
  "drift/value": ["A value is not a known one", "Add it to `x-known-values`, or correct it."],
  "surface/endpoint": ["No operation has this path", "Correct it, or describe an operation."],
  "surface/method": ["The path lacks this method", "Correct it, or describe an operation."],
  "surface/header-undeclared": ["A header is undeclared", "Describe it, or do not send it."],
  "surface/extra-body": ["A body is undeclared", "Describe its `content`, or send none."],
  "request/extra-body": ["A request body is undeclared", "Describe it, or do not send it."],
} as const;

const NOTHING = "Nothing to do; do not rely on it.";
const GAPS = {
  "gap/field": ["A field that the source does not show", NOTHING],
  "gap/value": ["A value that the source does not show", NOTHING],
  "gap/status": ["An error status that the source does not show", NOTHING],
  "gap/parameter": ["A parameter that the source does not show", NOTHING],
} as const;

/** The id of a rule. */
export type RuleId = keyof typeof VIOLATIONS | keyof typeof UNDECLARED | keyof typeof GAPS;

/** Every rule by its id. */
export const rules = Object.fromEntries([
  ...rulesOf("violation", VIOLATIONS),
  ...rulesOf("undeclared", UNDECLARED),
  ...rulesOf("gap-observed", GAPS),
]) as Readonly<Record<RuleId, Rule>>;

function rulesOf(
  verdict: Verdict,
  texts: Readonly<Record<string, readonly [title: string, fix: string]>>,
): [id: string, Rule][] {
  return Object.entries(texts).map(([id, [title, fix]]) => [id, { verdict, title, fix }]);
}

/** The setting that decides how serious anything undeclared is. */
export type Undeclared = "fail" | "warn";

/** How serious a finding is under a setting of `undeclared`. */
export function severityOf(verdict: Verdict, setting: Undeclared): Severity {
  const severities = { violation: "fail", undeclared: setting, "gap-observed": "note" } as const;
  return severities[verdict];
}

/** One fault in one exchange, before it becomes a finding. */
export interface Fault {
  rule: RuleId;
  pointer: string;
  /** Identical for the same fault elsewhere: the pointer without indexes, or the header name. */
  shape: string;
  /** Its place in the recording, if it is not `pointer`: `status`, `header: etag`, `path`, or an enclosing value. */
  place?: string;
  /** Pointer into the description. */
  spec: string;
  expected: string;
  actual: string;
  declared?: string[];
  didYouMean?: string | undefined;
  gap?: string | undefined;
}
