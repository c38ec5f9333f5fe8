import { description } from "../../generated/description.js";
import { step } from "../engine/pointer.js";
import { usual } from "../engine/route.js";
import { placesIn, type Part } from "../engine/schema.js";
import type { Exchange, Json } from "../engine/types.js";
import { hideInText, isFieldName, isSecret, nameIn, PLACEHOLDER, standIn } from "../secrets.js";
import type { Secrets } from "../secrets.js";

/** A request and its response. */
export type RawExchange = Pick<Exchange, "request" | "response"> & { operation: string };

/** Options for scrubbing an exchange. */
export interface ScrubOptions {
  secrets: Secrets;
  /** Keeps the values of undeclared fields, scrubbed like declared text. */
  keepUndeclared?: boolean | undefined;
}

/** The public fields of account details. All other fields are personal data. */
const PUBLIC_OF_ACCOUNT = new Set(["include_adult", "iso_3166_1", "iso_639_1"]);
/** Names of fields with personal data of no recognizable format. */
const PERSONAL_NAME = /^(?:user_?name|login)$/i;
const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
/** Formats of personal data. Titles, dates, years, versions and counts must not match. */
const PERSONAL = [
  /[\p{L}\d._%+-]{1,64}(?:@|%40)(?:[\p{L}\d-]+\.)+\p{L}{2,}/giu,
  // IPv4.
  new RegExp(String.raw`(?<![\w.]|version )(?:${OCTET}\.){3}${OCTET}(?![\w-]|\.\d)`, "gi"),
  // IPv6: eight groups, or fewer with `::` between them.
  /(?<![\w:])(?=[a-f:]*\d)(?:(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?:[\da-f]{1,4}:){1,6}(?::[\da-f]{1,4}){1,6})(?![\w:])/gi,
  // A phone number: international, North American, or after a word such as "phone".
  /(?<![\w+])\+\d(?:[\s().-]{0,2}\d){7,14}(?![\d-])/g,
  /(?<![\w.-])(?:(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}|555)[-.]\d{4}(?![\w-])/g,
  /(?<=\b(?:phone|mobile|tel|telephone)(?: number)?(?: is)?[ :.]+)[(\d](?:[\s().-]{0,2}\d){6,14}/gi,
  // A one-time code after its name.
  /(?<=\b(?:(?:your|verification|security|confirmation|login|access|auth\w{0,12}) (?:code|pin|password)|otp|pin|passcode)(?: is)?[ :=#]+)(?=[\w-]*\d)[a-z\d][a-z\d-]{2,10}[a-z\d](?![\w-])/gi,
];

/** Replaces e-mail addresses, IP addresses, phone numbers and one-time codes in a text. */
export function hidePersonal(text: string): string {
  return PERSONAL.reduce((rest, format) => rest.replace(format, "scrubbed"), text);
}

function hideText(text: string, secrets: Secrets): string {
  return hidePersonal(hideInText(text, secrets));
}

/**
 * Replaces secrets and personal data in an exchange. All secrets of the run must already be known. A value keeps its
 * type and form, so it still satisfies its schema. The value of an undeclared field becomes a placeholder.
 */
export function scrub(exchange: RawExchange, options: ScrubOptions): RawExchange {
  const { operation, request, response } = exchange;
  const { secrets } = options;
  const described = description.operations.find(({ id }) => id === operation);
  // The fields of all responses are declared, so that an error with the status of a success stays readable.
  const received = described?.responses.flatMap(({ media }) => usual(media)?.schema ?? []) ?? [];
  const sent = usual(described?.body ?? [])?.schema ?? [];
  const isDetails = operation === "account.details" && response.status < 300;

  const query = Object.entries(request.query ?? {}).map(([name, value]) => [
    hideText(name, secrets),
    isSecret(name, value, true) ? replaced(value as Json) : scrubbed(value as Json, secrets),
  ]);
  const headers = Object.entries(response.headers).map(([name, value]) => [
    name,
    isSecret(name, value) ? standIn(value) : hideText(value, secrets),
  ]);
  return {
    operation,
    request: {
      method: request.method,
      path: hideText(request.path, secrets),
      ...(request.query && { query: Object.fromEntries(query) as Record<string, Json> }),
      ...scrubContent(request, [sent].flat(), options),
    },
    response: {
      status: response.status,
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...scrubContent(response, received, options, isDetails),
    },
  };
}

function scrubContent(
  { body, text }: { body?: Json; text?: string },
  schemas: readonly string[],
  { secrets, keepUndeclared = false }: ScrubOptions,
  isDetails = false,
): { body?: Json; text?: string } {
  if (body === undefined) return text === undefined ? {} : { text: hideText(text, secrets) };
  const declared = new Map<string, Part[]>();
  for (const schema of schemas)
    for (const { pointer, parts } of placesIn({ description, schema, body }))
      declared.set(pointer, [...(declared.get(pointer) ?? []), ...parts]);
  const partsAt = (pointer: string) => declared.get(pointer) ?? [];

  function visit(value: Json, pointer: string, isHidden: boolean): Json {
    if (typeof value !== "object" || value === null) {
      if (isHidden) return replaced(value);
      const isTyped = partsAt(pointer).some(({ schema }) => schema.type ?? "const" in schema);
      return isTyped || keepUndeclared ? scrubbed(value, secrets) : replaced(value, PLACEHOLDER);
    }
    const around = partsAt(pointer);
    const entries = Object.entries(value).map(([key, each], index): [string, Json] => {
      const inner = pointer + step(key);
      const name = nameIn(value, key);
      const isDetail = isDetails && pointer === "" && !PUBLIC_OF_ACCOUNT.has(name);
      const isPersonal = isDetail || PERSONAL_NAME.test(name);
      const hidesAll = isHidden || isPersonal || isSecret(name, each);
      // A tag counts as declared even if it selects no branch of its union.
      const isTag = around.some(({ schema }) => schema.discriminator?.propertyName === key);
      const isText = isTag && !hidesAll && typeof each === "string";
      const clean = isText ? hideText(each, secrets) : visit(each, inner, hidesAll);
      return [isKept(key, around, isHidden) ? key : `key-${index + 1}`, clean];
    });
    return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
  }

  /** Whether to keep a key: it is declared, or looks like a field name rather than data. */
  function isKept(key: string, parts: readonly Part[], isHidden: boolean): boolean {
    if (parts.some(({ schema }) => Object.hasOwn(schema.properties ?? {}, key))) return true;
    return !isHidden && hideText(key, secrets) === key && (keepUndeclared || isFieldName(key));
  }
  return { body: visit(body, "", false) };
}

/** A replacement of the same type. */
function replaced(value: Json, text?: string): Json {
  if (typeof value === "string") return value && (text ?? standIn(value));
  if (typeof value === "number") return Number.isInteger(value) ? 1 : 0.5;
  return typeof value === "object" && value !== null ? null : value;
}

function scrubbed(value: Json, secrets: Secrets): Json {
  if (typeof value === "string") return hideText(value, secrets);
  return secrets.hide(`${value}`) === `${value}` ? value : replaced(value);
}
