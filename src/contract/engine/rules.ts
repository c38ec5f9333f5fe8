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
    "Send the field, or remove it from `required`.",
  ),
  "value/type": violation(
    "A value has the wrong type",
    "Send the described type, or correct `type`.",
  ),
  "value/null": violation(
    "A value is null but not nullable",
    'Send a value, or add `"null"` to `type`.',
  ),
  "value/const": violation(
    "A value is not an allowed one",
    "Send an allowed value, or correct `const` or `enum`.",
  ),
  "value/tag": violation(
    "A tag does not fit the other fields",
    "Send the tag that belongs to the fields, or add a branch to the union.",
  ),
  "value/pattern": violation(
    "A string does not match its pattern",
    "Send the described form, or correct `pattern`.",
  ),
  "value/format": violation(
    "A string does not have its format",
    "Send the described format, or correct `format`.",
  ),
  "value/range": violation(
    "A number or size is out of range",
    "Stay within the limit, or correct it.",
  ),
  "value/items": violation("Array items repeat", "Send each item once, or remove `uniqueItems`."),
  "value/key": violation(
    "A map key has the wrong form",
    "Send a key of the described form, or correct `propertyNames`.",
  ),
  "value/closed": violation("A value must not exist", "Leave it out, or open the schema."),
  "value/not": violation("A value is excluded", "Send another value, or correct `not`."),
  "drift/field": undeclared(
    "A field is undeclared",
    "Describe the field if it is here to stay, or correct its name.",
  ),
  "drift/value": undeclared(
    "A value is not among the known ones",
    "Add it to `x-known-values` if it is here to stay, or correct it.",
  ),
  "gap/field": gap("A field appears that the source does not show"),
  "gap/value": gap("A value appears that the source does not show"),
  "gap/status": gap("An error has a status that the source does not show"),
  "gap/parameter": gap("A parameter appears that the source does not show"),
  "surface/endpoint": undeclared(
    "No operation has this path",
    "Correct the path, or describe an operation.",
  ),
  "surface/method": undeclared(
    "The path does not have this method",
    "Correct the method, or describe an operation.",
  ),
  "surface/status": violation(
    "No response has this status",
    "Send a described status, or add it to `responses`.",
  ),
  "surface/wrong-status": violation(
    "The body belongs to another status",
    "Send the body of this status, or correct the responses.",
  ),
  "surface/media-type": violation(
    "The media type is not described",
    "Send a described media type, or add it to `content`.",
  ),
  "surface/no-media-type": violation("A body has no media type", "Send the header `content-type`."),
  "surface/header-missing": violation(
    "A required header is missing",
    "Send the header, or remove its `required`.",
  ),
  "surface/header-value": violation(
    "A header has the wrong form",
    "Send the described form, or correct the schema of the header.",
  ),
  "surface/header-undeclared": undeclared(
    "A header is undeclared",
    "Describe the header if it is here to stay.",
  ),
  "surface/empty-body": violation(
    "The body is missing",
    "Send the described body, or remove `content`.",
  ),
  "surface/not-json": violation("The body is not JSON", "Send the whole body, as JSON."),
  "surface/repeated-key": violation("An object has the same key twice", "Send each key once."),
  "surface/extra-body": undeclared(
    "A body is undeclared",
    "Describe the `content` of the response, or send no body.",
  ),
  "request/body": violation(
    "The request body is wrong or missing",
    "Send the described body, or correct `requestBody`.",
  ),
  "request/extra-body": undeclared(
    "A request body is undeclared",
    "Describe it in `requestBody`, or do not send it.",
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
export function severityOf(verdict: Verdict, undeclared: Undeclared): Severity {
  return SEVERITIES[verdict][undeclared];
}
