import { getAtPointer } from "../../src/contract/engine/pointer.js";
import type { Bump } from "./version.js";

/** One change of the description, rated by the version bump that it needs. */
export interface Change {
  impact: Exclude<Bump, "none">;
  /** For example `removed Schema`, or `modified Schema required`. */
  what: string;
  /** File, line, and pointer; in the released description if the node no longer exists. */
  place: string;
  why: string;
}

/** A change as `redocly diff --format json` reports it. */
export interface Reported {
  typeName: string;
  kind: "added" | "removed" | "modified";
  /** Pointer to the node, starting at the first operation that uses it. */
  path: string;
  property?: string;
  impact: Change["impact"];
  /** Empty if no rule of Redocly applies. */
  verdicts: { message: string }[];
  base?: { line: number; pointer: string; value?: unknown };
  revision?: Reported["base"];
}

/** Both versions of the description, parsed. */
export interface Documents {
  base: unknown;
  revision: unknown;
}

/** A pattern for `kind Type.property pointer`, a rating, its reason, and a condition on the values. */
type Row = [
  pattern: RegExp,
  impact: Change["impact"],
  why: string,
  applies?: (from: unknown, to: unknown, path: string, documents: Documents) => boolean,
];

/** Corrects changes that a rule of `redocly diff` rates too high. */
const corrections: readonly Row[] = [
  [
    / Schema\.format /,
    "patch",
    "the format only says how to hold the value",
    (from, to, path) => [from, to].every((format) => isHint(format, path)),
  ],
  [
    / Schema\.min(Items|Length|Properties) /,
    "patch",
    "a minimum of 0 restricts nothing",
    (from, to) => !from && !to,
  ],
  [/ Schema\.(enum|required|type) /, "patch", "the same values in another order", isSameSet],
  [
    / Server\.url /,
    "patch",
    "callers pass a base URL and never see the name of a server variable",
    (from, to) => withoutNames(from) === withoutNames(to),
  ],
];

/**
 * Rates changes that no rule of `redocly diff` covers. Its rules are about HTTP; in a typed client, names and unions
 * are code, too. The first row that applies counts.
 */
const defaults: readonly Row[] = [
  [/ PathItem\.key /, "major", "`catalogue.http` is typed by path"],
  [
    /(removed Schema| Schema\.key) .*\/(schemas|properties|oneOf|anyOf)\/[^/]+$/,
    "major",
    "code that uses the type, property, or branch no longer compiles",
  ],
  [
    / Schema\.(enum|const) /,
    "major",
    "code that handles the missing value no longer compiles",
    (from, to) => from !== undefined && to !== undefined && !isSubset(from, to),
  ],
  [
    / Schema\.additionalProperties /,
    "major",
    "code that reads undeclared fields no longer compiles",
    (from, to) => from === true && to !== true,
  ],
  [
    /added RequestBody /,
    "major",
    "a call without the body is refused",
    (_, to) => (to as { required?: boolean }).required === true,
  ],
  [/ Header\.required /, "major", "the header may now be absent", (from) => from === true],
  [/added (Response|MediaType) /, "major", "a call may now return a different body", isNewBody],
  [
    / (Contact|Example\w*|ExternalDocs|Info|License|Server\w*|SpecExtension|Tag\w*)[. ]/,
    "patch",
    "text",
  ],
  [/\.(x-[\w-]+|\$comment|description|externalDocs|summary|tags|title|version) /, "patch", "text"],
  [/./, "minor", "the description says or accepts more, and no call breaks"],
];

/** Rates a change: corrections come first, then the rules of Redocly, then the defaults. */
export function rate(change: Reported, documents: Documents): Pick<Change, "impact" | "why"> {
  const { kind, typeName, property, path, verdicts, impact } = change;
  const [from, to] = [change.base?.value, change.revision?.value];
  const signature = `${kind} ${typeName}${property === undefined ? "" : `.${property}`} ${path}`;
  const rows = verdicts.length > 0 ? corrections : [...corrections, ...defaults];
  const row = rows.find(
    ([pattern, , , applies]) =>
      pattern.test(signature) && (applies?.(from, to, path, documents) ?? true),
  );
  if (row) return { impact: row[1], why: row[2] };
  return { impact, why: verdicts.map(({ message }) => message).join(" ") };
}

/** In a request, int32 excludes values; in a response, every number is a `number`. */
function isHint(format: unknown, path: string): boolean {
  const hints = ["undefined", "int64", "double", "float", "password"];
  return hints.includes(String(format)) || (format === "int32" && path.includes("/responses/"));
}

/** Whether an added 2xx response, or an added media type of one, has a schema that the operation did not return before. */
function isNewBody(_: unknown, to: unknown, path: string, documents: Documents): boolean {
  const [, responses] = /^#(\/paths\/[^/]+\/[^/]+\/responses)\/2/.exec(path) ?? [];
  if (responses === undefined) return false;
  const before = Object.entries((getAtPointer(documents.base, responses) ?? {}) as object).flatMap(
    ([status, response]) =>
      status.startsWith("2") ? schemasOf(response as Response, documents.base) : [],
  );
  const known = new Set(before);
  const added = path.includes("/content/") ? { content: { added: to } } : to;
  return schemasOf(added as Response, documents.revision).some((schema) => !known.has(schema));
}

interface Response {
  $ref?: string;
  content?: Record<string, { schema?: unknown }>;
}

/** The schemas of a response as JSON; `undefined` stands for a response without a body. */
function schemasOf(response: Response, document: unknown): (string | undefined)[] {
  const { $ref } = response;
  const { content = {} } = $ref ? (getAtPointer(document, $ref.slice(1)) as Response) : response;
  const schemas = Object.values(content).map(({ schema }) => JSON.stringify(schema));
  return schemas.length > 0 ? schemas : [undefined];
}

function withoutNames(url: unknown): string {
  return String(url).replaceAll(/\{[^}]*\}/g, "{}");
}

function isSameSet(one: unknown, other: unknown): boolean {
  return isSubset(one, other) && isSubset(other, one);
}

function isSubset(part: unknown, whole: unknown): boolean {
  return [part].flat().every((value) => [whole].flat().includes(value));
}
