import { lastKey, parentPointer } from "../../openapi/pointer.js";
import type { Mismatch } from "./mismatches.js";

/**
 * The category of a finding: the exchange contradicts the description, contains something undeclared, or contains
 * something that the specification leaves open.
 */
export type Category = "violation" | "undeclared" | "unspecified";

/** The severity of a finding. Only an `error` makes the gate fail. */
export type Severity = "error" | "warning" | "note";

/** A rule, with a title and a fix that apply to all of its findings. */
export interface Rule {
  category: Category;
  /** A short description of the mismatch, such as "A property is missing". */
  title: string;
  /** The change that resolves the finding. */
  fix: string;
}

/** Titles and fixes, by keyword or rule id. A noun phrase in braces is replaced with the subject of a finding. */
type Texts = Readonly<Record<string, readonly [title: string, fix: string]>>;

/** Titles and fixes for violations of the schema, by JSON Schema keyword. */
const KEYWORDS: Texts = {
  type: [
    "{A value} has the wrong type",
    "Send a value of a declared type, or change the `type` of {the value} in the description.",
  ],
  required: ["{A property} is missing", "Send {the property}, or remove it from `required`."],
  enum: [
    "{A value} is not in its `enum`",
    "Send a value that the `enum` lists, or add the actual value to the `enum`.",
  ],
  const: [
    "{A value} differs from its `const`",
    "Send the declared value, or change the `const` of {the value}.",
  ],
  oneOf: [
    "{A value} matches no branch of its union",
    "Make {the value} match a branch, or add a branch to the union.",
  ],
  propertyNames: [
    "{A property} has an invalid name",
    "Rename {the property}, or change `propertyNames` in the description.",
  ],
  false: [
    "{A value} must be absent",
    "Remove {the value}, or replace the `false` schema in the description.",
  ],
  not: [
    "{A value} matches the schema under `not`",
    "Send a different value, or change `not` in the description.",
  ],
};

const OTHER_KEYWORDS =
  "pattern format minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems " +
  "uniqueItems minProperties maxProperties additionalProperties";

const describeKeyword = (keyword: string): Texts[string] => [
  `{A value} does not match \`${keyword}\``,
  `Make {the value} match \`${keyword}\`, or change \`${keyword}\` in the description.`,
];

const VIOLATIONS = {
  "http/undocumented-status": [
    "{A status} is undocumented",
    "Send a documented status, or add {the status} to `responses`.",
  ],
  "http/unexpected-status": [
    "{A status} is not what the plan expects",
    "Correct the plan or the deployment.",
  ],
  "http/status-body-mismatch": [
    "The response body belongs to a different status",
    "Send the body that is documented for this status, or the status that is documented for this body.",
  ],
  "http/undocumented-media-type": [
    "The media type is undocumented",
    "Send a documented media type, or add the actual media type to `content`.",
  ],
  "http/missing-content-type": [
    "The response has a body but no media type",
    "Send the `content-type` header.",
  ],
  "http/missing-header": [
    "{A header} is missing",
    "Send {the header}, or remove its `required: true` from the description.",
  ],
  "http/invalid-header": [
    "{A header} does not match its schema",
    "Make {the header} match its schema, or change the schema.",
  ],
  "http/missing-body": [
    "The response body is missing",
    "Send the body, or remove `content` from the response in the description.",
  ],
  "http/not-json": ["The response body is not JSON", "Send a complete JSON body."],
  "request/invalid-body": [
    "The request body is invalid or missing",
    "Send a body that matches `requestBody`, or change `requestBody` in the description.",
  ],
} as const satisfies Texts;

