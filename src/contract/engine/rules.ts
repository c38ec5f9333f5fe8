/** The exchange contradicts the description, is undeclared in it, or concerns a gap of its source. */
export type Category = "violation" | "undeclared" | "unspecified";

/** The effect of a finding on a run: only `fail` makes it fail. */
export type Severity = "fail" | "warn" | "note";

/** A kind of finding and how to fix it; docs/findings.md has a section for each. */
export interface Rule {
  /** The problem in a few words. */
  title: string;
  category: Category;
  /** How to fix it, in one sentence. */
  fix: string;
}

const VIOLATIONS = {
  "value/required": ["A required field is missing", "Send it, or remove it from `required`."],
  "value/type": ["A value has the wrong type", "Send the declared type, or change `type`."],
  "value/null": ["A value is null but not nullable", "Send a value, or allow `null` in `type`."],
  "value/const": ["A value is not allowed", "Send an allowed value, or change `const` or `enum`."],
  "value/tag": ["A tag selects no branch", "Send a described tag, or add a branch."],
  "value/pattern": [
    "A string does not match its pattern",
    "Make the value match `pattern`, or change `pattern` in the description.",
  ],
  "value/format": [
    "A string has the wrong format",
    "Make the value match `format`, or change `format` in the description.",
  ],
  "value/size": ["An array has too few items", "Send more items, or change `minItems`."],
  "value/key": [
    "A map key is invalid",
    "Make the key match `propertyNames`, or change `propertyNames` in the description.",
  ],
  "value/not": ["A value is excluded by `not`", "Send another value, or change `not`."],
  "http/status": [
    "No response has this status",
    "Send a described status, or add this one to `responses`.",
  ],
  "http/planned-status": [
    "The response is not the planned one",
    "Correct the plan, or the deployment.",
  ],
  "http/wrong-status": ["The body belongs to another status", "Send the body of this status."],
  "http/media-type": [
    "The media type is not described",
    "Send a described media type, or add this one to `content`.",
  ],
  "http/no-media-type": ["A body has no media type", "Send the `content-type` header."],
  "http/header-missing": ["A required header is missing", "Send it, or remove `required`."],
  "http/header-value": [
    "A header does not match its schema",
    "Make the value match the schema, or change the schema.",
  ],
  "http/empty-body": ["The body is missing", "Send it, or remove `content`."],
  "http/not-json": ["The body is not JSON", "Send the complete body as JSON."],
  "http/repeated-key": ["A key occurs twice in an object", "Send each key once."],
  "request/body": [
    "The request body is wrong or missing",
    "Send a body that matches `requestBody`, or change `requestBody`.",
  ],
} as const;

const UNDECLARED = {
  "drift/field": ["A field is undeclared", "Describe it, or correct its name."],
  "drift/value": ["A value is unknown", "Add it to `x-known-values`, or send a known value."],
  "http/endpoint": [
    "No operation has this path",
    "Correct the path, or add the operation to the description.",
  ],
  "http/method": [
    "The path lacks this method",
    "Correct the method, or add the operation to the description.",
  ],
  "http/header-undeclared": [
    "A header resembles a described one",
    "Correct its name, or add it to the description.",
  ],
  "http/extra-body": [
    "A body is undeclared",
    "Add its `content` to the description, or do not send a body.",
  ],
  "request/extra-body": [
    "A request body is undeclared",
    "Add it to the description, or do not send it.",
  ],
} as const;

const NOTHING = "Nothing to do; do not rely on it.";
const UNSPECIFIED = {
  "gap/field": ["The source does not specify this field", NOTHING],
  "gap/value": ["The source does not specify this value", NOTHING],
  "gap/status": ["The source does not specify this error status", NOTHING],
  "gap/parameter": ["The source does not specify this parameter", NOTHING],
} as const;

/** The id of a rule. */
export type RuleId = keyof typeof VIOLATIONS | keyof typeof UNDECLARED | keyof typeof UNSPECIFIED;

/** Every rule by its id. */
export const rules = Object.fromEntries([
  ...createRules("violation", VIOLATIONS),
  ...createRules("undeclared", UNDECLARED),
  ...createRules("unspecified", UNSPECIFIED),
]) as Readonly<Record<RuleId, Rule>>;

function createRules(
  category: Category,
  texts: Readonly<Record<string, readonly [title: string, fix: string]>>,
): [id: string, Rule][] {
  return Object.entries(texts).map(([id, [title, fix]]) => [id, { category, title, fix }]);
}

/** The setting that decides how serious anything undeclared is. */
export type Undeclared = "fail" | "warn";

/** How serious a finding is under a setting of `undeclared`. */
export function severityOf(category: Category, setting: Undeclared): Severity {
  const severities = { violation: "fail", undeclared: setting, unspecified: "note" } as const;
  return severities[category];
}

/** A finding in one exchange, before its positions, category, and fingerprint are added. */
export interface RawFinding {
  rule: RuleId;
  pointer: string;
  /** The pointer without indexes, or the header name. The same fault in another location has the same groupKey. */
  groupKey: string;
  /** Its location in the recording, if it is not `pointer`: `status`, `header: etag`, `path`, or another pointer. */
  location?: string;
  /** Pointer into the description. */
  descriptionPointer: string;
  expected: string;
  actual: string;
  /** What kind of thing was found, if the rule and the pointer do not determine it. */
  found?: string | undefined;
  declared?: string[];
  didYouMean?: string | undefined;
  gap?: string | undefined;
}
