import type { Verdict } from "./types.js";

/** What a rule finds, how it is judged, and what to do about it; docs/findings.md has a paragraph for each. */
export interface Rule {
  /** What was found, in a few words. */
  title: string;
  /** What is made of it, before the policy looks at the origin. */
  verdict: Verdict;
  /** What to do about it, in one sentence. */
  fix: string;
}

const rule = (verdict: Verdict) => (title: string, fix: string) => ({ verdict, title, fix });
const [violation, undeclared] = [rule("violation"), rule("undeclared")];
const sent = (what: string, keyword: string) =>
  `Send ${what}; if what came is right, report it to the service, or correct ${keyword} in the description.`;
const gap = (title: string) => ({
  ...rule("gap-observed")(
    `${title}, which the source does not show`,
    "Nothing to do; do not rely on it.",
  ),
});

/** Every rule by its id. */
export const rules = {
  "value/required": violation("A required member is missing", sent("the member", "`required`")),
  "value/type": violation("A value has the wrong type", sent("the described type", "`type`")),
  "value/null": violation("A value is null that is never null", sent("a value", "`type`")),
  "value/const": violation(
    "A value is none of the allowed",
    sent("one of them", "`const` or `enum`"),
  ),
  "value/tag": violation(
    "A tag does not fit its fields",
    sent("the tag of the fields", "the union"),
  ),
  "value/pattern": violation("A text has another form", sent("the described form", "`pattern`")),
  "value/format": violation("A text has another format", sent("the described format", "`format`")),
  "value/range": violation("A number or size is out of range", sent("what is within", "the limit")),
  "value/items": violation("The items do not fit together", sent("items that do", "the keyword")),
  "value/key": violation("A key has another form", sent("the described form", "`propertyNames`")),
  "value/closed": violation(
    "Something must not be there",
    sent("the rest alone", "what closes it"),
  ),
  "value/union": violation(
    "A value fits no branch, or too many",
    sent("what fits one", "the union"),
  ),
  "value/not": violation("A value is excluded", sent("another value", "`not`")),
  "drift/field": undeclared(
    "A field that nobody described",
    "Describe the field if it is here to stay, or correct its name.",
  ),
  "gap/field": gap("A field"),
  "gap/value": gap("A value"),
  "gap/status": gap("A status of an error"),
  "gap/parameter": gap("A name or value of a parameter"),
  "surface/endpoint": undeclared("No operation has this path", "Correct it, or describe one."),
  "surface/method": undeclared("The path has no such method", "Correct it, or describe it."),
  "surface/status": undeclared("No response has this status", "Describe it, or `default`."),
  "surface/wrong-status": violation(
    "The body is of another status",
    sent("its own", "the response"),
  ),
  "surface/media-type": violation("The media type is another", sent("the described", "`content`")),
  "surface/no-media-type": violation("A body has no media type", "Send `content-type`."),
  "surface/header-missing": violation("A header is missing", sent("it", "its `required`")),
  "surface/header-value": violation(
    "A header has another form",
    sent("the described", "its schema"),
  ),
  "surface/header-undeclared": undeclared("A header that nobody described", "Describe it."),
  "surface/empty-body": violation("There is no body", sent("the described body", "`content`")),
  "surface/not-json": violation("The body is no JSON", "Send all of it, and as JSON."),
  "surface/extra-body": undeclared("There is a body", "Describe the `content` of the response."),
  "request/body": violation("The request has another body", sent("the described", "`requestBody`")),
} satisfies Record<string, Rule>;

/** The id of a rule. */
export type RuleId = keyof typeof rules;
