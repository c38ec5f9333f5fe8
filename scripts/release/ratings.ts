import type { Impact, SpecChange } from "./spec-diff.js";

/** What a change asks of the version, and who notices it. */
interface Row {
  is(change: SpecChange): boolean;
  impact: Impact;
  why: string;
}

/** Names under which the description only explains, and names that tell tools how to show it. */
const TEXT = new Set(
  "$comment description externalDocs summary tags title version x-displayName x-source".split(" "),
);
const TEXT_TYPES = new Set(
  "Contact Example ExampleMap ExamplesMap ExternalDocs Info License SpecExtension Tag TagList".split(
    " ",
  ),
);
/** Constraints that restrict nothing; `(nothing)` is where there is none. */
const SILENT = new Set(["(nothing)", "0", "int64", "double", "float", "password"]);
const SETS = new Set(["enum", "required", "type"]);

/** Lowers what the tool rates too high. The first row that fits counts. */
export const lowered: readonly Row[] = [
  {
    is: ({ property = "", from, to }) =>
      /^(format|min(Items|Length|Properties))$/.test(property) && isSilent(from) && isSilent(to),
    impact: "patch",
    why: "the keyword restricts nothing, before and after",
  },
  {
    is: ({ property = "", from, to }) => SETS.has(property) && isSameSet(from, to),
    impact: "patch",
    why: "the same in another order",
  },
];

/**
 * Rates what the rules of `redocly diff` say nothing of; planted edits have shown each to be one. They know services
 * and not the typed client, in which names and unions are code. The first row that fits counts, and the last one fits
 * everything.
 */
export const ratings: readonly Row[] = [
  {
    is: ({ type, kind, property }) =>
      type === "PathItem" && kind === "modified" && property === "key",
    impact: "major",
    why: "path parameters are named in calls, and `http` is typed by the path",
  },
  {
    is: ({ type, path, kind, property }) =>
      type === "Schema" &&
      /^#\/components\/schemas\/[^/]+$/.test(path) &&
      (kind === "removed" || property === "key"),
    impact: "major",
    why: "the package exports a type of that name",
  },
  {
    is: ({ type, path, kind, property }) =>
      type === "Schema" &&
      /\/properties\/[^/]+$/.test(path) &&
      (kind === "removed" || property === "key"),
    impact: "major",
    why: "code that sends or reads the property does not compile any more",
  },
  {
    is: ({ type, path, kind }) =>
      type === "Schema" && kind === "removed" && /\/(oneOf|anyOf)\/\d+$/.test(path),
    impact: "major",
    why: "code that handles this kind does not compile any more",
  },
  {
    is: ({ property, from, to }) => property === "enum" && isAnyGone(from, to),
    impact: "major",
    why: "code that handles a value that is gone does not compile any more",
  },
  {
    is: ({ property, from, to }) =>
      property === "additionalProperties" && from === true && to !== true,
    impact: "major",
    why: "code that reads further fields does not compile any more",
  },
  {
    is: ({ type, kind, to }) =>
      type === "RequestBody" &&
      kind === "added" &&
      (to as { required?: boolean }).required === true,
    impact: "major",
    why: "a call without the body is refused",
  },
  {
    is: ({ type, property, from, to }) =>
      type === "Header" && property === "required" && from === true && to !== true,
    impact: "major",
    why: "a header that was always sent may be absent",
  },
  {
    is: ({ type, kind, path, property = "" }) =>
      TEXT_TYPES.has(type) ||
      TEXT.has(property) ||
      property.startsWith("x-") ||
      (kind !== "modified" && TEXT.has(path.slice(path.lastIndexOf("/") + 1))),
    impact: "patch",
    why: "text",
  },
  {
    is: () => true,
    impact: "minor",
    why: "the description says more or takes more, and no call breaks",
  },
];

function isSilent(value: unknown): boolean {
  return SILENT.has(String(value ?? "(nothing)"));
}

function isSameSet(one: unknown, other: unknown): boolean {
  return !isAnyGone(one, other) && !isAnyGone(other, one);
}

function isAnyGone(from: unknown, to: unknown): boolean {
  const left = new Set([to].flat());
  return [from].flat().some((value) => value !== undefined && !left.has(value));
}
