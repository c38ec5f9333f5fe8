import { description as catalogue } from "../../generated/description.js";
import { description as observed } from "../../generated/observed-description.js";
import { createRedactor } from "../../redact.js";
import { resolveRef } from "../engine/document.js";
import { isPlainIdentifier } from "../engine/format-value.js";
import { lastKey, toReferenceToken } from "../engine/pointer.js";
import { jsonType, schemaAt } from "../engine/schema.js";
import type { ApplicableSchema, WalkedValue } from "../engine/schema.js";
import {
  findParameter,
  findSensitiveValues,
  isSensitiveSegment,
  walkBodies,
} from "../engine/sensitive.js";
import type { Described, Exchange, Json, Operation } from "../engine/types.js";

/** A request and its response, as sent and received. */
export type RawExchange = Pick<Exchange, "request" | "response"> & { operation: string };

/** The parts of a recording that come from an exchange. */
export type RedactedExchange = Pick<RawExchange, "operation"> & {
  request: Omit<Exchange["request"], "token">;
  response: Pick<Exchange["response"], "status" | "headers" | "body">;
};

/** The observed description may mark more values, and names query parameters. */
const DESCRIPTIONS = [catalogue, observed];

function findOperation({ operations }: typeof catalogue, id: string): Operation {
  return operations.find((each) => each.id === id)!;
}

/** The sensitive values of a run. */
export type Secrets = ReturnType<typeof createSecrets>;

/** @param given the token, and values from the environment */
export function createSecrets(given: readonly string[], exchanges: readonly RawExchange[]) {
  const found = exchanges.flatMap((each) =>
    DESCRIPTIONS.flatMap((description) =>
      findSensitiveValues(each, findOperation(description, each.operation), description),
    ),
  );
  const values = new Set([...given, ...found].filter((each) => each !== ""));
  const redact = createRedactor(values, replacementFor);
  return {
    /** Replaces the values in a text; short ones only if they are the whole text. */
    redact: (text: string) => (values.has(text) ? replacementFor(text) : redact(text)),
    has: (value: string) => values.has(value),
  };
}

