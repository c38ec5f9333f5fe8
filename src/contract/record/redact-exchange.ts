import { description as catalogue } from "../../generated/description.js";
import { description } from "../../generated/full-description.js";
import { createRedactor, MIN_SECRET_LENGTH } from "../../client/redact.js";
import { resolveRef } from "../../openapi/document.js";
import { isPlainIdentifier } from "../engine/format-value.js";
import { lastKey, toReferenceToken } from "../../openapi/pointer.js";
import { readText } from "../../openapi/read-text.js";
import { hasType, schemaAt } from "../../openapi/schema.js";
import { walkValues, type Subject, type WalkedValue } from "../../openapi/walk-values.js";
import {
  findParameter,
  findSensitiveValues,
  isSensitiveSegment,
  listSubjects,
} from "../engine/sensitive.js";
import type { Json, Operation } from "../../openapi/description.js";
import type { Exchange } from "../engine/types.js";

/** A request and its response, as sent and received. */
export type RawExchange = Pick<Exchange, "request" | "response"> & { operation: string };

function findOperation({ operation }: RawExchange, { operations } = description) {
  return operations.find(({ id }) => id === operation);
}

/** Functions that recognize and replace the sensitive values of a run. */
export type RunSecrets = ReturnType<typeof collectSecrets>;

/** Collects the sensitive values of a run. @param given the token, and values from the environment */
export function collectSecrets(given: readonly string[], exchanges: readonly RawExchange[]) {
  const found = exchanges.flatMap((each) =>
    [catalogue, description].flatMap((marked) => {
      const operation = findOperation(each, marked);
      return operation ? findSensitiveValues(each, operation, marked) : [];
    }),
  );
  // Short numbers are too common to replace.
  const isDistinctive = (each: string) =>
    each.length >= MIN_SECRET_LENGTH || Number.isNaN(Number(each));
  const values = new Set([...given, ...found].filter(isDistinctive));
  const redact = createRedactor(values, replacementFor);
  return {
    /** Replaces the sensitive values in text. A short value is replaced only if it is the whole text. */
    redact: (text: string) => (values.has(text) ? replacementFor(text) : redact(text)),
    has: (value: string) => values.has(value),
  };
}

/**
 * Returns a replacement for a string. The replacement for a URL is also a URL, and the replacement for a path starts
 * with a slash, so that each replacement matches the schema.
 */
