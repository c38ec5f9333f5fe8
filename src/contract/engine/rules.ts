import type { Severity, Verdict } from "./types.js";

/** What a rule finds and what to do about it; docs/findings.md has a paragraph for each. */
export interface Rule {
  /** What was found, in a few words. */
  title: string;
  verdict: Verdict;
  /** What to do about it, in one sentence. */
  fix: string;
}

const violation = (title: string, fix: string): Rule => ({ verdict: "violation", title, fix });
const undeclared = (title: string, fix: string): Rule => ({ verdict: "undeclared", title, fix });
const send = (title: string, what: string, keyword: string): Rule =>
  violation(
    title,
    `Send ${what}; if what came is right, report it to the service, or correct ${keyword} in the description.`,
  );
const gap = (title: string): Rule => ({
  verdict: "gap-observed",
  title: `${title}, which the source does not show`,
  fix: "Nothing to do; do not rely on it.",
});

/** Every rule by its id. */
export const rules = {
  "value/required": send("A required member is missing", "the member", "`required`"),
  "value/type": send("A value has the wrong type", "the described type", "`type`"),
  "value/null": send("A value is null that is never null", "a value", "`type`"),
  "value/const": send("A value is none of the allowed", "one of them", "`const` or `enum`"),
  "value/tag": send("A tag does not fit its fields", "the tag of the fields", "the union"),
  "value/pattern": send("A text has another form", "the described form", "`pattern`"),
  "value/format": send("A text has another format", "the described format", "`format`"),
  "value/range": send("A number or size is out of range", "what is within", "the limit"),
  "value/items": send("The items do not fit together", "items that do", "the keyword"),
  "value/key": send("A key has another form", "the described form", "`propertyNames`"),
  "value/closed": send("Something must not be there", "the rest alone", "what closes it"),
  "value/union": send("A value fits no branch, or too many", "what fits one", "the union"),
  "value/not": send("A value is excluded", "another value", "`not`"),
  "drift/field": undeclared(
    "A field that nobody described",
    "Describe the field if it is here to stay, or correct its name.",
  ),
  "drift/value": undeclared(
    "A value that nobody described",
    "Add it to those that occur if it is here to stay, or correct it.",
  ),
  "gap/field": gap("A field"),
  "gap/value": gap("A value"),
  "gap/status": gap("A status of an error"),
  "gap/parameter": gap("A name or value of a parameter"),
  "surface/endpoint": undeclared("No operation has this path", "Correct it, or describe one."),
  "surface/method": undeclared("The path has no such method", "Correct it, or describe it."),
  "surface/status": send("No response has this status", "a described one", "`responses`"),
  "surface/wrong-status": send("The body is of another status", "its own", "the response"),
  "surface/media-type": send("The media type is another", "the described", "`content`"),
  "surface/no-media-type": violation("A body has no media type", "Send `content-type`."),
  "surface/header-missing": send("A header is missing", "it", "its `required`"),
  "surface/header-value": send("A header has another form", "the described", "its schema"),
  "surface/header-undeclared": undeclared("A header that nobody described", "Describe it."),
  "surface/empty-body": send("There is no body", "the described body", "`content`"),
  "surface/not-json": violation("The body is no JSON", "Send all of it, and as JSON."),
  "surface/repeated-key": violation("An object has the same key twice", "Send each key once."),
  "surface/extra-body": undeclared("There is a body", "Describe the `content` of the response."),
  "request/body": send("The request has another body", "the described", "`requestBody`"),
  "request/extra-body": undeclared("The request has a body", "Describe it, or do not send it."),
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