/** The replacement for a string. It keeps the form of a URL or a path, so that it satisfies the same schema. */
function replacementFor(value: string): string {
  if (/^https?:\/\//i.test(value)) return "https://redacted.example/";
  return value === "" ? "" : `${value.startsWith("/") ? "/" : ""}redacted`;
}

/** A replacement of the same type, so that a finding about the type stays. */
function replaceScalar(value: Json): Json {
  if (typeof value === "string") return replacementFor(value);
  if (typeof value === "number") return Number.isInteger(value) ? 1 : 0.5;
  return value;
}

/** An exchange as a description sees it. */
type View = ReturnType<typeof createView>;

function createView(exchange: RawExchange, description: typeof catalogue) {
  const operation = findOperation(description, exchange.operation);
  return { description, operation, ...walkBodies(exchange, operation, description) };
}

/**
 * Reduces an exchange to what the description declares as public: a value stays if it has the declared type and is not
 * sensitive. Any other value is replaced, and the secrets of the run are replaced wherever they appear.
 * @param exchange with the request as the plan states it, without values from the environment
 */
export function redactExchange(exchange: RawExchange, secrets: Secrets): RedactedExchange {
  const { operation, request, response } = exchange;
  const views = DESCRIPTIONS.map((description) => createView(exchange, description));
  const [declared] = views as [View];
  const { query, body } = request;
  return {
    operation,
    request: {
      method: request.method,
      path: secrets.redact(redactPath(request.path, views)),
      ...(query && { query: redactQuery(query, views, secrets) }),
      ...(body !== undefined && { body: redactBody(body, "sent", views, secrets) }),
    },
    response: {
      status: response.status,
      headers: redactHeaders(response.headers, declared.operation, secrets),
      ...(response.body !== undefined && {
        body: redactBody(response.body, "received", views, secrets),
      }),
    },
  };
}

function redactPath(path: string, views: readonly View[]): string {
  const segments = path.split("/").map((segment, index) => {
    const isMarked = views.some(({ operation }) => isSensitiveSegment(operation, index));
    return isMarked ? "1" : segment;
  });
  return segments.join("/");
}

/** A query parameter stays if a description names it. */
function redactQuery(
  query: NonNullable<Exchange["request"]["query"]>,
  views: readonly View[],
  secrets: Secrets,
): Record<string, Json> {
  const entries = Object.entries(query).map(([name, value], index): [string, Json] => {
    const described = views.flatMap((each) => findParameter(each, name) ?? []);
    const isDeclared = described.some((each) => each.name === name);
    const isPublic = isDeclared && !described.some((each) => each.isSensitive);
    const key = isDeclared || isPlainIdentifier(name) ? secrets.redact(name) : `key-${index + 1}`;
    const shown = typeof value === "string" ? secrets.redact(value) : (value as Json);
    return [key, isPublic ? shown : replaceScalar(shown)];
  });
  return Object.fromEntries(entries);
}

function redactBody(
  body: Json,
  part: "sent" | "received",
  views: readonly View[],
  secrets: Secrets,
): Json {
  const [declared] = views as [View];
  const names = new Set<string>();
  const types = new Set<string>();
  for (const { pointer, schemas, value, around } of declared[part]) {
    const isTag = typeof value === "string" && tagsOf(around).includes(lastKey(pointer));
    if (isTag || isTyped(value, schemas)) types.add(pointer);
    if (isNamed(lastKey(pointer), around)) names.add(pointer);
  }
  const marked = views.flatMap((view) => view[part].filter((each) => each.isSensitive));
  for (const { pointer } of marked) types.delete(pointer);
  return redactValue(body, "", { types, names, secrets });
}

interface Redaction {
  /** Pointers to the public values: they have the declared type and are not sensitive. */
  types: ReadonlySet<string>;
  /** Pointers to the members with a declared key. */
  names: ReadonlySet<string>;
  secrets: Secrets;
}

function redactValue(value: Json, pointer: string, redaction: Redaction): Json {
  const { types, names, secrets } = redaction;
  if (typeof value !== "object" || value === null) {
    if (!types.has(pointer) || secrets.has(String(value))) return replaceScalar(value);
    return typeof value === "string" ? secrets.redact(value) : value;
  }
  const entries = Object.entries(value).map(([key, each], index): [string, Json] => {
    const inner = pointer + toReferenceToken(key);
    const isKept = (names.has(inner) || isPlainIdentifier(key)) && secrets.redact(key) === key;
    return [isKept ? key : `key-${index + 1}`, redactValue(each, inner, redaction)];
  });
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

/** Whether schemas state the type of a value. */
function isTyped(value: Json, schemas: readonly ApplicableSchema[]): boolean {
  return schemas.some(({ schema }) => {
    const constants = "const" in schema ? [schema.const] : (schema.enum ?? []);
    const types = new Set([schema.type ?? constants.map(jsonType)].flat());
    return types.has(jsonType(value)) || (types.has("integer") && Number.isInteger(value));
  });
}

/** The names of the tags of an object. A tag counts as declared even if it selects no branch. */
function tagsOf(object: WalkedValue | undefined): string[] {
  return (object?.schemas ?? []).flatMap(({ schema }) => schema.discriminator?.propertyName ?? []);
}

/** Whether an object declares a key, by its name or as a key of a map. */
function isNamed(key: string, object: WalkedValue | undefined): boolean {
  const { document } = catalogue;
  return (object?.schemas ?? []).some(({ pointer, schema }) => {
    if (Object.hasOwn(schema.properties ?? {}, key)) return true;
    const { pattern } = schemaAt(document, resolveRef(document, `${pointer}/propertyNames`));
    return pattern !== undefined && new RegExp(pattern, "u").test(key);
  });
}

/** Headers that a client needs to read a response, and the values that are recorded. */
const NEEDED: Readonly<Record<string, RegExp>> = {
  "content-type": /^[\w.+-]+\/[\w.+-]+(?:; *charset="?[\w-]+"?)?$/i,
  "retry-after": /^(?:\d{1,9}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/,
};

/** The described headers, and the needed ones. A value that does not satisfy its schema is replaced. */
function redactHeaders(
  headers: Exchange["response"]["headers"],
  { responses }: Operation,
  secrets: Secrets,
): Record<string, string> {
  const described = new Map(
    responses.flatMap((each) => each.headers.map((header) => [header.name, header] as const)),
  );
  const recorded = Object.entries(headers).flatMap(([name, value]) => {
    const header = described.get(name);
    const needed = NEEDED[name];
    if (!header && !needed) return [];
    const isValid = header ? isValidHeader(value, header) : needed!.test(value);
    if (!isValid) return [[name, "redacted"]];
    return [[name, header?.isSensitive ? replacementFor(value) : secrets.redact(value)]];
  });
  return Object.fromEntries(recorded) as Record<string, string>;
}

function isValidHeader(value: string, { schema = "" }: Described): boolean {
  return catalogue.validators[schema]?.(value).length === 0;
}
