/** The exchange contradicts the description, is undeclared in it, or concerns a gap of its source. */
export type Category = "violation" | "undeclared" | "unspecified";

/** The effect of a finding on a run: only `error` makes it fail. */
export type Severity = "error" | "warning" | "note";

/** A kind of finding and how to fix it; docs/findings.md has a section for each. */
export interface Rule {
  /** The problem in a few words. */
  title: string;
  category: Category;
  /** How to fix it, in one sentence. */
  fix: string;
}

/** Violations of the schema, by JSON Schema keyword. */
const SCHEMA: Readonly<Record<string, readonly [title: string, fix: string]>> = {
  required: ["A required property is missing", "Send it, or remove it from `required`."],
  type: ["A value has the wrong type", "Send the declared type, or change `type`."],
  enum: ["A value is not in `enum`", "Send an allowed value, or add this one to `enum`."],
  const: ["A value differs from `const`", "Send the declared value, or change `const`."],
  oneOf: ["A value matches no branch", "Send a value of a declared branch, or add a branch."],
  pattern: [
    "A string does not match its pattern",
    "Make the value match `pattern`, or change `pattern` in the description.",
  ],
  format: [
    "A string has the wrong format",
    "Make the value match `format`, or change `format` in the description.",
  ],
  minItems: ["An array has too few items", "Send more items, or change `minItems`."],
  propertyNames: [
    "A property name is invalid",
    "Make the name match `propertyNames`, or change `propertyNames` in the description.",
  ],
  not: ["A value is excluded by `not`", "Send another value, or change `not`."],
};

const VIOLATIONS = {
  "http/status": [
    "No response has this status",
    "Send a described status, or add this one to `responses`.",
  ],
  "http/unexpected-status": [
    "The response is not the planned one",
    "Correct the plan, or the deployment.",
  ],
  "http/status-body-mismatch": [
    "The body belongs to another status",
    "Send the body of this status.",
  ],
  "http/media-type": [
    "The media type is not described",
    "Send a described media type, or add this one to `content`.",
  ],
  "http/missing-content-type": ["A body has no media type", "Send the `content-type` header."],
  "http/missing-header": ["A required header is missing", "Send it, or remove `required`."],
  "http/invalid-header": [
    "A header does not match its schema",
    "Make the value match the schema, or change the schema.",
  ],
  "http/missing-body": ["The body is missing", "Send it, or remove `content`."],
  "http/not-json": ["The body is not JSON", "Send the complete body as JSON."],
  "http/repeated-key": ["A key occurs twice in an object", "Send each key once."],
  "request/invalid-body": [
    "The request body is wrong or missing",
    "Send a body that matches `requestBody`, or change `requestBody`.",
  ],
} as const;

const UNDECLARED = {
  "undeclared/property": ["A field is undeclared", "Describe it, or correct its name."],
  "undeclared/value": ["A value is unknown", "Add it to `x-known-values`, or send a known value."],
  "http/unknown-path": [
    "No operation has this path",
    "Correct the path, or add the operation to the description.",
  ],
  "http/unknown-method": [
    "The path lacks this method",
    "Correct the method, or add the operation to the description.",
  ],
  "http/misspelled-header": [
    "A header resembles a described one",
    "Correct its name, or add it to the description.",
  ],
  "http/unexpected-body": [
    "A body is undeclared",
    "Add its `content` to the description, or do not send a body.",
  ],
  "request/unexpected-body": [
    "A request body is undeclared",
    "Add it to the description, or do not send it.",
  ],
} as const;

const NOTHING = "Nothing to do; do not rely on it.";
const UNSPECIFIED = {
  "unspecified/property": ["The source does not specify this field", NOTHING],
  "unspecified/value": ["The source does not specify this value", NOTHING],
  "unspecified/status": ["The source does not specify this error status", NOTHING],
  "unspecified/parameter": ["The source does not specify this parameter", NOTHING],
} as const;

/** The id of a rule. */
export type RuleId =
  `schema/${string}` | keyof typeof VIOLATIONS | keyof typeof UNDECLARED | keyof typeof UNSPECIFIED;

/** Every rule by its id. A violation of another JSON Schema keyword has the rule `schema/<keyword>`. */
export const rules = Object.fromEntries([
  ...createRules("violation", prefixNames("schema/", SCHEMA)),
  ...createRules("violation", VIOLATIONS),
  ...createRules("undeclared", UNDECLARED),
  ...createRules("unspecified", UNSPECIFIED),
]) as Readonly<Record<RuleId, Rule>>;

function prefixNames<Value>(prefix: string, record: Readonly<Record<string, Value>>) {
  return Object.fromEntries(Object.entries(record).map(([name, each]) => [prefix + name, each]));
}

/** The rule with an id. */
export function ruleOf(id: RuleId): Rule {
  const keyword = id.slice("schema/".length);
  const fix = `Make the value match \`${keyword}\`, or change \`${keyword}\` in the description.`;
  return rules[id] ?? { category: "violation", title: `A value violates \`${keyword}\``, fix };
}

function createRules(
  category: Category,
  texts: Readonly<Record<string, readonly [title: string, fix: string]>>,
): [id: string, Rule][] {
  return Object.entries(texts).map(([id, [title, fix]]) => [id, { category, title, fix }]);
}

/** The setting that decides how serious anything undeclared is. */
export type Undeclared = "error" | "warning";

/** How serious a finding is under a setting of `undeclared`. */
export function severityOf(category: Category, setting: Undeclared): Severity {
  const severities = { violation: "error", undeclared: setting, unspecified: "note" } as const;
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