function replacementFor(value: string): string {
  if (/^https?:\/\//i.test(value)) return "https://redacted.example/";
  return value === "" ? "" : `${value.startsWith("/") ? "/" : ""}redacted`;
}

/** Returns a replacement that has the type of the value, so that the gate still reports a wrong type. */
function replaceScalar(value: Json): Json {
  if (typeof value === "string") return replacementFor(value);
  if (typeof value === "number") return Number.isInteger(value) ? 1 : 0.5;
  return value;
}

/**
 * Redacts an exchange for a recording. Keeps a value only if the full description declares its type and does not
 * mark it as sensitive. Replaces all other values, and the secrets of the run wherever they appear.
 * @param exchange the exchange, whose request contains no values from the environment
 */
export function redactExchange(exchange: RawExchange, secrets: RunSecrets): RawExchange {
  const operation = findOperation(exchange)!;
  const { sent, received } = listSubjects(exchange, operation, description);
  const { request, response } = exchange;
  const segments = request.path.split("/");
  const path = segments.map((each, index) => (isSensitiveSegment(operation, index) ? "1" : each));
  const redactBody = (body: Json | undefined, subjects: readonly Subject[]) => {
    const values = subjects.flatMap((each) => [...walkValues(each)]);
    return body === undefined ? {} : { body: redactValue(body, "", classify(values), secrets) };
  };
  return {
    operation: exchange.operation,
    request: {
      method: request.method,
      path: secrets.redact(path.join("/")),
      ...(request.query && { query: redactQuery(request.query, operation, secrets) }),
      ...redactBody(request.body, sent),
    },
    response: {
      status: response.status,
      headers: redactHeaders(response.headers, operation, secrets),
      ...redactBody(response.body, received),
    },
  };
}

function redactQuery(
  query: NonNullable<Exchange["request"]["query"]>,
  operation: Operation,
  secrets: RunSecrets,
): Record<string, Json> {
  const entries = Object.entries(query).map(([name, value], index): [string, Json] => {
    const parameter = findParameter({ operation, description }, name);
    const isPublic = parameter?.name === name && !parameter.isSensitive;
    const shown = typeof value === "string" ? secrets.redact(value) : (value as Json);
    const key = isPlainIdentifier(name) ? name : `key-${index + 1}`;
    return [key, isPublic ? shown : replaceScalar(shown)];
  });
  return Object.fromEntries(entries);
}

/** Pointers to the declared values and the declared property names in a body. */
interface DeclaredPointers {
  /** Pointers to the values that have a declared type and are not sensitive. */
  values: ReadonlySet<string>;
  /** Pointers to the properties that have a declared name. */
  names: ReadonlySet<string>;
}

function classify(walked: readonly WalkedValue[]): DeclaredPointers {
  const [values, names] = [new Set<string>(), new Set<string>()];
  for (const each of walked) {
    if (hasDeclaredType(each)) values.add(each.pointer);
    if (hasDeclaredName(each)) names.add(each.pointer);
  }
  for (const { pointer, isSensitive } of walked) if (isSensitive) values.delete(pointer);
  return { values, names };
}

/** Checks whether a value has a declared type. A discriminator can be any string, even if it selects no branch. */
function hasDeclaredType({ pointer, value, schemas, around }: WalkedValue): boolean {
  const isDiscriminator = around?.schemas.some(
    ({ schema }) => schema.discriminator?.propertyName === lastKey(pointer),
  );
  if (isDiscriminator && typeof value === "string") return true;
  return schemas.some(({ schema }) => hasType(value, schema));
}

/** Checks whether the description declares a key, either as a property name or as a key of a map. */
function hasDeclaredName({ pointer, around }: WalkedValue): boolean {
  const key = lastKey(pointer);
  const { document } = description;
  return (around?.schemas ?? []).some((each) => {
    if (Object.hasOwn(each.schema.properties ?? {}, key)) return true;
    const { pattern } = schemaAt(document, resolveRef(document, `${each.pointer}/propertyNames`));
    return pattern !== undefined && new RegExp(pattern, "u").test(key);
  });
}

function redactValue(
  value: Json,
  pointer: string,
  declared: DeclaredPointers,
  secrets: RunSecrets,
): Json {
  const { values, names } = declared;
  if (typeof value !== "object" || value === null) {
    if (!values.has(pointer) || secrets.has(String(value))) return replaceScalar(value);
    return typeof value === "string" ? secrets.redact(value) : value;
  }
  const entries = Object.entries(value).map(([key, each], index): [string, Json] => {
    const inner = pointer + toReferenceToken(key);
    const isKept = (names.has(inner) || isPlainIdentifier(key)) && secrets.redact(key) === key;
    return [isKept ? key : `key-${index + 1}`, redactValue(each, inner, declared, secrets)];
  });
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

/** Headers that a client needs to handle a response, each with a pattern for the values that can be recorded. */
const NEEDED: Readonly<Record<string, RegExp>> = {
  "content-type": /^[\w.+-]+\/[\w.+-]+(?:; *charset="?[\w-]+"?)?$/i,
  "retry-after": /^(?:\d{1,9}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/,
};

/**
 * Keeps the documented headers and the headers in `NEEDED`. Replaces a value that does not match the schema or pattern
 * of its header.
 */
function redactHeaders(
  headers: Exchange["response"]["headers"],
  { responses }: Operation,
  secrets: RunSecrets,
): Record<string, string> {
  const documentedHeaders = responses.flatMap((each) => each.headers);
  const recorded = Object.entries(headers).flatMap(([name, value]) => {
    const header = documentedHeaders.find((each) => each.name === name);
    if (!header && !NEEDED[name]) return [];
    const validate = description.validators[header?.schema ?? ""];
    const isValid = !validate || readText([value], validate).errors.length === 0;
    if (!isValid || NEEDED[name]?.test(value) === false) return [[name, "redacted"]];
    return [[name, secrets.redact(value)]];
  });
  return Object.fromEntries(recorded) as Record<string, string>;
}
