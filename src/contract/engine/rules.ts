import type { Severity, Verdict } from "./types.js";

/** What a rule finds and what to do about it; docs/findings.md has a section for each. */
export interface Rule {
  /** What was found, in a few words. */
  title: string;
  verdict: Verdict;
  /** What to do about it, in one sentence. */
  fix: string;
}

const violation = (title: string, fix: string): Rule => ({ verdict: "violation", title, fix });
const undeclared = (title: string, fix: string): Rule => ({ verdict: "undeclared", title, fix });
const gap = (title: string): Rule => ({
  verdict: "gap-observed",
  title,
  fix: "Nothing to do; do not rely on it.",
});

/** Every rule by its id. */
export const rules = {
  "value/required": violation(
    "A required field is missing",
    "Send it, or remove it from `required`.",
  ),
  "value/type": violation("A value has the wrong type", "Send the right type, or correct `type`."),
  "value/null": violation(
    "A value is null but not nullable",
    "Send a value, or allow `null` in `type`.",
  ),
  "value/const": violation(
    "A value is not allowed",
    "Send an allowed one, or correct `const` or `enum`.",
  ),
  "value/tag": violation(
    "A tag does not fit its object",
    "Send the tag of these fields, or add a branch.",
  ),
  "value/pattern": violation("A string has the wrong form", "Match `pattern`, or correct it."),
  "value/format": violation("A string has the wrong format", "Match `format`, or correct it."),
  "value/range": violation(
    "A number or size is out of range",
    "Stay within the limit, or correct it.",
  ),
  "value/items": violation("Array items repeat", "Send each once, or remove `uniqueItems`."),
  "value/key": violation("A map key has the wrong form", "Match `propertyNames`, or correct it."),
  "value/closed": violation("A value must not exist", "Leave it out, or open the schema."),
  "value/not": violation("A value is excluded", "Send another value, or correct `not`."),
  "drift/field": undeclared("A field is undeclared", "Describe it, or correct its name."),
  "drift/value": undeclared(
    "A value is not a known one",
    "Add it to `x-known-values`, or correct it.",
  ),
  "gap/field": gap("A field that the source does not show"),
  "gap/value": gap("A value that the source does not show"),
  "gap/status": gap("An error status that the source does not show"),
  "gap/parameter": gap("A parameter that the source does not show"),
  "surface/endpoint": undeclared(
    "No operation has this path",
    "Correct it, or describe an operation.",
  ),
  "surface/method": undeclared(
    "The path lacks this method",
    "Correct it, or describe an operation.",
  ),
  "surface/status": violation(
    "No response has this status",
    "Correct it, or add it to `responses`.",
  ),
  "surface/wrong-status": violation(
    "The body fits another status",
    "Send the body of this status.",
  ),
  "surface/media-type": violation(
    "The media type is undescribed",
    "Correct it, or add it to `content`.",
  ),
  "surface/no-media-type": violation("A body has no media type", "Send the header `content-type`."),
  "surface/header-missing": violation(
    "A required header is missing",
    "Send it, or remove `required`.",
  ),
  "surface/header-value": violation(
    "A header has the wrong form",
    "Match its schema, or correct that.",
  ),
  "surface/header-undeclared": undeclared(
    "A header is undeclared",
    "Describe it, or do not send it.",
  ),
  "surface/empty-body": violation("The body is missing", "Send it, or remove `content`."),
  "surface/not-json": violation("The body is not JSON", "Send the whole body, as JSON."),
  "surface/repeated-key": violation("A key occurs twice in an object", "Send each key once."),
  "surface/extra-body": undeclared("A body is undeclared", "Describe its `content`, or send none."),
  "request/body": violation(
    "The request body is wrong or missing",
    "Match `requestBody`, or correct it.",
  ),
  "request/extra-body": undeclared(
    "A request body is undeclared",
    "Describe it, or do not send it.",
  ),
} satisfies Record<string, Rule>;

/** The id of a rule. */
export type RuleId = keyof typeof rules;

/** The setting that decides how serious it is if nobody described something. */
export type Undeclared = "fail" | "warn";

const SEVERITIES: Readonly<Record<Verdict, Readonly<Record<Undeclared, Severity>>>> = {
  violation: { fail: "fail", warn: "fail" },
  undeclared: { fail: "fail", warn: "warn" },
  "gap-observed": { fail: "note", warn: "note" },
};

/** How serious a finding is under a setting of `undeclared`. */
export function severityOf(verdict: Verdict, setting: Undeclared): Severity {
  return SEVERITIES[verdict][setting];
}