const UNDECLARED = {
  "undeclared/property": [
    "{A property} is undeclared",
    `Declare {the property} in the description, or correct its name.`,
  ],
  "undeclared/value": [
    "{A property} has an unknown value",
    `Add the value to \`x-known-values\`, or send a known value.`,
  ],
  "http/unknown-path": [
    "{A path} matches no operation",
    "Correct the path, or add the operation to the description.",
  ],
  "http/unknown-method": [
    "{A method} is undocumented for its path",
    "Correct the method, or add the operation to the description.",
  ],
  "http/operation-mismatch": [
    "{An operation name} does not match the method and path",
    "Correct {the operation name} or the path.",
  ],
  "http/misspelled-header": [
    "{A header} resembles a documented header",
    "Rename {the header}, or add it to the description.",
  ],
  "http/unexpected-body": [
    "The response has an undeclared body",
    "Add `content` to the response in the description, or send no body.",
  ],
  "request/unexpected-body": [
    "The request has an undeclared body",
    "Add `requestBody` to the operation in the description, or send no body.",
  ],
} as const satisfies Texts;

const NOTHING = "No action is needed, but do not rely on unspecified behavior.";
const UNSPECIFIED = {
  "unspecified/property": ["{A property} is unspecified", NOTHING],
  "unspecified/value": ["{A value} is unspecified", NOTHING],
  "unspecified/status": ["{A status} is unspecified", NOTHING],
  "unspecified/parameter": ["{A parameter} is unspecified", NOTHING],
} as const satisfies Texts;

/** The id of a rule. */
export type RuleId =
  `schema/${string}` | keyof typeof VIOLATIONS | keyof typeof UNDECLARED | keyof typeof UNSPECIFIED;

const SCHEMA = Object.entries<Texts[string]>({
  ...KEYWORDS,
  ...Object.fromEntries(OTHER_KEYWORDS.split(" ").map((each) => [each, describeKeyword(each)])),
}).map(([keyword, texts]) => [`schema/${keyword}`, texts]);

const TEXTS: Readonly<Record<Category, Texts>> = {
  violation: { ...(Object.fromEntries(SCHEMA) as Texts), ...VIOLATIONS },
  undeclared: UNDECLARED,
  unspecified: UNSPECIFIED,
};

/** All rules, by id. */
export const rules = Object.fromEntries(
  Object.values(TEXTS).flatMap((texts) =>
    Object.keys(texts).map((id) => [id, ruleOf(id as RuleId)]),
  ),
) as Readonly<Record<RuleId, Rule>>;

/**
 * Returns the rule for an id. If `subject` is given, inserts the subject of the finding into the title and the
 * fix. A JSON Schema keyword that has no entry gets a general title and fix.
 */
export function ruleOf(id: RuleId, subject?: string): Rule {
  const [category = "violation", texts = {}] =
    Object.entries(TEXTS).find(([, each]) => Object.hasOwn(each, id)) ?? [];
  const [title, fix] = texts[id] ?? describeKeyword(id.slice("schema/".length));
  const fill = (text: string) =>
    text.replace(/\{(.)(.*?)\}/g, (_, first: string, rest: string) => {
      if (subject === undefined) return first + rest;
      return first === "A" ? capitalize(subject) : subject;
    });
  return { category: category as Category, title: fill(title), fix: fill(fix) };
}

function capitalize(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** A value of the `undeclared` setting: the severity of findings about anything undeclared. */
export type UndeclaredSeverity = "error" | "warning";

/** Returns the severity of a category. @param setting the severity of undeclared findings */
export function severityOf(category: Category, setting: UndeclaredSeverity): Severity {
  const severities = { violation: "error", undeclared: setting, unspecified: "note" } as const;
  return severities[category];
}

/** Returns a noun phrase for the subject of a finding, such as "the property `title`". */
export function subjectOf({ rule, pointer, groupKey, location, value }: Mismatch): string {
  if (rule === "unspecified/parameter") return `the parameter \`${groupKey}\``;
  if (rule.endsWith("-header")) return `the header \`${groupKey}\``;
  if (location === "status" || location === "method") return `the ${location} ${value}`;
  if (location === "path") return `the path \`${value}\``;
  if (location === "operation") return `the operation name \`${value}\``;
  const body = rule.startsWith("request/") ? "the request body" : "the response body";
  if (pointer === "") return body;
  const isItem = /\/\d+$/.test(pointer) && groupKey.endsWith("/*");
  if (!isItem) return `the property \`${lastKey(pointer)}\``;
  const array = parentPointer(pointer);
  return `an item of ${array === "" ? body : `\`${lastKey(array)}\``}`;
}
