/** The exchange contradicts the description, is undeclared in it, or concerns a gap of its source. */
export type Verdict = "violation" | "undeclared" | "gap-observed";

/** The effect of a finding on a run: only `fail` makes it fail. */
export type Severity = "fail" | "warn" | "note";

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
  "value/type": ["A value has the wrong type", "Send the declared type, or correct `type`."],
  "value/null": ["A value is null but not nullable", "Send a value, or allow `null` in `type`."],
  "value/const": ["A value is not allowed", "Send an allowed value, or correct `const` or `enum`."],
  "value/tag": [
    "A tag does not match its object",
    "Send the tag that matches the fields, or add a branch.",
  ],
  "value/pattern": ["A string does not match its pattern", "Match `pattern`, or correct it."],
  "value/format": ["A string has the wrong format", "Match `format`, or correct it."],
  "value/range": ["A number or size is out of range", "Stay within the limit, or correct it."],
  "value/items": ["Array items repeat", "Send each item once, or remove `uniqueItems`."],
  "value/key": ["A map key is invalid", "Match `propertyNames`, or correct it."],
  "value/not": ["A value is not allowed by `not`", "Send another value, or correct `not`."],
  "surface/status": ["No response has this status", "Correct it, or add it to `responses`."],
  "surface/wrong-status": ["The body belongs to another status", "Send the body of this status."],
  "surface/media-type": ["The media type is not described", "Correct it, or add it to `content`."],
  "surface/no-media-type": ["A body has no media type", "Send the header `content-type`."],
  "surface/header-missing": ["A required header is missing", "Send it, or remove `required`."],
  "surface/header-value": [
    "A header does not match its schema",
    "Match the schema, or correct it.",
  ],
  "surface/empty-body": ["The body is missing", "Send it, or remove `content`."],
  "surface/not-json": ["The body is not JSON", "Send the complete body as JSON."],
  "surface/repeated-key": ["A key occurs twice in an object", "Send each key once."],
  "request/body": ["The request body is wrong or missing", "Match `requestBody`, or correct it."],
} as const;

const UNDECLARED = {
  "drift/field": ["A field is undeclared", "Describe it, or correct its name."],
  "drift/value": ["A value is unknown", "Add it to `x-known-values`, or correct it."],
  "surface/endpoint": [
    "No operation has this path",
    "Correct the path, or add the operation to the description.",
  ],
  "surface/method": [
    "The path lacks this method",
    "Correct the method, or add the operation to the description.",
  ],
  "surface/header-undeclared": [
    "A header is undeclared",
    "Add it to the description, or do not send it.",
  ],
  "surface/extra-body": [
    "A body is undeclared",
    "Add its `content` to the description, or do not send a body.",
  ],
  "request/extra-body": [
    "A request body is undeclared",
    "Add it to the description, or do not send it.",
  ],
} as const;

const NOTHING = "Nothing to do; do not rely on it.";
const GAPS = {
  "gap/field": ["The source does not specify this field", NOTHING],
  "gap/value": ["The source does not specify this value", NOTHING],
  "gap/status": ["The source does not specify this error status", NOTHING],
  "gap/parameter": ["The source does not specify this parameter", NOTHING],
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
